"""Who plays: ``Ada,computer:greedy`` is a person and a computer player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foxclover.cli.errors import UserError
from foxclover.errors import quote
from foxclover.locale import Say
from foxclover.notation import CONTROL_SIGN


@dataclass(frozen=True)
class Seat:
    """A seat: its player's name and, for a computer player, which one it is."""

    name: str
    agent: str = ""

    def __str__(self) -> str:
        return f"{self.name}:{self.agent}" if self.agent else self.name


def read_seats(
    texts: Sequence[str], agents: Sequence[str], say: Say, own: bool = False
) -> list[Seat]:
    """Read seats from their texts, with ``own`` agents of one's own too; players of the same name are told apart by a number."""
    seats: list[Seat] = []
    for text in texts:
        name, _, agent = (part.strip() for part in text.partition(":"))
        if agent and agent not in agents and not (own and ":" in agent):
            raise UserError(say("cli.error.agent", text=agent, agents=", ".join(agents)))
        if not name:
            raise UserError(say("cli.play.no_name"))
        if CONTROL_SIGN.search(name):
            raise UserError(say("cli.play.bad_name", name=quote(name)))
        taken = [seat.name for seat in seats]
        number, unique = 1, name
        while unique in taken:
            number += 1
            unique = f"{name} {number}"
        seats.append(Seat(unique, agent))
    return seats
