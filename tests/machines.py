"""What gives away one machine, or that something is unfinished: neither has a place in what is shipped."""

FOLDERS = tuple(f"/{name}/" for name in ("home", "tmp", "root", "opt"))
REMINDERS = ("TO" + "DO", "FIX" + "ME", "XX" + "X")
