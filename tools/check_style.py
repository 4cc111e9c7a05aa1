"""Check the wording of documents, docstrings, comments and English texts.

``tools/style.toml`` lists the forms to avoid with better ones, and the longest sentences. Problems
are printed as ``file:line: form: better``. Without arguments all files are checked, otherwise the
named ones: Markdown, Python, or a catalogue in JSON.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
RULES = tomllib.loads((ROOT / "tools" / "style.toml").read_text(encoding="utf-8"))
PLACES = {  # kind: files
    "docs": ("*.md", "docs/**/*.md", "bench/*.md", "web/*.md", "packages/*/*.md"),
    "code": ("src/**/*.py", "tools/*.py", "bench/*.py", "examples/*.py"),
    "catalogue": ("src/foxclover/locale/en/*.json", "src/foxclover/games/*/locale/en.json"),
}
KINDS = {".md": "docs", ".py": "code", ".json": "catalogue"}
CODE = "code"  # what a piece of code counts as: one word
END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)[.!?][”\")’*]*(?=\s|$)")
WORD = re.compile(r"\w[\w’'./:%+-]*")
PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:- |\d+\. |>>> ))")


@dataclass(frozen=True)
class Form:
    """A form to avoid."""

    find: re.Pattern[str]
    better: str
    allow: re.Pattern[str] | None
    only: tuple[str, ...]
    skip: tuple[str, ...]

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """Yield where a text has the form, outside of the phrases that are allowed."""
        allowed = [found.span() for found in self.allow.finditer(text)] if self.allow else []
        for found in self.find.finditer(text):
            if not any(start <= found.start() and found.end() <= end for start, end in allowed):
                yield found


def whole_words(pattern: str) -> re.Pattern[str]:
    """Compile a pattern for whole words, in which a blank also matches a line break."""
    spaced = pattern.replace(" ", r"\s+")
    return re.compile(rf"(?<![\w-])(?:{spaced})(?![\w-])", re.IGNORECASE)


def read_form(entry: dict[str, str | list[str]]) -> Form:
    """Return the form of an entry of the rules."""
    allow = entry.get("allow")
    return Form(
        whole_words(str(entry["find"])),
        str(entry["better"]),
        whole_words("|".join(allow)) if allow else None,
        tuple(entry.get("only", ("docs", "code", "catalogue"))),
        tuple(entry.get("skip", ())),
    )


FORMS = [read_form(entry) for entry in RULES["form"]]


@dataclass(frozen=True)
class Problem:
    """A form to avoid, where it was found."""

    line: int
    found: str
    better: str


def forms_in(text: str, kind: str, path: str = "") -> Iterator[tuple[int, str, str]]:
    """Yield offset, form and better form for each form to avoid in a text."""
    for form in FORMS:
        if kind in form.only and path not in form.skip:
            for found in form.matches(text):
                yield found.start(), " ".join(found[0].split()), form.better


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield offset and text of each sentence."""
    start = 0
    for end in [*(found.end() for found in END.finditer(text)), len(text)]:
        if text[start:end].strip():
            yield start + len(text[start:end]) - len(text[start:end].lstrip()), text[start:end]
        start = end


def long_sentences(text: str, longest: int) -> Iterator[tuple[int, str, str]]:
    """Yield offset, beginning and advice for each sentence that is too long."""
    for start, sentence in sentences(text):
        count = len(WORD.findall(sentence))
        beginning = " ".join(sentence.split()[:5]) + " ..."
        if count > longest:
            yield start, beginning, f"{count} words: write sentences of at most {longest}"
        if sentence.count(";") > RULES["most_semicolons"]:
            yield start, beginning, "several semicolons: write several sentences"


def read_markdown(text: str) -> Iterator[tuple[int, str]]:
    """Yield first line and text of each paragraph, heading and table cell, without code."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "inline" and token.map:
            parts = []
            for child in token.children or ():
                if child.type in ("softbreak", "hardbreak"):
                    parts.append("\n")
                elif child.type == "code_inline":
                    parts.append(CODE)
                elif child.type == "text":
                    parts.append(child.content)
            yield token.map[0] + 1, "".join(parts)


def read_python(text: str) -> Iterator[tuple[int, str]]:
    """Yield first line and text of each paragraph of docstrings, and of each comment."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield from paragraphs(first.lineno, str(first.value.value))
    comment, begin, last = "", 0, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            words = re.sub(r"^#[!:]? ?(?:noqa|type:|ruff:).*|^#[!:]? ?", "", token.string)
            alone = token.line.lstrip().startswith("#")
            if comment and (not alone or token.start[0] != last + 1):
                yield begin, comment
                comment = ""
            begin = begin if comment else token.start[0]
            comment = f"{comment}\n{words}" if comment else words
            last = token.start[0] if alone else -1
    if comment:
        yield begin, comment


def paragraphs(line: int, text: str) -> Iterator[tuple[int, str]]:
    """Yield first line and text of each paragraph of a docstring, without code and examples."""
    start = 0
    for end in [*(found.end() for found in PARAGRAPH.finditer(text)), len(text)]:
        part = re.sub(r"``[^`]*``", lambda code: CODE + "\n" * code[0].count("\n"), text[start:end])
        part = re.sub(r"(?m)(\S {2,}\S.*)$", r"\1.", part)  # a row of a table is a sentence
        if part.strip() and not part.lstrip().startswith(">>>"):
            yield line + text[:start].count("\n"), part
        start = end


def read_catalogue(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and paragraphs of each entry of a catalogue, one a line, without placeholders."""
    for number, line in enumerate(text.splitlines(), 1):
        entry = re.fullmatch(r'\s*"[^"]*":\s*(".*"),?', line)
        if entry:
            for part in str(json.loads(entry[1])).split("\n"):
                yield number, re.sub(r"\{[^{}]*\}", CODE, part)


READERS = {"docs": read_markdown, "code": read_python, "catalogue": read_catalogue}


def check_text(text: str, kind: str, path: str = "") -> list[Problem]:
    """Return all problems of a file's content, by line."""
    longest = RULES["longest"].get(path, RULES["longest"].get(kind, RULES["longest_sentence"]))
    problems = []
    for line, part in READERS[kind](text):
        for start, found, better in (*forms_in(part, kind, path), *long_sentences(part, longest)):
            problems.append(Problem(line + part[:start].count("\n"), found, better))
    return sorted(problems, key=lambda problem: problem.line)


def main(words: list[str] | None = None) -> int:
    """Check files and print the problems; return 1 if there are any."""
    parser = argparse.ArgumentParser(description="Check the wording of documents and texts.")
    parser.add_argument("files", nargs="*", type=Path, help="files (default: all of the project)")
    files = parser.parse_args(words).files or [
        path for globs in PLACES.values() for glob in globs for path in sorted(ROOT.glob(glob))
    ]
    count = 0
    for file in files:
        inside = file.resolve().is_relative_to(ROOT)
        path = file.resolve().relative_to(ROOT).as_posix() if inside else str(file)
        for problem in check_text(file.read_text(encoding="utf-8"), KINDS[file.suffix], path):
            print(f"{path}:{problem.line}: {problem.found}: {problem.better}")
            count += 1
    print(f"{len(files)} files, {count} problems of style")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
