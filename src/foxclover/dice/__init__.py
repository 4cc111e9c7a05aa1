"""Dice: seeded, typed, keyed, provably fair, and dice of the daily challenge."""
