"""Pyramids and matches on their way in: by names, for nothing of them has an id in the study yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.domain.ratings import Anchor
from core.domain.study import Span, SystemKind
from core.errors import Problem

FormatExtras = Mapping[str, Any]
"""What a file says beside, for its writer alone; every value can stand in JSON."""


@dataclass(frozen=True, slots=True)
class NewPart:
    """A span of the text that its owner names."""

    start: int
    end: int
    kept: FormatExtras = field(default_factory=dict)

    @property
    def span(self) -> Span:
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class NewContributor:
    """An SCU's expression in the reference by an author."""

    author: str
    parts: tuple[NewPart, ...]
    comment: str = ""
    kept: FormatExtras = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewScu:
    """An SCU. key: what matches call it, unique in its pyramid."""

    key: str
    label: str
    contributors: tuple[NewContributor, ...] = ()
    comment: str = ""
    kept: FormatExtras = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewPyramid:
    """One annotator's pyramid of a topic, whose references the import brings too."""

    topic: str
    annotator: str
    scus: tuple[NewScu, ...] = ()
    kept: FormatExtras = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A content unit of a summary. scu: the SCU's key, None = outside the pyramid."""

    scu: str | None
    parts: tuple[NewPart, ...] = ()
    comment: str = ""
    kept: FormatExtras = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewMatches:
    """All that one annotator found in a summary, by an owner's pyramid; the summary is done with it."""

    topic: str
    system: str
    owner: str
    annotator: str
    matches: tuple[NewMatch, ...] = ()
    kept: FormatExtras = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """What one of an import's files is taken for. authors: of its references; units: SCUs, or matches."""

    file: str
    holds: str
    topic: str
    annotator: str
    authors: Sequence[str] = ()
    system: str = ""
    units: int = 0


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
class ImportContent:
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
    files: Sequence[ImportedFile] = ()
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
