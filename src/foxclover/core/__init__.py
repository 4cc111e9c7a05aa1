"""What all games share: the contract of a family, games, positions, data files."""
