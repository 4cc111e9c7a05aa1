"""A second, slow and obvious implementation of the two Clever games, written from the rules alone.

The referee of the engine. It shares nothing with the package but the notation of moves. Sheets are
dictionaries of what is on the paper, dice are letters.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

from printed_sheets import ROUNDS_BY_PLAYERS, Doppelt, Ganz

ACTIONS = ("RR", "RET", "+1")
Paper = dict[str, Any]


def numbered_cells(rows: tuple[str, ...]) -> list[tuple[int, int, int]]:
    """(number, row, column) of every cell that shows a number."""
    return [
        (int(sign), row, column)
        for row, text in enumerate(rows)
        for column, sign in enumerate(text.split())
        if sign.isdigit()
    ]


GANZ_YELLOW = numbered_cells(Ganz.yellow_rows)
DOPPELT_YELLOW = numbered_cells(Doppelt.yellow_lattice)


class GanzSheet:
    """What can be entered on the sheet of Ganz schön clever, its bonuses and its points."""

    printed = Ganz
    joker = "w"
    may_pass = False
    follow_ups = False

    def empty(self) -> Paper:
        return {"y": set(), "b": set(), "g": [], "o": [], "p": []}

    def with_number(self, paper: Paper, area: str, number: int) -> list[str]:
        """The entries a number rolled for an area allows."""
        if area == "y":
            return [
                f"y{value}{'abcd'[row]}"
                for value, row, column in GANZ_YELLOW
                if value == number and (row, column) not in paper["y"]
            ]
        if area == "b":
            return [] if number in paper["b"] else [f"b{number}"]
        if len(paper[area]) == 11:
            return []
        if area == "g" and number < Ganz.green_minimum[len(paper["g"])]:
            return []
        if area == "p" and paper["p"] and paper["p"][-1] != 6 and number <= paper["p"][-1]:
            return []
        return [f"{area}{number}"]

    def with_bonus(self, paper: Paper, bonus: str) -> list[str]:
        """The entries a bonus allows; none means that it is lost."""
        if bonus == "black":
            return [entry for choice in Ganz.black for entry in self.with_bonus(paper, choice)]
        colour, value = bonus.split()
        if colour == "yellow":
            return [
                entry for number in range(1, 7) for entry in self.with_number(paper, "y", number)
            ]
        if colour == "blue":
            return [f"b{number}" for number in range(2, 13) if number not in paper["b"]]
        area = colour[0]
        if len(paper[area]) == 11:
            return []
        return ["gx"] if area == "g" else [f"{area}{value}"]

    def enter(self, paper: Paper, entry: str) -> list[str]:
        """Write an entry down; return the bonuses it earns."""
        area, rest = entry[0], entry[1:]
        earned: list[str] = []
        if area == "y":
            row = "abcd".index(rest[-1])
            column = Ganz.yellow_rows[row].split().index(rest[:-1])
            paper["y"].add((row, column))
            if all((row, c) in paper["y"] for _, r, c in GANZ_YELLOW if r == row):
                earned.append(Ganz.yellow_row_bonus[row])
            if row == column and all((i, i) in paper["y"] for i in range(4)):
                earned.append(Ganz.yellow_diagonal_bonus)
        elif area == "b":
            paper["b"].add(int(rest))
            lines = [
                *zip(Ganz.blue_rows, Ganz.blue_row_bonus, strict=True),
                *zip(Ganz.blue_columns, Ganz.blue_column_bonus, strict=True),
            ]
            for line, bonus in lines:
                if rest in line.split() and all(
                    int(number) in paper["b"] for number in line.split()
                ):
                    earned.append(bonus)
        else:
            field = len(paper[area])
            if area == "g":
                paper["g"].append("x")
                earned.append(Ganz.green_bonus[field])
            elif area == "o":
                paper["o"].append(int(rest) * Ganz.orange_factor[field])
                earned.append(Ganz.orange_bonus[field])
            else:
                paper["p"].append(int(rest))
                earned.append(Ganz.purple_bonus[field])
        return [bonus for bonus in earned if bonus]

    def points(self, paper: Paper) -> dict[str, int]:
        columns = [{(r, c) for _, r, c in GANZ_YELLOW if c == column} for column in range(4)]
        return {
            "yellow": sum(
                points
                for cells, points in zip(columns, Ganz.yellow_column_points, strict=True)
                if cells <= paper["y"]
            ),
            "blue": [0, *Ganz.blue_points][len(paper["b"])],
            "green": [0, *Ganz.green_points][len(paper["g"])],
            "orange": sum(paper["o"]),
            "purple": sum(paper["p"]),
        }


class DoppeltSheet:
    """The same for the sheet of Doppelt so clever."""

    printed = Doppelt
    joker = "w"
    may_pass = True
    follow_ups = True

    def empty(self) -> Paper:
        return {"s": set(), "circled": set(), "crossed": set(), "b": [], "g": [], "p": []}

    def with_number(self, paper: Paper, area: str, number: int) -> list[str]:
        if area == "s":
            return [f"s{number}{row}" for row in "ybgp" if (number, row) not in paper["s"]]
        if area == "y":  # a cell not yet crossed is circled or, if it is circled already, crossed
            return [
                f"y{value}{'abcde'[r]}"
                for value, r, c in DOPPELT_YELLOW
                if value == number and (r, c) not in paper["crossed"]
            ]
        if len(paper[area]) == 12:
            return []
        if area == "b" and paper["b"] and number > paper["b"][-1]:
            return []
        return [f"{area}{number}"]

    def with_bonus(self, paper: Paper, bonus: str) -> list[str]:
        if bonus == "black":
            return [entry for choice in Doppelt.black for entry in self.with_bonus(paper, choice)]
        area = bonus[0]
        choice = range(2, 13) if area == "b" else range(1, 7)
        return [entry for number in choice for entry in self.with_number(paper, area, number)]

    def enter(self, paper: Paper, entry: str) -> list[str]:
        area, rest = entry[0], entry[1:]
        earned: list[str] = []
        if area == "s":
            number = int(rest[0])
            paper["s"].add((number, rest[1]))
            if all((number, row) in paper["s"] for row in "ybgp"):
                earned.append(Doppelt.silver_column_bonus[number - 1])
        elif area == "y":
            row = "abcde".index(rest[1])
            column = Doppelt.yellow_lattice[row].split().index(rest[0])
            if (row, column) in paper["circled"]:
                paper["crossed"].add((row, column))
            else:
                paper["circled"].add((row, column))
                if all((r, c) in paper["circled"] for _, r, c in DOPPELT_YELLOW if r == row):
                    earned.append(Doppelt.yellow_row_bonus[row])
                if all((r, c) in paper["circled"] for _, r, c in DOPPELT_YELLOW if c == column):
                    earned.append(Doppelt.yellow_column_bonus[column])
        else:
            field, number = len(paper[area]), int(rest)
            paper[area].append(number * Doppelt.green_factor[field] if area == "g" else number)
            if area == "b":
                earned.append(Doppelt.blue_bonus[field])
            elif area == "g":
                earned.append(Doppelt.green_bonus[field])
            elif number >= Doppelt.pink_minimum[field]:
                earned.append(Doppelt.pink_bonus[field])
        return [bonus for bonus in earned if bonus]

    def points(self, paper: Paper) -> dict[str, int]:
        in_row = [sum(1 for _, row in paper["s"] if row == wanted) for wanted in "ybgp"]
        green = paper["g"]
        return {
            "silver": sum([0, *Doppelt.silver_row_points][count] for count in in_row),
            "yellow": [0, *Doppelt.yellow_points][len(paper["crossed"])],
            "blue": [0, *Doppelt.blue_points][len(paper["b"])],
            "green": sum(green[first] - green[first + 1] for first in range(0, len(green) - 1, 2)),
            "pink": sum(paper["p"]),
        }


SHEETS: dict[str, Any] = {Ganz.key: GanzSheet, Doppelt.key: DoppeltSheet}


class Player:
    """One player.

    Their paper, what they have earned, and what they still have to do in the present turn.
    """

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.unlocked = dict.fromkeys(ACTIONS, 0)
        self.unused = dict.fromkeys(ACTIONS, 0)
        self.foxes = 0
        self.heap: list[str] = []
        self.doing = "nothing"  # nothing, take, extra
        self.extra_used: set[str] = set()


class Referee:
    """Follows a game move by move."""

    def __init__(self, key: str, players: int, first: int | None = 0) -> None:
        self.sheet = SHEETS[key]()
        self.dice = [name[0] for name in self.sheet.printed.dice]
        self.players = [Player(self.sheet.empty()) for _ in range(players)]
        self.round = 0
        self.face: dict[str, int] = {}
        self.first = first or 0
        self.phase = "lot"
        if first is not None:
            self.start_round()

    # --- what is asked of it

    def to_act(self) -> set[int]:
        """Seats from 0; {-1} is chance; nobody: the game is over."""
        if self.phase == "over":
            return set()
        if self.phase in ("lot", "roll", "passive roll", "tie"):
            return {-1}
        if self.phase == "round start":
            return {seat for seat, player in enumerate(self.players) if player.heap}
        if self.phase == "windows":
            return {seat for seat, player in enumerate(self.players) if player.doing != "nothing"}
        return {self.active}

    def legal(self, seat: int) -> set[str]:
        """The texts of everything a seat may do now."""
        player = self.players[seat]
        if seat not in self.to_act():
            return set()
        if player.heap:
            return {
                f"+{entry}"
                for bonus in player.heap
                for entry in self.sheet.with_bonus(player.paper, bonus)
            }
        if self.phase == "choose":
            return self.legal_choices(player)
        if self.phase == "follow":
            return self.legal_follow_ups(player) | {"done"}
        if self.phase == "return":
            return {f"<{die}" for die in self.platter} | {"done"}
        if player.doing == "take":
            return self.legal_takes(player)
        return self.legal_extras(player) | {"done"}

    def chances(self) -> dict[str, int]:
        """What chance may do now, and how likely each is.

        Of many dice only how many ways they can fall.
        """
        if self.phase == "lot":
            return {f"begins {seat + 1}": 1 for seat in range(len(self.players))}
        if self.phase == "tie":
            return {
                "=" + "".join(die for die in self.dice if die in three): 1
                for three in self.lowest_threes()
            }
        rolled = [die for die in self.dice if die in self.hand]
        return {
            "".join(f"{die}{face}" for die, face in zip(rolled, faces, strict=True)): 1
            for faces in product(range(1, 7), repeat=len(rolled))
        }

    def parts(self, seat: int) -> dict[str, int]:
        player = self.players[seat]
        points = self.sheet.points(player.paper)
        return points | {"foxes": player.foxes * min(points.values())}

    def merits(self) -> list[tuple[int, ...]]:
        """What places go by: the points, then the highest single area."""
        areas = [self.sheet.points(player.paper) for player in self.players]
        return [
            (sum(self.parts(seat).values()), max(points.values()))
            for seat, points in enumerate(areas)
        ]

    def play(self, seat: int, text: str) -> None:
        """Make a move, which must be legal."""
        if seat == -1:
            assert self.to_act() == {-1}, f"chance is not to act: {text}"
            self.chance(text)
        else:
            assert text in self.legal(seat), f"seat {seat + 1} may not {text}"
            self.move(self.players[seat], text)
        self.go_on()

    # --- what a die may do

    def uses(self, player: Player, die: str) -> set[str]:
        """Every way to use a die, as 'die>entry'."""
        colours = (
            [area[0] for area in self.sheet.printed.areas] if die == self.sheet.joker else [die]
        )
        found: set[str] = set()
        for colour in colours:
            number = self.face["b"] + self.face["w"] if colour == "b" else self.face[die]
            found |= {
                f"{die}>{entry}" for entry in self.sheet.with_number(player.paper, colour, number)
            }
        return found

    def uses_of(self, player: Player, dice: list[str]) -> set[str]:
        return {use for die in dice for use in self.uses(player, die)}

    def legal_choices(self, player: Player) -> set[str]:
        legal = self.uses_of(player, self.hand)
        if self.sheet.may_pass or not legal:
            legal.add("pass")
        if player.unused["RR"]:
            legal.add("reroll")
        return legal

    def legal_takes(self, player: Player) -> set[str]:
        legal = self.uses_of(player, self.platter)
        if legal:
            return legal | {"pass"} if self.sheet.may_pass else legal
        return self.uses_of(player, self.laid) | {"pass"}

    def legal_extras(self, player: Player) -> set[str]:
        if not player.unused["+1"]:
            return set()
        return self.uses_of(player, [die for die in self.dice if die not in player.extra_used])

    def legal_follow_ups(self, player: Player) -> set[str]:
        found: set[str] = set()
        for die in self.follow:
            entries = self.sheet.with_number(player.paper, "s", self.face[die])
            found |= {f"{die}>{entry}" for entry in entries if die in "sw" or entry[-1] == die}
        return found

    # --- moves

    def earn(self, player: Player, bonus: str) -> None:
        if bonus in ACTIONS:
            player.unlocked[bonus] += 1
            player.unused[bonus] += 1
            fields = self.sheet.printed.action_fields[bonus]
            assert player.unlocked[bonus] <= fields, f"the track of {bonus} overflows"
            if player.unlocked[bonus] == fields and bonus in self.sheet.printed.action_ends:
                self.earn(player, self.sheet.printed.action_ends[bonus])
        elif bonus == "fox":
            player.foxes += 1
        elif bonus:
            player.heap.append(bonus)

    def enter(self, player: Player, entry: str) -> None:
        for bonus in self.sheet.enter(player.paper, entry):
            self.earn(player, bonus)

    def spend(self, player: Player, action: str) -> None:
        assert player.unused[action] > 0
        player.unused[action] -= 1

    def chance(self, text: str) -> None:
        if self.phase == "lot":
            self.first = int(text[-1]) - 1
            self.start_round()
            return
        if self.phase == "tie":
            assert set(text[1:]) in self.lowest_threes(), f"{text} are not the three lowest"
            self.serve(set(text[1:]))
            return
        rolled = {text[at]: int(text[at + 1]) for at in range(0, len(text), 2)}
        assert sorted(rolled) == sorted(self.hand), f"{text} is no roll of {self.hand}"
        self.face |= rolled
        if self.phase == "roll":
            self.phase = "choose"
        elif len(self.lowest_threes()) > 1:
            self.phase = "tie"
        else:
            self.serve(self.lowest_threes()[0])

    def move(self, player: Player, text: str) -> None:
        if text[0] == "+":
            bonus = next(
                bonus
                for bonus in player.heap
                if text[1:] in self.sheet.with_bonus(player.paper, bonus)
            )
            player.heap.remove(bonus)
            self.enter(player, text[1:])
        elif self.phase == "choose":
            self.choose(player, text)
        elif self.phase == "follow":
            self.follow_up(player, text)
        elif self.phase == "return":
            self.take_back(player, text)
        elif player.doing == "take":
            player.doing = "extra"
            if text != "pass":
                self.enter(player, text[2:])
        elif text == "done":
            player.doing = "nothing"
        else:
            self.spend(player, "+1")
            player.extra_used.add(text[0])
            self.enter(player, text[2:])

    def choose(self, player: Player, text: str) -> None:
        if text == "reroll":
            self.spend(player, "RR")
            self.phase = "roll"  # the same roll once more: it is not counted again
            return
        self.phase = "follow"
        self.follow = []
        if text == "pass":
            return
        die, entry = text[0], text[2:]
        self.hand.remove(die)
        self.laid.append(die)
        lower = [other for other in self.hand if self.face[other] < self.face[die]]
        self.hand = [other for other in self.hand if other not in lower]
        self.platter += lower
        if self.sheet.follow_ups and entry[0] == "s":
            self.follow = lower
        self.enter(player, entry)

    def follow_up(self, player: Player, text: str) -> None:
        if text == "done":
            self.follow = []
            return
        self.follow = [die for die in self.follow if die != text[0]]
        self.enter(player, text[2:])

    def take_back(self, player: Player, text: str) -> None:
        if text == "done":
            self.start_roll()
            return
        self.spend(player, "RET")
        self.platter.remove(text[1])
        self.hand.append(text[1])

    # --- the course of the game

    def start_round(self) -> None:
        self.round += 1
        if self.round > ROUNDS_BY_PLAYERS[len(self.players)]:
            self.phase = "over"
            return
        self.phase = "round start"
        self.active = self.first
        for player in self.players:
            self.earn(player, self.sheet.printed.rewards[self.round - 1])
        self.go_on()

    def start_turn(self) -> None:
        self.hand = list(self.dice)
        self.platter: list[str] = []
        self.laid: list[str] = []
        self.rolls = 0
        self.start_roll()

    def start_roll(self) -> None:
        """Make the next of the three rolls, if there is anything to roll."""
        if self.hand and self.rolls < 3:
            self.rolls += 1
            self.phase = "roll"
        else:
            self.platter += self.hand
            self.hand = []
            self.phase = "windows"
            for seat, player in enumerate(self.players):
                player.extra_used = set()
                player.doing = "extra" if seat == self.active else "take"
            self.solo_passive_due = len(self.players) == 1

    def lowest_threes(self) -> list[set[str]]:
        """All sets of three dice with no lower die left out."""
        return [
            set(three)
            for three in combinations(self.dice, 3)
            if max(self.face[die] for die in three)
            <= min(self.face[die] for die in self.dice if die not in three)
        ]

    def serve(self, three: set[str]) -> None:
        """The passive turn of a solo game.

        Three dice on the platter, the others as if the active player had laid them.
        """
        self.platter = sorted(three)
        self.laid = [die for die in self.dice if die not in three]
        self.hand = []
        self.phase = "windows"
        self.players[0].extra_used = set()
        self.players[0].doing = "take"

    def go_on(self) -> None:
        """Drop lost bonuses, then go on until a player has something to decide."""
        for player in self.players:
            player.heap = [
                bonus for bonus in player.heap if self.sheet.with_bonus(player.paper, bonus)
            ]
        if self.phase == "round start" and not any(player.heap for player in self.players):
            self.start_turn()
        if self.phase in ("follow", "return") and not self.players[self.active].heap:
            self.after_choice(self.players[self.active])
        if self.phase == "windows":
            for player in self.players:
                if player.doing == "extra" and not player.heap and not self.legal_extras(player):
                    player.doing = "nothing"
            if all(player.doing == "nothing" for player in self.players):
                self.end_turn()

    def after_choice(self, player: Player) -> None:
        if self.phase == "follow":
            if self.legal_follow_ups(player):
                return
            self.phase = "return"
        if not (player.unused["RET"] and self.platter and self.rolls < 3):
            self.start_roll()

    def end_turn(self) -> None:
        if self.solo_passive_due:
            self.solo_passive_due = False
            self.hand = list(self.dice)
            self.phase = "passive roll"
        elif (self.active + 1) % len(self.players) != self.first:
            self.active = (self.active + 1) % len(self.players)
            self.start_turn()
        else:
            self.start_round()
