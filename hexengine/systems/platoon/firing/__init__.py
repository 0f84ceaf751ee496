"""Fire and what it does: shots, losses, opportunity fire, mortars, smoke, and who observes."""
