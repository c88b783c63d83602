"""Settings of Sphinx for the manual as a static site: `make docs`.

Its pages are those that `pyramidion manual -o FOLDER` writes; the contents are added here. The site loads
nothing from other servers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import version as version_of
from itertools import groupby
from pathlib import Path
from typing import Any

from cli.command_pages import command_pages
from core.manual.contents import manual_pages
from core.manual.page import ManualPage

project = "Pyramidion"
version = release = version_of("pyramidion")
extensions = ["myst_parser"]
myst_heading_anchors = 4
highlight_language = "none"
html_theme = "furo"
html_title = f"Pyramidion {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_use_index = False
html_show_sourcelink = False
html_show_copyright = False
_PAGES = manual_pages("", command_pages())


_PICTURE = re.compile(r"^!\[([^\]]*)\]\((\S+)-light\.png\)$", re.MULTILINE)


def setup(app: Any) -> None:
    """Add the contents to the pages that list others, and dark pictures."""
    trees = _trees(_PAGES)

    def change(_: Any, name: str, source: list[str]) -> None:
        folder = (Path(app.srcdir) / name).parent
        source.append(_by_theme(source.pop(), folder) + trees.get(name, ""))

    app.connect("source-read", change)


def _by_theme(text: str, folder: Path) -> str:
    """Let a picture that has a dark counterpart depend on the reader's theme, by Furo's classes."""

    def both(found: re.Match[str]) -> str:
        alt, path = found[1], found[2]
        if not (folder / f"{path}-dark.png").is_file():
            return found[0]
        return "\n\n".join(
            f"```{{image}} {path}-{theme}.png\n:alt: {alt}\n:class: only-{theme}\n```"
            for theme in ("light", "dark")
        )

    return _PICTURE.sub(both, text)


def _trees(pages: Iterable[ManualPage]) -> dict[str, str]:
    """Return the contents to add by page: sections on the first page, a group's pages on its first page."""
    found: dict[str, str] = {"index": ""}
    for section, inside in groupby(pages, key=lambda page: page.section):
        keys = []
        for group, members in groupby(inside, key=lambda page: page.group):
            listed = [page.key for page in members if page.key != "index"]
            if group and len(listed) > 1:
                first = listed[0]
                names = [f"/{key}" for key in listed[1:]]
                found[first] = _tree("", names)
                listed = [first]
            keys += listed
        found["index"] += _tree(section, keys)
    return found


def _tree(caption: str, entries: Iterable[str]) -> str:
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["", "", "```{toctree}", *options, "", *entries, "```", ""])
