"""The server's log: one JSON object a line. It names tables and addresses, never tokens or what people are called."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

LOG = logging.getLogger("foxclover.server")


def note(event: str, **fields: Any) -> None:
    """Log something that happened."""
    LOG.info(event, extra={"fields": fields})


def warn(event: str, **fields: Any) -> None:
    """Log something that somebody should look at."""
    LOG.error(event, extra={"fields": fields})


def fault(event: str, **fields: Any) -> None:
    """Log an error of the server, with the traceback of the exception being handled."""
    LOG.exception(event, extra={"fields": fields})


class JsonLines(logging.Formatter):
    """Time, level, event, then whatever was noted."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def write_to_stderr(level: int) -> None:
    """Send our lines, and the complaints of the libraries, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for logger, lowest in (
        (LOG, level),
        (logging.getLogger("uvicorn"), logging.WARNING),
        (logging.getLogger("websockets"), logging.ERROR),
    ):
        logger.handlers = [handler]
        logger.setLevel(lowest)
        logger.propagate = False
