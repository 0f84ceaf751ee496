"""Fire and what it does: the Shooting Step, shots, volleys and their hits, artillery."""
