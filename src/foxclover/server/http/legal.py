"""What the law asks of a public server: imprint, privacy notice and security contact.

The links are part of every page that the server sends, so that they need no script. The built-in
privacy notice lists what ``STORED`` names; a test compares that with the tables of both stores.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from foxclover.locale import LANGUAGES, Translator
from foxclover.server.errors import RefusalError
from foxclover.server.http.requests import Fixed, limited_lobby, translator
from foxclover.server.logs import SHORT

KEEP = 365  # days
NO_CONTACT = "mailto:nobody@invalid.example"  # of a server without an address
PRIVACY = "/privacy"
STYLE = "/legal.css"
SECURITY = "/.well-known/security.txt"
HTML = "text/html; charset=utf-8"
VALID_SECONDS = 180 * 86_400  # of the security contact
STORED = {
    "tables": {
        "tables": "code game variant seed pace created invitation rematch finished seal dice host"
        " origin script days",
        "seats": "code seat name level key",
        "events": "code seq seat text at number",
        "reviews": "code text",
        "copies": "code digest",
    },
    "person": {"people": "id name tag created"},
    "devices": {
        "devices": "key person name added seen",
        "alongs": "key person until device name agreed admitted",
    },
    "games": {
        "sittings": "code key person",
        "results": "person id at body transcript code review digest size",
    },
    "daily": {
        "dailies": "day game person code begun score ended address again review",
        "daily_marks": "day game mark",
    },
    "puzzles": {
        "puzzle_players": "person game body",
        "puzzle_attempts": "person game puzzle made at",
    },
    "groups": {"daily_groups": "code name created", "daily_members": "code person"},
    "blocks": {"blocks": "target at"},
    "reports": {"reports": "target kind name why at reporter closed"},
    "calls": {
        "push_devices": "id person device endpoint public auth language created remind quiet_from"
        " quiet_until utc_offset failures retry_at",
        "calls": "code target key seen notified notified_at due",
        "notice_limits": "name full_at",
    },
    "webhooks": {
        "webhooks": "id person kind url language created utc_offset turns finished daily day due"
        " failures retry_at",
    },
    "nobody": {
        "secrets": "name value",
        "daily_solutions": "day game code score",
        "puzzle_ratings": "game puzzle body",
    },
}
"""Everything in a store by topic, as SQL tables with their columns.

The text ``legal.stored.TOPIC`` describes a topic.
"""


@dataclass(frozen=True)
class Legal:
    """The links of a public server, and the settings that its privacy notice names."""

    public: str = ""
    imprint: str = ""
    privacy: str = ""
    keep: int = KEEP  # days
    log_addresses: str = SHORT
    pages: dict[str, Fixed] = field(default_factory=dict, compare=False)

    @property
    def base(self) -> str:
        """The path of the page on its host, without a slash at its end."""
        return urlsplit(self.public).path.rstrip("/")

    @property
    def contact(self) -> str:
        """The address at which a push service can reach the operator."""
        return self.imprint or self.public or NO_CONTACT

    @property
    def shown(self) -> bool:
        """Return whether pages have the links: not on a server for the own machine only."""
        return bool(self.public or self.imprint or self.privacy)

    def with_links(self, page: Fixed, translate: Translator) -> Fixed:
        """Return the page with the links in a language."""
        if not self.shown:
            return page
        if translate.language not in self.pages:
            links = [(self.imprint, "imprint"), (self.privacy or self.base + PRIVACY, "privacy")]
            anchors = [
                f'<a href="{escape(link)}">{escape(translate(f"legal.{name}"))}</a>'
                for link, name in links
                if link
            ]
            footer = f'<footer class="legal">{"".join(anchors)}</footer>'
            text = page.plain.decode()
            style = f'<link rel="stylesheet" href="{self.base}{STYLE}">'
            text = text.replace("</head>", f"{style}</head>", 1)
            text = text.replace("</body>", f"{footer}</body>", 1)
            made = Fixed(text.encode(), HTML)
            made.headers["vary"] = "accept-encoding, accept-language"
            self.pages[translate.language] = made
        return self.pages[translate.language]

    def notice(self, translate: Translator) -> str:
        """Return the privacy notice as HTML."""
        stored = "".join(
            f"<li>{escape(translate(f'legal.stored.{topic}', days=self.keep))}</li>"
            for topic in STORED
        )
        who = translate("legal.who") if self.imprint else translate("legal.who.unknown")
        links = f'<p><a href="{escape(self.imprint)}">{escape(who)}</a></p>' if self.imprint else ""
        parts = [
            f"<h1>{escape(translate('legal.title'))}</h1>",
            links or f"<p>{escape(who)}</p>",
            f"<h2>{escape(translate('legal.stored'))}</h2><ul>{stored}</ul>",
        ]
        for topic in ("log", "browser", "rights"):
            key = f"legal.log.{self.log_addresses}" if topic == "log" else f"legal.{topic}.text"
            heading, text = translate(f"legal.{topic}"), translate(key)
            parts.append(f"<h2>{escape(heading)}</h2><p>{escape(text)}</p>")
        back = f'<p><a href="{self.base}/">{escape(translate("legal.back"))}</a></p>'
        return (
            f'<!doctype html><html lang="{translate.language}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="color-scheme" content="light dark">'
            f"<title>{escape(translate('legal.title'))}</title>"
            f'<link rel="stylesheet" href="{self.base}{STYLE}"></head>'
            f'<body><main class="privacy">{"".join(parts)}{back}</main></body></html>'
        )


async def show_privacy(request: Request) -> Response:
    """Send the built-in privacy notice."""
    limited_lobby(request)
    legal: Legal = request.app.state.legal
    text = legal.notice(translator(request)).encode()
    return Response(text, media_type=HTML, headers={"vary": "accept-language"})


async def show_style(request: Request) -> Response:
    """Send the style of the links and of the notice."""
    limited_lobby(request)
    style = Path(__file__).with_suffix(".css").read_bytes()
    return Fixed(style, "text/css; charset=utf-8").answer(request)


async def show_security_contact(request: Request) -> Response:
    """Send the security contact (RFC 9116) if the server has an imprint."""
    limited_lobby(request)
    legal: Legal = request.app.state.legal
    if not legal.imprint:
        raise RefusalError("not_found")
    expires = time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime(time.time() + VALID_SECONDS))
    lines = [
        f"Contact: {legal.imprint}",
        f"Expires: {expires}",
        f"Preferred-Languages: {', '.join(LANGUAGES)}",
    ]
    if legal.public:
        lines.append(f"Canonical: {legal.public.rstrip('/')}{SECURITY}")
    return PlainTextResponse("\n".join([*lines, ""]))
