"""Lines of sight, from upper floors too, and cover."""
