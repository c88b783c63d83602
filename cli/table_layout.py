"""Layout of text tables within a width: wrapped, transposed or split into blocks of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

_GAP = 3
"""Width of padding and separator per column, in cells."""

_NARROWEST = 12
"""Minimum width of a wrapped text column, in cells."""

_KEY_SHARE = 2 / 3
"""Maximum share of the width for the columns that identify a row."""

_MOST_TRANSPOSED = 12
"""Maximum number of rows of a table that is transposed."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a table that fits the width. widths: of each column, in cells; longer texts are wrapped."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    widths: tuple[int, ...]


def layout(
    headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool], width: int
) -> list[Block]:
    """Lay out a table within a width as one or more blocks.

    The table stays whole where it fits, with texts wrapped if necessary. Otherwise it is transposed if that
    needs fewer blocks, or split into blocks of columns. Each block repeats the columns that identify a row:
    the texts before the first number, up to two thirds of the width.
    right: whether each column holds numbers; those are never wrapped.
    """
    columns = [headings, *rows]
    natural = [max(_longest_line(row[at]) for row in columns) for at in range(len(headings))]
    if (widths := _wrapped_widths(headings, natural, right, width)) is not None:
        return [Block(tuple(headings), tuple(map(tuple, rows)), tuple(right), tuple(widths))]
    blocks = _blocks(headings, rows, right, natural, width)
    if len(rows) <= _MOST_TRANSPOSED and all(right[1:]):
        turned = list(zip(*([headings, *rows]), strict=True))
        heads, *lines = turned
        sizes = [max(_longest_line(row[at]) for row in turned) for at in range(len(heads))]
        numbers = [False] + [True] * (len(heads) - 1)
        whole = _blocks(heads, lines, numbers, sizes, width)
        if len(whole) < len(blocks):
            return whole
    return blocks


def _needed(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * len(widths) + 1


def _longest_line(text: str) -> int:
    return max(map(cell_len, text.split("\n")))


def _longest_word(text: str) -> int:
    return max((cell_len(word) for word in text.split()), default=0)


def _wrapped_widths(
    headings: Sequence[str], natural: Sequence[int], right: Sequence[bool], width: int
) -> list[int] | None:
    """Return column widths at which the whole table fits, None = none; texts are wrapped, longest first."""
    widths = list(natural)
    least = [
        size if number else min(size, max(_NARROWEST, _longest_word(heading)))
        for size, number, heading in zip(natural, right, headings, strict=True)
    ]
    while _needed(widths) > width:
        at = max(range(len(widths)), key=lambda i: widths[i] - least[i])
        if widths[at] <= least[at]:
            return None
        widths[at] = max(least[at], widths[at] - max(1, _needed(widths) - width))
    too_thin = any(new < _NARROWEST and new < old for new, old in zip(widths, natural, strict=True))
    return None if too_thin or _wraps_too_often(widths, natural) else widths


def _wraps_too_often(widths: Sequence[int], natural: Sequence[int]) -> bool:
    """Return whether a text would take more than three lines."""
    return any(old > 3 * new for new, old in zip(widths, natural, strict=True))


def _blocks(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[bool],
    natural: Sequence[int],
    width: int,
) -> list[Block]:
    """Return columns in as few blocks as they need, with the columns that identify a row in each."""
    keys = _keys(natural, right, width)
    room = width - 1 - sum(size + _GAP for size in keys)
    groups: list[list[int]] = [[]]
    used = 0
    for at in range(len(keys), len(headings)):
        size = min(natural[at], max(1, room - _GAP))
        if groups[-1] and used + size + _GAP > room:
            groups.append([])
            used = 0
        groups[-1].append(at)
        used += size + _GAP
    return [_block(headings, rows, right, natural, keys, room, group) for group in groups]


def _keys(natural: Sequence[int], right: Sequence[bool], width: int) -> list[int]:
    """Return the widths of the columns that identify a row: the first, then texts while they fit."""
    widths = [min(natural[0], max(_NARROWEST, width // 2))]
    texts = right.index(True) if any(right) else 1
    for size in natural[1:texts]:
        if sum(widths) + size + _GAP * (len(widths) + 1) > _KEY_SHARE * width:
            break
        widths.append(size)
    return widths


def _block(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[bool],
    natural: Sequence[int],
    keys: Sequence[int],
    room: int,
    group: Sequence[int],
) -> Block:
    places = (*range(len(keys)), *group)
    widths = (*keys, *(min(natural[at], max(1, room - _GAP)) for at in group))
    return Block(
        tuple(headings[at] for at in places),
        tuple(tuple(row[at] for at in places) for row in rows),
        tuple(right[at] for at in places),
        widths,
    )
