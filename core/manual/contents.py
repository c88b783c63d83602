"""Contents of the manual: the guides in their order, then the reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import groupby

from core.manual.page import ManualPage, title_of
from core.manual.reference import reference_pages
from core.names import resolve_name

GUIDES = (
    ("Start", ("tutorial", "evaluate", "first-steps", "import-data")),
    ("Annotate", ("texts", "pyramids", "matches", "nuggets", "ratings", "comparisons", "suggestions")),
    (
        "Work with others",
        ("blind", "assignment", "control", "comments", "merging", "servers", "agreement", "adjudication"),
    ),
    ("Score", ("summarizers", "score", "scale", "metrics", "models", "indexes", "add-metric")),
    ("Analyse", ("compare", "explain", "statistics", "experiments", "studies", "report")),
    ("Program", ("settings", "keys", "formats", "backups", "trouble", "python")),
)
"""Sections with the guides in resources/help that each contains."""
KEYS_MARK = "{{keys}}"
_FOLDER = files("resources") / "help"


def manual_pages(keys: str, commands: Iterable[ManualPage] = ()) -> list[ManualPage]:
    """Return all pages: the first lists the others, then guides and reference.

    keys: table of all shortcuts. commands: pages of the command line.
    """
    pages = [*guide_pages(keys), *reference_pages(), *commands]
    return [_index(pages), *pages]


def guide_pages(keys: str) -> Iterator[ManualPage]:
    """Yield the guides. keys: table of all shortcuts."""
    for section, names in GUIDES:
        for name in names:
            text = (_FOLDER / f"{name}.md").read_text("utf-8").replace(KEYS_MARK, keys)
            yield ManualPage(name, title_of(text), text, section)


def manual_files() -> dict[str, bytes]:
    """Return the files that pages show or link to by path: pictures, and the tables of the tutorial."""
    found = {}
    for folder, suffix in (("images", ".png"), ("tutorial", ".csv")):
        for one in sorted((_FOLDER / folder).iterdir(), key=lambda one: one.name):
            if one.name.endswith(suffix):
                found[f"{folder}/{one.name}"] = one.read_bytes()
    return found


def find_page(pages: Iterable[ManualPage], name: str) -> ManualPage:
    """Return a page by its key, or by the last part of its key. Raises InputError."""
    known = {page.key: page for page in pages}
    if len(found := [key for key in known if key.rpartition("/")[2] == name]) == 1:
        name = found[0]
    return known[resolve_name("page of the manual", name, known, "`pyramidion manual` lists them")]


def _index(pages: list[ManualPage]) -> ManualPage:
    lines = [
        "# Pyramidion",
        "",
        "Pyramidion is a desktop program in which a study of summarization evaluation is annotated, scored, "
        "compared and reported. Everything is in one file, and nothing leaves your computer.",
        "",
        "New here? Follow the [tutorial](tutorial.md), from a table of texts to a paper, or make the sample "
        "study: [First steps](first-steps.md).",
        "",
    ]
    for section, inside in groupby(pages, key=lambda page: page.section):
        lines += [f"## {section}", ""]
        for group, members in groupby(inside, key=lambda page: page.group):
            listed = list(members)[: 1 if group else None]  # the first of a group lists the others
            lines += [f"- [{group or page.title}]({page.key}.md)" for page in listed]
        lines.append("")
    return ManualPage("index", "Contents", "\n".join(lines), "Start")
