"""Sealed dice at the tables of a server: whatever happens there, its transcript verifies, and nobody learns a secret before its draw."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from foxclover import CHANCE, agent, games, notation, seal
from foxclover.beginning import BEGINS, LOT
from foxclover.cli.verify import judge
from foxclover.locale import catalogue
from foxclover.rng import below
from foxclover.seal import Chain, Salt
from foxclover.server import render
from foxclover.server.master import Master
from foxclover.server.sqlite import FILE
from foxclover.server.store import SeatRecord, TableRecord
from foxclover.verdict import Verdict
from server.test_master import step
from server.test_processes import two_houses
from tables import CLIMB, FRIEND, GANZ, HERE, ME, ROBOT, House, house, real_house

SAY = catalogue("en")
SALT = "00112233445566778899aabbccddeeff"
OLD = Path(__file__).parent / "old" / "format-2.sqlite"
OLD_TABLES = {  # the seats of the tables in it
    "nqz3ct": ["ZeGp1Cc1SbhfA5FyiuQeeKF1NMiPpllt", "_Jilxkb1V_Hy2qCzjgDCeOwu-g0HAAbD"],
    "hkq4tb": ["Qpmd0Nx-3h7ErYns-JPamjGwEvyVqzXR", "Mf65bt8q6OfbWndku-eP6UNzcAThc9U6"],
}


def sealed_table(game: str, players: int) -> Master:
    seats = [SeatRecord(f"Player {seat}", key=bytes([seat])) for seat in range(players)]
    return Master(
        TableRecord("bcdfgh", game, 0, None, 0, 0, seats, "invitation", seal=bytes(range(32)))
    )


def verdict(server: House, code: str) -> Verdict:
    return judge(server.client.get(f"/api/tables/{code}/transcript").text, SAY)


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("players", [1, 3])
def test_undo_salts_and_restarts_keep_a_game_verifiable(game: str, players: int) -> None:
    master, chance = sealed_table(game, players), random.Random(players)
    while not master.over and master.seq < 260:
        if chance.random() < 0.1:
            master.stir([chance.randrange(players)], chance.randbytes(16))
        if master.rollers and chance.random() < 0.7:
            master.roll(master.rollers[0], master.seq, chance.randbytes(16))
        else:
            step(master, chance)
        if chance.random() < 0.1:
            again = Master(replace(master.record, events=master.events))
            assert (again.position, again.log, again.lengths, again.certain) == (
                master.position,
                master.log,
                master.lengths,
                master.certain,
            )
            master = again
    found = judge(master.transcript(["P"] * players), SAY)
    assert found == Verdict(sum(master.log[line].seat == CHANCE for line in master.shown(()).lines))


def test_a_salt_changes_nobodys_situation() -> None:
    master = sealed_table(GANZ, 2)
    master.roll(0, 0)
    seen = master.seq
    master.stir([1], bytes(16))
    master.move(0, seen, master.legal[0][0])
    assert master.undoer() == 0
    master.stir([0], bytes(16))
    master.undo(0, master.seq)


def test_a_seat_stirs_once_by_hello_and_with_every_roll(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        code, tokens = server.create(ME, HERE)
        for _ in range(3):  # the same page comes back, and another one of the same seat
            with server.sit(code, *tokens, salt=SALT) as ada:
                assert ada.state["seq"] == 2
        with server.sit(code) as watcher, server.sit(code, *tokens) as ada:
            ada.act("roll", salt="f" * 32)
            ada.until("state")
            assert ada.log[0]["seal"]["salts"] == [
                {"seat": 0, "salt": SALT},
                {"seat": 1, "salt": SALT},
                {"seat": 0, "salt": "f" * 32},
            ]
            assert ada.log[0]["seal"]["draw"] == 1
            while not watcher.log:
                watcher.until("state")
            assert watcher.log == ada.log, "who watches can check as much"
        assert verdict(server, code) == Verdict(1)


def test_a_salt_that_is_none_is_refused(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        code, tokens = server.create(ME)
        for wrong in ("", "0" * 31, "0" * 33, "g" * 32, "A" * 32, 7, None):
            with server.visit(code) as guest:
                assert guest.hello(*tokens, salt=wrong)["reason"] == "bad_message"
        with server.sit(code, *tokens) as guest:
            assert guest.reason("roll", salt="x") == "bad_message"
            assert guest.act("roll", salt=SALT)["type"] == "ack"


def test_the_anchor_is_told_before_and_stays(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        made = server.client.post(
            "/api/tables", json={"game": GANZ, "seats": [ME], "pace": 0}
        ).json()
        info = server.client.get(f"/api/tables/{made['table']}").json()
        with server.sit(made["table"], made["seats"][0]["token"]) as ada:
            assert made["sealing"] == info["sealing"] == ada.state["sealing"]
            assert made["sealing"]["title"] == f"foxclover/seal/1 {made['table']} {GANZ} 1 0"
            ada.play()
            assert ada.state["sealing"] == made["sealing"]
    with house(tmp_path) as server:
        assert (
            server.client.get(f"/api/tables/{made['table']}").json()["sealing"] == made["sealing"]
        )


def test_practice_dice_are_not_sealed_and_verify_says_so(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        code, (token,) = server.create(ME, options={"seed": 3})
        with server.sit(code, token, salt=SALT) as ada:
            assert ada.state["sealing"] is None
            ada.act("roll", salt=SALT)
            ada.until("state")
            assert "seal" not in ada.log[0]
        assert verdict(server, code).problem == SAY("verdict.not_sealed")


@pytest.mark.parametrize(
    ("game", "players", "variant"),
    [(GANZ, 1, 0), (GANZ, 3, BEGINS * LOT), (CLIMB, 1, 0), (CLIMB, 4, 0), (CLIMB, 5, BEGINS * LOT)],
)
def test_pages_are_told_what_cards_ties_and_lots_were_drawn_from(
    game: str, players: int, variant: int
) -> None:
    seats = [SeatRecord("", "greedy") for _ in range(players)]
    master = Master(
        TableRecord("bcdfgh", game, variant, None, 0, 0, seats, "", seal=bytes(range(32)))
    )
    player, told, counted = agent("greedy", master.game), 0, 0
    piles: list[list[str]] = []
    cup = seal.empty_cup(seal.title("bcdfgh", game, players, variant))
    while not master.over:
        if master.rollers:
            master.roll(master.rollers[0], master.seq)
        else:
            seat = master.position.acting[0]
            master.move(seat, master.seq, player.choose(master.position, seat).number)
    for entry in master.log:
        if not entry.text.startswith(("card ", "=", "begins ")):
            continue
        among = list(entry.among) or next(pile for pile in piles if entry.text in pile)
        told, counted = told + bool(entry.among), counted + 1
        piles = [pile for pile in piles if not set(pile) & set(among)] + [
            [one for one in among if one != entry.text]
        ]
        found = master.seal_of(entry)
        assert found is not None
        assert among[below(seal.generator(found.secret, cup), len(among))] == entry.text
    assert 0 < told <= counted


@pytest.mark.parametrize("game", [GANZ, CLIMB])
def test_no_message_tells_a_secret_before_its_draw(tmp_path: Path, game: str) -> None:
    """Whoever knew a later secret would know all before it, so the last one published must be that of the last draw told."""
    with house(tmp_path) as server:
        code, tokens = server.create(ME, HERE, game=game)
        records = server.client.app.state.lobby.tables  # type: ignore[attr-defined]
        with server.sit(code, *tokens, salt=SALT) as ada:
            record = records[code].record
            assert record.seal is not None
            chain = Chain(seal.title(code, game, 2, 0), record.seal)
            secrets = {chain.secret(draw).hex(): draw for draw in range(1, seal.LENGTH + 1)}
            for _ in range(60):
                if ada.state["over"]:
                    break
                ada.play((ada.state["rollers"] or ada.state["acting"])[0])
                told = json.dumps(
                    [ada.state, ada.others, server.client.get(f"/api/tables/{code}").json()]
                )
                told += server.client.get(f"/api/tables/{code}/transcript").text
                drawn = sum(entry["seat"] == CHANCE for entry in ada.log)
                assert all(draw <= drawn for secret, draw in secrets.items() if secret in told)


def test_behind_a_draw_that_is_hidden_no_secret_is_told() -> None:
    """A card drawn for one who failed stays hidden from those who have yet to decide, and a later secret would betray it."""
    hidden = 0
    for salt in range(40):
        master, chance = sealed_table(CLIMB, 3), random.Random(salt)
        master.stir([0], bytes([salt] * 16))
        for _ in range(60):
            if master.over:
                break
            step(master, chance)
            for you in ((0,), (1,), (2,)):
                lines = list(master.shown(you).lines)
                log = render.Telling(master, 0, {}, 0).state(you, "en")["log"]
                whole = 0
                while whole < len(lines) and lines[whole] == whole:
                    whole += 1
                hidden += len(lines) - whole
                assert all(("seal" in entry) == (entry["seat"] == CHANCE) for entry in log[:whole])
                assert not any("seal" in entry for entry in log[whole:])
    assert hidden


def test_computer_players_late_friends_and_rematches_keep_it_verifiable(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        code, (token,) = server.create(ME, FRIEND, ROBOT)
        with server.sit(code, token, salt=SALT) as ada:
            ada.play_to("roll")
            while 1 not in ada.state["rollers"] and ada.state["acting"] != [1]:
                if ada.moves(0) or 0 in ada.state["rollers"]:
                    ada.play()
                else:
                    ada.until("state")
            late = server.join(code)
            with server.sit(code, late, salt="5" * 32) as bo:
                guests = {0: ada, 1: bo}
                while not ada.state["over"]:
                    seat = next(
                        (
                            seat
                            for seat, guest in guests.items()
                            if guest.moves(seat) or seat in guest.state["rollers"]
                        ),
                        None,
                    )
                    if seat is None:
                        ada.until("state")
                    else:
                        guests[seat].play(seat)
                    for guest in guests.values():
                        guest.ask("ping")
                first = verdict(server, code)
                assert first.problem == ""
                assert first.draws == sum(entry["seat"] == CHANCE for entry in ada.log)
                ada.ask("rematch")
                successor = ada.until("rematch")["table"]
        with server.sit(successor, token, salt=SALT) as ada:
            assert ada.state["sealing"]["title"].split()[1] == successor
            assert (
                ada.state["sealing"]["anchor"]
                not in server.client.get(f"/api/tables/{code}/transcript").text
            )


def test_a_killed_server_goes_on_with_the_same_chain(tmp_path: Path) -> None:
    for attempt in range(3):
        with real_house(tmp_path) as server:
            if attempt == 0:
                code, tokens = server.create(ME, HERE)
            with server.sit(code, *tokens, salt=SALT) as ada:
                for _ in range(9):
                    seat = (ada.state["rollers"] or ada.state["acting"])[0]
                    ada.act("roll", seat, salt=f"{attempt}" * 32) if ada.state[
                        "rollers"
                    ] else ada.play(seat)
                    ada.ask("ping")
                draws = sum("seal" in entry for entry in ada.log)
                server.kill()
    with house(tmp_path) as server:
        assert verdict(server, code) == Verdict(draws)


def test_any_process_draws_next(tmp_path: Path, database: str) -> None:
    with two_houses(tmp_path, database) as (left, right):
        code, tokens = left.create(ME, HERE, game=CLIMB)
        for turn in range(12):
            with (left, right)[turn % 2].sit(code, *tokens, salt=SALT) as ada:
                seat = (ada.state["rollers"] or ada.state["acting"])[0]
                ada.play(seat)
        assert verdict(left, code) == verdict(right, code)
        assert verdict(left, code).problem == ""
        assert verdict(left, code).draws > 2


def test_a_file_of_the_last_format_opens_and_its_games_go_on(tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path / FILE)
    for _ in range(2):
        with house(tmp_path) as server:
            for code, tokens in OLD_TABLES.items():
                with server.sit(code, *tokens, salt=SALT) as ada:
                    assert ada.state["seq"] >= 25
                    assert ada.state["sealing"] is None, "its dice were not sealed"
                    for _ in range(5):
                        ada.play((ada.state["rollers"] or ada.state["acting"])[0])
                        assert "seal" not in ada.log[-1]
            code, (token,) = server.create(ME)
            with server.sit(code, token) as ada:
                assert ada.state["sealing"]


def test_transcripts_read_back_with_their_seals() -> None:
    master = sealed_table(GANZ, 1)
    master.stir([0], bytes(16))
    master.roll(0, master.seq, bytes([1] * 16))
    read = notation.read(master.transcript(["Ada"]))
    assert read.seals[0].salts == (Salt(0, bytes(16)), Salt(0, bytes([1] * 16)))
    assert read.sealing == (
        "bcdfgh",
        Chain(seal.title("bcdfgh", GANZ, 1, 0), bytes(range(32))).anchor,
    )


@pytest.mark.parametrize("game", games())
def test_a_lot_that_tells_who_begins_is_sealed_too(tmp_path: Path, game: str) -> None:
    with house(tmp_path) as server:
        code, tokens = server.create(ME, HERE, game=game, options={"begins": -1})
        with server.sit(code, *tokens, salt=SALT) as ada:
            for _ in range(6):
                ada.play((ada.state["rollers"] or ada.state["acting"])[0])
            assert ada.log[0]["text"].startswith("begins")
            assert ada.log[0]["seal"]["draw"] == 1
        assert verdict(server, code).problem == ""
