"""Pages of the manual and their links."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.formatting.tables import markdown_text

_HEADING = re.compile(r"^(#{1,4}) +(.+?)\s*$")
_FENCE = re.compile(r"^\s*```")
_LINK = re.compile(r"(!?)\[(?:[^\]\\]|\\.)*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`+[^`]*`+")
_MARKUP = re.compile(r"[*`\\]|\[([^\]]*)\]\([^)]*\)")
_UNSAFE = re.compile(r"[^\w.+-]")
_ADDRESS = re.compile(r"(?<=:)//|(?<=www)\.|@")


@dataclass(frozen=True, slots=True)
class ManualPage:
    """A page in Markdown.

    key: its path without suffix, such as ``metrics/rouge-n``.
    section: heading in the contents. group: heading below it, empty = none.
    text: begins with the title as heading; links and pictures are relative to the page's path.
    """

    key: str
    title: str
    text: str
    section: str
    group: str = ""

    def anchors(self) -> dict[str, str]:
        """Return the headings of the page by anchor, as the site names them."""
        found: dict[str, str] = {}
        for _, heading in _headings(self.text):
            name = slug = anchor(heading)
            number = 1
            while name in found:
                name, number = f"{slug}-{number}", number + 1
            found[name] = heading
        return found

    def links(self) -> list[tuple[str, str]]:
        """Return (key or path, anchor) of every link and picture inside the manual.

        The key is relative to the manual; a picture's path keeps its suffix. Addresses are left out.
        """
        targets = (match[2] for match in _LINK.finditer(_without_code(self.text)))
        return [resolve(self.key, target) for target in targets if "://" not in target]


def resolve(key: str, target: str) -> tuple[str, str]:
    """Return the (key, anchor) that a link on the page `key` leads to."""
    path, _, fragment = target.partition("#")
    if not path:
        return key, fragment
    path = posixpath.normpath(posixpath.join(posixpath.dirname(key), path))
    return path.removesuffix(".md"), fragment


def page_key(folder: str, name: str) -> str:
    """Return the key of a page in a folder; a package may choose any name for what it adds."""
    return f"{folder}/{_UNSAFE.sub('-', name).strip('.') or '-'}"


def title_of(text: str) -> str:
    """Return the text of the first heading."""
    return next((heading for _, heading in _headings(text)), "")


def anchor(heading: str) -> str:
    """Return the anchor of a heading, by GitHub's rule."""
    words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return words.replace(" ", "-")


def inert(text: str) -> str:
    """Return a text on one line that is displayed as it is: neither markup nor a link."""
    return _ADDRESS.sub(lambda match: "".join(f"\\{sign}" for sign in match[0]), markdown_text(text))


def _headings(text: str) -> Iterator[tuple[int, str]]:
    is_code = False
    for line in text.splitlines():
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and (match := _HEADING.match(line)):
            yield len(match[1]), _MARKUP.sub(lambda mark: mark[1] or "", match[2])


def _without_code(text: str) -> str:
    """Return a text without code blocks and code in a line."""
    lines, is_code = [], False
    for line in text.splitlines():
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and not line.startswith("    "):
            lines.append(line)
    return _CODE.sub("", "\n".join(lines))
