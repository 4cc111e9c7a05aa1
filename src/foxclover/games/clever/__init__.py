"""The Clever games: rules, sheets, text, views, drawing and computer players."""
