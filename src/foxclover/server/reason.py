"""Why something was refused, for programs; catalogues have the sentences for people."""

from __future__ import annotations

from typing import Literal

Reason = Literal[
    "bad_message",  # not JSON, not of the described shape, or a value out of range
    "too_long",  # the message or the body is longer than allowed
    "too_fast",  # more messages or tables in a short time than allowed
    "too_many",  # no more connections, tables or spectators can be served
    "foreign_origin",  # the page that opened the socket was not served by this server
    "foreign_host",  # the request names a host that is not this server's
    "old_page",  # another version of the protocol: reload the page
    "no_hello",  # the first message of a connection must be hello
    "not_found",  # nothing at this address
    "unknown_game",
    "unknown_level",
    "unknown_language",
    "bad_seats",  # this game cannot be played by so many, or nobody would sit at the table
    "no_such_table",
    "unknown_token",  # a token of another table, or of none
    "unknown_code",  # of another device: mistyped, used or too old
    "daily_begun",  # the first start of a day counts
    "daily_hidden",  # a game of the daily challenge that others may still have to play
    "daily_alone",  # no help in the daily challenge
    "no_such_day",  # not a day, or one that is not closed yet, or that was never played here
    "unknown_group",
    "bad_invitation",  # the code alone lets one watch; to sit down one needs the secret of the link
    "table_full",  # no seat is waiting for a friend
    "seat_taken",
    "not_host",  # only whoever made the table may do that
    "not_here",  # only somebody at the machine of a server started for it alone may do that
    "no_network",  # that machine is in none
    "still_here",  # somebody who is at the table is not put out
    "not_your_seat",  # the connection holds no token of that seat
    "stale",  # the seat's situation has changed since the seq the message names
    "not_to_act",  # that seat has nothing to decide now
    "illegal_move",
    "ambiguous_move",  # the text begins more than one legal move
    "no_roll_due",
    "impossible_entry",  # real dice: such a roll or card cannot have come up
    "nothing_to_correct",  # real dice: somebody has decided on it, or nothing was entered
    "nothing_to_undo",
    "too_many_undos",  # between two rolls
    "game_over",
    "not_over",  # a rematch, a review or a look back comes after the game
    "no_such_moment",  # the game has fewer moves
    "no_exercise",  # no mistake was found there
    "foreign_transcript",  # the text is no transcript
    "other_transcript",  # a transcript of another version
    "unknown_transcript",  # a transcript of a game that is not played here
    "unfinished_transcript",  # only games that are over are brought in
    "damaged_transcript",  # a move in it cannot be made
    "no_advisor",  # no computer player that can rank moves is installed
    "weaker_player",  # unasked, ref -1: a computer player cannot think as it should and goes on as a simpler one
    "no_odds",  # this game, or this moment, has no odds to tell
    "not_saved",  # the disk did not take the move, so it was not made
    "store_away",  # the database cannot be reached; unasked with ref -1 when that is noticed
    "damaged_table",  # what is stored of the table cannot be replayed
    "stopping",  # the server is being stopped; the table is kept
    "internal",  # a fault of the server; nothing was changed
]
