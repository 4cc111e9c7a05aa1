"""The rules of the two Clever games, in plain integers."""
