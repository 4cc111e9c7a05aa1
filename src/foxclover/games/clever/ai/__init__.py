"""Computer players of the Clever games: net, rating, rollouts, training."""
