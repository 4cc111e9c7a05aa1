"""A second, slow implementation of Geht noch was?, written from the rules page alone.

It works on dictionaries and lists.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from literal_conditions import Asked, is_fulfilled, read_condition

CHANCE = -1
DECK = (
    Path(__file__).parents[2] / "src" / "foxclover" / "games" / "climb" / "decks" / "standard.toml"
)

COLOURS = ["green", "yellow", "red"]  # from easy to hard
WORTH = {"green": 1, "yellow": 2, "red": 4}
FACTORS = {"star": [0, 1, 1, 2, 4, 8], "solo": [0, 1, 2, 3, 4, 6]}  # by level
# colour of the card in the second bonus of a round
BONUS = {2: "green", 3: "yellow", 4: "yellow", 5: "red"}
ROUNDS, LEVELS, ROOM, PURCHASES, BLACK, CLOVER, LUCK, MULTIPLIERS = 5, 5, 4, 4, 5, 4, 16, 4
SETS = "ABCD"  # of each copy of the game
COPIES = ("", "b")  # behind the numbers of their cards


@dataclass(frozen=True)
class Card:
    """A card as it is printed."""

    number: int
    colour: str
    condition: tuple[tuple[Asked, ...], ...]
    start: str = ""  # set it belongs to
    level: int = 0  # it lies on at the beginning


def read_cards() -> list[Card]:
    """All cards of the standard deck."""
    deck = tomllib.loads(DECK.read_text(encoding="utf-8"))
    cards = [
        Card(
            int(number),
            "yellow" if level == "level3" else "green",
            read_condition(text),
            start,
            int(level[-1]),
        )
        for start, levels in deck["start"].items()
        for level, section in levels.items()
        for number, text in section.items()
    ]
    cards += [
        Card(int(number), colour, read_condition(text))
        for colour, pile in deck["cards"].items()
        for number, text in pile.items()
    ]
    return sorted(cards, key=lambda card: card.number)


CARDS = read_cards()


@dataclass
class Person:
    """What lies in front of one player."""

    active: dict[str, int] = field(default_factory=dict)  # card: level
    scored: dict[str, int] = field(default_factory=dict)
    marked: dict[str, str] = field(default_factory=dict)  # card: "black" or "luck"
    waiting: list[str] = field(default_factory=list)
    luck: int = 0
    inside: bool = False
    level: int = 0  # of the last card fulfilled in this round
    money: int = 0
    bought: int = 0
    lifts: int = 0
    lifting: str = ""  # the card whose scoring gave the pushes
    todo: str = ""  # what they still have to do in this phase


class Referee:
    """Who is to act, what is legal, and what a move does."""

    def __init__(self, players: int, solo_rules: bool, free: bool, first: int | None = 0) -> None:
        self.copies = COPIES if players > len(SETS) else COPIES[:1]
        self.colour = {
            f"{card.number}{copy}": card.colour for copy in self.copies for card in CARDS
        }
        self.condition = {
            f"{card.number}{copy}": card.condition for copy in self.copies for card in CARDS
        }
        self.solo = solo_rules or players == 1
        self.factor = FACTORS["solo" if self.solo else "star"]
        self.people = [Person() for _ in range(players)]
        self.times: dict[str, int] = {}
        self.unknown: dict[str, set[str]] = {colour: set() for colour in COLOURS}
        self.under: dict[str, list[str]] = {colour: [] for colour in COLOURS}
        self.round = 0
        self.phase = ""
        self.rolled: tuple[tuple[str, int], ...] = ()
        self.first = first or 0
        self.due = "lot" if first is None else ""  # "lot", "roll" or "card"
        self.withheld = 0  # luck markers that are missing from the box
        self.drawing: tuple[int, str, str] = (0, "", "")  # seat, colour, what for
        self.given_back: list[str] = []
        self.exchanging: int | None = None
        for copy in self.copies:
            for card in CARDS:
                name = f"{card.number}{copy}"
                seat = (
                    SETS.index(card.start) + len(SETS) * COPIES.index(copy)
                    if card.start
                    else players
                )
                if seat >= players:
                    self.unknown[card.colour].add(name)
                elif free:
                    self.people[seat].waiting.append(name)
                    self.people[seat].todo = "place"
                else:
                    self.people[seat].active[name] = card.level
        self.phase = "placing"
        self.go_on()

    # --- who and what

    def to_act(self) -> frozenset[int]:
        if self.due:
            return frozenset({CHANCE})
        if self.exchanging is not None:
            return frozenset({self.exchanging})
        return frozenset(seat for seat, person in enumerate(self.people) if person.todo)

    def chances(self) -> dict[str, int]:
        """What chance may do but roll, and how likely each is.

        Any card that nobody knows, else the first of those put back.
        """
        if self.due == "lot":
            return {f"begins {seat + 1}": 1 for seat in range(len(self.people))}
        _, colour, _ = self.drawing
        return {f"card {card}": 1 for card in self.unknown[colour] or self.under[colour][:1]}

    def legal(self, seat: int) -> set[str]:
        person = self.people[seat]
        if self.exchanging == seat:
            return {"keep", "exchange"}
        if person.todo == "bonus":
            return {"take 2 luck", f"take 1 luck + {BONUS[self.round]}"}
        if person.todo == "buy":
            return self.legal_buying(seat) | {"done"}
        if person.todo in ("build", "place"):
            return {
                f"build {card} on {level}"
                for card in person.waiting
                for level in (1, 2, 3)
                if self.count(person, level) < ROOM
            }
        if person.todo == "decide":
            return self.legal_on_roll(person)
        if person.todo == "leave":
            return {"stay", "out"}
        if person.todo == "lift":
            return {f"lift {card}" for card in self.liftable(person)} | {"done"}
        moves = set()
        for card in person.marked:
            moves.add(f"score {card}")
            if person.active[card] < LEVELS and self.count(person, person.active[card] + 1) < ROOM:
                moves.add(f"push {card}")
        return moves

    def legal_buying(self, seat: int) -> set[str]:
        person = self.people[seat]
        if person.bought == PURCHASES:
            return set()
        moves = {
            f"buy {colour}"
            for colour in COLOURS
            if WORTH[colour] <= person.money and self.can_be_had(colour)
        }
        if self.solo and person.money < 4:
            moves |= {f"turn in {card}" for card in person.scored if self.colour[card] == "green"}
        return moves

    def ask_to_buy(self, person: Person) -> None:
        """Ask everyone who could pay, whatever the piles hold: others may still put cards back."""
        value = sum(
            self.factor[level] * self.times.get(card, 1)
            for card, level in person.scored.items()
            if self.colour[card] == "green"
        )
        could_pay = person.money + (value if self.solo else 0) >= min(WORTH.values())
        person.todo = "buy" if person.bought < PURCHASES and could_pay else ""

    def legal_on_roll(self, person: Person) -> set[str]:
        moves = {"fail"}
        if person.luck:
            moves.add("pay")
        if person.luck or self.black_left(person):
            levels = (person.level, person.level + 1) if person.level else (1,)
            for card, level in person.active.items():
                if (
                    level in levels
                    and card not in person.marked
                    and is_fulfilled(self.condition[card], self.rolled)
                ):
                    moves.add(f"fulfil {card}")
        return moves

    @staticmethod
    def count(person: Person, level: int) -> int:
        return sum(lies == level for lies in person.active.values())

    @staticmethod
    def black_left(person: Person) -> int:
        return BLACK - sum(marker == "black" for marker in person.marked.values())

    def liftable(self, person: Person) -> list[str]:
        hardest = COLOURS.index(self.colour[person.lifting])
        return [
            card
            for card, level in person.scored.items()
            if card != person.lifting
            and level < LEVELS
            and COLOURS.index(self.colour[card]) <= hardest
        ]

    def supply(self) -> int:
        return (
            LUCK * len(self.copies)
            - self.withheld
            - sum(
                person.luck + list(person.marked.values()).count("luck") for person in self.people
            )
        )

    def take_luck(self, person: Person, wanted: int) -> None:
        for _ in range(wanted):
            if person.luck < CLOVER and self.supply() > 0:
                person.luck += 1

    def clockwise(self, first: int) -> list[int]:
        return [(first + step) % len(self.people) for step in range(len(self.people))]

    def fairy(self) -> int:
        return (self.first + self.round - 1) % len(self.people)

    # --- piles

    def groups(self, seat: int, colour: str) -> list[list[str]]:
        """Groups of 4, else 3, of plain scored cards on one level, from the top down."""
        person = self.people[seat]
        found = []
        for level in range(LEVELS, 0, -1):
            plain = [
                card
                for card, lies in person.scored.items()
                if lies == level and self.colour[card] == colour and card not in self.times
            ]
            plain.sort(key=lambda card: (int(card.rstrip("b")), card))
            while len(plain) >= 3:
                size = min(4, len(plain))
                found.append(plain[:size])
                plain = plain[size:]
        return found

    def can_be_had(self, colour: str) -> bool:
        if self.unknown[colour] or self.under[colour]:
            return True
        return len(self.times) < MULTIPLIERS * len(self.copies) and any(
            self.groups(seat, colour) for seat in range(len(self.people))
        )

    def want(self, seat: int, colour: str, purpose: str) -> bool:
        """Ask for a card; False if none can be had."""
        if not self.unknown[colour] and not self.under[colour]:
            for other in self.clockwise(seat):
                for group in self.groups(other, colour):
                    if len(self.times) < MULTIPLIERS * len(self.copies):
                        self.times[group[0]] = len(group)
                        for card in group[1:]:
                            del self.people[other].scored[card]
                            self.unknown[colour].add(card)
        if not self.unknown[colour] and not self.under[colour]:
            return False
        self.due = "card"
        self.drawing = (seat, colour, purpose)
        return True

    def receive(self, card: str) -> None:
        seat, colour, purpose = self.drawing
        person = self.people[seat]
        self.due = ""
        if self.unknown[colour]:
            self.unknown[colour].remove(card)
        else:
            assert self.under[colour].pop(0) == card
        if purpose == "consolation":
            if self.count(person, 1) < ROOM:
                person.active[card] = 1
            else:
                self.under[colour].append(card)
            return
        person.waiting.append(card)
        if purpose == "purchase":
            twin = any(
                self.colour[own] == colour and self.condition[own] == self.condition[card]
                for own in person.active
            )
            fresh = self.unknown[colour] | set(self.under[colour]) - set(self.given_back)
            if twin and fresh:
                self.exchanging = seat
            else:
                self.end_purchase(seat)

    def end_purchase(self, seat: int) -> None:
        self.exchanging = None
        self.given_back = []
        self.ask_to_buy(self.people[seat])

    # --- the course

    def play(self, seat: int, text: str) -> None:
        if seat == CHANCE:
            if self.due == "lot":
                self.first = int(text[-1]) - 1
                self.due = ""
            elif self.due == "roll":
                self.let_fall(text)
            else:
                self.receive(text.rsplit(maxsplit=1)[-1])
        else:
            self.act(seat, self.people[seat], text)
        self.go_on()

    def let_fall(self, text: str) -> None:
        blue, red = text.split()
        self.rolled = tuple(("B", int(face)) for face in blue[1:]) + tuple(
            ("R", int(face)) for face in red[1:]
        )
        self.due = ""
        for seat in self.clockwise(self.fairy()):
            if not self.people[seat].inside:
                self.take_luck(self.people[seat], 1)
        for person in self.people:
            person.todo = "decide" if person.inside else ""

    def act(self, seat: int, person: Person, text: str) -> None:
        verb, card = text.split(maxsplit=1)[0], "".join(re.findall(r"\d+b?", text)[:1])
        if person.todo == "bonus":
            person.todo = ""
            self.take_luck(person, 2 if text == "take 2 luck" else 1)
            if text != "take 2 luck":
                self.want(seat, BONUS[self.round], "bonus")
        elif verb in ("keep", "exchange", "buy", "turn"):
            self.trade(seat, person, verb, text, card)
        elif verb == "build":
            person.waiting.remove(card)
            person.active[card] = int(text[-1])
            self.after_building(person)
        elif verb == "fulfil":
            person.marked[card] = "black" if self.black_left(person) else "luck"
            person.luck -= person.marked[card] == "luck"
            person.level = person.active[card]
            person.todo = "leave"
        elif verb == "pay":
            person.luck -= 1
            person.todo = "leave"
        elif verb == "fail":
            person.marked.clear()
            person.inside = False
            person.todo = ""
            self.want(seat, "green", "consolation")
        elif verb in ("stay", "out"):
            person.inside = verb == "stay"
            person.todo = ""
        else:
            self.push_on(person, verb, card)

    def trade(self, seat: int, person: Person, verb: str, text: str, card: str) -> None:
        if verb == "keep":
            self.end_purchase(seat)
        elif verb == "exchange":
            back = person.waiting.pop()
            self.given_back.append(back)
            self.under[self.colour[back]].append(back)
            self.exchanging = None
            self.want(seat, self.colour[back], "purchase")
        elif verb == "buy":
            colour = text.rsplit(maxsplit=1)[-1]
            person.money -= WORTH[colour]
            person.bought += 1
            self.want(seat, colour, "purchase")
        else:
            person.money += self.factor[person.scored.pop(card)] * self.times.pop(card, 1)
            self.under["green"].append(card)
            self.ask_to_buy(person)

    def after_building(self, person: Person) -> None:
        if not any(self.count(person, level) < ROOM for level in (1, 2, 3)):
            for card in person.waiting:
                self.under[self.colour[card]].append(card)
            person.waiting.clear()
        if not person.waiting:
            person.todo = ""

    def push_on(self, person: Person, verb: str, card: str) -> None:
        if verb == "push":
            del person.marked[card]
            person.active[card] += 1
        elif verb == "score":
            del person.marked[card]
            person.scored[card] = level = person.active.pop(card)
            person.lifts = {4: 1, 5: 2}.get(level, 0) if self.solo else 0
            person.lifting = card
        elif verb == "lift":
            person.scored[card] += 1
            person.lifts -= 1
        else:  # done, while lifting or buying
            person.lifts = 0
            if person.todo == "buy":
                person.todo = ""
                return
        can_lift = person.lifts and person.lifting and self.liftable(person)
        person.todo = "lift" if can_lift else "push" if person.marked else ""

    def go_on(self) -> None:
        """Go from phase to phase until a player or chance is to act."""
        while not self.to_act() and self.phase != "over":
            if self.phase == "placing" or (self.phase == "pushing" and self.round < ROUNDS):
                self.start_round()
            elif self.phase == "bonus":
                self.start_buying()
            elif self.phase == "buying":
                self.phase = "building"
                for person in (self.people[seat] for seat in self.clockwise(self.fairy())):
                    person.money = 0
                    person.todo = "build" if person.waiting else ""
                    self.after_building(person)
            elif self.phase == "building":
                self.phase = "rolling"
                for person in self.people:
                    person.inside, person.level = True, 0
                self.due = "roll"
            elif self.phase == "rolling":
                self.roll_again_or_push()
            else:
                self.phase = "over"

    def start_round(self) -> None:
        self.round += 1
        self.phase = "bonus"
        for seat in self.clockwise(self.fairy()):
            if self.round == 1:
                self.take_luck(self.people[seat], 1)
            else:
                self.people[seat].todo = "bonus"

    def start_buying(self) -> None:
        self.phase = "buying"
        if self.round > 1:
            for person in self.people:
                greens = {
                    card: level
                    for card, level in person.scored.items()
                    if self.colour[card] == "green"
                }
                person.money = (
                    0
                    if self.solo
                    else sum(
                        self.factor[level] * self.times.get(card, 1)
                        for card, level in greens.items()
                    )
                )
                person.bought = 0
                self.ask_to_buy(person)

    def roll_again_or_push(self) -> None:
        if any(person.inside for person in self.people):
            self.due = "roll"
        else:
            self.phase = "pushing"
            for person in self.people:
                person.todo = "push" if person.marked else ""

    # --- the account

    def parts(self, seat: int) -> dict[str, int]:
        person = self.people[seat]
        parts = {f"level{level}": 0 for level in range(LEVELS, 0, -1)} | {"luck": person.luck}
        kinds: Counter[str] = Counter(dict.fromkeys(COLOURS, 0))
        for card, level in person.scored.items():
            times = self.times.get(card, 1)
            kinds[self.colour[card]] += times
            parts[f"level{level}"] += WORTH[self.colour[card]] * self.factor[level] * times
        return parts | ({"sets": 8 * min(kinds.values())} if self.solo else {})

    def merits(self) -> list[tuple[int, ...]]:
        """What places go by: points, then unscored cards from the top level down."""
        return [
            (
                sum(self.parts(seat).values()),
                *(self.count(person, level) for level in range(LEVELS, 0, -1)),
            )
            for seat, person in enumerate(self.people)
        ]
