"""Sealed dice at the tables of a server.

Whatever happens there, its transcript verifies, and nobody learns a secret before its draw.
"""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from foxclover import CHANCE, agent, game_names, transcripts
from foxclover.cli.check import verify_dice
from foxclover.core.rules import RANDOM, START_PLAYER_UNIT, below
from foxclover.dice.fair import DICE, LENGTH, Roller, context_of, first_pool, generator, mix, sealed
from foxclover.locale import catalogue
from foxclover.server.stores.sqlite_files import FILE
from foxclover.server.stores.store import SeatRecord, TableRecord
from foxclover.server.tables import render
from foxclover.server.tables.master import Master
from foxclover.server.tables.seating import NOBODY
from foxclover.transcripts.dice_check import DiceCheck
from server.test_master import step
from server.test_processes import two_servers
from tables import CLIMB, FRIEND, GANZ, HERE, ME, ROBOT, ServerContext, context, real_server

SAY = catalogue("en")
SALT = "00112233445566778899aabbccddeeff"
ROOT = bytes(range(32))
OLD = Path(__file__).parent / "old" / "format-2.sqlite"
OLD_TABLES = {  # the seats of the tables in it
    "nqz3ct": ["ZeGp1Cc1SbhfA5FyiuQeeKF1NMiPpllt", "_Jilxkb1V_Hy2qCzjgDCeOwu-g0HAAbD"],
    "hkq4tb": ["Qpmd0Nx-3h7ErYns-JPamjGwEvyVqzXR", "Mf65bt8q6OfbWndku-eP6UNzcAThc9U6"],
}


FIRST_SEALS = {  # tables in seal-1.sqlite
    "p9jj3c": ["hF-dc7fzQo68unhN_Es-k9h2AYfO2SEk", "njyjN0noXsc6OQrB3vMs1MjQkl2cjYF8"],
    "j6p7fn": ["sTEP5HDiN2tw-qZj-3ITR8EU9bxkmbgU", "m14krJZ8_ElzOdFWi5n_3lyX7NzE1Wjs"],
}


def sealed_table(game: str, players: int) -> Master:
    seats = [SeatRecord(f"Player {seat}", key=bytes([seat])) for seat in range(players)]
    return Master(
        TableRecord("bcdfgh", game, 0, None, 0, 0, seats, "invitation", seal=ROOT, dice=DICE)
    )


def verdict(server: ServerContext, code: str) -> DiceCheck:
    return verify_dice(server.client.get(f"/api/tables/{code}/transcript").text, SAY)


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("players", [1, 3])
def test_undo_and_restarts_keep_a_game_verifiable(game: str, players: int) -> None:
    master, chance = sealed_table(game, players), random.Random(players)
    while not master.over and master.seq < 260:
        step(master, chance)
        if chance.random() < 0.1:
            again = Master(replace(master.record, events=master.log.events))
            assert (again.position, again.log.entries, again.log.lengths, again.log.public) == (
                master.position,
                master.log.entries,
                master.log.lengths,
                master.log.public,
            )
            master = again
    found = verify_dice(master.transcript(["P"] * players), SAY)
    assert (found.problem, found.draws) == (
        "",
        sum(master.log.entries[line].seat == CHANCE for line in master.shown(()).lines),
    )


def test_a_roll_names_the_pool_that_was_seen_and_the_salt_comes_last(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME, HERE)
        with server.sit(code) as watcher, server.sit(code, *tokens) as ada:
            first = ada.state["sealing"]["context"].encode()
            assert ada.reason("roll", pool="0" * 64) == "other_pool"
            assert ada.state["seq"] == 0, "nothing was mixed in"
            assert ada.act("roll", salt=SALT, pool=first_pool(first).hex())["type"] == "ack"
            ada.until("state")
            assert ada.log[0]["seal"]["draw"] == 1
            assert ada.log[0]["seal"]["roller"] == {"seat": 0, "salt": SALT}
            assert len(ada.log[0]["seal"]["next"]) == 64
            while not watcher.log:
                watcher.until("state")
            assert watcher.log == ada.log, "who watches can check as much"
            assert ada.pool() == mix(first_pool(first), Roller(0, bytes.fromhex(SALT)))
        assert verdict(server, code).draws == 1


def test_a_roll_of_fair_dice_needs_a_salt(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as guest:
            for wrong in ("", "0" * 31, "0" * 33, "g" * 32, "A" * 32, 7, None):
                assert guest.reason("roll", salt=wrong) == "bad_message"
            assert guest.reason("roll", pool="0") == "bad_message"
            guest.ref += 1
            guest.send({"type": "roll", "ref": guest.ref, "seat": 0, "seq": 0})
            assert guest.until("refused")["reason"] == "bad_message"
            assert guest.act("roll", salt=SALT)["type"] == "ack"
            guest.until("state")
            guest.play_to("roll")
            assert guest.reason("roll", salt=SALT) == "bad_message", (
                "used before: nobody can spoil the game for verifiers"
            )


@pytest.mark.parametrize("game", game_names())
def test_the_first_draw_waits_for_a_person_where_a_computer_begins(
    tmp_path: Path, game: str
) -> None:
    """Without an earlier salt the server could try many roots before its commitment."""
    with context(tmp_path) as server:
        code, tokens = server.create(ROBOT, ME, ROBOT, game=game)
        with server.sit(code, *tokens) as ada:
            assert 1 in ada.state["rollers"]
            assert ada.act("roll", 1, salt=SALT)["type"] == "ack"
            while len(ada.log) < 12 and not ada.moves(1):
                ada.until("state")
        found = verdict(server, code)
        assert (found.problem, found.draws > 0) == ("", True)


def test_a_person_replaced_by_a_computer_before_the_first_draw_returns_to_roll() -> None:
    seats = [SeatRecord("", "random"), SeatRecord("Ada", "random", key=b"key")]
    master = Master(TableRecord("bcdfgh", GANZ, 0, None, 0, 0, seats, "", seal=ROOT, dice=DICE))
    assert (master.rollers, master.computer_due()) == ((1,), None)
    seats = [master.record.seats[0], SeatRecord("Ada", key=b"key"), *master.record.seats[2:]]
    master.record = replace(master.record, seats=seats)
    master.roll(1, 0, bytes(16))
    assert master.computer_due() == 0


def test_the_commitment_is_published_before_and_stays(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        made = server.client.post(
            "/api/tables", json={"game": GANZ, "seats": [ME], "pace": 0}
        ).json()
        info = server.client.get(f"/api/tables/{made['table']}").json()
        with server.sit(made["table"], made["seats"][0]["token"]) as ada:
            assert made["sealing"] == info["sealing"] == ada.state["sealing"]
            assert made["sealing"]["context"] == f"foxclover/seal/2 {made['table']} {GANZ} 1 0"
            ada.play()
            assert ada.state["sealing"] == made["sealing"]
    with context(tmp_path) as server:
        assert (
            server.client.get(f"/api/tables/{made['table']}").json()["sealing"] == made["sealing"]
        )


def test_practice_dice_are_not_fair_dice_and_verify_says_so(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, (token,) = server.create(ME, options={"seed": 3})
        with server.sit(code, token) as ada:
            assert ada.state["sealing"] is None
            ada.act("roll", salt=SALT)
            ada.until("state")
            assert "seal" not in ada.log[0]
        assert verdict(server, code).problem == SAY("dice_check.not_fair")


@pytest.mark.parametrize(
    ("game", "players", "variant"),
    [
        (GANZ, 1, 0),
        (GANZ, 3, START_PLAYER_UNIT * RANDOM),
        (CLIMB, 1, 0),
        (CLIMB, 4, 0),
        (CLIMB, 5, START_PLAYER_UNIT * RANDOM),
    ],
)
def test_pages_receive_what_cards_ties_and_start_players_were_drawn_from(
    game: str, players: int, variant: int
) -> None:
    seats = [SeatRecord(f"Player {seat}", key=bytes([seat])) for seat in range(players)]
    master = Master(
        TableRecord("bcdfgh", game, variant, None, 0, 0, seats, "", seal=ROOT, dice=DICE)
    )
    player, received, counted = agent("greedy", master.game), 0, 0
    piles: list[list[str]] = []
    pool, chance = first_pool(context_of("bcdfgh", game, players, variant)), random.Random(1)
    while not master.over:
        if master.rollers:
            master.roll(master.rollers[0], master.seq, chance.randbytes(16))
        else:
            seat = master.position.acting[0]
            master.move(seat, master.seq, player.choose(master.position, seat).number)
    for entry in master.log.entries:
        pool = mix(pool, entry.roller) if entry.roller else pool
        if not entry.text.startswith(("card ", "=", "begins ")):
            continue
        among = list(entry.among) or next(pile for pile in piles if entry.text in pile)
        received, counted = received + bool(entry.among), counted + 1
        piles = [pile for pile in piles if not set(pile) & set(among)] + [
            [found for found in among if found != entry.text]
        ]
        found = master.dice.seal_of(entry)
        assert found is not None
        assert among[below(generator(found.secret, pool), len(among))] == entry.text
    assert 0 < received <= counted


@pytest.mark.parametrize("game", [GANZ, CLIMB])
def test_no_message_reveals_a_secret_before_its_draw(tmp_path: Path, game: str) -> None:
    """A secret reveals all before it, so the last published one must belong to the last draw."""
    with context(tmp_path) as server:
        code, tokens = server.create(ME, HERE, game=game)
        records = server.client.app.state.lobby.tables  # type: ignore[attr-defined]
        with server.sit(code, *tokens) as ada:
            record = records[code].record
            assert record.seal is not None
            dice = sealed(context_of(code, game, 2, 0), record.seal)
            secrets = {dice.secret(draw).hex(): draw for draw in range(1, 2 * LENGTH + 1)}
            for _ in range(60):
                if ada.state["over"]:
                    break
                ada.play((ada.state["rollers"] or ada.state["acting"])[0])
                received = json.dumps(
                    [ada.state, ada.others, server.client.get(f"/api/tables/{code}").json()]
                )
                received += server.client.get(f"/api/tables/{code}/transcript").text
                drawn = sum(entry["seat"] == CHANCE for entry in ada.log)
                assert all(draw <= drawn for secret, draw in secrets.items() if secret in received)


def test_no_secret_after_a_hidden_draw_is_revealed() -> None:
    """A failed player's card stays hidden from undecided ones; a later secret would reveal it."""
    hidden = 0
    for salt in range(40):
        master, chance = sealed_table(CLIMB, 3), random.Random(salt)
        for _ in range(60):
            if master.over:
                break
            step(master, chance)
            for you in ((0,), (1,), (2,)):
                lines = list(master.shown(you).lines)
                log = render.StateRenderer(master, 0, {}, NOBODY).state(you, "en")["log"]
                whole = min(len(lines), master.log.public[-1])
                assert lines[:whole] == list(range(whole))
                hidden += len(lines) - whole
                assert all(("seal" in entry) == (entry["seat"] == CHANCE) for entry in log[:whole])
                assert not any("seal" in entry for entry in log[whole:])
    assert hidden


def test_computer_players_late_friends_and_rematches_keep_it_verifiable(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, (token,) = server.create(ME, FRIEND, ROBOT)
        with server.sit(code, token) as ada:
            ada.play_to("roll")
            while 1 not in ada.state["rollers"] and ada.state["acting"] != [1]:
                if ada.moves(0) or 0 in ada.state["rollers"]:
                    ada.play()
                else:
                    ada.until("state")
            late = server.join(code)
            with server.sit(code, late) as bo:
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
        with server.sit(successor, token) as ada:
            assert ada.state["sealing"]["context"].split()[1] == successor
            assert (
                ada.state["sealing"]["commitment"]
                not in server.client.get(f"/api/tables/{code}/transcript").text
            )


def test_a_killed_server_goes_on_with_the_same_chain(tmp_path: Path) -> None:
    for attempt in range(3):
        with real_server(tmp_path) as server:
            if attempt == 0:
                code, tokens = server.create(ME, HERE)
            with server.sit(code, *tokens) as ada:
                for _ in range(9):
                    ada.play((ada.state["rollers"] or ada.state["acting"])[0])
                    ada.ask("ping")
                draws = sum("seal" in entry for entry in ada.log)
                server.kill()
    with context(tmp_path) as server:
        assert (verdict(server, code).problem, verdict(server, code).draws) == ("", draws)


def test_any_process_draws_next(tmp_path: Path, database: str) -> None:
    with two_servers(tmp_path, database) as (left, right):
        code, tokens = left.create(ME, HERE, game=CLIMB)
        for turn in range(12):
            with (left, right)[turn % 2].sit(code, *tokens) as ada:
                seat = (ada.state["rollers"] or ada.state["acting"])[0]
                ada.play(seat)
        assert verdict(left, code) == verdict(right, code)
        assert verdict(left, code).problem == ""
        assert verdict(left, code).draws > 2


def test_a_file_of_the_last_format_opens_and_its_games_go_on(tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path / FILE)
    for _ in range(2):
        with context(tmp_path) as server:
            for code, tokens in OLD_TABLES.items():
                with server.sit(code, *tokens) as ada:
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
    master.roll(0, master.seq, bytes([1] * 16))
    read, dice = (
        transcripts.read(master.transcript(["Ada"])),
        sealed(context_of("bcdfgh", GANZ, 1, 0), ROOT),
    )
    assert read.seals[0] == dice.seal(1, Roller(0, bytes([1] * 16)))
    assert read.sealing == ("bcdfgh", dice.commitment, 2)


def test_tables_with_fair_dice_of_the_first_version_continue_and_claim_nothing(
    tmp_path: Path,
) -> None:
    shutil.copy(OLD.with_name("seal-1.sqlite"), tmp_path / FILE)
    for _ in range(2):
        with context(tmp_path) as server:
            for code, tokens in FIRST_SEALS.items():
                with server.sit(code, *tokens) as ada:
                    assert ada.state["sealing"] is None, "their dice were not provably fair"
                    assert ada.state["seq"] >= 19
                    for _ in range(5):
                        ada.play((ada.state["rollers"] or ada.state["acting"])[0])
                assert verdict(server, code).problem == SAY("dice_check.not_fair")


@pytest.mark.parametrize("game", game_names())
def test_the_draw_of_the_start_player_is_fair_too(tmp_path: Path, game: str) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME, HERE, game=game, options={"begins": -1})
        with server.sit(code, *tokens) as ada:
            for _ in range(6):
                ada.play((ada.state["rollers"] or ada.state["acting"])[0])
            assert ada.log[0]["text"].startswith("begins")
            assert ada.log[0]["seal"]["draw"] == 1
        assert verdict(server, code).problem == ""
