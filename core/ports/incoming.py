"""What an import brings, by names rather than ids, and what it would add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.incoming import FileHead, NewMatches, NewPyramid
from core.domain.ratings import Anchor
from core.domain.study import SystemKind
from core.errors import Problem


@dataclass(frozen=True, slots=True)
class NewText:
    """A text on its way in. external_id: what the data set calls it."""

    content: str
    sentence_spans: tuple[tuple[int, int], ...] | None = None
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class NewTopic:
    """A topic on its way in; keys are the document's name, the reference's author, the summary's system."""

    name: str
    title: str = ""
    query: str = ""
    set: str = ""
    documents: Mapping[str, NewText] = field(default_factory=dict)
    references: Mapping[str, NewText] = field(default_factory=dict)
    summaries: Mapping[str, NewText] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewRating:
    """A rating on its way in, by names."""

    topic: str
    system: str
    dimension: str
    annotator: str
    value: float


@dataclass(frozen=True, slots=True)
class ScaleTexts:
    """What raters are told of a scale on its way in; anchors: value and text."""

    question: str = ""
    description: str = ""
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True)
class NewScore:
    """One number computed elsewhere, on its way in."""

    topic: str
    system: str
    measure: str
    value: float


@dataclass(frozen=True, slots=True)
class Incoming:
    """Everything that one import brings.

    annotators: name to group. dimensions: name to (low, high). systems: name to kind. source: where from.
    files: what each of several files is taken for. notices: what was odd in them and how it was taken.
    scale_texts: by the dimension's name. skipped: the first problem of each row that was left out.
    skips_bad_rows: ratings and scores that do not fit the study are left out too. updates_topics: titles,
    queries and sets of topics replace those of the study.
    """

    source: str
    topics: Sequence[NewTopic] = ()
    systems: Mapping[str, SystemKind] = field(default_factory=dict)
    annotators: Mapping[str, str] = field(default_factory=dict)
    dimensions: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    ratings: Sequence[NewRating] = ()
    scores: Sequence[NewScore] = ()
    pyramids: Sequence[NewPyramid] = ()
    matches: Sequence[NewMatches] = ()
    files: Sequence[FileHead] = ()
    notices: Sequence[Problem] = ()
    scale_texts: Mapping[str, ScaleTexts] = field(default_factory=dict)
    skipped: Sequence[Problem] = ()
    skips_bad_rows: bool = False
    updates_topics: bool = False


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """What an import adds, what the study has already (equal), and what differs there (left as it is).

    notices: what is odd in what it brings, and how it was taken. skipped: one problem for each row left out.
    """

    added: Mapping[str, int]
    equal: Mapping[str, int]
    different: Sequence[str] = ()
    notices: Sequence[Problem] = ()
    skipped: Sequence[Problem] = ()
