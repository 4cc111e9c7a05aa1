"""People without accounts: devices, finished games, groups, deletion."""
