"""The document of a mapping: how a file is recognized, what its rows are, and what each value becomes.

It is written as TOML. Its values (`storage.formats.mappings.values`) are checked when it is read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, partial
from math import inf
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from core.errors import InputError
from core.files.paths import list_files
from core.json_schema import Checked, Converted, from_plain
from storage.formats.mappings.values import KINDS, SEEN, Value, compiled, expression

_MOST_LEVELS, _MOST_BYTES = 8, 2**20


class _Strict:
    """A part of a mapping; another key than its fields is a problem."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}


def _values(written: Any) -> dict[str, Value]:
    if not isinstance(written, Mapping):
        raise ValueError('write a table of values, such as {coherence = "path"}')
    return {str(name): compiled(value) for name, value in written.items()}


def _limits(ends: tuple[float, float]) -> tuple[float, float]:
    """Return the limits of a scale. Raises ValueError if they are none."""
    if not -inf < ends[0] < ends[1] < inf:
        raise ValueError("write the lower limit of a scale, and the higher one")
    return ends


def _tables(key: str, written: Any) -> list[Any]:
    """Return one or several tables; what is only a value is one with the value of a key."""
    is_several = isinstance(written, list) and all(isinstance(one, Mapping) for one in written)
    tables = written if is_several else [written]
    return [
        one if isinstance(one, Mapping) and not set(one) <= {*KINDS, "do"} else {key: one} for one in tables
    ]


AValue = Annotated[Any, Converted(compiled)]
"""A `Value` as it is written; in a mapping that was read it is compiled."""
Values = Annotated[dict[str, Any], Converted(_values)]


def _is_inside(written: str) -> str:
    """Return a pattern of files. Raises ValueError if it may leave the folder."""
    if written.startswith("/") or ".." in written.split("/") or re.search(r"[\\\\:\0]", written):
        raise ValueError(f"{written[:60]!r} is no name in the folder. Write one such as texts/*.txt.")
    return written


def file_pattern(written: str) -> FilePattern:
    """Return a pattern of files. Raises ValueError if it may leave the folder."""
    return FilePattern(_is_inside(written))


@cache
def _expression_of(pattern: str) -> str:
    parts = re.split(r"\{(\*?[A-Za-z]\w*)\}|\[([^\]]*)\]", pattern)
    found = re.escape(parts[0])
    for before, name, optional, after in zip(parts[::3], parts[1::3], parts[2::3], parts[3::3], strict=False):
        sign = "" if before[-1:].isalnum() else re.escape(before[-1:])
        if name is None:
            found += f"(?:{re.escape(optional)}|(?<!{re.escape(optional)}))"
        else:
            found += f"(?P<{name[1:]}>.+)" if name.startswith("*") else f"(?P<{name}>[^/{sign}]+)"
        found += re.escape(after)
    return f"^{found}$"


AFilePattern = Annotated[Any, Converted(file_pattern)]
Patterns = Annotated[
    dict[str, Any], Converted(lambda written: {key: file_pattern(one) for key, one in written.items()})
]
_Expression = Annotated[str, Converted(lambda written: (written and expression(written), written)[1])]


@dataclass(frozen=True, slots=True)
class FilePattern:
    """Names of files in a folder, with the parts that are values.

    ``{system}`` = a part without the character before it; ``{*name}`` = folders and a name; ``[.txt]`` = may
    be missing: ``summaries/{topic}.{system}[.txt]``.
    """

    written: str

    def names(self, file: str) -> dict[str, str] | None:
        """Return the values in the name of a file, None = it does not fit."""
        found = expression(_expression_of(self.written))(file)
        return None if found is None else found.groupdict()

    def first(self, folder: Path) -> Path | None:
        """Return the first file of a folder that fits."""
        return next((file for file in list_files(folder) if self.fits(file, folder)), None)

    def fits(self, file: Path, folder: Path) -> bool:
        return self.names(file.relative_to(folder).as_posix()) is not None


@dataclass(frozen=True, slots=True)
class TextRule(_Strict):
    """A text that an item has.

    text: a text, a list of sentences, or an object with ``text``.
    name: of the document, the author or the system; else that of the level.
    sentences: the sentences of the text, where the file has them apart; places: their starts and ends.
    lists: whether the texts of a list are sentences of one text, or several texts (``ref-00``, …).
    kind: ``human`` or ``automatic``, of the system of a summary.
    is_joined: the texts of several items are the sentences of one.
    keeps_first: an earlier text of the same name stays.
    may_be_empty: a missing text is an empty one. is_required: a missing text is a problem.
    """

    text: AValue
    name: AValue = None
    sentences: AValue = None
    places: AValue = None
    lists: Literal["sentences", "several"] = "sentences"
    kind: AValue = None
    is_joined: bool = False
    keeps_first: bool = False
    may_be_empty: bool = False
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class RatingRule(_Strict):
    """A rating that an item has.

    mean: ratings of the same summary, dimension and annotator are averaged, such as those of its sentences.
    of: how many there are of a complete summary, None = any.
    """

    dimension: AValue
    value: AValue
    annotator: AValue = None
    group: AValue = None
    note: AValue = None
    is_required: bool = False
    mean: bool = False
    of: AValue = None


@dataclass(frozen=True, slots=True)
class ScoreRule(_Strict):
    """A score that an item has."""

    measure: AValue
    value: AValue


@dataclass(frozen=True, slots=True)
class MetricsRule(_Strict):
    """Nested metrics: numbers are scores, lists of numbers are ratings.

    people: by dotted name of the metric, an object with the ``group`` and the ``names`` of its annotators.
    """

    metrics: AValue
    people: AValue = None


@dataclass(frozen=True, slots=True)
class MarkRule(_Strict):
    """A marked part of a summary, a rating on a scale of spans.

    category: number of the category, or a list of them; 0 = the annotator looked, and marked nothing.
    sentence: number of the sentence that is marked, from 0; else start and end of the span.
    first: number of the first character. is_inclusive: the end is the last character that is marked.
    counts: what is counted, as of `storage.formats.offsets`.
    words: the marked words, which decide if the numbers are of others, or missing.
    """

    dimension: AValue
    category: AValue
    annotator: AValue = None
    group: AValue = None
    sentence: AValue = None
    start: AValue = None
    end: AValue = None
    words: AValue = None
    first: int = 0
    is_inclusive: bool = False
    counts: Literal["code-points", "utf-16", "graphemes"] = "code-points"


@dataclass(frozen=True, slots=True)
class UnitsRule(_Strict):
    """Content units of the reference of the level's author, without their places.

    key: ``number`` = the place in the list; ``label`` = equal labels of several references are one unit.
    """

    labels: AValue
    key: Literal["number", "label"] = "label"


@dataclass(frozen=True, slots=True)
class MatchesRule(_Strict):
    """Which units of the row's list a summary has: zeros and ones in their order.

    share: what the file says about the share of units, to be compared.
    """

    labels: AValue
    share: AValue = None


@dataclass(frozen=True, slots=True)
class PreferenceRule(_Strict):
    """An answer to a comparison of summaries.

    systems: the compared ones, in their order.
    best, worst: names of systems; or winner: a system, its number from 0, ``a`` or ``b``, or a tie.
    """

    systems: AValue
    best: AValue = None
    worst: AValue = None
    winner: AValue = None
    plan: AValue = None
    kind: AValue = None


@dataclass(frozen=True, slots=True)
class CitanceRule(_Strict):
    """A passage of the level's citing paper, and what its annotator found cited in a document of the topic.

    Items of the same number have annotations of one citance.
    spans, marker_span: start and end in the citing paper.
    cited: objects with the ``text`` and the ``span`` in the document.
    """

    number: AValue
    document: AValue = None
    marker: AValue = None
    marker_span: AValue = None
    text: AValue = None
    spans: AValue = None
    cited: AValue = None
    facets: AValue = None


@dataclass(frozen=True, slots=True)
class Scale(_Strict):
    """A rating scale. anchors: text by number."""

    low: float = 1
    high: float = 5
    kind: Literal["number", "categories", "spans"] = "number"
    question: str = ""
    description: str = ""
    anchors: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _limits((self.low, self.high))


@dataclass(frozen=True, slots=True)
class ScaleRule(_Strict):
    """A rating scale that an item describes. labels: names of its categories, in their order."""

    dimension: AValue
    low: AValue = None
    high: AValue = None
    labels: AValue = None
    question: AValue = None


@dataclass(frozen=True, slots=True)
class Level(_Strict):
    """Items of a file, what they have, and the items in them.

    each: path to a list, or to an object whose values are the items and whose keys are ``$key``; empty = the
    item of the level above.
    columns: regular expression of keys of the item. With a group ``item``, keys with the same ``item`` make
    one item, whose keys are what the groups ``field`` matched; else each key is an item. Groups are
    variables.
    as_many_as: path to a list that must have as many elements.
    requires: values that must be there. unique: a value that may occur once.
    when, unless: the items that are read. rejected: as ``unless``, and the items are counted in a notice.
    wrong: what is wrong with an item, and the remedy.
    template: key of the template whose rating scales the items use. scales: other scales. scale: scales that
    the file describes.
    scales_of: limits of ratings on scales that are not described.
    let: further variables.
    note: a notice and its remedy; with ``{$times}`` in it, once for all items.
    has_all_ratings: a missing rating of `ratings` is a problem.
    needs_summary: the summary of the topic and system must be there.
    topic to group: names for the contents of this level and those below.
    """

    each: AValue = None
    columns: _Expression = ""
    is_required: bool = False
    as_many_as: str = ""
    requires: tuple[AValue, ...] = ()
    unique: AValue = None
    when: AValue = None
    unless: AValue = None
    rejected: AValue = None
    wrong: tuple[AValue, ...] = ()
    template: str = ""
    scale: Annotated[tuple[ScaleRule, ...], Converted(partial(_tables, "dimension"))] = ()
    scales_of: Mapping[str, Annotated[tuple[float, float], Checked(_limits)]] = field(default_factory=dict)
    scales: Mapping[str, Scale] = field(default_factory=dict)
    let: Values = field(default_factory=dict)
    note: tuple[AValue, ...] = ()
    topic: AValue = None
    title: AValue = None
    query: AValue = None
    set: AValue = None
    system: AValue = None
    author: AValue = None
    paper: AValue = None
    annotator: AValue = None
    matched_by: AValue = None
    group: AValue = None
    document: Annotated[tuple[TextRule, ...], Converted(partial(_tables, "text"))] = ()
    reference: Annotated[tuple[TextRule, ...], Converted(partial(_tables, "text"))] = ()
    summary: Annotated[tuple[TextRule, ...], Converted(partial(_tables, "text"))] = ()
    citing_paper: Annotated[tuple[TextRule, ...], Converted(partial(_tables, "text"))] = ()
    document_files: tuple[AValue, ...] = ()
    ratings: Values = field(default_factory=dict)
    has_all_ratings: bool = False
    needs_summary: bool = False
    rating: Annotated[tuple[RatingRule, ...], Converted(partial(_tables, "value"))] = ()
    scores: Values = field(default_factory=dict)
    score: Annotated[tuple[ScoreRule, ...], Converted(partial(_tables, "value"))] = ()
    metrics: Annotated[tuple[MetricsRule, ...], Converted(partial(_tables, "metrics"))] = ()
    mark: Annotated[tuple[MarkRule, ...], Converted(partial(_tables, "category"))] = ()
    units: Annotated[tuple[UnitsRule, ...], Converted(partial(_tables, "labels"))] = ()
    matches: Annotated[tuple[MatchesRule, ...], Converted(partial(_tables, "labels"))] = ()
    preference: Annotated[tuple[PreferenceRule, ...], Converted(partial(_tables, "systems"))] = ()
    citance: Annotated[tuple[CitanceRule, ...], Converted(partial(_tables, "number"))] = ()
    levels: tuple[Level, ...] = ()

    def values(self) -> Iterator[Value]:
        """Yield the values of the level, without those of other levels and the one that finds its items."""
        rules = (getattr(self, name) for name in _RULES)
        written = [self, *(rule for group in rules for rule in group)]
        for one in written:
            for each in fields(one):
                found = getattr(one, each.name)
                if isinstance(found, Value) and each.name not in ("each", "columns"):
                    yield found
                elif isinstance(found, dict) and not each.name.startswith("scales"):
                    yield from found.values()


_RULES = (
    "document", "reference", "summary", "citing_paper", "scale", "rating", "score", "metrics", "mark",
    "units", "matches", "preference", "citance",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recognition(_Strict):
    """How a file of the mapping is recognized.

    keys: of its first row.
    any_of: sets of keys, of which one must be there; without: keys, or names in a folder, of others.
    suffixes: of the files; empty = folders. names: patterns of names of files, or of files in the folder.
    folds_headings: white space, case, ``_`` and ``-`` in the headings of a table do not matter.
    """

    keys: tuple[str, ...] = ()
    any_of: tuple[tuple[str, ...], ...] = ()
    without: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    names: tuple[Annotated[str, Converted(_is_inside)], ...] = ()
    folds_headings: bool = False


@dataclass(frozen=True, slots=True)
class Lines(_Strict):
    """A folder of files whose lines belong together: each line is a part of a row.

    columns: pattern of the file by key. groups: for files of which there are several, such as
    ``summaries/{systems}.summary``: key in an object of the row's ``systems``, the name in braces.
    first: the key whose number of lines counts.
    """

    first: str
    columns: Patterns = field(default_factory=dict)
    groups: Patterns = field(default_factory=dict)
    optional: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextFiles(_Strict):
    """Files of a folder with one text each: a row of the text and of the values in the file's name.

    text: key of the text. wrong, remedy: what to report instead about such a file.
    """

    files: AFilePattern
    text: str = ""
    wrong: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class SizeNotice(_Strict):
    """A notice on data of certain numbers of systems and topics: what is known of a published file."""

    systems: int
    topics: int
    what: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class ImportMapping(_Strict):
    """A mapping.

    name: of its file.
    annotator: of annotations that name none, where the user may name them.
    none: numbers that stand for a missing rating or score.
    scale: limits of ratings on other scales, None = the usual one that they fit.
    is_table: fields of objects are columns, ``object.field``, and numbers can be texts.
    files: patterns of the files of a folder, in the order in which they are read; empty = one file.
    lines: where the rows are lines of several files.
    texts: where each file of a folder is a row; of several that fit, the first one counts.
    ignored: patterns of keys and files that hold nothing to import.
    cite: where the data were published.
    """

    title: str
    about: str
    rows: Level
    recognize: Recognition = Recognition()
    name: str = ""
    annotator: str = ""
    scale: Annotated[tuple[float, float], Checked(_limits)] | None = None
    none: tuple[str, ...] = ()
    notices: tuple[SizeNotice, ...] = ()
    is_table: bool = False
    files: tuple[AFilePattern, ...] = ()
    lines: Lines | None = None
    texts: tuple[TextFiles, ...] = ()
    ignored: tuple[str, ...] = ()
    cite: str = ""


def read_mapping(text: str, name: str) -> ImportMapping:
    """Return the mapping of a TOML document. Raises InputError with the place of what is wrong.

    name: of the mapping, for messages and in the study.
    """
    if len(text) > _MOST_BYTES:
        raise InputError(f"The mapping {name} is larger than {_MOST_BYTES >> 20} MB. Choose another file.")
    SEEN.set({})
    try:
        written = tomllib.loads(text)
        mapping: ImportMapping = from_plain(ImportMapping, {**written, "name": name})
        if _depth(mapping.rows) > _MOST_LEVELS:
            raise ValueError(f"rows: more than {_MOST_LEVELS} levels in each other")
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"The mapping {name} cannot be read: {str(error).rstrip('.')}. Correct it."
        ) from error
    return mapping


def document_of(written: Mapping[str, Any]) -> str:
    """Return a mapping as TOML."""
    import tomli_w

    return tomli_w.dumps(written, multiline_strings=False)


def _depth(level: Level) -> int:
    return 1 + max(map(_depth, level.levels), default=0)
