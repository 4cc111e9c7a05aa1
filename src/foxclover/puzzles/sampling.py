"""Reach decisions in games of players of different strengths."""

from __future__ import annotations

import random
from typing import NamedTuple

from foxclover.ai.families import family_of
from foxclover.ai.nets import make_thinker, shipped_net
from foxclover.core.game import Game
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE, ROLL_DUE

SOURCES = ("net", "medium", "easy", "random")
RANDOM_DECISIONS = 12  # of each player at most; then the source "random" plays like ``medium``
DECISIONS = 60  # of each player at most, before a position is taken


class Decision(NamedTuple):
    """A position in which a seat has several legal moves, and who played up to there."""

    position: Position
    seat: int
    source: str


class Sampler:
    """Play games up to a random decision, all by one kernel instance."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.instance, self.tables, self.workspace = make_thinker(game, shipped_net(game))
        self.workspace.no_cache = 1
        self.shared_rolls = family_of(game).REVIEW.shared_rolls

    def reach(self, source: str, players: int, seed: int) -> Decision:
        """Return a decision of a game that ``seed`` determines."""
        rng = random.Random(f"{source} {players} {seed}")
        self.instance.call("seed_rng", self.workspace.dice_rng, rng.getrandbits(32), 0)
        self.instance.call("seed_rng", self.workspace.choice_rng, rng.getrandbits(32), 0)
        while True:
            found = self._play(source, players, rng)
            if found:
                return found

    def _play(self, source: str, players: int, rng: random.Random) -> Decision | None:
        """Play a game; return None if it ended before the decision that was drawn."""
        call, workspace, state = self.instance.call, self.workspace, self.game.rules.State
        at_random = rng.randrange(RANDOM_DECISIONS * players) if source == "random" else 0
        left = at_random + rng.randrange(DECISIONS * players)
        call("start", self.tables, workspace.here, players, 0)
        pre_roll = None
        moved = set[int]()  # seats that have moved since the last roll
        while True:
            mask = call("acting", self.tables, workspace.here)
            if not mask:
                due = call("chance_pending", self.tables, workspace.here)
                if not due:
                    return None
                if due == ROLL_DUE:
                    pre_roll = self.instance.read(state, workspace.here)
                    moved.clear()
                drawn = call("draw", self.tables, workspace.here, workspace.dice_rng)
                call("apply", self.tables, workspace.here, CHANCE, drawn)
                continue
            seat = (mask & -mask).bit_length() - 1
            moves = workspace.candidates.moves
            count = call("legal", self.tables, workspace.here, seat, moves)
            # Where all decide on one roll, other decisions would be hidden.
            if count > 1 and left == 0 and not (self.shared_rolls and moved - {seat}):
                here = self.instance.read(state, workspace.here)
                return Decision(Position(self.game, here, pre_roll_state=pre_roll), seat, source)
            moved.add(seat)
            chosen = 0
            if count > 1:
                left = max(left - 1, 0)
                at_random -= 1
                noise = "medium" if source == "random" else source
                chosen = (
                    rng.randrange(count) if at_random >= 0 else self._choose(seat, count, noise)
                )
            call("apply", self.tables, workspace.here, seat, int(moves[chosen]))

    def _choose(self, seat: int, count: int, strength: str) -> int:
        """Return the index of the move that a player of a strength makes."""
        candidates = self.workspace.candidates
        candidates.count = count
        self.workspace.rate_all = 0
        best = int(self.instance.call("rate", self.tables, self.workspace, seat))
        noise = family_of(self.game).STRENGTHS[strength].noise
        if not noise:
            return best
        rng = self.workspace.choice_rng
        return int(self.instance.call("noisy_argmax", candidates.ratings, count, noise, rng))
