"""Geht noch was?: conditions, decks, rules, odds."""
