"""The library as its users meet it.

Positions, moves and games that can be copied, kept and trusted.
"""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import foxclover
from foxclover import (
    CHANCE,
    AmbiguousMove,
    Game,
    IllegalMove,
    MoveError,
    NothingToTakeBack,
    Position,
    UnknownSeat,
    UnreadableMove,
    scripted,
    seeded,
    simulate,
    transcripts,
    typed,
)
from foxclover.ai import adviser, agent
from foxclover.core.game import game, game_names
from foxclover.core.records import Record
from foxclover.core.registry import game_entries
from foxclover.kernel import open_kernel

PLAYERS = 2
COPIES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    lambda thing: pickle.loads(pickle.dumps(thing)),
]
WAYS = pytest.mark.parametrize("twin_of", COPIES, ids=["copy", "deepcopy", "pickle"])
EVERY = pytest.mark.parametrize("key", game_names())


def middle(key: str, moves: int = 60, seed: int = 3, players: int = PLAYERS) -> Position:
    """A position after some random moves, in which players are to act."""
    position, dice, choice = game(key).start(players), seeded(seed), random.Random(seed)
    while len(position.moves_made) < moves or position.chance_due:
        seat = choice.choice(sorted(position.to_act))
        position.push(
            dice.draw(position) if seat == CHANCE else choice.choice(position.legal_moves(seat))
        )
    return position


# --- copies


@EVERY
@WAYS
def test_a_position_is_copied_with_its_history_and_shares_none_of_it(
    key: str, twin_of: Callable[[Position], Position]
) -> None:
    position = middle(key)
    before, history = position.copy(), [str(move) for move in position.moves_made]
    twin = twin_of(position)
    assert twin == position
    assert twin.pre_roll_state == position.pre_roll_state
    assert [str(move) for move in twin.moves_made] == history
    twin.push(twin.legal_moves(twin.acting[0])[0])
    while twin.moves_made:
        twin.pop()
    assert twin == game(key).start(PLAYERS)
    assert position == before
    assert [str(move) for move in position.moves_made] == history


@EVERY
def test_a_state_in_use_is_not_changed_by_later_moves(key: str) -> None:
    position, dice, choice = game(key).start(PLAYERS), seeded(5), random.Random(5)
    had = []
    while not position.over:
        if choice.random() < 0.3:
            had.append((position.state, position.state.values()))
        seat = choice.choice(sorted(position.to_act))
        position.push(
            dice.draw(position) if seat == CHANCE else choice.choice(position.legal_moves(seat))
        )
    assert all(state.values() == values for state, values in had)


@EVERY
def test_states_that_were_not_read_are_replayed(key: str) -> None:
    looked, played = game(key).start(PLAYERS), middle(key)
    states = []
    for move in played.moves_made:
        states.append(
            (looked.state.values(), looked.pre_roll_state and looked.pre_roll_state.values())
        )
        looked.push(looked.move(move.seat, move.number))
    taken_back = played.copy()
    for state, known in reversed(states):
        taken_back.pop()
        assert (
            taken_back.state.values(),
            taken_back.pre_roll_state and taken_back.pre_roll_state.values(),
        ) == (
            state,
            known,
        )
    assert [state.values() for state, _ in played.history()] == [state for state, _ in states]


@EVERY
def test_a_tree_of_moves_is_walked_by_pushing_and_popping(key: str) -> None:
    walked, choice = middle(key, moves=20), random.Random(2)
    for _ in range(60):
        depth = choice.randrange(5)
        before = walked.copy()
        for _ in range(depth):
            seat = choice.choice(sorted(walked.to_act))
            walked.push(
                seeded(choice.randrange(99)).draw(walked)
                if seat == CHANCE
                else choice.choice(walked.legal_moves(seat))
            )
        branch = walked.copy()
        values = branch.state.values()
        for _ in range(depth):
            walked.pop()
        assert walked == before
        assert pickle.loads(pickle.dumps(branch)).state.values() == values
        if depth and not walked.chance_due:
            walked.push(walked.legal_moves(walked.acting[0])[0])
            walked.pop()
            assert walked == before


@EVERY
@WAYS
def test_a_move_is_copied_with_its_text_and_can_be_made(
    key: str, twin_of: Callable[[Any], Any]
) -> None:
    position = middle(key)
    move = position.legal_moves(position.acting[0])[-1]
    twin = twin_of(move)
    assert (twin, str(twin), twin.words(), hash(twin)) == (
        move,
        str(move),
        move.words(),
        hash(move),
    )
    position.push(twin)
    assert position.moves_made[-1] == move


@EVERY
@WAYS
def test_copies_of_a_game_are_the_game(key: str, twin_of: Callable[[Game], Game]) -> None:
    assert twin_of(game(key)) is game(key)


@WAYS
def test_a_game_of_a_custom_file_is_copied_with_it(
    twin_of: Callable[[Game], Game], tmp_path: Path
) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(game_entries()["geht-noch-was"].file.read_bytes() + b"\n# mine\n")
    own = game("geht", str(file))
    file.unlink()
    twin = twin_of(own)
    assert twin == own
    assert twin != game("geht")
    assert twin.start(2) == own.start(2)
    assert twin.start(2) != game("geht").start(2), "positions of another deck are other positions"


# --- what changes has no hash


@EVERY
def test_positions_and_states_change_and_have_no_hash(key: str) -> None:
    position = game(key).start(PLAYERS)
    for thing in (position, position.state):
        with pytest.raises(TypeError, match="unhashable"):
            hash(thing)


# --- moves of elsewhere


def test_a_move_of_another_game_is_refused() -> None:
    ganz, doppelt = (game(name).start(PLAYERS) for name in ("ganz", "doppelt"))
    roll = doppelt.roll(seeded(1))
    with pytest.raises(IllegalMove):
        ganz.push(roll)
    assert roll not in ganz.legal_moves(CHANCE)
    assert ganz == game("ganz").start(PLAYERS)


def test_a_text_is_not_taken_for_a_move() -> None:
    position = game("ganz").start()
    with pytest.raises(
        TypeError, match="push takes a Move, not 'y1b1g1o1p1w1'; push_text reads a text"
    ):
        position.push("y1b1g1o1p1w1")  # type: ignore[arg-type]


SLIPS: dict[str, Callable[[Position], object]] = {
    "roll takes dice, such as seeded(7), not 7": lambda position: position.roll(7),  # type: ignore[arg-type]
    "a move is read from a text, not 5": lambda position: position.push_text(5, 0),  # type: ignore[arg-type]
    "a seat is a number from 0 on, not '0'": lambda position: position.legal_moves("0"),  # type: ignore[arg-type]
    "a seat is a number from 0 on, not None": lambda position: position.score(None),  # type: ignore[arg-type]
    "game takes the name of a game or the path of a file, not 7": lambda _: game(7),  # type: ignore[arg-type]
    "a computer player is made for a Game, such as game('ganz'), not 'ganz'": lambda _: agent(
        "net", "ganz"
    ),  # type: ignore[arg-type]
    "a computer player is made for a Game, such as game('geht'), not 'geht'": lambda _: adviser(
        "net", "geht"
    ),  # type: ignore[arg-type]
    "options are a list of names, such as ['solo_rules'], not 'solo_rules'": lambda position: (
        position.game.setup("solo_rules")
    ),
    "scripted takes a list of rolls, such as ['123456'], not '123456'": lambda _: scripted(
        "123456"
    ),
    "a transcript is read from its text, not PosixPath('game.txt')": lambda _: transcripts.read(
        Path("game.txt")
    ),  # type: ignore[arg-type]
    "game takes the name of a game or the path of a file, not 5": lambda _: simulate(5),  # type: ignore[arg-type]
    "a seed is a whole number from 0 to 9007199254740991, not '7'": lambda _: seeded("7"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("sentence", SLIPS)
def test_slips_raise_a_sentence(sentence: str) -> None:
    position = game("ganz").start()
    with pytest.raises(TypeError) as caught:
        SLIPS[sentence](position)
    assert str(caught.value) == sentence
    assert position == game("ganz").start()


@pytest.mark.parametrize("key", game_names())
def test_starts_share_nothing_that_moves_change(key: str) -> None:
    first, dice = game(key).start(2), seeded(1)
    fresh = first.dump()
    while not first.over:
        first.roll(dice) if first.chance_due else first.push(first.legal_moves(first.acting[0])[-1])
    assert game(key).start(2).dump() == fresh


def test_a_roll_of_other_dice_is_refused_though_its_number_is_a_roll_here() -> None:
    low, high = (game("ganz").start() for _ in range(2))
    for position, choice in ((low, "y>y4c"), (high, "w>p4")):
        position.push_text("y4b4g4o4p4w4", CHANCE)
        position.push_text(choice, 0)
    assert (str(low.legal_moves(CHANCE)[0]), str(high.legal_moves(CHANCE)[0])) == (
        "b1g1o1p1w1",
        "y1b1g1o1p1",
    )
    for number, roll in enumerate(high.legal_moves(CHANCE)[:20]):
        assert low.legal_moves(CHANCE)[number].number == roll.number
        assert low.legal_moves(CHANCE)[number] != roll
        with pytest.raises(
            IllegalMove, match=f"'{roll}' is not legal here; expected a chance move"
        ):
            low.push(roll)


@EVERY
def test_the_same_move_of_an_equal_position_is_accepted(key: str) -> None:
    position = middle(key)
    other = position.game.load(position.dump())
    for seat in position.acting:
        assert list(other.legal_moves(seat)) == list(position.legal_moves(seat))
        assert all(
            move in position.legal_moves(seat) and position.is_legal(move)
            for move in other.legal_moves(seat)
        )


@EVERY
@pytest.mark.parametrize("number", [-1, 10**6, 2**40])
@pytest.mark.parametrize("seat", [CHANCE, 0, 3])
def test_numbers_that_are_no_moves_are_refused(key: str, number: int, seat: int) -> None:
    position = middle(key)
    before = position.copy()
    with pytest.raises(IllegalMove):
        position.push(position.move(seat, number))
    assert position == before


@EVERY
def test_the_size_of_the_action_space_bounds_the_moves_of_players(key: str) -> None:
    chosen = game(key)
    moves = chosen.contract.features.player_moves(chosen.definition, max(chosen.players))
    assert moves[0] >= 0
    assert moves[-1] < chosen.rules.ACTION_SPACE


# --- start


@EVERY
def test_start_works_on_any_state(key: str) -> None:
    chosen = game(key)
    for seed in range(5):
        used = middle(key, 20 + 20 * seed, seed, players=4).state.copy()
        filled = chosen.rules.State.from_values(iter([1] * len(used.values())))
        for state in (used, filled):
            chosen.rules.start(chosen.definition.tables, state, 2, 0)
            assert state == chosen.start(2).state


@EVERY
def test_start_works_on_any_state_in_the_kernel_too(key: str) -> None:
    chosen = game(key)
    instance = open_kernel(chosen.family).instance()
    tables, state = instance.new(type(chosen.definition.tables)), instance.new(chosen.rules.State)
    instance.set(tables, chosen.definition.tables)
    instance.set(state, middle(key, players=4).state)
    instance.call("start", tables, state, 2, 0)
    assert instance.read(chosen.rules.State, state) == chosen.start(2).state


@EVERY
@pytest.mark.parametrize("variant", [4, 99])
def test_variants_that_do_not_exist_are_refused(key: str, variant: int) -> None:
    with pytest.raises(ValueError, match=f"has no variant {variant}; its options are"):
        game(key).unpack(variant)
    # the bits above the options name the start player
    with pytest.raises(ValueError, match="no seat -1 can begin"):
        game(key).start(PLAYERS, start_player=-1)
    with pytest.raises(ValueError, match="has no option 'flying'"):
        game(key).start(PLAYERS, flying=True)


@EVERY
def test_options_may_be_any_iterable(key: str) -> None:
    names = [option.name for option in game(key).options]
    assert (
        game(key).setup(iter(names))
        == game(key).setup(names)
        == game(key).start(PLAYERS, **dict.fromkeys(names, True)).setup
    )


# --- errors of ours


@EVERY
def test_nothing_is_drawn_when_no_chance_is_due(key: str) -> None:
    position = middle(key)
    seats = " or ".join(str(seat + 1) for seat in position.acting)
    before = position.copy()
    for dice in (seeded(1), foxclover.system(), typed(lambda _: "112233"), scripted(["112233"])):
        with pytest.raises(IllegalMove, match="is not legal here; expected a move of"):
            position.roll(dice)
    with pytest.raises(IllegalMove, match=f"expected a move of player {seats}"):
        seeded(1).draw(position)
    assert position == before


@EVERY
@pytest.mark.parametrize("seat", [-1, PLAYERS, 7])
def test_seats_that_do_not_exist_have_no_score(key: str, seat: int) -> None:
    position = middle(key)
    translate = foxclover.locale.catalogue("en")
    for ask in (position.score, position.breakdown, lambda seat: position.prompt(seat, translate)):
        with pytest.raises(UnknownSeat, match=f"there is no seat {seat} at a table of {PLAYERS}"):
            ask(seat)


@EVERY
@pytest.mark.parametrize("seat", [PLAYERS, 7])
def test_seats_that_do_not_exist_have_no_moves(key: str, seat: int) -> None:
    with pytest.raises(UnknownSeat, match=f"there is no seat {seat} at a table of {PLAYERS}"):
        middle(key).legal_moves(seat)


@EVERY
def test_nothing_can_be_taken_back_before_the_first_move(key: str) -> None:
    position = game(key).start()
    with pytest.raises(NothingToTakeBack, match="no move was made"):
        position.pop()
    middle_position = middle(key)
    middle_position.forget()
    assert middle_position.moves_made == []
    with pytest.raises(NothingToTakeBack):
        middle_position.pop()


def test_a_script_that_ends_too_early_says_so() -> None:
    position = game("ganz").start()
    with pytest.raises(ValueError, match="the script has no more rolls"):
        position.roll(scripted([]))


def test_typed_dice_are_asked_for_until_the_answer_fits() -> None:
    answers, problems = iter(["what?", "1", "y1b2g3o4p5w6"]), []
    dice = typed(lambda _: next(answers), problems.append)
    assert str(game("ganz").start().roll(dice)) == "y1b2g3o4p5w6"
    assert [type(problem) for problem in problems] == [UnreadableMove, IllegalMove]
    answers = iter(["²", "112233"])
    assert str(game("ganz").start().roll(typed(lambda _: next(answers)))) == "y1b1g2o2p3w3"


# --- moves


def test_legal_moves_are_a_sequence_that_makes_moves_when_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = middle("ganz")
    (seat,) = position.acting[:1]
    with monkeypatch.context() as patch:
        patch.setattr(foxclover.Move, "text", property(lambda _: pytest.fail("no text is needed")))
        moves = position.legal_moves(seat)
        assert moves
        assert moves[0] in moves
        assert moves[-1] == list(moves)[-1]
        assert len(moves[:2]) == 2
        position.push(moves[0])
    assert moves[0] not in position.legal_moves(CHANCE)
    assert not position.legal_moves(1 - seat)
    assert repr(moves).startswith(f"<LegalMoves of seat {seat}: {moves[0]}")


def test_the_outcomes_of_chance_are_legal_moves_with_weights() -> None:
    position = game("geht").start()
    outcomes = dict(position.chance_moves())
    assert sum(outcomes.values()) == 6**7
    assert set(outcomes) == set(position.legal_moves(CHANCE))
    position.push(next(iter(outcomes)))
    assert list(position.chance_moves()) == []


def test_representations_describe_their_objects() -> None:
    position = game("ganz").start(PLAYERS)
    assert repr(position) == "<Position of ganz-schoen-clever: round 1, 0-0 points, chance to move>"
    roll = position.roll(seeded(7))
    assert repr(roll) == "<Move 'y4b1g3o5p2w5' of chance in ganz-schoen-clever>"
    assert repr(position) == "<Position of ganz-schoen-clever: round 1, 0-0 points, seat 0 to move>"
    assert repr(position.legal_moves(0)[0]) == "<Move 'y>y4c' of seat 0 in ganz-schoen-clever>"
    assert repr(position.game) == "game('ganz-schoen-clever')"


@EVERY
def test_a_position_is_drawn(key: str) -> None:
    position = middle(key)
    drawn = str(position)
    assert max(map(len, drawn.splitlines())) > 40
    assert len(drawn.splitlines()) > 10
    position.push(position.legal_moves(position.acting[0])[0])
    assert str(position) != drawn


def test_what_is_needed_can_be_imported_from_the_package() -> None:
    for name in (
        "MoveError",
        "IllegalMove",
        "AmbiguousMove",
        "TranscriptError",
        "agent",
        "adviser",
        "transcripts",
        "Position",
        "LegalMoves",
    ):
        assert name in foxclover.__all__
        assert hasattr(foxclover, name)
    assert issubclass(AmbiguousMove, MoveError)


# --- dump and load


@EVERY
@given(data=st.data())
def test_load_raises_nothing_but_value_errors(key: str, data: st.DataObject) -> None:
    chosen = game(key)
    fine = json.loads(chosen.start(PLAYERS).dump())
    things = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(list(fine)), inner)
        ),
        max_leaves=6,
    )
    broken = fine | data.draw(st.dictionaries(st.sampled_from(list(fine)), things, min_size=1))
    if data.draw(st.booleans()):
        broken["state"] = [
            *fine["state"][: data.draw(st.integers(0, len(fine["state"])))],
            *data.draw(st.lists(things, max_size=2)),
        ]
    text = data.draw(
        st.sampled_from(
            [json.dumps(broken), json.dumps(data.draw(things)), json.dumps(broken)[:-3]]
        )
    )
    try:
        position = chosen.load(text)
    except ValueError:
        return
    assert chosen.load(position.dump()) == position


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, '{"game": 1}', "null", '"x"', "9" * 5000, "\ud800"]
)
def test_what_is_no_position_at_all_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no position"):
        game("ganz").load(text)


def test_a_position_of_another_game_is_not_loaded() -> None:
    with pytest.raises(
        ValueError, match="this is a position of doppelt-so-clever, not of ganz-schoen-clever"
    ):
        game("ganz").load(game("doppelt").start().dump())


def test_a_table_of_too_many_is_not_loaded() -> None:
    dumped = json.loads(game("ganz").start().dump())
    dumped["state"][0] = 9
    with pytest.raises(ValueError, match="1 to 4 players, not 9"):
        game("ganz").load(json.dumps(dumped))


@EVERY
def test_numbers_that_no_state_can_hold_are_not_loaded(key: str) -> None:
    fine = json.loads(game(key).start(PLAYERS).dump())
    for place, (least, greatest) in enumerate(ranges_of(game(key)), start=1):
        for absurd in (least - 1, greatest + 1, -(2**31), 2**63):
            numbers = [*fine["state"][:place], absurd, *fine["state"][place + 1 :]]
            for part in ("state", "known"):
                with pytest.raises(ValueError, match="no state can hold the number"):
                    game(key).load(json.dumps(fine | {part: numbers}))


def ranges_of(chosen: Game) -> list[tuple[int, int]]:
    """The bounds of the numbers of a state, without that of the players."""

    def ranges(record: type[Record]) -> Iterator[tuple[int, int]]:
        for field, shape in record.shapes.items():
            for _ in range(prod(shape.lengths)):
                yield from (
                    ranges(shape.record)
                    if shape.record
                    else [chosen.contract.bounds[record][field]]
                )

    return list(ranges(chosen.rules.State))[1:]


@EVERY
def test_a_state_of_the_greatest_numbers_has_a_view(key: str) -> None:
    fine = json.loads(game(key).start(PLAYERS).dump())
    for place, (_, greatest) in enumerate(ranges_of(game(key)), start=1):
        position = game(key).load(
            json.dumps(
                fine | {"state": [*fine["state"][:place], greatest, *fine["state"][place + 1 :]]}
            )
        )
        with suppress(KeyError):  # a card that the deck does not have
            assert len(json.dumps(position.view())) < 100_000


# --- what was known


@EVERY
def test_a_position_knows_the_table_as_it_was_when_the_dice_last_fell(key: str) -> None:
    position = game(key).start(PLAYERS)
    dice, choice = seeded(5), random.Random(5)
    fell: list[Any] = [None]
    while not position.over:
        assert position.pre_roll_state is fell[-1]
        for twin in (
            position.copy(),
            position.game.load(position.dump()),
            pickle.loads(pickle.dumps(position)),
        ):
            assert twin.pre_roll_state == position.pre_roll_state
        rolled = position.chance_due and bool(position.rollers)
        fell.append(position.state if rolled else fell[-1])
        seat = choice.choice(sorted(position.to_act))
        position.push(
            dice.draw(position) if seat == CHANCE else choice.choice(position.legal_moves(seat))
        )
    while position.moves_made:
        position.pop()
        fell.pop()
        assert position.pre_roll_state is fell[-1]


def test_what_was_known_outlives_the_history() -> None:
    position = middle("geht")
    known = position.pre_roll_state
    position.forget()
    assert known is not None
    assert position.pre_roll_state is known
