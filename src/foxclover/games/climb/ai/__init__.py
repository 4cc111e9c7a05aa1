"""Computer players of Geht noch was?: exact rounds, nets, search, training."""
