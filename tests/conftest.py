"""What holds for all tests."""

import signal

# In a job in the background a shell has interrupts ignored: what tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
