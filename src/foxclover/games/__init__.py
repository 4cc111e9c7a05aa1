"""The families of games, one package each; ``core.registry`` finds them."""
