"""Annotation packs: annotators' work as one JSON file, to be merged into another copy of the study.

A pack holds no texts but their digests, so that it is merged only where it was made on the same texts.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Annotated, Any

from core.domain.decisions import Choice, DecisionKind
from core.domain.name_checks import name_problem
from core.domain.ratings import MarkedSpan, ScaleKind
from core.errors import InputError
from core.json_schema import OMITTED_IF_EMPTY, Checked, from_plain, to_json, to_plain

FORMAT = "pyramidion-annotations"
VERSION = 1
SUFFIX = ".pack"
MOST_BYTES = 256 * 2**20
"""Size limit of a pack; a thousand annotated summaries take about 1 MB."""

_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def _checked_text(text: str) -> str:
    if _NO_TEXT.search(text):
        raise ValueError("it is not text")
    return text


def _checked_name(text: str) -> str:
    if fault := name_problem(text):
        raise ValueError(fault)
    return text


def _checked_id(text: str) -> str:
    if len(text) != 32 or set(text) - set("0123456789abcdef"):
        raise ValueError("it is not an id of 32 hexadecimal digits")
    return text


def _checked_unit(text: str) -> str:
    return text and _checked_id(text)


def _checked_number(number: float) -> float:
    if not isfinite(number):
        raise ValueError("it is not a finite number")
    return number


def _checked_part(part: PartRow) -> PartRow:
    if not 0 <= part[1] < part[2] < 2**31:
        raise ValueError("it is not a span")
    return part


def _checked_spans(spans: tuple[MarkedSpan, ...]) -> tuple[MarkedSpan, ...]:
    if any(not 0 <= start < end for start, end, _ in spans):
        raise ValueError("it has what is not a span of characters")
    return tuple(sorted(set(spans)))


def _one_of(*known: str) -> Checked:
    def check(value: str) -> str:
        if value not in known:
            raise ValueError(f"it is none of {', '.join(repr(str(one)) for one in known)}")
        return value

    return Checked(check)


def _checked_scale(scale: PackedScale) -> PackedScale:
    if scale.low >= scale.high:
        raise ValueError("it is not a scale whose highest value is above its lowest")
    return scale


def _checked_answer(answer: PackedPreference) -> PackedPreference:
    if bool(answer.best) != bool(answer.worst):
        raise ValueError("it is not an answer to a comparison")
    return answer


def _checked_systems(systems: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(systems)) < max(2, len(systems)):
        raise ValueError("it is not a comparison of several systems")
    return systems


Content = Annotated[str, Checked(_checked_text)]
Name = Annotated[str, Checked(_checked_text), Checked(_checked_name)]
Id = Annotated[str, Checked(_checked_id)]
Number = Annotated[float, Checked(_checked_number)]
Kind = Annotated[str, _one_of("scu", "nugget")]
PartRow = tuple[Id, int, int]
"""Id, start and end of a span in Unicode code points."""

Parts = tuple[Annotated[PartRow, Checked(_checked_part)], ...]
Digests = Mapping[Name, Content]
"""Digests of texts by author or system."""


@dataclass(frozen=True, slots=True)
class PackedContributor:
    """A contributor of a content unit; the reference is named by its author."""

    id: Id
    reference: Name
    comment: Content
    is_confirmed: bool
    parts: Parts


@dataclass(frozen=True, slots=True)
class PackedUnit:
    """An SCU or nugget."""

    id: Id
    label: Content
    comment: Content
    importance: Annotated[str, _one_of("", "vital", "okay")]
    contributors: tuple[PackedContributor, ...]


@dataclass(frozen=True, slots=True)
class PackedPyramid:
    """An annotator's own content units of one kind: ``scu`` or ``nugget``."""

    kind: Kind
    is_done: bool
    units: tuple[PackedUnit, ...]


@dataclass(frozen=True, slots=True)
class PackedMatch:
    """A match against the pyramid of `owner`. unit: id, empty = outside the pyramid."""

    id: Id
    kind: Kind
    owner: Name
    unit: Annotated[str, Checked(_checked_unit)]
    system: Name
    comment: Content
    is_confirmed: bool
    is_partial: bool
    parts: Parts


@dataclass(frozen=True, slots=True)
class PackedState:
    """Progress on one summary, matched against the pyramid of `owner`."""

    kind: Kind
    owner: Name
    system: Name
    is_done: bool
    is_flagged: bool
    note: Content


@dataclass(frozen=True, slots=True)
class PackedRating:
    """A rating on a scale. value: None = only a note or a flag. spans: of a scale that asks for them."""

    scale: Name
    system: Name
    value: Number | None
    note: Content = field(default="", metadata=OMITTED_IF_EMPTY)
    flagged: bool = field(default=False, metadata=OMITTED_IF_EMPTY)
    spans: Annotated[tuple[MarkedSpan, ...], Checked(_checked_spans)] = field(
        default=(), metadata=OMITTED_IF_EMPTY
    )


@dataclass(frozen=True, slots=True)
class PackedDecision:
    """A decision whose result is the annotator's work; see `core.domain.decisions.Decision`.

    subject: name of the scale, or ids of content units. system: empty = none.
    """

    kind: Annotated[str, _one_of(*DecisionKind)]
    subject: Content
    system: Content
    choice: Annotated[str, _one_of(*Choice)]
    source: Content
    basis: Content
    decided_by: Content
    decided_at: Content


@dataclass(frozen=True, slots=True)
class PackedPreference:
    """An answer to a comparison of a plan, given by its id. best, worst: systems, both empty = a tie."""

    plan: Name
    item: Id
    best: Content
    worst: Content


@dataclass(frozen=True, slots=True)
class PackedComment:
    """A comment. system, scale: names, unit: id of a content unit; empty = not about one."""

    id: Id
    system: Content
    unit: Content
    scale: Content
    text: Content
    resolves: bool
    written_at: Content


@dataclass(frozen=True, slots=True)
class PackedComparison:
    """A comparison of a plan. annotator: name of who judges it, empty = everybody."""

    id: Id
    topic: Name
    systems: Annotated[tuple[Name, ...], Checked(_checked_systems)]
    annotator: Content


@dataclass(frozen=True, slots=True)
class PackedPlan:
    """A plan of comparisons; see `core.domain.preferences.ComparisonPlan`."""

    id: Id
    kind: Content
    question: Content
    size: int
    per_summary: int
    overlap: Number
    seed: int
    items: tuple[PackedComparison, ...]


@dataclass(frozen=True, slots=True)
class PackedScale:
    """A rating scale. anchors: (value, text). kind: number, categories or text."""

    low: Number
    high: Number
    question: Content = ""
    description: Content = ""
    anchors: tuple[tuple[Number, Content], ...] = ()
    kind: Annotated[str, _one_of(*ScaleKind)] = "number"
    required: bool = True


@dataclass(frozen=True, slots=True)
class WorkContent:
    """Everything that one annotator did on one topic."""

    pyramids: tuple[PackedPyramid, ...] = ()
    matches: tuple[PackedMatch, ...] = ()
    states: tuple[PackedState, ...] = ()
    ratings: tuple[PackedRating, ...] = ()
    decisions: tuple[PackedDecision, ...] = field(default=(), metadata=OMITTED_IF_EMPTY)
    preferences: tuple[Annotated[PackedPreference, Checked(_checked_answer)], ...] = field(
        default=(), metadata=OMITTED_IF_EMPTY
    )
    comments: tuple[PackedComment, ...] = field(default=(), metadata=OMITTED_IF_EMPTY)

    def to_text(self) -> str:
        """Return the content as JSON."""
        return to_json(self)

    @property
    def is_empty(self) -> bool:
        """Return whether there is no annotation."""
        has_units = any(pyramid.units or pyramid.is_done for pyramid in self.pyramids)
        others = self.matches, self.states, self.ratings, self.decisions, self.preferences, self.comments
        return not (has_units or any(others))

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the content, whatever the order of matches."""
        matches = tuple(sorted(self.matches, key=lambda match: match.id))
        return hashlib.sha256(replace(self, matches=matches).to_text().encode()).hexdigest()

    @property
    def owners(self) -> frozenset[str]:
        """Return the annotators whose pyramids the matches and states refer to."""
        return self.owners_of("scu") | self.owners_of("nugget")

    def owners_of(self, kind: str) -> frozenset[str]:
        """Return the same for one kind of content unit."""
        matches = {match.owner for match in self.matches if match.kind == kind}
        return frozenset(matches | {state.owner for state in self.states if state.kind == kind})

    def without_scales(self, names: Container[str]) -> WorkContent:
        """Return the content without ratings, decisions and comments on some scales."""
        return replace(
            self,
            ratings=tuple(one for one in self.ratings if one.scale not in names),
            decisions=tuple(
                one for one in self.decisions if one.kind != DecisionKind.RATING or one.subject not in names
            ),
            comments=tuple(one for one in self.comments if not one.scale or one.scale not in names),
        )

    @property
    def scales(self) -> frozenset[str]:
        """Return the scales that ratings, decisions and comments refer to."""
        decided = {one.subject for one in self.decisions if one.kind == DecisionKind.RATING}
        commented = {comment.scale for comment in self.comments if comment.scale}
        return frozenset(decided | commented | {rating.scale for rating in self.ratings})

    def renamed(self, owner: str, copy: str, key: str) -> WorkContent:
        """Return a copy for another annotator: own content units get ids derived from `key`.

        owner: the annotator whose pyramids these are. copy: the name that replaces it.
        """
        own = {unit.id for pyramid in self.pyramids for unit in pyramid.units}

        def derived(row_id: str) -> str:
            return hashlib.sha256(f"{key} {row_id}".encode()).hexdigest()[:32]

        def parts(rows: Iterable[PartRow]) -> tuple[PartRow, ...]:
            return tuple((derived(row_id), start, end) for row_id, start, end in rows)

        pyramids = tuple(
            replace(
                pyramid,
                units=tuple(
                    replace(
                        unit,
                        id=derived(unit.id),
                        contributors=tuple(
                            replace(one, id=derived(one.id), parts=parts(one.parts))
                            for one in unit.contributors
                        ),
                    )
                    for unit in pyramid.units
                ),
            )
            for pyramid in self.pyramids
        )
        matches = tuple(
            replace(
                match,
                id=derived(match.id),
                owner=copy if match.owner == owner else match.owner,
                unit=derived(match.unit) if match.unit in own else match.unit,
                parts=parts(match.parts),
            )
            for match in self.matches
        )
        states = tuple(
            replace(state, owner=copy if state.owner == owner else state.owner) for state in self.states
        )
        return replace(self, pyramids=pyramids, matches=matches, states=states)


@dataclass(frozen=True, slots=True)
class TopicWork:
    """One annotator's work on one topic.

    history: ids of the edits that it results from. last_edit: ISO time of the newest one, may be empty.
    active_seconds: time spent on it.
    """

    topic: Name
    annotator: Name
    content: WorkContent
    history: frozenset[Id] = frozenset()
    last_edit: Content = ""
    active_seconds: Number = 0.0


@dataclass(frozen=True, slots=True)
class AnnotationPack:
    """Work of some annotators, and what it was made on.

    study: name of the study. references, summaries: digests by topic and author or system.
    scales, plans: by name. groups: of annotators, by name.
    """

    study: str
    references: Mapping[str, Digests] = field(default_factory=dict)
    summaries: Mapping[str, Digests] = field(default_factory=dict)
    scales: Mapping[str, PackedScale] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    works: tuple[TopicWork, ...] = ()
    plans: Mapping[str, PackedPlan] = field(default_factory=dict)

    def to_text(self) -> str:
        """Return the pack as JSON; equal packs give equal text."""
        texts = {
            topic: PackedTexts(self.references[topic], self.summaries[topic]) for topic in self.references
        }
        works = tuple(sorted(self.works, key=lambda one: (one.topic, one.annotator)))
        body = to_plain(_Body(self.study, texts, self.scales, self.groups, works, self.plans))
        body |= {"format": FORMAT, "version": VERSION}
        return to_json({**body, "digest": _digest(body)}) + "\n"


@dataclass(frozen=True, slots=True)
class PackedTexts:
    """Digests of a topic's texts."""

    references: Digests
    summaries: Digests


@dataclass(frozen=True, slots=True)
class _Body:
    """A pack as its document has it."""

    study: Content
    texts: Mapping[Name, PackedTexts]
    scales: Mapping[Name, Annotated[PackedScale, Checked(_checked_scale)]]
    annotators: Mapping[Name, Content]
    work: tuple[TopicWork, ...]
    plans: Mapping[Name, PackedPlan] = field(default_factory=dict, metadata=OMITTED_IF_EMPTY)


def parse_pack(text: str, name: str) -> AnnotationPack:
    """Return the pack of a file's text. name: of the file, for messages.

    Raises InputError if it is no pack, is damaged, or was written by a newer version of the program.
    """
    try:
        read = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is not an annotation pack: its JSON cannot be read. {_REMEDY}") from error
    if not isinstance(read, dict) or read.get("format") != FORMAT:
        raise InputError(f"{name} is not an annotation pack. {_REMEDY}")
    if read.get("version") != VERSION:
        raise InputError(
            f"{name} has pack version {read.get('version')!r}; this program reads version {VERSION}. "
            "Update the program, or export the pack again with this one."
        )
    body = {key: value for key, value in read.items() if key != "digest"}
    try:
        is_whole = read.get("digest") == _digest(body)
    except (ValueError, RecursionError):
        is_whole = False
    if not is_whole:
        raise InputError(f"{name} is damaged or was changed by hand: its digest does not fit. {_REMEDY}")
    try:
        pack = from_plain(_Body, read)
    except ValueError as error:
        raise InputError(f"{name} is malformed: {error}. {_REMEDY}") from error
    texts = pack.texts.items()
    return AnnotationPack(
        pack.study,
        {topic: of.references for topic, of in texts},
        {topic: of.summaries for topic, of in texts},
        pack.scales,
        pack.annotators,
        tuple(replace(work, active_seconds=max(0.0, work.active_seconds)) for work in pack.work),
        pack.plans,
    )


_REMEDY = "Ask its annotator to export it again: pyramidion export STUDY --what annotations -o FILE.pack"


def _digest(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(to_json(body).encode("utf-8", "surrogatepass")).hexdigest()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found
