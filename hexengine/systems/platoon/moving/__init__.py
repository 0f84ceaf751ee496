"""Moves: steps and what they cost, stacking, transport, water, helicopters, coming onto the map."""
