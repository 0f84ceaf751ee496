"""Work in the field: digging in, and mines."""
