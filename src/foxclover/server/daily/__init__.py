"""The daily challenge on a server."""
