"""The rules of Geht noch was?: kernel code."""
