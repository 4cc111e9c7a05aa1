"""Playing at a table through its websocket: what is accepted, and what each connection is sent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from foxclover.locale import texts
from foxclover.server.tables import computers
from foxclover.server.tables.table import Table
from foxclover.transcripts import read
from tables import (
    CLIMB,
    DOPPELT,
    FRIEND,
    GANZ,
    HERE,
    ME,
    QUICK,
    ROBOT,
    Guest,
    ServerContext,
    context,
)

VARIANT = {"solo_rules": True, "free_placement": True}


@pytest.mark.parametrize(
    ("game", "options"), [(GANZ, {}), (DOPPELT, {}), (CLIMB, {}), (CLIMB, VARIANT)]
)
def test_a_whole_game_with_a_computer_player_and_its_transcript(
    server: ServerContext, game: str, options: dict[str, bool]
) -> None:
    code, tokens = server.create(ME, ROBOT, game=game, options=options)
    with server.sit(code, *tokens) as ada:
        while not ada.state["over"]:
            if ada.moves() or 0 in ada.state["rollers"]:
                ada.play()
            else:
                ada.until("state")
        result = ada.state["result"]
        assert [seat["total"] for seat in result["seats"]] == ada.state["scores"]
        assert all(sum(seat["parts"].values()) == seat["total"] for seat in result["seats"])
        assert result["rating"] == -1
        assert [entry["index"] for entry in ada.log] == list(range(len(ada.log)))
    transcript = read(server.client.get(f"/api/tables/{code}/transcript").text)
    assert transcript.position.over
    assert bool(transcript.header.setup.options) == bool(options)
    assert [transcript.position.score(seat) for seat in range(2)] == [
        seat["total"] for seat in result["seats"]
    ]
    assert [str(move) for move in transcript.position.moves_made] == [
        entry["text"] for entry in ada.log
    ]


def test_alone_the_result_names_the_band_of_the_rating(server: ServerContext) -> None:
    code, tokens = server.create(ME)
    with server.sit(code, *tokens) as ada:
        while not ada.state["over"]:
            ada.play()
        bands = server.client.get(f"/api/games/{GANZ}/layout").json()["levels"]
        total = ada.state["result"]["seats"][0]["total"]
        assert ada.state["result"]["rating"] == len(
            [level for level in bands if (level["lowest"] or 0) > total]
        )


def test_a_spectator_sees_everything_and_may_do_nothing(server: ServerContext) -> None:
    code, tokens = server.create(ME)
    with server.sit(code, *tokens) as ada, server.sit(code) as eve:
        assert eve.state["you"] == []
        assert ada.until("seats")["spectators"] == 1
        ada.play()
        assert eve.until("state")["seq"] == 2, "a salt and a roll"
        assert eve.state["moves"] == []
        assert eve.state["view"] == ada.state["view"]
        for kind in ("move", "roll", "undo", "hint"):
            values = {"move": 0} if kind == "move" else {}
            assert eve.reason(kind, **values) == "not_your_seat"
        assert eve.ask("pace", pace=5)["reason"] == "not_your_seat"
        assert eve.ask("rematch")["reason"] == "not_your_seat"


def test_a_reaction_is_shown_to_everybody_and_not_stored(server: ServerContext) -> None:
    code, tokens = server.create(ME, FRIEND)
    theirs = server.join(code, name="Bo")
    shown = {"type": "reaction", "seat": 1, "reaction": "luck"}
    with server.sit(code, *tokens) as ada, server.sit(code, theirs) as bo, server.sit(code) as eve:
        before = bo.state["seq"]
        assert bo.ask("react", seat=1, reaction="luck")["seq"] == before
        assert [guest.until("reaction") for guest in (ada, bo, eve)] == [shown] * 3
        assert bo.ask("react", seat=0, reaction="luck")["reason"] == "not_your_seat"
        assert eve.ask("react", seat=1, reaction="luck")["reason"] == "not_your_seat"
        assert bo.ask("react", seat=1, reaction="a word of my own")["reason"] == "bad_message"
    with server.sit(code, *tokens) as again:
        again.ask("ping")
        assert not [message for message in again.others if message["type"] == "reaction"]
        assert again.state["log"] == []


def test_reactions_and_names_of_spectators_are_limited_to_a_few(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, reactions=2, reaction_interval=60.0)) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada, server.sit(code) as eve:
            for guest, asked in (
                (ada, {"kind": "react", "seat": 0, "reaction": "wow"}),
                (eve, {"kind": "watch", "name": "Eve"}),
            ):
                assert [guest.ask(**asked)["type"] for _ in range(2)] == ["ack", "ack"]
                assert guest.ask(**asked)["reason"] == "too_fast"


def test_spectators_are_named_if_they_want(server: ServerContext) -> None:
    code, tokens = server.create(ME)
    with server.sit(code, *tokens) as ada:
        assert ada.state["watchers"] == []
        assert ada.ask("watch", name="Ada")["reason"] == "bad_message", "a player"
        with server.sit(code) as eve, server.sit(code):
            assert eve.ask("watch", name="  Eve \u200b E ")["type"] == "ack"
            while not (seats := ada.until("seats"))["watchers"]:
                pass
            assert (seats["spectators"], seats["watchers"]) == (2, ["Eve E"])
            with server.sit(code) as late:
                assert late.state["watchers"] == ["Eve E"]
            assert eve.ask("watch", name="")["type"] == "ack"
            while (seats := ada.until("seats"))["watchers"]:
                pass
            assert seats["spectators"] == 2


def test_one_device_holds_several_seats(server: ServerContext) -> None:
    code, tokens = server.create(ME, HERE)
    with server.sit(code, *tokens) as both:
        assert both.state["you"] == [0, 1]
        for _ in range(60):
            seat = (both.state["rollers"] or both.state["acting"])[0]
            both.play(seat)
        assert {entry["seat"] for entry in both.log} == {-1, 0, 1}


def test_friends_play_each_other_by_link(server: ServerContext) -> None:
    code, mine = server.create(ME, FRIEND)
    with server.sit(code, *mine) as ada:
        assert [seat["open"] for seat in ada.state["seats"]] == [False, True]
        theirs = server.join(code.upper(), name="  Bo \u200b B ")
        ada.until("state")
        assert [(seat["name"], seat["open"]) for seat in ada.state["seats"]] == [
            ("Ada", False),
            ("Bo B", False),
        ]
        with server.sit(code, theirs) as bo:
            assert ada.until("seats")["seats"][1]["connected"]
            assert bo.state["you"] == [1]
            ada.play_to("move")
            assert bo.until("state")["acting"] == [0]
            assert bo.reason("move", seat=0, move=ada.moves()[0]["id"]) == "not_your_seat"
            assert bo.reason("move", seat=1, move=0) == "not_to_act"
        assert not ada.until("seats")["seats"][1]["connected"]


def test_moves_are_named_by_number_or_by_any_unambiguous_beginning(server: ServerContext) -> None:
    code, tokens = server.create(ME, options={"seed": 1})
    with server.sit(code, *tokens) as ada:
        ada.play_to("move")
        offered = ada.moves()
        assert ada.reason("move", move=2**40) == "illegal_move"
        assert ada.reason("move", text="zzz") == "illegal_move"
        assert ada.reason("move", text=offered[0]["text"][0]) == "ambiguous_move"
        assert ada.act("move", text=offered[0]["text"])["type"] == "ack"
        assert ada.until("state")["log"][0]["text"] == offered[0]["text"]


def test_rolls_are_made_by_the_active_player_when_due(server: ServerContext) -> None:
    code, tokens = server.create(ME, HERE)
    with server.sit(code, *tokens) as both:
        assert both.state["rollers"] == [0]
        assert both.reason("roll", seat=1) == "no_roll_due"
        assert both.reason("move", seat=0, move=0) == "not_to_act"
        both.play(0)
        assert both.reason("roll", seat=0) == "no_roll_due"


def test_what_was_decided_on_an_older_situation_is_stale(server: ServerContext) -> None:
    code, tokens = server.create(ME, options={"seed": 3})
    with server.sit(code, *tokens) as ada:
        ada.play()
        move = ada.moves()[0]["id"]
        assert ada.reason("move", seq=0, move=move) == "stale"
        assert ada.reason("move", seq=99, move=move) == "stale"
        assert ada.act("move", move=move)["type"] == "ack"
        before = ada.state["seq"]
        ada.until("state")
        assert ada.reason("roll", seq=before) == "stale"
        assert ada.state["seq"] == before + 1


def both_passive(server: ServerContext, guest: Guest) -> None:
    """Play a table of three, seat 0 active, until both others choose from the platter."""
    while guest.state["acting"] != [1, 2]:
        guest.play(0)


def test_passive_players_act_at_the_same_time_on_the_same_seq(server: ServerContext) -> None:
    code, tokens = server.create(ME, HERE, HERE, options={"seed": 5})
    with server.sit(code, *tokens) as all_three:
        both_passive(server, all_three)
        seq = all_three.state["seq"]
        choices = {seat: all_three.moves(seat)[0]["id"] for seat in (1, 2)}
        assert all_three.act("move", seat=1, seq=seq, move=choices[1])["type"] == "ack"
        assert all_three.act("move", seat=2, seq=seq, move=choices[2])["type"] == "ack", (
            "what the first did is nothing to the second"
        )
        assert all_three.reason("move", seat=1, seq=seq, move=choices[1]) == "stale"


def test_undo_goes_back_to_the_last_chance_or_other_player(server: ServerContext) -> None:
    code, tokens = server.create(ME, HERE, HERE, options={"seed": 5})
    with server.sit(code, *tokens) as table:
        assert table.reason("undo") == "nothing_to_undo"
        table.play(0)
        assert table.reason("undo") == "nothing_to_undo", "the dice have spoken"
        before = table.state
        table.play(0)
        assert table.state["undo"] == [0]
        assert table.reason("undo", seat=1) == "nothing_to_undo"
        log = table.log
        assert table.act("undo")["type"] == "ack"
        table.until("state")
        assert table.log == log[:-1]
        assert {key: table.state[key] for key in ("view", "moves", "scores")} == {
            key: before[key] for key in ("view", "moves", "scores")
        }
        both_passive(server, table)
        first, second = table.moves(1)[0]["id"], table.moves(2)[0]["id"]
        table.act("move", seat=1, move=first)
        table.act("move", seat=2, move=second)
        assert table.reason("undo", seat=1) == "nothing_to_undo", "another seat has moved since"


def test_players_read_the_log_in_their_own_language_and_may_change_it(
    server: ServerContext,
) -> None:
    code, tokens = server.create(ME)
    with server.sit(code, *tokens, language="de") as ada, server.sit(code, language="nl") as eve:
        for _ in range(12):
            ada.play()
        while eve.state["seq"] < ada.state["seq"]:
            eve.until("state")
        german, dutch = ada.log, eve.log
        assert [entry["text"] for entry in german] == [entry["text"] for entry in dutch]
        assert german != dutch
        assert ada.ask("language", language="nl")["type"] == "ack"
        ada.until("state")
        assert ada.state["log_from"] == 0
        assert ada.log == dutch
        ada.ask("language", language="de")
        ada.until("state")
        assert ada.log == german
        assert ada.ask("language", language="fr")["reason"] == "unknown_language"


def test_a_returning_player_catches_up_from_the_last_seen_state(server: ServerContext) -> None:
    code, tokens = server.create(ME, options={"seed": 8})
    with server.sit(code, *tokens) as ada:
        for _ in range(6):
            ada.play()
        ada.play_to("move")
        ada.play()
        seen, log = ada.state["seq"], ada.log
        ada.act("undo")
        ada.until("state")
        for _ in range(5):
            ada.play()
        with server.sit(code, *tokens, seq=seen) as again:
            assert again.state["log_from"] == len(log) - 1, "the undone move is to be replaced"
            assert log[: again.state["log_from"]] + again.state["log"] == ada.log
        with server.sit(code, *tokens, seq=ada.state["seq"]) as again:
            assert again.state["log"] == []
        with server.sit(code, *tokens, seq=10**6) as again:
            assert again.log == ada.log


def test_practice_games_roll_the_same_dice_and_show_the_seed_only_at_the_end(
    server: ServerContext,
) -> None:
    logs = []
    for _ in range(2):
        code, tokens = server.create(ME, options={"seed": 424242})
        with server.sit(code, *tokens) as ada:
            while not ada.state["over"]:
                assert "424242" not in str(ada.state)
                if len(ada.log) == 9:
                    assert "424242" not in server.client.get(f"/api/tables/{code}/transcript").text
                ada.play()
            assert ada.state["result"]["seed"] == 424242
            assert "dice: seed 424242" in server.client.get(f"/api/tables/{code}/transcript").text
            logs.append([entry["text"] for entry in ada.log])
    assert logs[0] == logs[1]


def test_a_restarted_server_goes_on_with_every_table_and_the_same_seeded_dice(
    tmp_path: Path,
) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME, options={"seed": 77})
        with server.sit(code, *tokens) as ada:
            while not ada.state["over"]:
                ada.play()
            whole = [entry["text"] for entry in ada.log]
    with context(tmp_path / "other") as server:
        code, tokens = server.create(ME, options={"seed": 77})
    seen: list[str] = []
    while len(seen) < len(whole):
        with context(tmp_path / "other") as server, server.sit(code, *tokens) as ada:
            assert [entry["text"] for entry in ada.log] == seen
            for _ in range(25):
                if not ada.state["over"]:
                    ada.play()
            seen = [entry["text"] for entry in ada.log]
    assert seen == whole


def test_nothing_can_be_changed_after_the_end_but_a_rematch(server: ServerContext) -> None:
    code, tokens = server.create(ME, ROBOT)
    with server.sit(code, *tokens) as ada:
        assert ada.ask("rematch")["reason"] == "not_over"
        while not ada.state["over"]:
            if ada.moves() or ada.state["rollers"] == [0]:
                ada.play()
            else:
                ada.until("state")
        for kind in ("move", "roll", "undo", "hint", "odds"):
            values = {"move": 0} if kind == "move" else {}
            assert ada.reason(kind, **values) == "game_over"
        assert ada.ask("rematch")["type"] == "ack"
        successor = ada.until("rematch")["table"]
        ada.ask("rematch")
        assert ada.until("rematch")["table"] == successor, "asked twice, opened once"
    with server.sit(code, *tokens) as ada:
        assert ada.state["rematch"] == successor
    with server.sit(successor, *tokens) as ada:
        assert ada.state["you"] == [1], "the next one begins"
        assert [seat["kind"] for seat in ada.state["seats"]] == ["computer", "person"]


@pytest.mark.parametrize("game", [GANZ, CLIMB])
def test_the_start_player_is_drawn_by_the_first_to_roll(server: ServerContext, game: str) -> None:
    code, tokens = server.create(ME, HERE, ROBOT, game=game, options={"begins": -1})
    with server.sit(code, *tokens) as both:
        assert both.state["rollers"] == [0, 1, 2]
        assert {prompt["words"] for prompt in both.state["prompts"]} == {"Draw the start player"}
        assert both.state["view"]["chance"] == "lot"
        both.play(1)
        assert both.log[0]["text"] in {"begins 1", "begins 2", "begins 3"}
        first = int(both.log[0]["text"][-1]) - 1
        assert both.state["view"]["fairy" if game == CLIMB else "active"] == first


def test_a_chosen_seat_begins_and_the_next_one_begins_the_rematch(server: ServerContext) -> None:
    code, tokens = server.create(ME, HERE, options={"begins": 1})
    with server.sit(code, *tokens) as both:
        assert both.state["rollers"] == [1]
        while not both.state["over"]:
            both.play((both.state["rollers"] or both.state["acting"])[0])
        both.ask("rematch")
        successor = both.until("rematch")["table"]
    with server.sit(successor, *tokens) as both:
        assert both.state["rollers"] == [0]
        assert [seat["name"] for seat in both.state["seats"]] == ["Ada", "Bo"]
    refused = server.client.post(
        "/api/tables", json={"game": GANZ, "seats": [ME, HERE], "options": {"begins": 2}}
    )
    assert refused.status_code == 400
    alone, mine = server.create(ME, options={"begins": -1})
    with server.sit(alone, *mine) as ada:
        assert ada.state["view"]["chance"] == "roll"


def test_the_pace_of_computer_players_is_everybodys_and_is_kept(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME, ROBOT)
        with server.sit(code, *tokens) as ada, server.sit(code) as eve:
            assert ada.ask("pace", pace=1234)["type"] == "ack"
            assert eve.until("pace")["pace"] == 1234
            assert ada.ask("pace", pace=10_001)["reason"] == "bad_message"
    with context(tmp_path) as server, server.sit(code, *tokens) as ada:
        assert ada.state["pace"] == 1234


@pytest.mark.parametrize("pace", [0, 1])
def test_computers_wait_until_the_last_decision_cannot_be_regretted(
    server: ServerContext, monkeypatch: pytest.MonkeyPatch, pace: int
) -> None:
    pauses: list[float] = []
    pause = computers.pause_of

    def noted(table: Table) -> float:
        pauses.append(pause(table))
        return pauses[-1]

    monkeypatch.setattr(computers, "pause_of", noted)
    code, tokens = server.create(ME, ROBOT, pace=pace)
    with server.sit(code, *tokens) as ada:
        while ada.moves() or 0 in ada.state["rollers"] or not ada.state["undo"]:
            if ada.moves() or 0 in ada.state["rollers"]:
                ada.play()
            else:
                ada.until("state")
        if pace:
            assert ada.act("undo", 0)["type"] == "ack"
        lines = len(ada.log)
        while len(ada.log) <= lines + 1:
            if ada.moves():
                ada.play()
            else:
                ada.until("state")
    assert (computers.UNDO_TIME in pauses) == (pace > 0)
    assert set(pauses) <= {computers.UNDO_TIME, pace / 1000}


def test_why_is_answered_for_ones_own_seats_only(server: ServerContext) -> None:
    code, tokens = server.create(ME, ROBOT)
    with server.sit(code, *tokens) as ada:
        ada.play_to("move")
        ada.send({"type": "why", "ref": 900, "seat": 0})
        answer = ada.until("why")
        assert answer["ref"] == 900
        assert any("you must choose one" in words for words in answer["words"])
        for thing, words in (
            ("g#9", "the next one is field 1"),
            ("nothing", "you must choose one"),
        ):
            ada.send({"type": "why", "ref": 902, "seat": 0, "about": thing})
            assert any(words in sentence for sentence in ada.until("why")["words"]), thing
        ada.send({"type": "why", "ref": 901, "seat": 1})
        assert ada.until("refused")["reason"] == "not_your_seat"


def test_hints_and_odds_where_there_are_none(server: ServerContext) -> None:
    code, tokens = server.create(ME)
    with server.sit(code, *tokens) as ada:
        assert ada.reason("hint") == "not_to_act"
        assert ada.reason("odds") == "no_odds"
        assert ada.reason("odds", seat=3) == "not_your_seat", "nobody sits there"


def test_missing_names_are_filled_in_for_each_language(
    server: ServerContext,
) -> None:
    greedy = {"kind": "computer", "level": "greedy"}
    code, _ = server.create({"kind": "me"}, ROBOT, greedy, ROBOT)
    with server.sit(code, language="de") as german, server.sit(code, language="nl") as dutch:
        for guest, language, person in ((german, "de", "Spieler 1"), (dutch, "nl", "Speler 1")):
            random, other = (
                texts(language)[f"server.level.{name}"] for name in ("random", "greedy")
            )
            assert [(seat["name"], seat["named"]) for seat in guest.state["seats"]] == [
                (person, False),
                (f"{random} 1", False),
                (other, False),
                (f"{random} 2", False),
            ]
