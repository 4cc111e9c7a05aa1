"""The operator's requests over HTTP, from this machine and with the key of the data folder only."""

from __future__ import annotations

import secrets
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from foxclover.server.administration import Admin, AdminError
from foxclover.server.http.requests import from_this_machine, read_body
from foxclover.server.logs import log_event

KEY_FILE = "admin.key"
OWNER_ONLY = 0o600
LONGEST_BODY = 4_096


def admin_key(folder: Path) -> str:
    """Return the key of a data folder, made when it is first asked for; "" if it cannot be."""
    file = folder / KEY_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.touch(OWNER_ONLY)
        key = file.read_text().strip()
        if not key:
            key = secrets.token_urlsafe(32)
            file.write_text(key + "\n")
    except OSError as error:
        log_event("no_admin_key", problem=error.strerror)
        return ""
    return key


async def administer(request: Request) -> Response:
    """Answer the operator; for everybody else there is nothing here."""
    key: str = request.app.state.admin_key
    shown = request.headers.get("authorization", "").removeprefix("Bearer ")
    known = bool(key) and secrets.compare_digest(shown.encode(), key.encode())
    if not (known and from_this_machine(request)):
        raise HTTPException(404)
    body = await read_body(request, LONGEST_BODY)
    target, name, limit = body.get("target", ""), body.get("name", ""), body.get("limit", 20)
    if not (isinstance(target, str) and isinstance(name, str) and isinstance(limit, int)):
        raise HTTPException(400)
    admin: Admin = request.app.state.admin
    try:
        rows = await admin.answer(request.path_params["action"], target, name, limit)
    except AdminError as error:
        return JSONResponse({"error": str(error)}, 409)
    return JSONResponse({"rows": rows})
