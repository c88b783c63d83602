"""Pyramids, matches and states of summaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar
from uuid import uuid4

from core.domain.study import Span, Text, TopicTexts
from core.errors import InputError

V = TypeVar("V")


def new_id() -> str:
    """Return a new UUID, hexadecimal."""
    return uuid4().hex


class UnitKind(StrEnum):
    """Kind of content unit that an annotation consists of.

    SCU: the contributor of a reference may have several parts, and there is one per reference.
    NUGGET: a short fact; each contributor is one occurrence, and a reference may contain several.
    """

    SCU = "scu"
    NUGGET = "nugget"


@dataclass(frozen=True, slots=True)
class Part:
    """One span of an expression, in the text of its contributor or match."""

    id: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class Contributor:
    """An SCU's expression in one reference, or one occurrence of a nugget.

    is_confirmed: False = found automatically and not confirmed by an annotator; nuggets only.
    """

    id: str
    reference_id: str
    parts: tuple[Part, ...]
    comment: str = ""
    is_confirmed: bool = True


@dataclass(frozen=True, slots=True)
class Scu:
    """A summary content unit or a nugget.

    importance: of a nugget, "vital", "okay" or empty = not rated.
    """

    id: str
    label: str
    contributors: tuple[Contributor, ...] = ()
    comment: str = ""
    importance: str = ""

    @property
    def weight(self) -> int:
        """Number of distinct references among its confirmed contributors; the tier of a nugget."""
        return len({c.reference_id for c in self.contributors if c.is_confirmed})

    @property
    def occurrences(self) -> int:
        """Number of confirmed contributors."""
        return sum(c.is_confirmed for c in self.contributors)


@dataclass(frozen=True, slots=True)
class Pyramid:
    """One annotator's SCUs over a topic's references, in order of creation."""

    id: str
    topic_id: str
    annotator_id: str
    scus: tuple[Scu, ...] = ()
    is_done: bool = False
    kind: UnitKind = UnitKind.SCU


@dataclass(frozen=True, slots=True)
class Match:
    """A content unit of one summary: the SCU that it expresses, or None = outside the pyramid.

    No parts: matched without a span. The same SCU may be matched twice (a repetition).
    is_confirmed: False = found automatically and not confirmed by an annotator; nuggets only.
    is_partial: the summary supports the nugget only in part; nuggets only.
    """

    id: str
    summary_id: str
    annotator_id: str
    scu_id: str | None
    parts: tuple[Part, ...] = ()
    comment: str = ""
    is_confirmed: bool = True
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class SummaryState:
    """State of one annotator's work on one summary."""

    id: str
    summary_id: str
    annotator_id: str
    is_done: bool = False
    is_flagged: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class TopicAnnotation:
    """A pyramid with all annotators' matches against it: everything that an edit in a topic may change."""

    pyramid: Pyramid
    matches: tuple[Match, ...] = ()
    states: tuple[SummaryState, ...] = ()

    def scu(self, scu_id: str) -> Scu:
        """Return the SCU of an id. Raises InputError if it is gone."""
        for scu in self.pyramid.scus:
            if scu.id == scu_id:
                return scu
        raise InputError("This SCU is no longer in the pyramid; somebody removed it.")

    def matches_of(self, summary_id: str, annotator_id: str) -> tuple[Match, ...]:
        """Return one annotator's content units of one summary."""
        return tuple(m for m in self.matches if m.summary_id == summary_id and m.annotator_id == annotator_id)

    def state_of(self, summary_id: str, annotator_id: str) -> SummaryState | None:
        """Return the state of an annotator's work on a summary, None = not begun."""
        for state in self.states:
            if state.summary_id == summary_id and state.annotator_id == annotator_id:
                return state
        return None


Edit = Callable[[TopicAnnotation], TopicAnnotation]


def empty(topic_id: str, annotator_id: str, kind: UnitKind = UnitKind.SCU) -> TopicAnnotation:
    """Return a pyramid without SCUs."""
    return TopicAnnotation(Pyramid(new_id(), topic_id, annotator_id, kind=kind))


def parts_of(spans: Iterable[Span]) -> tuple[Part, ...]:
    """Return new parts of spans, in their order. Raises InputError on an empty span."""
    parts = tuple(Part(new_id(), start, end) for start, end in spans)
    if any(p.end <= p.start or p.start < 0 for p in parts):
        raise InputError("A part must contain at least one character; select some text first.")
    return parts


def replace_scu(values: tuple[V, ...], old: V, new: V) -> tuple[V, ...]:
    """Return the values with one of them replaced."""
    return tuple(new if value is old else value for value in values)


def completed_summaries(annotation: TopicAnnotation, topic: TopicTexts, annotator_id: str) -> list[Text]:
    """Return the summaries whose matching an annotator marked as done, in the order of the topic."""
    done = {s.summary_id for s in annotation.states if s.is_done and s.annotator_id == annotator_id}
    return [summary for summary in topic.summaries if summary.id in done]
