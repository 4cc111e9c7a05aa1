"""Finished games looked back at, reviewed, practised, and played on from."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foxclover import read_position, transcripts
from foxclover.core.game import game
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import record, recorded, seeded
from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.thinking.computer_players import HINT, OPPONENT, WORK, Thinkers
from reviewed import played
from tables import CLIMB, GANZ, HERE, ME, QUICK, ROBOT, Guest, Json, ServerContext, context
from test_fair_dice import played as sealed_game


def written(key: str = GANZ, players: int = 1, moves: int = 10_000) -> str:
    position = played(game(key), "easy", players, seed=4, moves=moves)
    return transcripts.write(
        transcripts.Header(position.game, ["Ada", "Bo"][:players], "seed 4"), position
    )


def look_at(server: ServerContext, text: str) -> Json:
    answer = server.client.post("/api/transcripts", json={"transcript": text})
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def reviewed(guest: Guest) -> tuple[list[Json], list[float]]:
    """Ask for the review; return its seats, and the progress reported before."""
    guest.ref += 1
    guest.send({"type": "review", "ref": guest.ref})
    progress = []
    while True:
        answer = guest.until("review", "refused")
        assert answer["type"] == "review", answer
        progress.append(answer["progress"])
        if answer["seats"] is not None:
            return answer["seats"], progress


@pytest.mark.parametrize(("key", "players"), [(GANZ, 1), (CLIMB, 2)])
def test_a_finished_game_is_reviewed_kept_and_practised(
    server: ServerContext, key: str, players: int
) -> None:
    text = written(key, players)
    code = look_at(server, text)["table"]
    end = transcripts.read(text).position
    with server.sit(code) as guest:
        assert guest.state["over"]
        assert guest.state["practice"]
        assert [seat["name"] for seat in guest.state["seats"]] == ["Ada", "Bo"][:players]
        seats, progress = reviewed(guest)
        assert progress == sorted(progress)
        assert len(progress) > 5
        again, at_once = reviewed(guest)
        assert (again, len(at_once)) == (seats, 1)
        assert [seat["score"] for seat in seats] == [end.score(seat) for seat in range(players)]
        for seat in seats:
            assert seat["start"] + seat["luck"] - seat["loss"] + seat["rest"] == pytest.approx(
                seat["score"], abs=0.03
            )
            assert all(made["best"]["words"] for made in seat["decisions"])
            assert all(part["words"] for part in seat["parts"])
            assert bool(seat["winning"]) == (players > 1)
        wrong = next(
            made
            for seat in seats
            for made in seat["decisions"]
            if made["verdict"] in ("inaccuracy", "mistake", "blunder")
        )
        assert guest.ask("verdict", at=wrong["at"], move=wrong["best"]["id"])["verdict"] == "best"
        lost = 100 * wrong["win_loss"] if wrong["win_loss"] > 0 else wrong["loss"]
        assert guest.ask("verdict", at=wrong["at"], move=wrong["move"])[
            "difference"
        ] == pytest.approx(lost)
        (moment,) = guest.ask("moments", first=wrong["at"], count=1, moves=True)["moments"]
        assert {wrong["move"], wrong["best"]["id"]} <= {move["id"] for move in moment["moves"]}
        for other in {move["id"] for move in moment["moves"]} - {
            wrong["move"],
            wrong["best"]["id"],
        }:
            assert guest.ask("verdict", at=wrong["at"], move=other)["verdict"] in (
                "good",
                "better",
                "worse",
            )


def test_moments_show_the_game_as_it_was(server: ServerContext) -> None:
    text = written(CLIMB, 2)
    end = transcripts.read(text).position
    with server.sit(look_at(server, text)["table"]) as guest:
        received: list[Json] = []
        while len(received) <= len(end.moves_made):
            received += guest.ask("moments", first=len(received), count=16)["moments"]
        assert [moment["at"] for moment in received] == list(range(len(end.moves_made) + 1))
        for moment, (state, move) in zip(received, end.history(), strict=False):
            assert moment["seat"] == move.seat
            assert (moment["next"] or {}).get("id", move.number) == move.number
            assert moment["view"]["round"] == state.round
            assert read_position(moment["position"]).state == state
            assert (moment["next"] is None) == (move.seat == CHANCE)
        assert received[-1]["view"]["over"]
        assert received[-1]["scores"] == [end.score(seat) for seat in range(2)]


@pytest.mark.parametrize(("key", "players"), [(GANZ, 1), (CLIMB, 2)])
def test_a_mistake_is_answered_with_the_best_line(
    server: ServerContext, key: str, players: int
) -> None:
    with server.sit(look_at(server, written(key, players))["table"]) as guest:
        seats, _ = reviewed(guest)
        wrong = [
            (seat["seat"], made)
            for seat in seats
            for made in seat["decisions"]
            if made["verdict"] in ("inaccuracy", "mistake", "blunder")
        ]
        lengths = []
        for seat, made in wrong:
            *steps, end = guest.ask("line", at=made["at"])["moments"]
            assert steps[0]["next"]["id"] == made["best"]["id"]
            assert [moment["at"] for moment in [*steps, end]] == list(
                range(made["at"], made["at"] + len(steps) + 1)
            )
            assert all(step["seat"] == seat and step["next"]["words"] for step in steps)
            assert end["next"] is None
            (played_on,) = guest.ask("moments", first=made["at"], count=1)["moments"]
            assert steps[0]["view"] == played_on["view"]
            lengths.append(len(steps))
        assert max(lengths) > 1, "some best move is followed by others"


@pytest.mark.parametrize(
    "ask",
    [
        {"type": "review"},
        {"type": "moments", "first": 0, "count": 1},
        {"type": "verdict", "at": 0, "move": 0},
        {"type": "line", "at": 0},
    ],
)
def test_nothing_is_sent_before_the_end(server: ServerContext, ask: Json) -> None:
    code, tokens = server.create(ME)
    with server.sit(code, *tokens) as guest:
        guest.play()
        assert guest.ask(ask["type"], **ask)["reason"] == "not_over"


def test_what_cannot_be_asked_of_a_finished_game(server: ServerContext) -> None:
    with server.sit(look_at(server, written())["table"]) as guest:
        assert guest.ask("moments", first=99_999, count=1)["reason"] == "no_such_moment"
        assert guest.ask("moments", first=0, count=17)["reason"] == "bad_message"
        assert guest.ask("verdict", at=99_999, move=0)["reason"] == "no_such_moment"
        assert guest.ask("line", at=99_999)["reason"] == "no_exercise"
        assert guest.ask("verdict", at=0, move=0)["reason"] == "illegal_move"
        at = next(
            at
            for at in range(10)
            if guest.ask("moments", first=at, count=1, moves=True)["moments"][0]["moves"]
        )
        (moment,) = guest.ask("moments", first=at, count=1, moves=True)["moments"]
        assert guest.ask("verdict", at=at, move=moment["moves"][0]["id"])["reason"] == "no_exercise"


@pytest.mark.parametrize("before", ["\ufeff", "\ufeff\n", "\n \n"])
def test_a_byte_order_mark_and_blank_lines_before_a_transcript_do_no_harm(
    server: ServerContext, before: str
) -> None:
    code = look_at(server, before + written())["table"]
    with server.sit(code) as guest:
        assert guest.state["over"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "foreign_transcript"),
        ("<html>", "foreign_transcript"),
        (transcripts.TITLE[:-1] + "9\n", "other_transcript"),
        (written().replace(GANZ, "chess"), "unknown_transcript"),
        (written()[:300] + "chance: y9\n", "damaged_transcript"),
        (written() + "\n1: w>y3a\n", "damaged_transcript"),
        ("x" * 70_000, "bad_message"),
        ("x" * 10_000_000, "too_long"),
        (7, "bad_message"),
    ],
)
def test_what_is_no_transcript_is_refused_and_nothing_kept(
    tmp_path: Path, text: Any, reason: str
) -> None:
    with context(tmp_path) as server:
        for path, more in (
            ("/api/transcripts", {}),
            ("/api/tables/from-transcript", {"at": 0, "seats": [ME], "same_dice": False}),
        ):
            answer = server.client.post(path, json={"transcript": text} | more)
            assert answer.json()["reason"] == reason
            assert answer.json()["words"]

    async def codes() -> list[str]:
        store = SqliteStore(tmp_path)
        found = [code async for code in store.codes()]
        await store.close()
        return found

    assert asyncio.run(codes()) == []


def test_an_unfinished_transcript_is_described_but_not_kept(server: ServerContext) -> None:
    found = look_at(server, written(CLIMB, 2, moves=30))
    assert (found["table"], found["over"], found["players"], found["moves"]) == (
        None,
        False,
        ["Ada", "Bo"],
        30,
    )
    assert found["to_act"]


def test_computer_players_of_a_transcript_are_called_by_their_level(server: ServerContext) -> None:
    text = written(CLIMB, 2).replace("Ada, Bo", "Ada, Computer 2:random")
    found = look_at(server, text)
    assert found["players"] == ["Ada", "Computer 2"]
    with server.sit(found["table"]) as guest:
        assert [seat["name"] for seat in guest.state["seats"]] == [
            "Ada",
            "Random",
        ]


def test_the_same_transcript_is_kept_once(server: ServerContext) -> None:
    text = written()
    assert look_at(server, text)["table"] == look_at(server, text)["table"]


def play_on(
    server: ServerContext, text: str, at: int, seats: list[Json], same_dice: bool = False
) -> tuple[str, list[str]]:
    request = {"transcript": text, "at": at, "seats": seats, "same_dice": same_dice, "pace": 0}
    answer = server.client.post("/api/tables/from-transcript", json=request)
    assert answer.status_code == 201, answer.text
    return answer.json()["table"], [seat["token"] for seat in answer.json()["seats"]]


def test_a_game_goes_on_from_any_moment(server: ServerContext) -> None:
    text = written(CLIMB, 2)
    code, tokens = play_on(server, text, 30, [ME, HERE])
    with server.sit(code, *tokens) as guest:
        begun = transcripts.read(text).position.moves_made[:30]
        assert [entry["text"] for entry in guest.log] == [move.text for move in begun]
        assert guest.state["practice"]
        while not guest.state["over"]:
            guest.play(
                next(seat for seat in (0, 1) if guest.moves(seat) or seat in guest.state["rollers"])
            )
    assert len(guest.log) > 30


@pytest.mark.parametrize("same_dice", [True, False])
def test_a_tie_that_is_due_where_a_game_goes_on_waits_for_nobody(
    server: ServerContext, same_dice: bool
) -> None:
    games_played = (played(game(GANZ), "easy", seed=seed) for seed in range(20))
    whole, tie = next(
        (entry, at)
        for entry in games_played
        for at, move in enumerate(entry.moves_made)
        if move.text.startswith("=")
    )
    text = transcripts.write(transcripts.Header(whole.game, ["Ada"], "seed 4"), whole)
    code, tokens = play_on(server, text, tie, [ME], same_dice)
    with server.sit(code, *tokens) as guest:
        assert guest.log[-1]["text"].startswith("=")
        assert not same_dice or guest.log[-1]["text"] == whole.moves_made[tie].text
        guest.play()


def test_computer_players_go_on_too(server: ServerContext) -> None:
    code, tokens = play_on(server, written(GANZ, 2), 20, [ROBOT, ME])
    with server.sit(code, *tokens) as guest:
        while not guest.moves(1) and 1 not in guest.state["rollers"]:
            guest.until("state")


def test_the_same_dice_fall_again_where_they_fit(server: ServerContext) -> None:
    text = written()
    whole = transcripts.read(text).position
    code, tokens = play_on(server, text, 1, [ME], same_dice=True)
    with server.sit(code, *tokens) as guest:
        for at, move in enumerate(whole.moves_made):
            if at < len(guest.log):
                continue  # what chance does at once has happened
            answer = guest.act("roll") if move.seat == CHANCE else guest.act("move", text=move.text)
            assert answer["type"] == "ack", answer
            while guest.state["seq"] < answer["seq"]:
                guest.until("state")
        assert [entry["text"] for entry in guest.log] == [move.text for move in whole.moves_made]


def test_rolls_that_do_not_fit_are_rolled_again() -> None:
    whole = played(game(GANZ), "easy", seed=4)
    again, dice = whole.game.start(), recorded(record(whole), seeded(99))
    rolls: dict[int, list[str]] = {}
    while not again.over:
        if again.chance_due:
            number = again.state.round
            rolls.setdefault(number, []).append(again.roll(dice).text)
        else:
            again.push(again.legal_moves(0)[-1])
    firsts = {}
    for before, move in whole.history():
        if move.seat == CHANCE:
            firsts.setdefault(before.round, move.text)
    assert {number: texts[0] for number, texts in rolls.items()} == firsts
    assert record(again) != record(whole)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"at": 99_999}, "no_such_moment"),
        ({"seats": [ME, ME]}, "bad_seats"),
        ({"seats": []}, "bad_seats"),
        ({"seats": [ROBOT]}, "bad_seats"),
        ({"at": -1}, "bad_message"),
    ],
)
def test_moments_that_cannot_be_played_on_from(
    server: ServerContext, change: Json, reason: str
) -> None:
    whole = {"transcript": written(), "at": 3, "seats": [ME], "same_dice": False}
    assert (
        server.client.post("/api/tables/from-transcript", json=whole | change).json()["reason"]
        == reason
    )


def test_one_address_works_out_so_many_reviews_at_a_time(tmp_path: Path) -> None:
    with (
        context(tmp_path, replace(QUICK, reviews_per_client=0)) as server,
        server.sit(look_at(server, written())["table"]) as guest,
    ):
        assert guest.ask("review")["reason"] == "too_fast"


def test_a_review_that_nobody_waits_for_any_more_is_given_up(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code = look_at(server, written(CLIMB, 2))["table"]
        with server.sit(code) as guest:
            guest.send({"type": "review", "ref": 1})
            assert guest.until("review")["progress"] < 1
        server.client.get("/api/health")

    async def kept() -> str | None:
        store = SqliteStore(tmp_path)
        found = await store.review(code)
        await store.close()
        return found

    assert asyncio.run(kept()) is None


def test_a_review_of_an_older_format_is_computed_again(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code = look_at(server, written())["table"]

    async def age() -> None:
        store = SqliteStore(tmp_path)
        await store.keep_review(code, json.dumps({"format": 0}))
        await store.close()

    asyncio.run(age())
    with context(tmp_path) as server, server.sit(code) as guest:
        assert reviewed(guest)[0][0]["decisions"]


def test_opponents_and_hints_come_before_reviews() -> None:
    async def queue() -> list[int]:
        thinkers, done = Thinkers(4), []
        thinkers.size = 2  # of which only one may do anything else than opponents

        async def think(kind: int) -> None:
            done.append(await thinkers.think(str(kind), kind, abs, kind))

        try:
            await asyncio.gather(
                *(think(kind) for kind in (WORK, WORK, HINT, OPPONENT, OPPONENT, OPPONENT))
            )
        finally:
            thinkers.close()
        return done

    order = asyncio.run(queue())
    assert sorted(order) == [OPPONENT] * 3 + [HINT] + [WORK] * 2
    assert order[-1] == WORK
    assert order.index(HINT) < len(order) - 1


def test_the_dice_of_a_transcript_are_judged_and_the_first_wrong_thing_is_named(
    server: ServerContext,
) -> None:
    transcript = sealed_game("ganz", 2)
    text = transcripts.write(transcript.header, transcript.position, transcript.seals)
    draws = text.count("chance:")
    found = look_at(server, text)["dice"]
    assert found["ok"] is True
    assert found["words"].startswith(f"All {draws} draws follow from the secrets and the salts.")
    first = text.index("seal: ") + len("seal: ")
    wrong = look_at(server, text[:first] + "0" * 64 + text[first + 64 :])
    assert wrong["dice"]["ok"] is False
    assert "The secret of draw 1 does not belong" in wrong["dice"]["words"]
    assert wrong["table"], "it can be looked at all the same"
    assert look_at(server, written())["dice"] is None


def some_position(key: str, players: int = 2, moves: int = 40) -> str:
    """Return a position as text in which a player is to act."""
    position = played(game(key), "easy", players, seed=4, moves=moves)
    while not position.acting:
        position.roll(seeded(5))
    return position.text


@pytest.mark.parametrize("key", [GANZ, CLIMB])
def test_a_position_as_text_is_shown_and_played_on(server: ServerContext, key: str) -> None:
    text = some_position(key)
    found = look_at(server, f"\n{text.upper().replace(' ', '_')}")
    assert (found["game"], found["players"], found["moves"]) == (key, ["", ""], 0)
    assert (found["over"], found["table"], found["dice"]) == (False, None, None)
    moment, start = found["moment"], read_position(text)
    assert (moment["position"], moment["view"]) == (text, json.loads(json.dumps(start.view())))
    assert moment["prompt"]
    code, tokens = play_on(server, text, 0, [ME, HERE])
    with server.sit(code, *tokens) as guest:
        assert guest.state["practice"]
        assert guest.log == []
        assert [moves["seat"] for moves in guest.state["moves"]] == list(start.acting)
        while not guest.state["over"]:
            guest.play(
                next(seat for seat in (0, 1) if guest.moves(seat) or seat in guest.state["rollers"])
            )
        scores = guest.state["scores"]
    written_down = server.client.get(f"/api/tables/{code}/transcript").text
    assert f"\nposition: {text}\n" in written_down
    whole = transcripts.read(written_down)
    assert [whole.position.score(seat) for seat in (0, 1)] == scores
    # The result is reviewed, survives a restart and is opened from its text like every other game.
    with server.sit(look_at(server, written_down)["table"]) as guest:
        (moment,) = guest.ask("moments", first=0, count=1)["moments"]
        assert moment["position"] == text
        seats, _ = reviewed(guest)
        assert [seat["score"] for seat in seats] == scores


def test_a_table_from_a_position_is_loaded_again(tmp_path: Path) -> None:
    text = some_position(CLIMB)
    with context(tmp_path) as server:
        code, tokens = play_on(server, text, 0, [ME, HERE])
        with server.sit(code, *tokens) as guest:
            guest.play(guest.state["acting"][0])
            seen = guest.state["view"]
    with context(tmp_path) as server, server.sit(code, *tokens) as guest:
        assert guest.state["view"] == seen
        assert len(guest.log) == 1


def test_a_position_in_the_middle_of_a_decision_hides_what_others_decide(
    server: ServerContext,
) -> None:
    text = next(
        position.text
        for moves in range(30, 60)
        if len((position := played(game(CLIMB), "easy", 2, seed=4, moves=moves)).acting) == 2
    )
    code, (mine, _) = play_on(server, text, 0, [ME, HERE])
    with server.sit(code, mine) as ada, server.sit(code) as watcher:
        before = watcher.state["view"]
        ada.play(0)
        assert ada.state["view"] != before
        watcher.until("state", "presence")
        assert watcher.state["view"]["players"] == before["players"]


@pytest.mark.parametrize(
    ("text", "reason", "words"),
    [
        ("ganz-schoen-clever round:9 phase:rolling /", "bad_position", "from 1 to 6, not “9”"),
        ("ganz round:1 / / / / / / / / /", "unknown_transcript", "does not have the game"),
        ("chess round:1 /", "unknown_transcript", "does not have the game"),
        ("ganz-schoen-clever round:1 x\x00 /", "unreadable_transcript", "not text"),
        ("ganz-schoen-clever round:1 " + "y:3a " * 5_000, "bad_position", "begins with the name"),
    ],
)
def test_a_position_that_is_none_is_refused_with_its_reason(
    server: ServerContext, text: str, reason: str, words: str
) -> None:
    answer = server.client.post("/api/transcripts", json={"transcript": text})
    assert (answer.status_code, answer.json()["reason"]) == (400, reason)
    assert words in answer.json()["words"]


def test_the_end_of_a_game_as_a_position_is_shown_only(server: ServerContext) -> None:
    over = played(game(GANZ), "easy", seed=4).text
    found = look_at(server, over)
    assert (found["over"], found["table"], found["to_act"]) == (True, None, [])
    request = {"transcript": over, "at": 0, "seats": [ME], "same_dice": False}
    refused = server.client.post("/api/tables/from-transcript", json=request).json()
    assert refused["reason"] == "no_such_moment"


def test_an_unfinished_game_is_shown_where_it_stopped(server: ServerContext) -> None:
    text = written(CLIMB, 2, moves=30)
    found = look_at(server, text)
    assert found["moment"]["at"] == found["moves"] == 30
    assert found["moment"]["position"] == transcripts.read(text).position.text
    assert look_at(server, written())["moment"] is None


def test_the_holder_of_a_seat_gets_the_position_for_a_report(server: ServerContext) -> None:
    code, tokens = play_on(server, written(CLIMB, 2), 30, [ME, HERE])
    answer = server.client.post(f"/api/tables/{code}", json={"tokens": tokens}).json()
    with server.sit(code, *tokens) as guest:
        assert read_position(answer["position"]).view() == guest.state["view"]
