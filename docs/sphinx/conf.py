"""Settings of Sphinx for the documentation site, which tools/docs builds."""

from __future__ import annotations

import inspect
import re
from typing import Any

from sphinx.application import Sphinx

from foxclover import __version__

project = "Fox & Clover"
project_copyright = "the Fox & Clover authors"
version = release = __version__
html_title = f"{project} {version}"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
source_suffix = {".md": "markdown"}
highlight_language = "text"
# A broken reference is an error, in docstrings too. Nothing is fetched, so that names of other
# libraries remain plain text.
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!foxclover\b).*"),
    ("py:class", r"foxclover\..*\.\w+(T|T?_contra|_co)"),  # type variables
    *(
        ("py:class", rf"foxclover\.{name}")  # internal types of arguments that users leave out
        for name in (
            r"core\.move\.Snapshot",
            r"core\.svg\.\w+",
            r"review\.analyser\.Analyser",
            r"simulation\.batch\.(Callbacks|Run)",
        )
    ),
]

myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"
# Extras of the package: never imported, so that the site is the same with and without them.
autodoc_mock_imports = ["gymnasium", "open_spiel", "pettingzoo", "pyarrow", "pyspiel", "ray"]

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "../../web/public/favicon.svg"
html_logo = "../../web/public/favicon.svg"
html_copy_source = False
html_show_sourcelink = False
html_use_index = True
html_last_updated_fmt = None
html_theme_options = {
    "top_of_page_buttons": [],
    "light_css_variables": {
        "font-stack": "system-ui, sans-serif",
        "font-stack--monospace": "ui-monospace, Consolas, Menlo, monospace",
        "color-brand-primary": "#2c6e49",
        "color-brand-content": "#1f5f3d",
        "color-brand-visited": "#4a5d23",
        "color-background-primary": "#fffdf8",  # the colours of the game's page
        "color-background-secondary": "#faf4e8",
        "color-background-border": "#e2d5be",
        "color-foreground-primary": "#2c241b",
    },
    "dark_css_variables": {
        "color-brand-primary": "#8fcf9f",
        "color-brand-content": "#9bd8ab",
        "color-brand-visited": "#c3cf8f",
        "color-background-primary": "#1b1814",
        "color-background-secondary": "#15120f",
        "color-background-border": "#40382e",
        "color-foreground-primary": "#f4ebdc",
    },
}

# --- attributes and signatures

FIELD = re.compile(
    r"^ {4}(?: {4}self\.)?(?P<name>[a-z]\w*)(?:: [^=#\n]+)?(?: = [^#\n]+)?  #:? (?P<text>.+)$",
    re.MULTILINE,
)
INTERNAL = {"buffers"}
ARRAY = re.compile(
    r"~?numpy\.ndarray\[~?typing\.Any, ~?numpy\.dtype\[[\w~.]+(?:\[~?typing\.Any\])?\]\]"
)


def describe_fields(
    _: Sphinx, what: str, __: str, thing: object, ___: object, lines: list[str]
) -> None:
    """List the attributes of a class with the comments behind their declarations."""
    if what not in ("class", "exception") or not inspect.isclass(thing):
        return
    try:
        source = inspect.getsource(thing)
    except (OSError, TypeError):  # an alias of a type
        return
    found = {match["name"]: match["text"] for match in FIELD.finditer(source)}
    shown = {name: text for name, text in found.items() if name not in INTERNAL}
    if shown and not any(text.startswith(("type:", "noqa")) for text in shown.values()):
        lines += ["", *(f":var {name}: {text}" for name, text in shown.items()), ""]


def skip_field_numbers(
    _: Sphinx, __: str, ___: str, thing: object, skip: bool, ____: object
) -> bool | None:
    """Leave out the members that a named tuple has for its fields: the signature lists them."""
    return True if type(thing).__name__ == "_tuplegetter" else skip or None


def simplify(
    _: Sphinx, __: str, ___: str, thing: Any, ____: object, signature: str | None, returns: str
) -> tuple[str | None, str]:
    """Shorten what only type checkers need: arrays, default factories, protocols."""
    if getattr(thing, "_is_protocol", False):
        return "", returns
    shorter = ARRAY.sub("~numpy.ndarray", signature or "").replace("<factory>", "...")
    return shorter or signature, ARRAY.sub("~numpy.ndarray", returns) if returns else returns


def setup(app: Sphinx) -> None:
    """Register these functions with Sphinx."""
    app.connect("autodoc-process-docstring", describe_fields)
    app.connect("autodoc-skip-member", skip_field_numbers)
    app.connect("autodoc-process-signature", simplify)
