"""Rules of the Clever games: kernel code."""
