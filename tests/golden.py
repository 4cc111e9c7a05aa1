"""Golden transcripts, perft counts and scores of computer players.

What the games did on known seeds, in readable files. ``python tests/golden.py`` writes them again;
look at the difference before you commit it.
"""

from __future__ import annotations

import random
from pathlib import Path

from foxclover import transcripts
from foxclover.core.game import game, game_names
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import seeded
from foxclover.simulation.workers import Runner

FOLDER = Path(__file__).parent / "golden"
PERFT = Path(__file__).parent / "perft" / "counts.txt"
SCORES = Path(__file__).parent / "ai" / "scores.txt"
SEED_OF_SCORES = 20261116
NAMES = ["Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal"]
TABLES = [
    (key, players) for key in game_names() for players in (1, 3, 8) if players in game(key).players
]
PERFT_TITLE = (
    "# golden transcript, moves replayed, depth: "
    "lines of play of that length (a roll or a drawn card ends a line)"
)
PERFT_EVERY, PERFT_DEPTH, PERFT_MOST = 9, 3, 20_000


def path_of(key: str, players: int) -> Path:
    """File of a golden transcript."""
    return FOLDER / f"{key}-{players}.txt"


def record(key: str, players: int) -> str:
    """A game of players who choose at random, on fixed seeds."""
    position = game(key).start(players)
    dice, choice = seeded(2018), random.Random(2018)
    while not position.over:
        seat = choice.choice(sorted(position.to_act))
        position.push(
            dice.draw(position) if seat == CHANCE else choice.choice(position.legal_moves(seat))
        )
    return transcripts.write(
        transcripts.Header(position.game, NAMES[:players], "seed 2018"), position
    )


def position_after(text: str, moves: int) -> Position:
    """The position of a transcript after so many moves."""
    whole = transcripts.read(text)
    position = whole.header.game.start_with(len(whole.header.players), whole.header.setup)
    for move in whole.position.moves_made[:moves]:
        position.push(move)
    return position


def perft(position: Position, depth: int) -> int:
    """How many lines of play there are from here.

    Whoever may act acts, a move of chance ends a line.
    """
    if depth == 0 or not position.acting:
        return 1
    count = 0
    for seat in position.acting:
        for move in position.legal_moves(seat):
            position.push_unchecked(move)
            count += perft(position, depth - 1)
            position.pop()
    return count


def perft_lines() -> list[str]:
    """Counts at several moments of each golden transcript."""
    lines = [PERFT_TITLE]
    for key, players in TABLES:
        text = path_of(key, players).read_text(encoding="utf-8")
        for moves in range(1, len(transcripts.read(text).position.moves_made), PERFT_EVERY):
            position = position_after(text, moves)
            for depth in range(1, PERFT_DEPTH + 1):
                count = perft(position, depth) if position.acting else 0
                if not 1 < count < PERFT_MOST:
                    break
                lines.append(f"{path_of(key, players).name} {moves} {depth}: {count}")
    return lines


def scores(table: str, games: int) -> str:
    """The scores of the first games with one computer player on all seats; ``table``.

    His name, the game, players, variant.
    """
    agent, key, players, variant = table.split()
    setup = game(key).unpack(int(variant))
    points = Runner(game(key), [agent] * int(players), setup)(SEED_OF_SCORES, 0, games)
    return ", ".join(" ".join(map(str, row)) for row in points)


def score_lines() -> list[str]:
    """The file of scores, played again."""
    title, *lines = SCORES.read_text(encoding="utf-8").splitlines()
    tables = [
        (table, known.count(",") + 1)
        for table, _, known in (line.partition(": ") for line in lines)
    ]
    return [title, *(f"{table}: {scores(table, games)}" for table, games in tables)]


if __name__ == "__main__":
    for key, players in TABLES:
        path_of(key, players).write_text(record(key, players), encoding="utf-8")
    PERFT.write_text("\n".join(perft_lines()) + "\n", encoding="utf-8")
    SCORES.write_text("\n".join(score_lines()) + "\n", encoding="utf-8")
