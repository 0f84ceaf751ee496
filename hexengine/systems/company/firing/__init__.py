"""Fire and what it does: the Shooting Step, hits, artillery."""
