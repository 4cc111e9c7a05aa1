"""The family of Geht noch was?: rules, decks, texts, views and computer players."""
