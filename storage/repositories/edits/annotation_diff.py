"""Difference of two annotations of a topic, row by row; pure functions without database access."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from core.domain.pyramid import Match, Part, Scu, SummaryState, TopicAnnotation

Content = dict[str, Any]
"""A row's columns without id, position and bookkeeping."""

Key = tuple[str, str]
"""Table and id of a row, or table and parent of rows that have an order."""

PARENT: Mapping[str, str] = {
    "scus": "pyramid_id",
    "contributors": "scu_id",
    "contributor_parts": "contributor_id",
    "matches": "pyramid_id",
    "match_parts": "match_id",
    "summary_states": "pyramid_id",
}
"""The column of a row's parent; the children of a parent are ordered."""

PARENT_TABLE: Mapping[str, str] = {
    "scus": "pyramids",
    "contributors": "scus",
    "contributor_parts": "contributors",
    "matches": "pyramids",
    "match_parts": "matches",
    "summary_states": "pyramids",
}
"""The table of a row's parent."""

_TEXT = {"contributor_parts": ("contributors", "reference_id"), "match_parts": ("matches", "summary_id")}


class TextSpan(NamedTuple):
    """The span of a part with the id of its text."""

    text_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AnnotationDiff:
    """The difference of two annotations.

    rows: content before and after, None = does not exist.
    orders: complete sequences in which a row was added or moved.
    spans: new and changed spans.
    """

    rows: Mapping[Key, tuple[Content | None, Content | None]]
    orders: Mapping[Key, Sequence[str]]
    spans: Sequence[TextSpan]


class _Item(Protocol):
    @property
    def id(self) -> str: ...


I = TypeVar("I", bound=_Item)  # noqa: E741 - an item


def diff(before: TopicAnnotation, after: TopicAnnotation) -> AnnotationDiff:
    """Return the rows, orders and spans that differ between two annotations."""
    if before.pyramid.id != after.pyramid.id:
        raise ValueError("an edit must not change the pyramid's id")
    old, new = _Rows(), _Rows()
    for value, other, rows in ((before, after, old), (after, before, new)):
        rows.add_pyramid(value, other)
    changed = {
        key: (old.contents.get(key), new.contents.get(key))
        for key in (*old.contents, *(key for key in new.contents if key not in old.contents))
        if old.contents.get(key) != new.contents.get(key)
    }
    moved = {key: order for key, order in new.orders.items() if _is_moved(old.orders.get(key, ()), order)}
    return AnnotationDiff(
        changed, moved, [new.span(key) for key in changed if key[0] in _TEXT and key in new.contents]
    )


class _Rows:
    """The rows of one annotation that may differ from another one's."""

    def __init__(self) -> None:
        self.contents: dict[Key, Content] = {}
        self.orders: dict[Key, list[str]] = defaultdict(list)

    def add_pyramid(self, value: TopicAnnotation, other: TopicAnnotation) -> None:
        pyramid = value.pyramid
        self.contents["pyramids", pyramid.id] = {"is_done": pyramid.is_done}
        self.orders["scus", pyramid.id] = [scu.id for scu in pyramid.scus]
        self.orders["matches", pyramid.id] = [match.id for match in value.matches]
        self.orders["summary_states", pyramid.id] = [state.id for state in value.states]
        for scu in _changed_items(pyramid.scus, other.pyramid.scus):
            self._add_scu(scu, pyramid.id)
        for match in _changed_items(value.matches, other.matches):
            self._add_match(match, pyramid.id)
        for state in _changed_items(value.states, other.states):
            self._add_state(state, pyramid.id)

    def span(self, key: Key) -> TextSpan:
        """Return the span of a part with its text."""
        part = self.contents[key]
        owner, column = _TEXT[key[0]]
        text_id = self.contents[owner, part[PARENT[key[0]]]][column]
        return TextSpan(text_id, part["start"], part["end"])

    def _add_scu(self, scu: Scu, pyramid_id: str) -> None:
        self.contents["scus", scu.id] = {
            "pyramid_id": pyramid_id,
            "label": scu.label,
            "comment": scu.comment,
            "importance": scu.importance,
        }
        for c in scu.contributors:
            self.contents["contributors", c.id] = {
                "scu_id": scu.id,
                "reference_id": c.reference_id,
                "comment": c.comment,
                "is_confirmed": c.is_confirmed,
            }
            self.orders["contributors", scu.id].append(c.id)
            self._add_parts("contributor_parts", c.id, c.parts)

    def _add_match(self, match: Match, pyramid_id: str) -> None:
        self.contents["matches", match.id] = {
            "pyramid_id": pyramid_id,
            "summary_id": match.summary_id,
            "annotator_id": match.annotator_id,
            "scu_id": match.scu_id,
            "comment": match.comment,
            "is_confirmed": match.is_confirmed,
            "is_partial": match.is_partial,
        }
        self._add_parts("match_parts", match.id, match.parts)

    def _add_state(self, state: SummaryState, pyramid_id: str) -> None:
        self.contents["summary_states", state.id] = {
            "pyramid_id": pyramid_id,
            "summary_id": state.summary_id,
            "annotator_id": state.annotator_id,
            "is_done": state.is_done,
            "is_flagged": state.is_flagged,
            "note": state.note,
        }

    def _add_parts(self, table: str, parent: str, parts: Iterable[Part]) -> None:
        for part in parts:
            self.contents[table, part.id] = {PARENT[table]: parent, "start": part.start, "end": part.end}
            self.orders[table, parent].append(part.id)


def _changed_items(items: Sequence[I], others: Sequence[I]) -> Iterator[I]:
    """Return the items that are not the same object in the other value, as edits share unchanged items."""
    known = {other.id: other for other in others}
    return (item for item in items if known.get(item.id) is not item)


def _is_moved(old: Sequence[str], new: Sequence[str]) -> bool:
    """Return whether a sequence has new or moved items, not only removed ones."""
    remaining = set(new)
    return [item for item in old if item in remaining] != list(new)
