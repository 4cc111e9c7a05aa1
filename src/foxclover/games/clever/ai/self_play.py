"""Games a net plays with itself to learn from, by TD(lambda)."""

from __future__ import annotations

from foxclover.ai.clever.inputs import Inputs, collect, count_entries
from foxclover.ai.clever.learning import Learner, learn
from foxclover.ai.clever.mind import Mind
from foxclover.ai.clever.rating import (
    SCALE,
    WORST,
    luck_of,
    may_stop,
    rate_moves,
    sum_of_areas,
    uniform,
)
from foxclover.clever.moves import ENTRIES, PASS, PLACE, legal
from foxclover.clever.rules import acting, apply, chance_pending, draw, score, start
from foxclover.clever.state import AREAS, CELLS, CHANCE, SEATS, Sheet
from foxclover.playouts import first_seat
from foxclover.records import Record, floats, ints, one, rows
from foxclover.rng import seed_rng

POSITIONS = 1024  # of a game to learn from, at most
MOOD_STREAM = 0x300D
LEAST = 9  # entries that a limited area always gets
AVOIDED = 100.0  # points by which a move into a limited area is rated down
NOTHING_KNOWN, GOES_ON, LEFT = range(3)
TWO, THREE = 0.44, 0.78  # of the games with several players, up to here have two, up to here three


class Example(Record):
    """A position after a move."""

    owner: int  # who made the move
    points: int  # of his areas
    ahead: float  # value at his next decision
    known: int  # 0 no decision came after it, 1 ahead counts together with the end of the game, 2 ahead alone counts
    inputs: Inputs = one(Inputs)


class SelfPlay(Record):
    """How games to learn from are played, and the game that is being played."""

    solo: float  # share of games with one player; the others have two, three or four
    moody: float  # share of games played in moods
    heat: float  # points that chance adds in such a game
    mood: float  # points of liking for an area
    limited: int  # area that gets no more entries than a number drawn for each game; -1: none
    highest_limit: float  # the highest such number
    trace: float  # lambda of TD(lambda): how much of the end of a game counts for its beginning
    wild: int  # 1: the game is played in moods
    limit: int  # entries that the limited area gets in it
    moods: list[list[float]] = floats(SEATS, AREAS)  # a liking for an area
    count: int  # examples
    examples: list[Example] = rows(Example, POSITIONS)
    latest: list[int] = ints(SEATS)  # example; -1: none yet


def spread(rng: list[int]) -> float:
    """A number with mean 0 and deviation 1."""
    a = uniform(rng)
    b = uniform(rng)
    c = uniform(rng)
    return 2.0 * (a + b + c - 1.5)


def draw_players(solo: float, rng: list[int]) -> int:
    """How many play the next game."""
    drawn = uniform(rng)
    if drawn < solo:
        return 1
    share = (drawn - solo) / (1 - solo)
    return 2 if share < TWO else 3 if share < THREE else 4


def entered_area(move: int) -> int:
    """Area a move enters something in; -1: none."""
    if move >= PASS:
        return -1
    return (move - PLACE) % ENTRIES // CELLS if move >= PLACE else move % ENTRIES // CELLS


def avoid(mind: Mind, area: int) -> int:
    """Rate down every move that enters something in an area; return the best move."""
    trials = mind.trials
    best = 0
    for index in range(trials.count):
        if entered_area(trials.moves[index]) == area:
            trials.ratings[index] -= AVOIDED
        if trials.ratings[index] > trials.ratings[best]:
            best = index
    return best


def choose_in_mood(mind: Mind, game: SelfPlay, seat: int) -> int:
    """A move by rating, this game's liking for areas, and chance."""
    trials = mind.trials
    chosen = 0
    highest = WORST
    for index in range(trials.count):
        luck = luck_of(mind.choice_rng, game.heat)
        rating = trials.ratings[index] + luck
        area = entered_area(trials.moves[index])
        if area >= 0:
            rating += game.moods[seat][area]
        if rating > highest:
            highest = rating
            chosen = index
    return chosen


def note_decision(game: SelfPlay, seat: int, value: float, left: bool) -> None:
    """A decision comes after the latest example of a seat. If the best move is left for another, the rest of the game tells nothing."""
    if game.latest[seat] >= 0:
        example = game.examples[game.latest[seat]]
        if example.known == NOTHING_KNOWN or (left and example.known == GOES_ON):
            example.ahead = value
            example.known = LEFT if left else GOES_ON


def note_position(sheet: Sheet, mind: Mind, game: SelfPlay, seat: int) -> None:
    """Record the position after a move, unless it is not the net that tells its value."""
    if may_stop(mind.here, seat) or game.count == POSITIONS:
        return
    example = game.examples[game.count]
    if collect(sheet, mind.plan, mind.here, seat, example.inputs):
        example.points = sum_of_areas(mind.here.seats[seat])
        example.known = NOTHING_KNOWN
        example.owner = seat
        game.latest[seat] = game.count
        game.count += 1


def begin_game(sheet: Sheet, mind: Mind, game: SelfPlay) -> None:
    """Draw how many play, and how."""
    players = draw_players(game.solo, mind.choice_rng)
    drawn = uniform(mind.choice_rng)
    game.wild = 1 if drawn < game.moody else 0
    drawn = uniform(mind.choice_rng)
    game.limit = LEAST + int((game.highest_limit - LEAST) * drawn + 0.5)
    game.count = 0
    for seat in range(SEATS):
        game.latest[seat] = -1
        for area in range(AREAS):
            game.moods[seat][area] = 0.0
            if game.wild == 1:
                liking = spread(mind.choice_rng)
                game.moods[seat][area] = game.mood * liking
    start(sheet, mind.here, players, 0)


def play_and_note(sheet: Sheet, mind: Mind, game: SelfPlay) -> None:
    """Play a game to its end and record positions after moves."""
    state = mind.here
    trials = mind.trials
    while True:
        mask = acting(sheet, state)
        if mask > 0:
            seat = first_seat(mask)
            trials.count = legal(sheet, state, seat, trials.moves)
            best = rate_moves(sheet, mind, state, trials, seat)
            if (
                game.limited >= 0
                and count_entries(sheet, state.seats[seat], game.limited) >= game.limit
            ):
                best = avoid(mind, game.limited)
            chosen = choose_in_mood(mind, game, seat) if game.wild == 1 else best
            note_decision(game, seat, trials.ratings[best], chosen != best)
            apply(sheet, state, seat, trials.moves[chosen])
            note_position(sheet, mind, game, seat)
        elif chance_pending(sheet, state) > 0:
            apply(sheet, state, CHANCE, draw(sheet, state, mind.dice_rng))
        else:
            return


def teach(
    sheet: Sheet, mind: Mind, game: SelfPlay, learner: Learner, seed: int, number: int
) -> int:
    """Play a game and add up the gradient of what it teaches; return how many positions that was."""
    seed_rng(mind.dice_rng, seed, number)
    seed_rng(mind.choice_rng, seed ^ MOOD_STREAM, number)
    begin_game(sheet, mind, game)
    play_and_note(sheet, mind, game)
    for seat in range(mind.here.players):
        worth = float(score(sheet, mind.here, seat))
        for n in range(game.count - 1, -1, -1):
            example = game.examples[n]
            if example.owner == seat:
                if example.known == LEFT:
                    worth = example.ahead
                elif example.known == GOES_ON:
                    worth = (1 - game.trace) * example.ahead + game.trace * worth
                learn(
                    mind.net,
                    mind.plan,
                    mind.at_work,
                    learner,
                    example.inputs,
                    (worth - example.points) / SCALE,
                )
    return game.count
