"""Annotation packs: annotators' work as one JSON file, to be merged into another copy of the study.

A pack holds no texts but their digests, so that it is merged only where it was made on the same texts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import isfinite
from typing import Any, TypeVar

from core.domain.decisions import Choice, DecisionKind
from core.domain.name_checks import name_problem
from core.domain.ratings import MarkedSpan
from core.errors import InputError

T = TypeVar("T")
FORMAT = "pyramidion-annotations"
VERSION = 1
SUFFIX = ".pack"
MOST_BYTES = 256 * 2**20
"""Size limit of a pack; a thousand annotated summaries take about 1 MB."""

PartRow = tuple[str, int, int]
"""Id, start and end of a span in Unicode code points."""

Digests = Mapping[str, str]
"""Digests of texts by author or system."""


@dataclass(frozen=True, slots=True)
class PackedContributor:
    """A contributor of a content unit; the reference is named by its author."""

    id: str
    reference: str
    comment: str
    is_confirmed: bool
    parts: tuple[PartRow, ...]


@dataclass(frozen=True, slots=True)
class PackedUnit:
    """An SCU or nugget."""

    id: str
    label: str
    comment: str
    importance: str
    contributors: tuple[PackedContributor, ...]


@dataclass(frozen=True, slots=True)
class PackedPyramid:
    """An annotator's own content units of one kind: ``scu`` or ``nugget``."""

    kind: str
    is_done: bool
    units: tuple[PackedUnit, ...]


@dataclass(frozen=True, slots=True)
class PackedMatch:
    """A match against the pyramid of `owner`. unit: id, empty = outside the pyramid."""

    id: str
    kind: str
    owner: str
    unit: str
    system: str
    comment: str
    is_confirmed: bool
    is_partial: bool
    parts: tuple[PartRow, ...]


@dataclass(frozen=True, slots=True)
class PackedState:
    """Progress on one summary, matched against the pyramid of `owner`."""

    kind: str
    owner: str
    system: str
    is_done: bool
    is_flagged: bool
    note: str


@dataclass(frozen=True, slots=True)
class PackedRating:
    """A rating on a scale. value: None = only a note or a flag. spans: of a scale that asks for them."""

    scale: str
    system: str
    value: float | None
    note: str = ""
    is_flagged: bool = False
    spans: tuple[MarkedSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class PackedDecision:
    """A decision whose result is the annotator's work; see `core.domain.decisions.Decision`.

    subject: name of the scale, or ids of content units. system: empty = none.
    """

    kind: str
    subject: str
    system: str
    choice: str
    source: str
    basis: str
    decided_by: str
    decided_at: str


@dataclass(frozen=True, slots=True)
class PackedPreference:
    """An answer to a comparison of a plan, given by its id. best, worst: systems, both empty = a tie."""

    plan: str
    item: str
    best: str
    worst: str


@dataclass(frozen=True, slots=True)
class PackedComment:
    """A comment. system, scale: names, unit: id of a content unit; empty = not about one."""

    id: str
    system: str
    unit: str
    scale: str
    text: str
    resolves: bool
    written_at: str


@dataclass(frozen=True, slots=True)
class PackedComparison:
    """A comparison of a plan. annotator: name of who judges it, empty = everybody."""

    id: str
    topic: str
    systems: tuple[str, ...]
    annotator: str


@dataclass(frozen=True, slots=True)
class PackedPlan:
    """A plan of comparisons; see `core.domain.preferences.ComparisonPlan`."""

    id: str
    kind: str
    question: str
    size: int
    per_summary: int
    overlap: float
    seed: int
    items: tuple[PackedComparison, ...]


@dataclass(frozen=True, slots=True)
class PackedScale:
    """A rating scale. anchors: (value, text). kind: number, categories or text."""

    low: float
    high: float
    question: str = ""
    description: str = ""
    anchors: tuple[tuple[float, str], ...] = ()
    kind: str = "number"
    is_required: bool = True


@dataclass(frozen=True, slots=True)
class WorkContent:
    """Everything that one annotator did on one topic."""

    pyramids: tuple[PackedPyramid, ...] = ()
    matches: tuple[PackedMatch, ...] = ()
    states: tuple[PackedState, ...] = ()
    ratings: tuple[PackedRating, ...] = ()
    decisions: tuple[PackedDecision, ...] = ()
    preferences: tuple[PackedPreference, ...] = ()
    comments: tuple[PackedComment, ...] = ()

    def to_text(self) -> str:
        """Return the content as JSON, which `parse_content` reads."""
        return _canonical(_as_json(self))

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

    topic: str
    annotator: str
    content: WorkContent
    history: frozenset[str] = frozenset()
    last_edit: str = ""
    active_seconds: float = 0.0


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
        plans = {name: _plan_as_json(plan) for name, plan in self.plans.items()}
        body = {
            "format": FORMAT,
            "version": VERSION,
            "study": self.study,
            "texts": {
                topic: {"references": dict(self.references[topic]), "summaries": dict(self.summaries[topic])}
                for topic in self.references
            },
            "scales": {
                name: {
                    "low": scale.low,
                    "high": scale.high,
                    "question": scale.question,
                    "description": scale.description,
                    "anchors": [list(anchor) for anchor in scale.anchors],
                    "kind": scale.kind,
                    "required": scale.is_required,
                }
                for name, scale in self.scales.items()
            },
            **({"plans": plans} if plans else {}),
            "annotators": dict(self.groups),
            "work": [
                {
                    "topic": work.topic,
                    "annotator": work.annotator,
                    "history": sorted(work.history),
                    "last_edit": work.last_edit,
                    "active_seconds": work.active_seconds,
                    "content": _as_json(work.content),
                }
                for work in sorted(self.works, key=lambda one: (one.topic, one.annotator))
            ],
        }
        return _canonical({**body, "digest": _digest(body)}) + "\n"


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
        return _pack(_Reader(body, ""))
    except _Malformed as error:
        raise InputError(f"{name} is malformed: {error} {_REMEDY}") from error


def parse_matches(text: str) -> tuple[PackedMatch, ...]:
    """Return the matches of `matches_to_text`. Raises ValueError if they are damaged."""
    try:
        return _Reader(json.loads(text), "").all(_match)
    except (_Malformed, RecursionError) as error:
        raise ValueError(str(error)) from error


def matches_to_text(matches: Sequence[PackedMatch]) -> str:
    """Return matches as JSON."""
    return _canonical(_as_json(WorkContent(matches=tuple(matches)))["matches"])


def parse_content(text: str) -> WorkContent:
    """Return the content of `WorkContent.to_text`. Raises ValueError if it is damaged."""
    try:
        return _content(_Reader(json.loads(text), ""))
    except (_Malformed, RecursionError) as error:
        raise ValueError(str(error)) from error


_REMEDY = "Ask its annotator to export it again: pyramidion export STUDY --what annotations -o FILE.pack"


class _Malformed(Exception):
    """A value of a pack has another type or range; the message names its place."""


@dataclass(frozen=True, slots=True)
class _Reader:
    """A value of a JSON document with its place."""

    value: Any
    place: str

    def fail(self, expected: str) -> _Malformed:
        return _Malformed(f"{self.place or 'the document'} is not {expected}.")

    def at(self, key: str) -> _Reader:
        if not isinstance(self.value, dict):
            raise self.fail("an object")
        return _Reader(self.value.get(key), f"{self.place}.{key}" if self.place else key)

    def has(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def items(self) -> list[tuple[str, _Reader]]:
        if not isinstance(self.value, dict):
            raise self.fail("an object")
        return [(self._name(key), self.at(key)) for key in self.value]

    def all(self, read: Callable[[_Reader], T]) -> tuple[T, ...]:
        if not isinstance(self.value, list):
            raise self.fail("a list")
        return tuple(read(_Reader(one, f"{self.place}[{at}]")) for at, one in enumerate(self.value))

    def text(self) -> str:
        if not isinstance(self.value, str) or "\0" in self.value or not _is_encodable(self.value):
            raise self.fail("text")
        return self.value

    def name(self) -> str:
        return self._name(self.text())

    def _name(self, name: str) -> str:
        if fault := name_problem(name):
            raise _Malformed(f"{self.place}: {fault}")
        return name

    def id(self) -> str:
        text = self.text()
        if len(text) != 32 or set(text) - set("0123456789abcdef"):
            raise self.fail("an id of 32 hexadecimal digits")
        return text

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.fail("true or false")
        return self.value

    def number(self) -> float:
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            raise self.fail("a number")
        try:
            number = float(self.value)
        except OverflowError as error:
            raise self.fail("a number") from error
        if not isfinite(number):
            raise self.fail("a finite number")
        return number

    def whole(self) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.fail("a whole number")
        return self.value

    def kind(self) -> str:
        if self.value not in ("scu", "nugget"):
            raise self.fail('"scu" or "nugget"')
        return str(self.value)

    def part(self) -> PartRow:
        if not isinstance(self.value, list) or len(self.value) != 3:
            raise self.fail("an id with start and end")
        row_id, start, end = self.value
        whole = all(isinstance(number, int) and not isinstance(number, bool) for number in (start, end))
        if not whole or not 0 <= start < end < 2**31:
            raise self.fail("a span")
        return _Reader(row_id, f"{self.place}[0]").id(), start, end


def _pack(read: _Reader) -> AnnotationPack:
    texts = dict(read.at("texts").items())
    return AnnotationPack(
        read.at("study").text(),
        {topic: _digests(of.at("references")) for topic, of in texts.items()},
        {topic: _digests(of.at("summaries")) for topic, of in texts.items()},
        {name: _scale(scale) for name, scale in read.at("scales").items()},
        {name: group.text() for name, group in read.at("annotators").items()},
        read.at("work").all(_work),
        {name: _plan(plan) for name, plan in read.at("plans").items()} if read.has("plans") else {},
    )


def _digests(read: _Reader) -> dict[str, str]:
    return {name: digest.text() for name, digest in read.items()}


def _scale(read: _Reader) -> PackedScale:
    low, high = read.at("low").number(), read.at("high").number()
    if low >= high:
        raise read.fail("a scale whose highest value is above its lowest")
    texts = read.at("question").text(), read.at("description").text()
    kind = read.at("kind").text() if read.has("kind") else "number"
    if kind not in ("number", "categories", "text", "spans"):
        raise read.fail("a scale of numbers, categories, text or spans")
    is_required = read.at("required").flag() if read.has("required") else True
    return PackedScale(low, high, *texts, read.at("anchors").all(_anchor), kind, is_required)


def _anchor(read: _Reader) -> tuple[float, str]:
    if not isinstance(read.value, list) or len(read.value) != 2:
        raise read.fail("a value with its text")
    value, text = (_Reader(part, read.place) for part in read.value)
    return value.number(), text.text()


def _work(read: _Reader) -> TopicWork:
    return TopicWork(
        read.at("topic").name(),
        read.at("annotator").name(),
        _content(read.at("content")),
        frozenset(read.at("history").all(_Reader.id)),
        read.at("last_edit").text(),
        max(0.0, read.at("active_seconds").number()),
    )


def _content(read: _Reader) -> WorkContent:
    decisions = read.at("decisions")  # missing where there are none
    return WorkContent(
        read.at("pyramids").all(_pyramid),
        read.at("matches").all(_match),
        read.at("states").all(_state),
        read.at("ratings").all(_rating),
        decisions.all(_decision) if decisions.value is not None else (),
        read.at("preferences").all(_preference) if read.has("preferences") else (),
        read.at("comments").all(_comment) if read.has("comments") else (),
    )


def _pyramid(read: _Reader) -> PackedPyramid:
    return PackedPyramid(read.at("kind").kind(), read.at("is_done").flag(), read.at("units").all(_unit))


def _unit(read: _Reader) -> PackedUnit:
    importance = read.at("importance").text()
    if importance not in ("", "vital", "okay"):
        raise read.at("importance").fail('"vital", "okay" or empty')
    texts = read.at("label").text(), read.at("comment").text(), importance
    return PackedUnit(read.at("id").id(), *texts, read.at("contributors").all(_contributor))


def _contributor(read: _Reader) -> PackedContributor:
    return PackedContributor(
        read.at("id").id(),
        read.at("reference").name(),
        read.at("comment").text(),
        read.at("is_confirmed").flag(),
        read.at("parts").all(_Reader.part),
    )


def _match(read: _Reader) -> PackedMatch:
    unit = read.at("unit")
    return PackedMatch(
        read.at("id").id(),
        read.at("kind").kind(),
        read.at("owner").name(),
        unit.id() if unit.value != "" else "",
        read.at("system").name(),
        read.at("comment").text(),
        read.at("is_confirmed").flag(),
        read.at("is_partial").flag(),
        read.at("parts").all(_Reader.part),
    )


def _state(read: _Reader) -> PackedState:
    return PackedState(
        read.at("kind").kind(),
        read.at("owner").name(),
        read.at("system").name(),
        read.at("is_done").flag(),
        read.at("is_flagged").flag(),
        read.at("note").text(),
    )


def _rating(read: _Reader) -> PackedRating:
    value = None if read.at("value").value is None else read.at("value").number()
    note = read.at("note").text() if read.has("note") else ""
    is_flagged = read.at("flagged").flag() if read.has("flagged") else False
    spans = read.at("spans").all(_marked_span) if read.has("spans") else ()
    names = read.at("scale").name(), read.at("system").name()
    return PackedRating(*names, value, note, is_flagged, tuple(sorted(set(spans))))


def _marked_span(read: _Reader) -> MarkedSpan:
    numbers = read.value
    if not isinstance(numbers, list) or len(numbers) != 3:
        raise read.fail("a span with a category")
    if any(isinstance(number, bool) or not isinstance(number, int) for number in numbers):
        raise read.fail("a span with a category")
    start, end, category = numbers
    if not 0 <= start < end:
        raise read.fail("a span of characters")
    return start, end, category


def _decision(read: _Reader) -> PackedDecision:
    kind, choice = read.at("kind").text(), read.at("choice").text()
    if kind not in tuple(DecisionKind):
        raise read.at("kind").fail("a kind of decision")
    if choice not in tuple(Choice):
        raise read.at("choice").fail("a choice")
    texts = (read.at(key).text() for key in ("source", "basis", "decided_by", "decided_at"))
    return PackedDecision(kind, read.at("subject").text(), read.at("system").text(), choice, *texts)


def _preference(read: _Reader) -> PackedPreference:
    chosen = read.at("best").text(), read.at("worst").text()
    if bool(chosen[0]) != bool(chosen[1]):
        raise read.fail("an answer to a comparison")
    return PackedPreference(read.at("plan").name(), read.at("item").id(), *chosen)


def _comment(read: _Reader) -> PackedComment:
    system, unit, scale, text = (read.at(key).text() for key in ("system", "unit", "scale", "text"))
    resolves, written_at = read.at("resolves").flag(), read.at("written_at").text()
    return PackedComment(read.at("id").id(), system, unit, scale, text, resolves, written_at)


def _plan(read: _Reader) -> PackedPlan:
    size, per_summary, seed = (read.at(key).whole() for key in ("size", "per_summary", "seed"))
    return PackedPlan(
        read.at("id").id(),
        read.at("kind").text(),
        read.at("question").text(),
        size,
        per_summary,
        read.at("overlap").number(),
        seed,
        read.at("items").all(_comparison),
    )


def _comparison(read: _Reader) -> PackedComparison:
    systems = read.at("systems").all(lambda one: one.name())
    if len(set(systems)) < max(2, len(systems)):
        raise read.fail("a comparison of several systems")
    return PackedComparison(read.at("id").id(), read.at("topic").name(), systems, read.at("annotator").text())


def _plan_as_json(plan: PackedPlan) -> dict[str, Any]:
    return {**asdict(plan), "items": [{**asdict(item), "systems": list(item.systems)} for item in plan.items]}


def _as_json(content: WorkContent) -> dict[str, Any]:
    def parts(rows: Sequence[PartRow]) -> list[list[Any]]:
        return [list(row) for row in rows]

    decisions = [asdict(decision) for decision in content.decisions]
    return {
        **({"decisions": decisions} if decisions else {}),
        **({"comments": [asdict(one) for one in content.comments]} if content.comments else {}),
        **({"preferences": [asdict(one) for one in content.preferences]} if content.preferences else {}),
        "pyramids": [
            {
                "kind": pyramid.kind,
                "is_done": pyramid.is_done,
                "units": [
                    {
                        "id": unit.id,
                        "label": unit.label,
                        "comment": unit.comment,
                        "importance": unit.importance,
                        "contributors": [
                            {
                                "id": one.id,
                                "reference": one.reference,
                                "comment": one.comment,
                                "is_confirmed": one.is_confirmed,
                                "parts": parts(one.parts),
                            }
                            for one in unit.contributors
                        ],
                    }
                    for unit in pyramid.units
                ],
            }
            for pyramid in content.pyramids
        ],
        "matches": [
            {
                "id": match.id,
                "kind": match.kind,
                "owner": match.owner,
                "unit": match.unit,
                "system": match.system,
                "comment": match.comment,
                "is_confirmed": match.is_confirmed,
                "is_partial": match.is_partial,
                "parts": parts(match.parts),
            }
            for match in content.matches
        ],
        "states": [
            {
                "kind": state.kind,
                "owner": state.owner,
                "system": state.system,
                "is_done": state.is_done,
                "is_flagged": state.is_flagged,
                "note": state.note,
            }
            for state in content.states
        ],
        "ratings": [
            {
                "scale": rating.scale,
                "system": rating.system,
                "value": rating.value,
                **({"note": rating.note} if rating.note else {}),
                **({"flagged": True} if rating.is_flagged else {}),
                **({"spans": [list(span) for span in rating.spans]} if rating.spans else {}),
            }
            for rating in content.ratings
        ],
    }


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _digest(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(_canonical(body).encode("utf-8", "surrogatepass")).hexdigest()


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found
