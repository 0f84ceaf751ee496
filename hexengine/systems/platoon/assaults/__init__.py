"""Close combat: assaults and overruns, their rounds, and retreats."""
