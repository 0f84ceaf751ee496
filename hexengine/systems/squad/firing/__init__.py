"""Fire and what it does: who may fire, fire groups, damage, ordnance and armour, opportunity fire."""
