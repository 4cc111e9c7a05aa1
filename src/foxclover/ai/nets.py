"""The nets of all games, found, checked and put into the kernel."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from foxclover import net_file
from foxclover.ai.families import family_of
from foxclover.game import Game
from foxclover.kernel import Instance, open_kernel

if TYPE_CHECKING:
    from foxclover.net_file import Net


@cache
def shipped_net(game: Game) -> Net:
    """The net that comes with the package."""
    return load(net_file.shipped(game.key), game)


def load(path: Path, game: Game) -> Net:
    """Read a net; raises ``net_file.NetError``."""
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
    net_file.save(path, game.key, family.INPUTS, net, family.COARSE)


class Thinker(NamedTuple):
    """What one thread plays with: a kernel of its own, with the tables of a game and, if it thinks, a mind that has a net."""

    instance: Instance
    tables: Any
    mind: Any


def make_thinker(game: Game, net: Net | None) -> Thinker:
    """Make one; without a net it has no mind."""
    instance = open_kernel(game.family).instance()
    tables, mind = instance.new(type(game.book.tables)), None
    instance.set(tables, game.book.tables)
    if net:
        mind = make_mind(instance, game, net)
    return Thinker(instance, tables, mind)


def make_mind(instance: Instance, game: Game, net: Net) -> Any:
    """A mind in a kernel's memory; with no arrays of a net it cannot think, but knows what a net would see."""
    family = family_of(game)
    mind = instance.new(family.Mind)
    family.equip(instance, mind, game)
    for name, array in net.items():
        instance.fill(getattr(mind.net, name), array)
    return mind
