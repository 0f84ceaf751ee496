"""Rules and helpers that several systems share."""
