"""What is printed (Deck), what lies before a player (Player) and on the table (State), all in integers.

A card is ``64 * stack + n`` with n from 1 to 62, in the order of the printed numbers; 0 is no card. A *stack* is all cards of one colour in
one copy of the game, bits of one integer: stacks 0 to 2 are those of the first copy, 3 to 5 of the second, for more than four players.
Levels run from 0 (bottom) to 4; spot ``4 * level + slot`` holds an active card.
"""

from __future__ import annotations

from foxclover.records import Record, ints, rows, shorts

CHANCE = -1
COPIES = 2  # of the game on the table, at most
SEATS_OF_COPY = 4  # that a copy has start sets for
SEATS = COPIES * SEATS_OF_COPY
LEVELS = 5
SLOTS = 4  # spots of a level for active cards
SPOTS = LEVELS * SLOTS
WAITING = 6  # cards beside a clover, at most
COLOURS = 3
STACKS = COPIES * COLOURS
CARDS_OF_A_COLOUR = 62  # in a copy, at most
CODES_OF_COPY = 64 * COLOURS  # from a card to its twin in the next copy
CODES = COPIES * CODES_OF_COPY  # one more than the greatest card
CARDS = 96  # in a copy, at most
START_CARDS = 6
OUTCOMES = 7056  # of a roll, see conditions.py
RED_OUTCOMES = 56
BLUE_OUTCOMES = OUTCOMES // RED_OUTCOMES
RED_ROLLS = 6**3
WORDS = 118  # of 62 outcomes of equal weight each, see tables.py
ROLLS = 6**7
ROUNDS = 8  # at most
BLACK_MARKERS = 6  # of a player, at most
CLOVER = 8  # luck a player can hold, at most
ROLLS_OF_ROUND = (
    BLACK_MARKERS + CLOVER + 2
)  # one more than the last roll of a round: each but it takes a marker or luck
OPTIONS = 2
RANKS = 8
TRIPLE = 3
FOURFOLD = 4

GREEN, YELLOW, RED = range(COLOURS)
NO_CARD = 0
NO_COLOUR = -1
NO_LEVEL = -1

# Bits of the variant of a game.
SOLO_RULES = 1
FREE_PLACEMENT = 2

# Where a round stands, what a player is asked, what chance is to do and why a card is drawn.
PLACING, BONUS, BUYING, BUILDING, ROLLING, PUSHING, OVER = range(7)
IDLE, TO_PLACE, TO_TAKE, TO_BUY, TO_EXCHANGE, TO_BUILD, TO_DECIDE, TO_LEAVE, TO_PUSH, TO_LIFT = (
    range(10)
)
NO_CHANCE, ROLL_DUE, DRAW_DUE = range(3)
FOR_BONUS, FOR_PURCHASE, FOR_CONSOLATION = range(3)


class Deck(Record):
    """The cards and the strip, read from a data file, and which roll fulfils which card."""

    rounds: int
    build_levels: int
    room: int  # active cards a level
    purchases: int  # a round
    dearest: int  # cost of the dearest card
    black_markers: int
    clover: int  # luck a player can hold
    luck: int  # markers in a copy of the game
    multipliers: int  # in a copy
    set_points: int
    points: list[int] = ints(STACKS)
    cost: list[int] = ints(COLOURS)
    income: list[int] = ints(STACKS)  # 1: scored cards of this colour earn money
    factor: list[list[int]] = ints(2, LEVELS)  # star side, solo side
    lifts: list[int] = ints(LEVELS)  # solo rules: scored cards pushed for scoring here
    ranks: list[int] = ints(RANKS)
    options: list[int] = ints(ROUNDS)  # how many bonuses there are to choose from
    option_luck: list[list[int]] = ints(ROUNDS, OPTIONS)
    option_colour: list[list[int]] = ints(ROUNDS, OPTIONS)
    cards: list[int] = ints(STACKS)  # masks of all cards
    number: list[int] = ints(CODES)  # printed on the card
    likeness: list[int] = ints(CODES)  # the same for identical cards
    hits: list[int] = ints(CODES)  # how many of all rolls fulfil the card
    start_card: list[list[int]] = ints(SEATS, START_CARDS)
    start_level: list[list[int]] = ints(SEATS, START_CARDS)
    met: list[list[int]] = ints(
        OUTCOMES, COLOURS
    )  # masks of the cards an outcome fulfils, the same in every copy
    weight: list[int] = ints(OUTCOMES)  # rolls that give an outcome
    hit_words: list[list[int]] = ints(CODES, WORDS)  # the outcomes that fulfil a card as masks,
    word_weight: list[int] = ints(WORDS)  # each of outcomes of one weight
    blue_outcome: list[int] = ints(6**4)  # what the blue dice add to the number of the outcome
    red_outcome: list[int] = ints(RED_ROLLS)
    blue_faces: list[list[int]] = ints(BLUE_OUTCOMES, 4)  # in rising order
    red_faces: list[list[int]] = ints(RED_OUTCOMES, 3)


class Player(Record):
    """One player's tableau and where he stands in the round."""

    stage: int
    playing: int  # 1: the marker shows IN
    luck: int  # markers on the clover
    reached: int  # level of the last card fulfilled in this round; -1: none yet
    marked: int  # masks of spots whose card is fulfilled,
    lucky: int  # and of those among them that carry a luck marker
    money: int
    bought: int  # purchases of this round
    lifts: int  # scored cards he may still push
    lifter: int  # the card whose scoring allows it
    waiting_count: int
    waiting: list[int] = shorts(WAITING)  # cards beside the clover, in the order drawn
    active: list[int] = shorts(SPOTS)
    scored: list[list[int]] = ints(LEVELS, STACKS)  # masks of cards


class State(Record):
    """The table: piles, dice, and everybody's tableau."""

    players: int
    solo: int  # 1: the solo rules hold
    round: int  # from 1; 0 while start cards are placed
    first: int  # the fairy of the first round
    fairy: int
    phase: int
    chance: int  # which chance move is due
    busy: int  # mask of the seats that have something to do
    exchanging: int  # mask of the seat that must first decide about an exchange
    roll: int  # rolls of this round so far
    outcome: int  # of the last one
    draw_seat: int
    draw_colour: int
    draw_reason: int
    given_back: int  # cards exchanged in this purchase
    supply: int  # luck markers nobody has
    multipliers: int  # x3/x4 markers nobody has
    under_count: int
    under: list[int] = shorts(COPIES * CARDS)  # known cards under the piles, in the order they came
    shuffled: list[int] = ints(STACKS)  # masks of the cards above them, in an order nobody knows
    tripled: list[int] = ints(STACKS)  # masks of the cards marked x3
    fourfold: list[int] = ints(STACKS)
    seats: list[Player] = rows(Player, SEATS)
