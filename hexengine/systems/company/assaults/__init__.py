"""The Assault Step: charges and defensive fire, the fight, and who touches whom."""
