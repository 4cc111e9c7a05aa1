"""Build the documentation site: ``tools/docs [DIR]``.

The pages stay where they are, readable on a code host. They are copied to a working folder as
Sphinx needs them. ``docs/README.md`` is the front page, and its sections are the navigation. Links
to other files of the project lead to copies of them. The reference of the command line is written
from the parser.
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
import os
import posixpath
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SPHINX = DOCS / "sphinx"
FRONT = "index"
MORE = "More"  # the section of pages that docs/README.md does not list
GENERATED = {"Reference": ["api/index", "command-line"]}
FILES = "files"  # the folder of files that pages link to
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
LOADED = ("img", "script", "link", "source", "iframe", "audio", "video", "embed", "object")
NOT_LOADED = ("next", "prev", "index", "search", "author", "canonical")  # kinds of <link>
# what the theme lacks for screen readers and keyboards
REPAIRS = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper ': '<div tabindex="0" class="table-wrapper ',
}
STYLE = re.compile(r'(?<=[\w"])\s+style="([^"]*)"(?=[^<>]*>)')
INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


class BrokenSite(Exception):
    """The site has errors, one a line."""


def main() -> None:
    """Build the site into the folder named on the command line."""
    parser = argparse.ArgumentParser(prog="tools/docs", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "src" / "foxclover" / "docs")
    folder = parser.parse_args().folder
    if folder.exists() and not (folder / "objects.inv").is_file() and any(folder.iterdir()):
        sys.exit(f"{folder} contains something else: choose an empty folder.")
    try:
        build(folder)
    except BrokenSite as error:
        sys.exit(f"The documentation site has errors:\n{error}")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"Built the documentation site: {folder}/index.html, {size / 1e6:.1f} MB.")


def build(folder: Path) -> None:
    """Build the site; replace the folder only if there are no errors."""
    from sphinx.cmd.build import main as sphinx

    with tempfile.TemporaryDirectory() as work:
        pages, built = Path(work, "pages"), Path(work, "html")
        stage(pages)
        flags = ["-q", "-W", "--keep-going", "-b", "html", "-c", str(SPHINX), "-d", f"{work}/trees"]
        if sphinx([*flags, str(pages), str(built)]):
            raise BrokenSite("the warnings above are errors")
        for name in (".buildinfo", ".doctrees"):
            (built / name).unlink(missing_ok=True)
        for file in built.rglob("*.map"):  # of the theme's style
            file.unlink()
        move_inline_code(built)
        if problems := [*broken_links(built), *foreign_files(built)]:
            raise BrokenSite("\n".join(problems))
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(built, folder)


# --- pages for Sphinx


def page_name(path: Path) -> str:
    """Return the name in the site of a Markdown file of the project."""
    place = path.relative_to(ROOT)
    if place.parts[0] == "docs":
        place = place.relative_to("docs")
        return FRONT if place.name == "README.md" else place.with_suffix("").as_posix()
    if place.name == "README.md":
        return FRONT if len(place.parts) == 1 else f"{place.parent.as_posix().replace('/', '-')}"
    return place.with_suffix("").name.lower()


class Stage:
    """The working folder, with the pages that were copied to it and those still to come."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages: dict[str, Path] = {}

    def add(self, path: Path) -> str:
        """Copy a page and all that it links to; return its name."""
        name = page_name(path)
        if name not in self.pages:
            self.pages[name] = path
            text = path.read_text(encoding="utf-8")
            self.write(name, replace_links(text, lambda link: self.link(path, name, link)))
        return name

    def link(self, page: Path, name: str, target: str) -> str | None:
        """Return where a link of a page leads in the site, None if to nothing that it contains."""
        path = (page.parent / unquote(target)).resolve()
        if not path.is_file() or not path.is_relative_to(ROOT):
            return None
        if path.suffix == ".md":
            other = f"{FRONT if path == ROOT / 'README.md' else self.add(path)}.md"
        else:
            place = path.relative_to(DOCS if path.is_relative_to(DOCS) else ROOT)
            other = (FILES / place).as_posix()
            (self.folder / other).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, self.folder / other)
        return posixpath.relpath(other, posixpath.dirname(name) or ".")

    def write(self, name: str, text: str) -> None:
        """Write a page."""
        file = self.folder / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def stage(folder: Path) -> None:
    """Write all pages for Sphinx."""
    staged = Stage(folder)
    for page in sorted([*DOCS.glob("*.md"), ROOT / "CHANGELOG.md", ROOT / "SECURITY.md"]):
        staged.add(page)
    for page in sorted((SPHINX / "api").glob("*.md")):
        staged.write(f"api/{page.stem}", page.read_text(encoding="utf-8"))
    pages = {name: text for name, text in generated_reference().items() if text}
    for name, text in pages.items():
        staged.write(f"api/{name}", text)
    index = (folder / "api/index.md").read_text(encoding="utf-8")
    entries = "".join(f"{name}\n" for name in pages)
    staged.write("api/index", index.replace("\n```\n", f"\n{entries}```\n", 1))
    staged.write("command-line", "\n".join(command_line()))
    front = DOCS / "README.md"
    text = (folder / f"{FRONT}.md").read_text(encoding="utf-8")
    staged.write(FRONT, text + "\n".join(toctrees(navigation(front, staged.pages))))


def replace_links(text: str, find: Callable[[str], str | None]) -> str:
    """Replace the targets of links outside of code; keep those that lead to no file.

    A link whose text is the name of a page, such as ``rules.md``, gets the title of the page.
    """

    def replace(match: re.Match[str]) -> str:
        mark, words, target, part = match.groups(default="")
        found = find(target)
        if found is None:
            return match[0]
        if words.removeprefix("../") in (target, target.removeprefix("../")) and not mark:
            words = "" if found.endswith(".md") else words
        return f"{mark}[{words}]({found}{part})"

    parts = re.split(r"(^```.*?^```|`[^`\n]+`)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(
        part if number % 2 else LINK.sub(replace, part) for number, part in enumerate(parts)
    )


def navigation(front: Path, pages: dict[str, Path]) -> dict[str, list[str]]:
    """Return the pages by the sections of the front page that list them first, then all others."""
    names = {path: name for name, path in pages.items()}
    found: dict[str, list[str]] = {}
    seen = {FRONT}
    for section in re.split(r"^## ", front.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title = section.splitlines()[0].strip()
        targets = [match[3] for match in LINK.finditer(section)]
        listed = [names.get((front.parent / target).resolve()) for target in targets]
        new = [name for name in dict.fromkeys(listed) if name is not None and name not in seen]
        seen |= set(new)
        found[title] = new
    for title, generated in GENERATED.items():
        found.setdefault(title, [])[:0] = generated
    rest = sorted(name for name in pages if name not in seen)
    return found | {MORE: rest} if rest else found


def toctrees(sections: dict[str, list[str]]) -> Iterator[str]:
    """Write the navigation for Sphinx."""
    for title, names in sections.items():
        if names:
            yield from ("", "```{toctree}", ":hidden:", f":caption: {title}", "", *names, "```")


# --- the reference of the library and of the command line


def generated_reference() -> dict[str, str]:
    """Return the pages of the library that follow from the code alone."""
    boards = sorted((ROOT / "src" / "foxclover" / "games").glob("*/board.py"))
    found = {
        "boards": (
            "Reading positions by name",
            [f".. automodule:: foxclover.games.{file.parent.name}.board" for file in boards],
        ),
        "more": ("Other names", other_names()),
    }
    return {
        name: "\n".join([f"# {title}", "", "```{eval-rst}", *directives, "```", ""])
        if directives
        else ""
        for name, (title, directives) in found.items()
    }


def other_names() -> list[str]:
    """Return directives for public names that no page in ``docs/sphinx/api`` lists yet."""
    import foxclover

    listed = "\n".join(page.read_text(encoding="utf-8") for page in (SPHINX / "api").glob("*.md"))
    names = set(re.findall(r":: (?:foxclover\.)?(\w+)(?:\(\))?$", listed, re.MULTILINE))
    modules = tuple(re.findall(r"automodule:: (\S+)", listed))
    values = {name: getattr(foxclover, name) for name in foxclover.__all__ if name not in names}
    return [
        f".. auto{'class' if inspect.isclass(value) else 'function'}:: foxclover.{name}"
        if callable(value)
        else f".. py:data:: {name}\n   :module: foxclover"
        for name, value in values.items()
        if not getattr(value, "__module__", getattr(value, "__name__", "")).startswith(modules)
    ]


def command_line() -> Iterator[str]:
    """Write the reference of all commands from the parser, as Markdown."""
    os.environ |= {"COLUMNS": "90", "NO_COLOR": "1"}
    from foxclover.cli import COMMANDS, build
    from foxclover.locale import catalogue

    parser = build(catalogue("en"))
    (commands,) = (
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    )
    yield "# Command line"
    yield "\nEvery command with its arguments, as `foxclover COMMAND --help` shows them."
    yield "[Commands](commands.md) explains which one does what you need, and the exit codes."
    yield "Write `./play` instead of `foxclover` in a clone."
    yield from one_command(parser)
    for group in COMMANDS.values():
        for name in group:
            yield from one_command(commands.choices[name])


def one_command(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Write the usage of a command and its arguments."""
    usage = re.sub(r"^usage: ", "", parser.format_usage()).replace("\n       ", "\n")
    sentence = parser.description or ""
    yield f"\n## `{parser.prog}`\n\n{sentence[:1].upper()}{sentence[1:].rstrip('.')}.\n"
    yield f"```text\n{usage.rstrip()}\n```\n"
    formatter = parser._get_formatter()
    rows = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) or action.dest in ("help", "lang"):
            continue
        names = formatter._format_action_invocation(action)
        text = formatter._expand_help(action) if action.help else ""
        rows.append(f"| `{escape(names)}` | {escape(text)} |")
    if rows:
        yield "| argument | meaning |\n| -- | -- |"
        yield "\n".join(rows)


def escape(text: str) -> str:
    """Escape what would end a cell of a table; name no folder of this machine."""
    return re.sub(r"\s+", " ", text).replace("|", "\\|").replace(str(Path.home()), "~")


# --- the built site


def move_inline_code(site: Path) -> None:
    """Move scripts and styles of pages to files, which a strict content security policy allows.

    The files are named by their content, since browsers may keep them.
    """
    rules: dict[str, str] = {}

    def name_style(match: re.Match[str]) -> str:
        name = digest(match[1])
        rules[name] = f'[data-style="{name}"] {{ {unescape(match[1])} }}'
        return f' data-style="{name}"'

    pages = {
        page: STYLE.sub(name_style, page.read_text(encoding="utf-8"))
        for page in sorted(site.rglob("*.html"))
    }
    attributes = f"<style>{chr(10).join(rules.values())}</style></head>"
    for page, text in pages.items():
        static = site / "_static"
        place = "../" * (len(page.relative_to(site).parts) - 1) + static.name

        def move(match: re.Match[str], static: Path = static, place: str = place) -> str:
            kind, code = match.groups()
            name = digest(code) + (".js" if kind == "script" else ".css")
            (static / name).write_text(code.strip() + "\n", encoding="utf-8")
            if kind == "script":
                return f'<script src="{place}/{name}"></script>'
            return f'<link rel="stylesheet" type="text/css" href="{place}/{name}">'

        text = text.replace("</head>", attributes, 1)
        for wrong, right in REPAIRS.items():
            text = text.replace(wrong, right)
        page.write_text(INLINE.sub(move, text), encoding="utf-8")


def digest(code: str) -> str:
    """Return a short name for a piece of code."""
    return hashlib.sha256(code.encode()).hexdigest()[:12]


class Page(HTMLParser):
    """The anchors of a page, its links, the files that it loads, and code inside of it."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.anchors: set[str] = {""}
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.code: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element contributes."""
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        self.code += [f"<{tag} {name}>" for name in values if re.match(r"on|style$", name)]
        if tag in ("script", "style") and "src" not in values:
            self.code.append(f"<{tag}>")
        for target in (values[name] for name in ("href", "src", "data") if name in values):
            is_loaded = tag in LOADED and values.get("rel") not in NOT_LOADED
            (self.loaded if is_loaded else self.links).append(target)


def read_pages(site: Path) -> dict[str, Page]:
    """Return all pages of a site by their path in it."""
    return {file.relative_to(site).as_posix(): Page(file) for file in sorted(site.rglob("*.html"))}


def broken_links(site: Path) -> Iterator[str]:
    """Name every link that leads to no file or anchor of the site; others are not followed."""
    pages = read_pages(site)
    for name, page in pages.items():
        for target in [*page.links, *page.loaded]:
            split = urlsplit(target)
            if split.scheme or split.netloc:
                continue
            place = posixpath.join(posixpath.dirname(name), unquote(split.path))
            path = posixpath.normpath(place) if split.path else name
            if not (site / path).is_file():
                yield f"{name}: {target} leads to no file"
            elif path in pages and unquote(split.fragment) not in pages[path].anchors:
                yield f"{name}: {target} leads to no part of that page"


def foreign_files(site: Path) -> Iterator[str]:
    """Name everything that a page would load from elsewhere, or run without a file of its own."""
    for name, page in read_pages(site).items():
        yield from (f"{name}: loads {target}" for target in page.loaded if urlsplit(target).netloc)
        yield from (f"{name}: contains {code}" for code in page.code)
    for file in site.rglob("*.css"):
        text = file.read_text(encoding="utf-8")
        for target in re.findall(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]+)", text):
            yield f"{file.relative_to(site)}: loads {target}"


if __name__ == "__main__":
    main()
