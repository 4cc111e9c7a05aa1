"""Requests of a device about notifications while its page is closed.

docs/protocol.md explains the messages.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from foxclover.core.rules import MAX_PLAYERS
from foxclover.server.protocol.people import Device
from foxclover.server.protocol.validate import Text, Token, at_most, between, not_longer


class CallSettings(TypedDict):
    """When a device is called back."""

    remind: Annotated[int, between(0, 168)]  # hours until a reminder, 0 for none
    quiet_from: Annotated[int, between(0, 1_439)]  # minute of the day
    quiet_until: Annotated[int, between(0, 1_439)]  # the same as ``quiet_from``: no quiet hours
    offset: Annotated[int, between(-1_440, 1_440)]  # minutes of the device's time before UTC's


class WebhookEvents(TypedDict):
    """What a webhook writes to its chat."""

    turns: bool  # whose turn it is
    finished: bool  # the scores of a finished game
    daily: bool  # a new daily challenge


WebhookKind = Literal["discord", "slack", "ntfy", "matrix"]


class Webhook(WebhookEvents):
    """A webhook of a person; its address is a secret and not sent back."""

    id: str
    kind: WebhookKind
    host: str
    tables: list[str]


class Calls(TypedDict):
    """Answer to Device at /api/me/calls, and to all requests below."""

    key: str  # of the server, for a browser that subscribes; "" if it sends no notifications
    tables: list[str]  # to which this device is called
    settings: CallSettings
    webhooks: list[Webhook]


class CallMe(Device):
    """POST /api/me/call: call this device whenever a table waits for one of its seats."""

    table: Text
    seats: Annotated[list[Token], at_most(MAX_PLAYERS)]  # secrets of the seats
    endpoint: Annotated[str, not_longer(1_000)]  # of the browser's subscription
    public: Annotated[str, not_longer(100)]  # its keys
    auth: Annotated[str, not_longer(30)]
    settings: CallSettings


class ChangeCalls(Device):
    """POST /api/me/call/settings."""

    settings: CallSettings


class StopCalls(Device):
    """POST /api/me/call/stop."""

    table: NotRequired[Text]  # default: all


class AddWebhook(Device):
    """POST /api/me/webhook: write to a chat about a table where this device has a seat."""

    table: Text
    seats: Annotated[list[Token], at_most(MAX_PLAYERS)]
    kind: WebhookKind
    url: Annotated[str, not_longer(1_000)]  # ``{id}`` in it becomes a new id for each message
    offset: Annotated[int, between(-1_440, 1_440)]  # as of ``CallSettings``


class AskWebhook(Device):
    """POST /api/me/webhook/test and /remove."""

    webhook: Text


class ChangeWebhook(AskWebhook):
    """POST /api/me/webhook/events."""

    events: WebhookEvents


class WebhookTable(AskWebhook):
    """POST /api/me/webhook/table: start or stop writing about a table."""

    table: Text
    seats: Annotated[list[Token], at_most(MAX_PLAYERS)]
    on: bool
