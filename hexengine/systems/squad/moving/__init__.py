"""Moves: steps and what they cost, groups on the move, vehicles and whom they carry, what lies in the way."""
