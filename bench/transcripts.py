"""How fast a file of many games is read, and how much memory that takes.

``python bench/transcripts.py 1000000`` writes a file of at least so many lines and reads it.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from foxclover import game, game_names, seeded, transcripts

GAMES = 8  # different ones of each kind, written again and again


def texts() -> list[str]:
    found = []
    for players, key in enumerate(game_names(), start=1):
        for seed in range(GAMES):
            position, dice, choice = game(key).start(players), seeded(seed), random.Random(seed)
            while not position.is_over:
                if position.chance_due:
                    position.roll(dice)
                else:
                    seat = choice.choice(position.acting)
                    position.push(choice.choice(position.legal_moves(seat)))
            names = [f"Player {seat + 1}" for seat in range(players)]
            header = transcripts.Header(position.game, names, f"seed {seed}", more={"event": "x"})
            found.append(transcripts.write(header, position))
    return found


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(wanted: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, written, lines = Path(folder) / "games.txt", texts(), 0
        with path.open("w", encoding="utf-8") as file:
            while lines < wanted:
                for text in written:
                    file.write(text)
                    lines += text.count("\n")
        print(f"{lines:,} lines, peak {peak()} MB before reading")
        for name, read in (("split", transcripts.split_games), ("read", transcripts.read_games)):
            started = time.process_time()
            with path.open(encoding="utf-8") as file:
                games = sum(1 for _ in read(file))
            seconds = time.process_time() - started
            print(f"{name}: {games:,} games in {seconds:.1f} s of processor time, peak {peak()} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
