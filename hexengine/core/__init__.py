"""The table: positions, dice, orders, events, frames and games, in no system's words."""
