"""From files to a board and the position at its start."""
