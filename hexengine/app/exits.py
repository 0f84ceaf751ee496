"""What a command tells the shell when it ends."""

DONE = 0
FAILED = 1
"""What was asked failed."""
WRONG = 2
"""Wrong usage, or a file with faults."""
INTERRUPTED = 130
