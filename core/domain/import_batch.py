"""Content of an import, by names: nothing in it has an id in the study yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.domain.citations import CitedSpan, facet_names
from core.domain.decisions import IMPORTED_MACHINE_GROUP, MACHINE_GROUP
from core.domain.preferences import ComparisonKind
from core.domain.pyramid import UnitKind
from core.domain.ratings import Anchor, MarkedSpan, ScaleKind
from core.domain.study import Span, SystemKind
from core.errors import MAX_LINES, Problem, grouped, grouped_differences

FormatExtras = Mapping[str, Any]
"""Additional content of a file, stored for its export only; every value can be written as JSON."""


@dataclass(frozen=True, slots=True)
class NewPart:
    """A span of its owner's text."""

    start: int
    end: int
    extras: FormatExtras = field(default_factory=dict)

    @property
    def span(self) -> Span:
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class NewContributor:
    """An SCU's expression in the reference by an author. is_confirmed: False = found automatically."""

    author: str
    parts: tuple[NewPart, ...]
    comment: str = ""
    extras: FormatExtras = field(default_factory=dict)
    is_confirmed: bool = True


@dataclass(frozen=True, slots=True)
class NewScu:
    """An SCU or nugget. key: its name in matches, unique in the pyramid. importance: of a nugget."""

    key: str
    label: str
    contributors: tuple[NewContributor, ...] = ()
    comment: str = ""
    extras: FormatExtras = field(default_factory=dict)
    importance: str = ""


@dataclass(frozen=True, slots=True)
class NewPyramid:
    """One annotator's pyramid of a topic; the import contains the topic's references too."""

    topic: str
    annotator: str
    scus: tuple[NewScu, ...] = ()
    extras: FormatExtras = field(default_factory=dict)
    kind: UnitKind = UnitKind.SCU
    is_done: bool = True


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A content unit of a summary. scu: the SCU's key, None = outside the pyramid.

    is_confirmed, is_partial: of hits of nuggets.
    """

    scu: str | None
    parts: tuple[NewPart, ...] = ()
    comment: str = ""
    extras: FormatExtras = field(default_factory=dict)
    is_confirmed: bool = True
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class NewMatches:
    """All matches of one annotator in a summary, against an owner's pyramid.

    is_done: whether the summary is marked done.
    """

    topic: str
    system: str
    owner: str
    annotator: str
    matches: tuple[NewMatch, ...] = ()
    extras: FormatExtras = field(default_factory=dict)
    kind: UnitKind = UnitKind.SCU
    is_done: bool = True


@dataclass(frozen=True, slots=True)
class NewPreference:
    """An answer to a comparison of a plan, by names.

    systems: as displayed. best, worst: both empty = a tie.
    """

    plan: str
    kind: ComparisonKind
    topic: str
    systems: tuple[str, ...]
    annotator: str
    best: str = ""
    worst: str = ""


@dataclass(frozen=True, slots=True)
class NewCitanceAnnotation:
    """An annotator's reading of a citance, by name; fields as in `core.domain.citations`."""

    annotator: str
    text: str
    spans: tuple[Span, ...] = ()
    cited: tuple[CitedSpan, ...] = ()
    facets: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "facets", facet_names(self.facets))


@dataclass(frozen=True, slots=True)
class NewCitance:
    """A citance to import, by names. paper: the citing paper. document: the cited one, empty = unknown."""

    topic: str
    paper: str
    number: str
    document: str = ""
    marker: str = ""
    marker_span: Span | None = None
    annotations: tuple[NewCitanceAnnotation, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """Interpretation of one file of an import.

    holds: kind of content.
    authors: of its references.
    units: number of SCUs, or of matches.
    """

    file: str
    holds: str
    topic: str
    annotator: str
    authors: Sequence[str] = ()
    system: str = ""
    units: int = 0


@dataclass(frozen=True, slots=True)
class NewText:
    """A text to import. external_id: its id in the data set."""

    content: str
    sentence_spans: tuple[tuple[int, int], ...] | None = None
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class NewTopic:
    """A topic to import; keys are names of documents and citing papers, authors and systems."""

    name: str
    title: str = ""
    query: str = ""
    set: str = ""
    documents: Mapping[str, NewText] = field(default_factory=dict)
    references: Mapping[str, NewText] = field(default_factory=dict)
    summaries: Mapping[str, NewText] = field(default_factory=dict)
    citing_papers: Mapping[str, NewText] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewRating:
    """A rating to import, by names. value: None = only a note or a flag.

    kind, category: of the scale that it was made on, and the meaning of the value there; empty = unknown.
    """

    topic: str
    system: str
    dimension: str
    annotator: str
    value: float | None
    note: str = ""
    is_flagged: bool = False
    spans: tuple[MarkedSpan, ...] = ()
    kind: str = ""
    category: str = ""


@dataclass(frozen=True, slots=True)
class ScaleTexts:
    """Instructions for raters of a scale to import. anchors: value and text."""

    question: str = ""
    description: str = ""
    anchors: tuple[Anchor, ...] = ()
    kind: ScaleKind = ScaleKind.NUMBER
    is_required: bool = True


@dataclass(frozen=True, slots=True)
class NewScore:
    """A score computed elsewhere, to import."""

    topic: str
    system: str
    measure: str
    value: float


@dataclass(frozen=True, slots=True)
class ImportContent:
    """Everything that one import contains.

    source: where it comes from.
    systems: name to kind.
    annotators: name to group; no import makes anybody a machine, `machine` is renamed.
    dimensions: name to (low, high).
    files: interpretation of each of several files.
    notices: irregularities in them and how they were resolved.
    scale_texts: by the dimension's name.
    skipped: the first problem of each row that was left out.
    skips_bad_rows: ratings and scores that do not fit the study are left out too.
    is_update: titles, queries and sets of topics, and ratings, replace those of the study.
    settings: of the study, by key, such as where the data are from.
    assumed_annotator: of annotations that name none; empty = all are named, or the user has named it.
    mapping: the document of the import mapping that was guessed, empty = none was.
    rows: number of rows of a table, 0 = unknown.
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
    is_update: bool = False
    preferences: tuple[NewPreference, ...] = ()
    citances: tuple[NewCitance, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    assumed_annotator: str = ""
    mapping: str = ""
    rows: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        renamed = {MACHINE_GROUP: IMPORTED_MACHINE_GROUP}
        annotators = {name: renamed.get(group.strip(), group) for name, group in self.annotators.items()}
        object.__setattr__(self, "annotators", annotators)


NOT_USED = "Not used: ", "Files that were not used: "
"""How notices on columns, keys and files begin that an import leaves out."""


@dataclass(frozen=True, slots=True)
class KindCounts:
    """What an import does with the items of one kind: they are added, in the study already, or left out."""

    kind: str
    added: int
    unchanged: int
    left_out: int

    @property
    def read(self) -> int:
        return self.added + self.unchanged + self.left_out


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """Counts of what an import adds, what is equal in the study, and what differs (left unchanged).

    notices: irregularities in the import and how they were resolved.
    skipped: one problem for each row left out.
    differing: number of items that differ from the study's, by kind.
    """

    added: Mapping[str, int]
    equal: Mapping[str, int]
    different: Sequence[str] = ()
    notices: Sequence[Problem] = ()
    skipped: Sequence[Problem] = ()
    differing: Mapping[str, int] = field(default_factory=dict)

    @property
    def kinds(self) -> list[KindCounts]:
        """The counts of each kind of which there is something."""
        every = {**self.added, **self.equal, **self.differing}
        rows = (
            KindCounts(kind, self.added.get(kind, 0), self.equal.get(kind, 0), self.differing.get(kind, 0))
            for kind in every
        )
        return [row for row in rows if row.read]

    @property
    def remarks(self) -> list[str]:
        """Few lines on irregularities, and how they were resolved."""
        others = [one for one in self.notices if not one.what.startswith(NOT_USED)]
        return [str(one) for one in grouped(others, MAX_LINES // 3)]

    @property
    def left_out(self) -> list[str]:
        """Few lines on each column, key, row and item that was left out, with the reason."""
        unused = [one for one in self.notices if one.what.startswith(NOT_USED)]
        problems = (*grouped(unused, MAX_LINES // 3), *grouped(self.skipped, MAX_LINES // 3))
        return [*map(str, problems), *grouped_differences(self.different, MAX_LINES // 3)]
