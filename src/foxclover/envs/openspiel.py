"""OpenSpiel: games with explicit chance.

Dice are rolled one by one, because a roll of six has 46,656 outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pyspiel

from foxclover.core.game import game, game_names
from foxclover.core.position import Position
from foxclover.core.records import Record
from foxclover.core.rules import CHANCE, ROLL_DUE
from foxclover.kernel.python_backend import link
from foxclover.simulation.vector_game import IllegalAction, actions, features

FACES = 6
MOST_OUTCOMES = 128  # of a chance move: faces, ties, cards
PARAMETERS = {"players": 2, "begins": 0, "utility": "points"}
UTILITIES = ("points", "win")
LONGEST = 20_000  # moves of a game, far beyond any


def short_name(key: str) -> str:
    """Return the name of a game in OpenSpiel."""
    return f"python_foxclover_{key.replace('-', '_')}"


def load(name: str, players: int = 2, start_player: int = 0, utility: str = "points") -> Any:
    """Load a game by any unambiguous beginning of its name.

    With the utility "win" a game is worth 1 to its winner, or a share of it.
    """
    if utility not in UTILITIES:
        raise ValueError(f"utility is one of {', '.join(UTILITIES)}, not {utility!r}")
    parameters = {"players": players, "begins": start_player, "utility": utility}
    return pyspiel.load_game(short_name(game(name).key), parameters)


@cache
def action_of(key: str, players: int) -> dict[int, int]:
    """Return the action of each move."""
    return {action.move: action.id for action in actions(key, players)}


class SpielState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """A position, with the dice of an incomplete roll."""

    def __init__(self, spiel_game: Any, key: str, players: int, start_player: int) -> None:
        super().__init__(spiel_game)
        self.key = key
        self.table: Record = game(key).start(players, start_player=start_player).state
        self.faces = ""
        self.listed: tuple[int, list[int]] | None = None  # a seat and its legal actions, cached
        self.utility = spiel_game.utility

    @property
    def position(self) -> Position:
        """Return the position before the incomplete roll."""
        return Position(game(self.key), self.table)  # type: ignore[arg-type]

    def current_player(self) -> int:
        """Return the player to move."""
        position = self.position
        if position.chance_due:
            return int(pyspiel.PlayerId.CHANCE)
        return position.acting[0] if position.acting else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.over

    def _rolling(self) -> bool:
        chosen = game(self.key)
        return chosen.rules.chance_pending(chosen.definition.tables, self.table) == ROLL_DUE  # type: ignore[arg-type]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the faces of the next die, or other outcomes of chance."""
        if self._rolling():
            return [(face, 1 / FACES) for face in range(FACES)]
        weights = [weight for _, weight in self.position.chance_moves()]
        return [(number, weight / sum(weights)) for number, weight in enumerate(weights)]

    def _legal_actions(self, player: int) -> list[int]:
        position = self.position
        ids = action_of(self.key, position.players)
        self.listed = player, sorted(ids[number] for number in position.legal_numbers(player))
        return self.listed[1]

    def _apply_action(self, action: int) -> None:
        chosen, player = game(self.key), self.current_player()
        if player >= 0:
            self._check(
                action,
                self.listed[1]
                if self.listed and self.listed[0] == player
                else self._legal_actions(player),
            )
            self._make(player, actions(self.key, self.position.players)[action].move)
        elif not self._rolling():
            outcomes = [move.number for move, _ in self.position.chance_moves()]
            self._check(action, range(len(outcomes)))
            self._make(CHANCE, outcomes[action])
        else:
            self._check(action, range(FACES))
            self.faces += str(action + 1)
            if len(self.faces) == chosen.contract.features.dice_due(self.table):  # type: ignore[arg-type]
                number = chosen.notation.parse_chance(chosen.definition, self.table, self.faces)  # type: ignore[arg-type]
                self.faces = ""
                self._make(CHANCE, number)

    def _check(self, action: int, legal: Sequence[int]) -> None:
        if action not in legal:
            listed = ", ".join(map(str, legal)) or "none"
            raise IllegalAction(f"action {action} is not legal here; legal are {listed}")

    def _make(self, seat: int, number: int) -> None:
        chosen = game(self.key)
        self.listed = None
        self.table = self.table.copy()
        chosen.rules.apply(chosen.definition.tables, self.table, seat, number)  # type: ignore[arg-type]

    def _action_to_string(self, player: int, action: int) -> str:
        if player >= 0:
            return actions(self.key, self.position.players)[action].text
        if self._rolling():
            return f"die {action + 1}"
        return [move.text for move, _ in self.position.chance_moves()][action]

    def returns(self) -> list[float]:
        """Return the final points, or shares of the win; 0 for all before the end."""
        position = self.position
        if self.utility == "win":
            winners = position.winners
            return [(seat in winners) / max(len(winners), 1) for seat in range(position.players)]
        return [
            float(position.score(seat)) if position.over else 0.0
            for seat in range(position.players)
        ]

    def __str__(self) -> str:
        return f"{self.position}\ndice so far: {self.faces}"


class SpielObserver:
    """The numbers named by ``foxclover.envs.features``, as a tensor."""

    def __init__(self, key: str, players: int) -> None:
        self.key = key
        self.buffer = [0] * len(features(key, players).names)
        self.tensor = np.zeros(len(self.buffer), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the observation of a player."""
        chosen = game(self.key)
        link(chosen.family).observe(chosen.definition.tables, state.table, player, self.buffer)
        self.tensor[:] = self.buffer

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the observation of a player as text."""
        return f"{player}\n{state}"


def _register(key: str) -> None:
    chosen = game(key)
    kind = pyspiel.GameType(
        short_name=short_name(key),
        long_name=chosen.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=chosen.players[-1],
        min_num_players=chosen.players[0],
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            given: dict[str, Any] = PARAMETERS | (params or {})
            self.players, self.start_player = int(given["players"]), int(given["begins"])
            self.utility = str(given["utility"])
            least, most = (
                (0, 1)
                if self.utility == "win"
                else chosen.contract.features.point_bounds(chosen.definition, self.players)
            )
            chosen.start(self.players, start_player=self.start_player)  # raises if impossible
            info = pyspiel.GameInfo(
                num_distinct_actions=len(actions(key, self.players)),
                max_chance_outcomes=MOST_OUTCOMES,
                num_players=self.players,
                min_utility=float(least),
                max_utility=float(most),
                max_game_length=LONGEST,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> SpielState:
            return SpielState(self, key, self.players, self.start_player)

        def make_py_observer(self, *_: Any) -> SpielObserver:
            return SpielObserver(key, self.players)

    pyspiel.register_game(kind, SpielGame)


for _key in game_names():
    _register(_key)
