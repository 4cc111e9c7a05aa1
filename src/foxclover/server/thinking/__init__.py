"""Computer players and reviews in worker processes."""
