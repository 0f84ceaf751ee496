"""Moves: the Movement Step, where teams may go and how, moving at the double, stairs, digging in."""
