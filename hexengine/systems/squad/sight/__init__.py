"""Lines of sight, spotting, and what a side may see."""
