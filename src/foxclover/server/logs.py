"""The server's log on standard error, one JSON object a line, and the interface of its metrics.

The log contains tables and addresses, but no tokens or names. Addresses are shortened to their
network unless the operator wants them whole or not at all.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import sys
import threading
from typing import Any

LOG = logging.getLogger("foxclover.server")
SHORT, FULL, OFF = "short", "full", "off"
ADDRESSES = (SHORT, FULL, OFF)
"""How much of a client's address is logged."""

KEPT_BITS = {4: 24, 6: 48}  # of a shortened address, by version
CLIENT = "client"  # the field of an address

CLIENT_ERRORS = {
    "Invalid HTTP request received.": "bad_request",
    "Unsupported upgrade request.": "bad_upgrade",
    "Invalid UTF-8 sequence received from client.": "bad_utf8",
}
"""Events for messages that uvicorn logs as warnings although a client caused them."""


def log_event(event: str, **fields: Any) -> None:
    """Log an event."""
    LOG.info(event, extra={"fields": fields})


def log_error(event: str, **fields: Any) -> None:
    """Log a problem for the operator."""
    LOG.error(event, extra={"fields": fields})


def log_exception(event: str, **fields: Any) -> None:
    """Log an error of the server, with the traceback of the exception being handled."""
    LOG.exception(event, extra={"fields": fields})


class Metrics:
    """Counters of a server; this base class keeps none, for the page that has no server."""

    def count_move(self) -> None:
        """Count a move."""

    def count_refusal(self, reason: str) -> None:
        """Count a refusal by its reason."""

    def observe_message(self, seconds: float) -> None:
        """Count a message and the time it took."""


class JsonLines(logging.Formatter):
    """Formatter of JSON lines: time, level, event and fields; for libraries also their logger."""

    def __init__(self, addresses: str = SHORT) -> None:
        super().__init__()
        self.addresses = addresses

    def format(self, record: logging.LogRecord) -> str:
        """Return the line in ASCII, so that no character can break it."""
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        if record.name != LOG.name:
            line["logger"] = record.name
        line |= getattr(record, "fields", {})
        if CLIENT in line:
            line[CLIENT] = shown(line[CLIENT], self.addresses)
            if not line[CLIENT]:
                del line[CLIENT]
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def shown(client: str, addresses: str) -> str:
    """Return the part of a client's address that is logged."""
    if addresses == OFF:
        return ""
    if addresses == FULL:
        return client
    try:
        network = ipaddress.ip_network(client, strict=False)
    except ValueError:
        return ""  # it may identify a person
    kept = KEPT_BITS[network.version]
    return str(network.supernet(new_prefix=kept)) if network.prefixlen > kept else str(network)


class _ClientErrors(logging.Filter):
    """Turn errors of clients into short events: the operator cannot fix them."""

    def filter(self, record: logging.LogRecord) -> bool:
        event = CLIENT_ERRORS.get(str(record.msg))
        if event is None:
            return True
        record.msg, record.args, record.exc_info, record.exc_text = event, (), None, None
        record.levelno, record.levelname = logging.INFO, logging.getLevelName(logging.INFO)
        return LOG.isEnabledFor(logging.INFO)


def write_to_stderr(level: int, addresses: str = SHORT) -> None:
    """Log to standard error: our events, warnings of libraries, and unhandled exceptions."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(addresses))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(True)
    LOG.setLevel(level)
    logging.getLogger("uvicorn.error").addFilter(_ClientErrors())
    sys.excepthook = lambda _, error, __: _unhandled("crashed", error)
    threading.excepthook = lambda failed: _unhandled("thread_failed", failed.exc_value)
    sys.unraisablehook = lambda ignored: _unhandled("exception_ignored", ignored.exc_value)


def _unhandled(event: str, error: BaseException | None) -> None:
    LOG.critical(event, exc_info=error)
