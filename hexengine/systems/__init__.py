"""Rule systems, one package each; none imports another."""
