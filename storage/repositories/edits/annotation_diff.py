"""What tells two annotations of a topic apart, row by row. Values in, values out; no table is touched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from core.domain.pyramid import Match, Part, Scu, SummaryState, TopicAnnotation

Content = dict[str, Any]
"""A row's columns without id, place and marks."""

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
"""The column that holds a row's parent, whose children have an order."""

_TEXT = {"contributor_parts": ("contributors", "reference_id"), "match_parts": ("matches", "summary_id")}


class TextSpan(NamedTuple):
    """A part's span with the id of the text that it lies in."""

    text_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AnnotationDiff:
    """rows: content before and after, None = not there. orders: whole sequences that gained or moved a row.

    spans: those that are new or changed.
    """

    rows: Mapping[Key, tuple[Content | None, Content | None]]
    orders: Mapping[Key, Sequence[str]]
    spans: Sequence[TextSpan]


class _Item(Protocol):
    @property
    def id(self) -> str: ...


I = TypeVar("I", bound=_Item)  # noqa: E741 - an item


def diff(before: TopicAnnotation, after: TopicAnnotation) -> AnnotationDiff:
    """What a change of one annotation into the other touches."""
    if before.pyramid.id != after.pyramid.id:
        raise ValueError("an edit stays within one pyramid")
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
    """The rows of one value, as far as they may differ from another one's."""

    def __init__(self) -> None:
        self.contents: dict[Key, Content] = {}
        self.orders: dict[Key, list[str]] = defaultdict(list)

    def add_pyramid(self, value: TopicAnnotation, other: TopicAnnotation) -> None:
        pyramid = value.pyramid
        self.contents["pyramids", pyramid.id] = {"is_done": pyramid.is_done}
        self.orders["scus", pyramid.id] = [scu.id for scu in pyramid.scus]
        self.orders["matches", pyramid.id] = [match.id for match in value.matches]
        self.orders["summary_states", pyramid.id] = [state.id for state in value.states]
        for scu in _unlike(pyramid.scus, other.pyramid.scus):
            self._add_scu(scu, pyramid.id)
        for match in _unlike(value.matches, other.matches):
            self._add_match(match, pyramid.id)
        for state in _unlike(value.states, other.states):
            self._add_state(state, pyramid.id)

    def span(self, key: Key) -> TextSpan:
        """Where a part lies."""
        part = self.contents[key]
        owner, column = _TEXT[key[0]]
        text_id = self.contents[owner, part[PARENT[key[0]]]][column]
        return TextSpan(text_id, part["start"], part["end"])

    def _add_scu(self, scu: Scu, pyramid_id: str) -> None:
        content = {"pyramid_id": pyramid_id, "label": scu.label, "comment": scu.comment}
        self.contents["scus", scu.id] = content
        for c in scu.contributors:
            content = {"scu_id": scu.id, "reference_id": c.reference_id, "comment": c.comment}
            self.contents["contributors", c.id] = content
            self.orders["contributors", scu.id].append(c.id)
            self._add_parts("contributor_parts", c.id, c.parts)

    def _add_match(self, match: Match, pyramid_id: str) -> None:
        self.contents["matches", match.id] = {
            "pyramid_id": pyramid_id,
            "summary_id": match.summary_id,
            "annotator_id": match.annotator_id,
            "scu_id": match.scu_id,
            "comment": match.comment,
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


def _unlike(items: Sequence[I], others: Sequence[I]) -> Iterator[I]:
    """Items that are not the very same object in the other value: an edit shares all that it leaves alone."""
    known = {other.id: other for other in others}
    return (item for item in items if known.get(item.id) is not item)


def _is_moved(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether a sequence is more than an older one with some rows left out."""
    remaining = set(new)
    return [item for item in old if item in remaining] != list(new)
