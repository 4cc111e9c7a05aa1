"""Tables in play: one authority each, the connections around it, what they are shown."""
