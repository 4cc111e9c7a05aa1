"""The golden transcripts still happen, replay, and every game has one; perft counts still hold."""

from __future__ import annotations

import pytest

import golden
from foxclover import transcripts
from foxclover.core.game import game_names


def test_every_game_has_golden_transcripts() -> None:
    assert {path.name for path in golden.FOLDER.glob("*.txt")} == {
        golden.path_of(key, players).name for key, players in golden.TABLES
    }
    assert {key for key, _ in golden.TABLES} == set(game_names())


@pytest.mark.parametrize(("key", "players"), golden.TABLES)
def test_a_golden_game_is_played_and_replayed_as_written(key: str, players: int) -> None:
    text = golden.path_of(key, players).read_text(encoding="utf-8")
    assert golden.record(key, players) == text
    transcript = transcripts.read(text)
    assert transcript.position.over
    assert transcripts.write(transcript.header, transcript.position) == text


@pytest.mark.parametrize("key", game_names())
def test_perft_counts(key: str) -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in golden.FOLDER.glob("*.txt")}
    lines = [
        line
        for line in golden.PERFT.read_text(encoding="utf-8").splitlines()
        if line.startswith(key)
    ]
    assert len(lines) > 10
    for line in lines:
        place, _, count = line.partition(": ")
        name, moves, depth = place.split()
        assert golden.perft(golden.position_after(texts[name], int(moves)), int(depth)) == int(
            count
        ), line
