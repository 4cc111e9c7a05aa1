"""Call people back when it is their turn and the page is closed."""
