"""Limits on clients: rates, connections, and what protocols accept."""
