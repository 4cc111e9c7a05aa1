"""Find and check the nets of all games, and load them into the kernel."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from foxclover.ai import net_file
from foxclover.ai.families import family_of
from foxclover.core.contract import AnyState
from foxclover.core.game import Game
from foxclover.kernel import Instance, open_kernel

if TYPE_CHECKING:
    from foxclover.ai.net_file import Net


@cache
def shipped_net(game: Game) -> Net:
    """Return the net that is shipped with the package."""
    return load(net_file.shipped(game), game)


def load(path: Path, game: Game) -> Net:
    """Read a net; raise ``net_file.NetError``."""
    family = family_of(game)
    net, shapes = net_file.load(path, game.key, family.INPUTS), family.shapes(game)
    if net.keys() != shapes.keys():
        raise net_file.NetError(f"the net {path} is damaged")
    if any(net[name].shape != shape for name, shape in shapes.items()):
        raise net_file.NetError(f"the net {path} does not fit {game.name}")
    return net


def save(path: Path, game: Game, net: Net) -> None:
    """Write a net."""
    family = family_of(game)
    net_file.save(path, game.key, family.INPUTS, net, family.COARSE, family.STEPS)


class Thinker(NamedTuple):
    """A kernel instance of one thread, with the tables of a game and perhaps a workspace."""

    instance: Instance
    tables: Any
    workspace: Any


def make_thinker(game: Game, net: Net | None) -> Thinker:
    """Return a thinker; without a net it has no workspace."""
    instance = open_kernel(game.family).instance()
    tables, workspace = instance.new(type(game.definition.tables)), None
    instance.set(tables, game.definition.tables)
    if net:
        workspace = make_workspace(instance, game, net)
    return Thinker(instance, tables, workspace)


def make_workspace(instance: Instance, game: Game, net: Net) -> Any:
    """Return a workspace in a kernel's memory.

    Without the arrays of a net it rates nothing, but computes the inputs of a net.
    """
    family = family_of(game)
    workspace = instance.new(family.Workspace)
    family.equip(instance, workspace, game)
    for name, array in net.items():
        instance.fill(getattr(workspace.net, name), array)
    return workspace


def value_bias(game: Game, state: AnyState, seat: int) -> float:
    """Return the points that a player may expect beyond the net's rating; 0 if not measured.

    The nets of the Clever games learnt from players without look-ahead, which earn less in the
    turns left. The bias is the same for all moves and chance outcomes of a position.
    """
    measured = _measured(game)
    return measured[game.scoring.turns_to_come(game.definition, state, seat)] if measured else 0.0


@cache
def _measured(game: Game) -> tuple[float, ...]:
    """Return the bias by the number of turns that a player has left."""
    try:
        return net_file.value_bias(net_file.shipped(game))
    except net_file.NetError:  # the error appears when the net is loaded
        return ()
