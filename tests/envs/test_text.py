"""The game as text: prompts, answers, and a command that plays."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from foxclover.benchmark import find_task, results
from foxclover.core.game import game, game_names
from foxclover.dice.sources import seeded
from foxclover.envs.text import TextEnv

EXAMPLES = Path(__file__).parents[2] / "examples"
# takes the first legal move of the prompt, behind a sentence
FIRST = """import sys
moves = sys.stdin.read().split("Legal moves:\\n")[1]
print("I think about it.\\n**" + moves.split(":")[0] + "**")
"""


@pytest.mark.parametrize("key", game_names())
def test_a_whole_game_is_played_by_text(key: str) -> None:
    env = TextEnv(key, opponents=("greedy",), seat=1)
    prompt = env.reset(seed=5)
    assert env.game.name in prompt.splitlines()[0]
    assert "You are player 2 of 2." in prompt
    total, over, text = 0.0, False, prompt
    while not over:
        first = text.split("Legal moves:\n")[1].split(":")[0]
        text, reward, over, illegal = env.step(f"Let me see.\n{first}")
        assert not illegal
        total += reward
    assert total == env.position.score(1)
    assert f"player 2: {int(total)}" in text
    with pytest.raises(ValueError, match="call reset"):
        env.step("reroll")


def test_the_dice_are_those_of_simulate() -> None:
    env = TextEnv("ganz")
    env.reset(seed=3, number=4)
    same = game("ganz").start()
    same.roll(seeded(3, 4))
    assert env.position.text == same.text


@pytest.mark.parametrize("answer", ["", "nonsense", "z>z9", "\n\n"])
def test_an_illegal_answer_gets_a_reason_and_changes_nothing(answer: str) -> None:
    env = TextEnv("ganz")
    env.reset(seed=1)
    before = env.position.text
    reply = env.step(answer)
    assert reply.illegal
    assert not reply.over
    assert "Legal moves:" in reply.text
    assert env.position.text == before


def test_a_command_takes_part_in_the_benchmark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    player = tmp_path / "player.py"
    task, name = find_task("ganz-v1"), "command_agent:CommandAgent"
    monkeypatch.setenv("AGENT_COMMAND", f"{sys.executable} -S {player}")
    player.write_text(FIRST, encoding="utf-8")
    result = results.play(task, name, games=1)
    assert not result.failure
    results.check(result)
    player.write_text("print('no idea')", encoding="utf-8")
    assert "no legal move in 3 answers" in results.play(task, name, games=1).failure
    monkeypatch.delenv("AGENT_COMMAND")
    assert "name a command in the variable" in results.play(task, name, games=1).failure
