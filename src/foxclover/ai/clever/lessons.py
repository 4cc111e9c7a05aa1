"""Games a net plays with itself to learn from, and what they teach."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from foxclover.ai.clever.inputs import collect
from foxclover.ai.clever.playing import uniform
from foxclover.ai.clever.policy import BLANK, HERE, SCALE, may_stop, rate
from foxclover.ai.learning import learn
from foxclover.clever.moves import ENTRIES, PASS, PLACE, legal
from foxclover.clever.rules import acting, apply, chance_pending, draw, score, start
from foxclover.clever.state import AREAS, CELLS, CHANCE, SEATS, Sheet, State
from foxclover.playouts import first_seat
from foxclover.records import assign
from foxclover.rng import seed_rng

if TYPE_CHECKING:
    from foxclover.ai.clever.mind import Mind, Notebook, Recipe, School
    from foxclover.ai.parts import Buffer

MOOD_STREAM = 0x300D
LEAST = 9  # entries that a limited area always gets
AVOIDED = 100.0  # points by which a move into a limited area is rated down
NOTHING_KNOWN, GOES_ON, LEFT = range(3)
SQUARED_ERROR, SOLO_POINTS, SOLO_GAMES, TAUGHT = range(4)
WARM_UP = 300  # steps until the full rate of learning
TWO, THREE = 0.44, 0.78  # of the games with several players, up to here have two, up to here three


def spread(rng: Buffer) -> float:
    """A number with mean 0 and deviation 1."""
    return 2.0 * (uniform(rng) + uniform(rng) + uniform(rng) - 1.5)


def draw_players(recipe: Recipe, rng: Buffer) -> int:
    """How many play the next game."""
    drawn = uniform(rng)
    if drawn < recipe.solo:
        return 1
    share = (drawn - recipe.solo) / (1 - recipe.solo)
    return 2 if share < TWO else 3 if share < THREE else 4


def entered_area(move: int) -> int:
    """Area a move enters something in; -1: none."""
    if move >= PASS:
        return -1
    return (move - PLACE) % ENTRIES // CELLS if move >= PLACE else move % ENTRIES // CELLS


def entries(sheet: Sheet, state: State, seat: int, area: int) -> int:
    """How many entries a player has made in an area."""
    return sheet.cells[area] * (1 + sheet.circles[area]) - state.seats[seat].room[area]


def avoid(mind: Mind, count: int, area: int) -> int:
    """Rate down every move that enters something in an area; return the best move."""
    best = 0
    for index in range(count):
        if entered_area(mind.moves[index]) == area:
            mind.ratings[index] -= AVOIDED
        if mind.ratings[index] > mind.ratings[best]:
            best = index
    return best


def choose_in_mood(mind: Mind, book: Notebook, count: int, seat: int, heat: float) -> int:
    """A move by rating, this game's liking for areas, and chance."""
    chosen = 0
    highest = -1e9
    for index in range(count):
        rating = mind.ratings[index] - heat * log(-log(uniform(mind.choice_rng)))
        area = entered_area(mind.moves[index])
        if area >= 0:
            rating += book.moods[seat][area]
        if rating > highest:
            highest = rating
            chosen = index
    return chosen


def note_decision(book: Notebook, seat: int, value: float, left: bool) -> None:
    """A decision comes after the latest sample of a seat. If the best move is left for another, the rest of the game tells nothing."""
    latest = book.latest[seat]
    if latest >= 0 and (book.known[latest] == NOTHING_KNOWN or (left and book.known[latest] == GOES_ON)):
        book.ahead[latest] = value
        book.known[latest] = LEFT if left else GOES_ON


def note_position(sheet: Sheet, mind: Mind, book: Notebook, state: State, seat: int, samples: int) -> int:
    """Record the position after a move, unless it is not the net that tells its value; return the new number of samples."""
    if may_stop(state, seat) or samples == book.owners.shape[0]:
        return samples
    if not collect(sheet, mind.plan, state, seat, book.codes[samples], book.values[samples]):
        return samples
    points = 0
    for area in range(AREAS):
        points += state.seats[seat].points[area]
    book.points[samples] = points
    book.known[samples] = NOTHING_KNOWN
    book.owners[samples] = seat
    book.latest[seat] = samples
    return samples + 1


def play_lesson(sheet: Sheet, mind: Mind, book: Notebook, states: list[State], players: int, wild: bool, limit: int, recipe: Recipe) -> int:
    """Play one game and record positions after moves; return how many."""
    state = states[HERE]
    assign(states[HERE], states[BLANK])
    start(sheet, state, players, 0)
    for seat in range(SEATS):
        book.latest[seat] = -1
        for area in range(AREAS):
            book.moods[seat][area] = recipe.mood * spread(mind.choice_rng) if wild else 0.0
    samples = 0
    while True:
        mask = acting(sheet, state)
        if mask > 0:
            seat = first_seat(mask)
            count = legal(sheet, state, seat, mind.moves)
            best = rate(sheet, mind, states, HERE, seat, count)
            if recipe.limited >= 0 and entries(sheet, state, seat, recipe.limited) >= limit:
                best = avoid(mind, count, recipe.limited)
            chosen = choose_in_mood(mind, book, count, seat, recipe.heat) if wild else best
            note_decision(book, seat, mind.ratings[best], chosen != best)
            apply(sheet, state, seat, mind.moves[chosen])
            samples = note_position(sheet, mind, book, state, seat, samples)
        elif chance_pending(sheet, state) > 0:
            apply(sheet, state, CHANCE, draw(sheet, state, mind.dice_rng))
        else:
            return samples


def teach(
    books: list[Sheet], mind: Mind, book: Notebook, school: School, states: list[State], seed: int, first: int, games: int, recipe: Recipe
) -> None:
    """Play games and add up the gradient of what they teach, by TD(lambda)."""
    sheet = books[0]
    for game in range(first, first + games):
        seed_rng(mind.dice_rng, seed, game)
        seed_rng(mind.choice_rng, seed ^ MOOD_STREAM, game)
        players = draw_players(recipe, mind.choice_rng)
        wild = uniform(mind.choice_rng) < recipe.wild
        limit = LEAST + int((recipe.limit - LEAST) * uniform(mind.choice_rng) + 0.5)
        samples = play_lesson(sheet, mind, book, states, players, wild, limit, recipe)
        for seat in range(players):
            worth = float(score(sheet, states[HERE], seat))
            if players == 1 and not wild:
                book.report[SOLO_POINTS] += worth
                book.report[SOLO_GAMES] += 1
            for sample in range(samples - 1, -1, -1):
                if book.owners[sample] == seat:
                    if book.known[sample] == LEFT:
                        worth = book.ahead[sample]
                    elif book.known[sample] == GOES_ON:
                        worth = (1 - recipe.trace) * book.ahead[sample] + recipe.trace * worth
                    target = (worth - book.points[sample]) / SCALE
                    error = learn(
                        mind.net, school.flipped, school.grads, mind.plan.base, mind.desk, book.codes, book.values, sample, target
                    )
                    book.report[SQUARED_ERROR] += error * error
                    book.report[TAUGHT] += 1


def set_step(school: School, step: int, rate_of_learning: float, samples: float) -> None:
    """Constants of a step of Adam, corrected for its short memory at the beginning."""
    warm = min(1.0, step / WARM_UP)
    school.constants[0] = warm * rate_of_learning * (1 - 0.999**step) ** 0.5 / (1 - 0.9**step)
    school.constants[1] = 1 - 0.9
    school.constants[2] = 1 - 0.999
    school.constants[3] = 1e-7
    school.constants[4] = 1 / samples
