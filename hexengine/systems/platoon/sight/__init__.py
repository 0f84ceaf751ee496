"""Lines of sight: from hex to hex, and from and to the air."""
