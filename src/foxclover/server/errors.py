"""Errors with a translated sentence: a refused message, and a server that cannot start."""

from __future__ import annotations

from typing import Literal

from foxclover.core.errors import Picklable
from foxclover.locale import Translator, lazy_message
from foxclover.review.transcripts import NotReplayable

Reason = Literal[
    "bad_message",  # not JSON, of another shape, or a value out of range
    "too_long",  # the message or the body is longer than allowed
    "too_fast",  # more messages or tables in a short time than allowed
    "too_many",  # connections, tables or spectators
    "foreign_origin",  # a page of another site opened the socket
    "blocked",  # the operator has blocked the network or the person
    "refused_name",  # the operator refuses this name
    "foreign_host",  # the request names the host of another server
    "old_page",  # another version of the protocol: reload the page
    "no_hello",  # the first message of a connection must be hello
    "not_found",  # no page or file at this address
    "unknown_game",
    "unknown_level",
    "unknown_option",  # not of this game
    "unknown_language",
    "bad_seats",  # too many or too few for this game, or only computers
    "no_such_table",
    "unknown_token",  # not of this table
    "unknown_code",  # of another device: wrong, used or too old
    "history_full",  # a person has as many games as the server keeps
    "only_device",  # a device cannot revoke itself
    "daily_begun",  # the first start of a day counts
    "daily_hidden",  # others can still play this daily challenge
    "daily_alone",  # no help in the daily challenge
    "no_such_day",  # no date, not closed yet, or not played on this server
    "unknown_group",
    "no_puzzles",  # none of this game, of this theme, or to repeat
    "unknown_puzzle",  # not of this game in this version
    "not_reportable",  # the list does not show this name any more
    "too_many_reports",  # of this device, or of all
    "bad_invitation",  # a seat needs the secret of the link, the code only shows the table
    "table_full",  # no open seat
    "seat_taken",
    "not_host",  # only for the person who opened the table
    "not_here",  # only for a browser on the machine of a local server
    "no_network",  # the machine has no network
    "still_here",  # the player is connected
    "just_left",  # the player has been away for less than a minute
    "not_your_seat",  # the connection holds no token of that seat
    "stale",  # the game has changed since the seq of the message
    "not_to_act",  # the seat has no decision
    "illegal_move",
    "ambiguous_move",  # the text matches several legal moves
    "no_roll_due",
    "other_pool",  # page and server know different draws
    "impossible_entry",  # real dice: this roll or card is impossible
    "nothing_to_correct",  # real dice: no entry, or a decision was based on it
    "nothing_to_undo",
    "too_many_undos",  # between two rolls
    "game_over",
    "not_over",  # rematch, review and replay are for finished games
    "no_such_moment",  # the game has fewer moves
    "no_exercise",  # no mistake was found there
    "foreign_transcript",  # the text is no transcript
    "unreadable_transcript",  # not text
    "other_transcript",  # a transcript of another version
    "unknown_transcript",  # a transcript of a game this server does not have
    "unfinished_transcript",  # only finished games can be imported
    "begun_transcript",  # only games from the usual start can be imported
    "bad_position",  # with the reason
    "damaged_transcript",  # with an illegal move
    "no_advisor",  # no computer player can rank moves
    "weaker_player",  # without a request, ref -1: a simpler computer player replaces one that fails
    "no_notices",  # this server sends none
    "foreign_push_service",  # a browser's push service that this server does not know
    "bad_address",  # not https, or not public
    "too_many_calls",  # of this device or at this table
    "unknown_webhook",  # not of this person, or deleted because nothing answered
    "webhook_silent",  # no answer from its address
    "webhook_refused",  # its address answered with an error
    "no_odds",  # not for this game, or not now
    "not_saved",  # the move could not be stored and was not made
    "store_away",  # the database is unreachable; sent once without a request, ref -1
    "damaged_table",  # the stored table cannot be replayed
    "stopping",  # the server stops; the table is kept
    "internal",  # an error of the server; nothing has changed
]
"""Reasons of refusals, for programs; catalogues contain the sentences for people."""

TRANSCRIPT: dict[str, Reason] = {
    "large": "too_long",
    "signs": "unreadable_transcript",
    "foreign": "foreign_transcript",
    "version": "other_transcript",
    "game": "unknown_transcript",
    "damaged": "damaged_transcript",
    "unfinished": "unfinished_transcript",
    "begun": "begun_transcript",
    "position": "bad_position",
}
"""Reasons of refused transcripts, by the error."""


class StartError(Picklable, Exception):
    """The server cannot start; the text ``key`` explains why and what to do."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def words(self, translate: Translator) -> str:
        """Return the sentence."""
        return translate(self.key, **self.values)


class RefusalError(Picklable, Exception):
    """A message was refused and has changed nothing."""

    def __init__(self, reason: Reason, **values: object) -> None:
        super().__init__(reason, values)
        self.reason = reason
        self.values = values

    def words(self, translate: Translator) -> str:
        """Return the sentence."""
        return lazy_message(f"server.refused.{self.reason}", **self.values).words(translate)


def require(condition: object, reason: Reason, **values: object) -> None:
    """Refuse a message for a reason unless a condition holds."""
    if not condition:
        raise RefusalError(reason, **values)


def refused_text(error: NotReplayable) -> RefusalError:
    """Return the refusal of a text that is no game."""
    return RefusalError(TRANSCRIPT[error.reason], line=error.line, problem=error.problem)
