"""Pyramid and nugget scores as judgements: kind, references, references as systems."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.domain.pyramid import TopicAnnotation, UnitKind, completed_summaries
from core.domain.pyramid.nugget_edits import only_confirmed, with_automatic
from core.domain.pyramid.nugget_scores import NUGGET_KINDS, count_nuggets
from core.domain.pyramid.subset_scores import KINDS, ScuCounts, count_scus, leave_one_out
from core.domain.reference_authors import check_authors, format_authors, parse_authors, reference_system_name
from core.domain.study import TopicTexts
from core.errors import InputError
from core.matrix import Array, combine_folds
from core.ports import JACKKNIFE_KEY, Study, annotations_of

TITLES: Mapping[str, str] = {
    "modified": "Pyramid (modified)",
    "original": "Pyramid (original)",
    "comprehensive": "Pyramid (comprehensive)",
    "presence": "SCU presence",
}
NUGGET_TITLES: Mapping[str, str] = {
    "units": "Nugget score (all units)",
    "found": "Nugget score (nuggets found)",
    "strict_vital": "Vital nuggets (strict)",
    "strict_all": "Nugget recall (strict)",
    "vital": "Vital nuggets",
    "all": "Nugget recall",
}
PREFIXES: Mapping[UnitKind, str] = {UnitKind.SCU: "pyramid.", UnitKind.NUGGET: "nugget."}
"""Beginnings of the judgements' names."""

_KINDS: Mapping[UnitKind, Sequence[str]] = {UnitKind.SCU: KINDS, UnitKind.NUGGET: NUGGET_KINDS}
_OCCURRENCES, _AUTOMATIC = "tier:occurrences", "hits:all"


@dataclass(frozen=True, slots=True)
class PyramidScoreScope:
    """References to include, and whether references are scored as systems.

    references: authors, empty = all.
    humans: references are scored as systems by the others.
    unit: content units of the annotation.
    by_occurrences: a nugget's tier is the number of its occurrences, instead of distinct references.
    with_automatic: nuggets' occurrences and hits that nobody confirmed count too.
    """

    references: tuple[str, ...] = ()
    humans: bool = False
    unit: UnitKind = UnitKind.SCU
    by_occurrences: bool = False
    with_automatic: bool = False

    def parts(self) -> str:
        """Return the text in a judgement's name, empty = all references, without references as systems."""
        chosen = f"references:{format_authors(self.references, ',[]')}" if self.references else ""
        options = (
            (self.by_occurrences, _OCCURRENCES),
            (self.with_automatic, _AUTOMATIC),
            (self.humans, JACKKNIFE_KEY),
            (bool(chosen), chosen),
        )
        return ",".join(part for is_set, part in options if is_set)


@dataclass(frozen=True, slots=True)
class PyramidJudgement:
    """One pyramid or nugget score by one scope.

    Its text is the name, such as ``pyramid.modified[references:A+B]`` or ``nugget.units[tier:occurrences]``.
    """

    kind: str
    scope: PyramidScoreScope = field(default_factory=PyramidScoreScope)

    def __str__(self) -> str:
        parts, name = self.scope.parts(), f"{PREFIXES[self.scope.unit]}{self.kind}"
        return f"{name}[{parts}]" if parts else name

    @property
    def unit(self) -> UnitKind:
        """Content units of the annotation."""
        return self.scope.unit

    @property
    def index(self) -> int:
        """Position of its kind among the scores of an annotation."""
        return _KINDS[self.unit].index(self.kind)

    @classmethod
    def read(cls, name: str) -> PyramidJudgement | None:
        """Parse the name of a pyramid or nugget score, None if it is another judgement.

        Raises InputError if the brackets contain anything invalid.
        """
        head, bracket, rest = name.partition("[")
        unit = next((unit for unit, prefix in PREFIXES.items() if head.startswith(prefix)), None)
        if unit is None or (kind := head.removeprefix(PREFIXES[unit])) not in _KINDS[unit]:
            return None
        if not bracket:
            return cls(kind, PyramidScoreScope(unit=unit))
        if not rest.endswith("]"):
            raise InputError(f"{name!r} has no closing bracket. Write {_EXAMPLE}.")
        return cls(kind, _read_scope(name, rest[:-1], unit))

    @property
    def title(self) -> str:
        """Return the title for tables."""
        labels = [f"references {', '.join(self.scope.references)}"] if self.scope.references else []
        labels += ["references as systems"] if self.scope.humans else []
        labels += ["tier = occurrences"] if self.scope.by_occurrences else []
        labels += ["with automatic hits"] if self.scope.with_automatic else []
        return ", ".join((self._title, *labels))

    @property
    def _title(self) -> str:
        return (TITLES if self.unit is UnitKind.SCU else NUGGET_TITLES)[self.kind]

    def policy(self, annotators: str) -> str:
        """Return a sentence on what is included. annotators: names as text."""
        sentence = f"{self._title}: summaries whose matching is marked done, matched by {annotators}; "
        if self.unit is UnitKind.SCU:
            sentence += "an SCU's weight is the number of references that express it"
        else:
            tier = (
                "its occurrences in references" if self.scope.by_occurrences else "references containing it"
            )
            sentence += f"a nugget's tier is the number of {tier}; {_NUGGET_POLICIES[self.kind]}; hits that "
            sentence += f"nobody confirmed are {'included' if self.scope.with_automatic else 'left out'}"
        if self.scope.references:
            sentence += f", counting only references by {', '.join(self.scope.references)}"
        if self.scope.humans:
            sentence += (
                "; each reference is scored as a system by the others, and a summary's score is the mean "
                "over leave-one-out subsets of the references"
            )
        return f"{sentence}."


_EXAMPLE = "pyramid.modified[references:A+B]"
_NUGGET_POLICIES = {
    "units": "X is the number of units: nuggets found, repetitions, and units outside the nuggets",
    "found": "X is the number of distinct nuggets found",
    "strict_vital": "share of the vital nuggets that the summary supports in full",
    "strict_all": "share of all nuggets that the summary supports in full",
    "vital": "share of the vital nuggets that the summary supports, in part = 0.5",
    "all": "share of all nuggets that the summary supports, in part = 0.5",
}


@dataclass(frozen=True, slots=True)
class PyramidScoreCells:
    """Scores of one scope.

    scores: (row, topic name) to each annotator's scores in the order of the kinds.
    annotators: names.
    """

    scores: dict[tuple[str, str], list[Array]] = field(default_factory=lambda: defaultdict(list))
    annotators: set[str] = field(default_factory=set)


def all_pyramid_judgements() -> list[PyramidJudgement]:
    """Return every pyramid and nugget score by all references."""
    return [
        PyramidJudgement(kind, PyramidScoreScope(unit=unit)) for unit in UnitKind for kind in _KINDS[unit]
    ]


def choose_references(names: Sequence[str], authors: Sequence[str]) -> list[str]:
    """Return the names with pyramid scores restricted to these authors' references, others unchanged.

    Raises InputError if there is no pyramid score, or if one is already restricted to references.
    """
    chosen, count = [], 0
    for name in names:
        judgement = PyramidJudgement.read(name)
        if judgement is not None:
            count += 1
            if judgement.scope.references:
                raise InputError(f"{name} already names its references. Give references in one place only.")
            scope = replace(judgement.scope, references=tuple(sorted(set(authors))))
            judgement = replace(judgement, scope=scope)
        chosen.append(name if judgement is None else str(judgement))
    if not count:
        raise InputError(
            "References can be selected for pyramid scores only, but there is none among the judgements."
        )
    return chosen


def with_humans(names: Sequence[str], humans: bool = True) -> list[str]:
    """Return the names with references as systems (or without) in pyramid scores."""
    read = [(name, PyramidJudgement.read(name)) for name in names]
    return [
        name if judgement is None else str(replace(judgement, scope=replace(judgement.scope, humans=humans)))
        for name, judgement in read
    ]


def read_cells(
    study: Study, scopes: Collection[PyramidScoreScope], counting: Collection[str] | None
) -> dict[PyramidScoreScope, PyramidScoreCells]:
    """Return the scores of every scope, reading each pyramid once.

    counting: names of annotators whose matches are included, None = all. Raises InputError for unknown
    authors.
    """
    cells_by_scope = {scope: PyramidScoreCells() for scope in scopes}
    check_authors(
        {author for scope in cells_by_scope for author in scope.references}, study.texts.reference_authors()
    )
    people = {person.id: person.name for person in study.annotators.all()}
    for unit in UnitKind:
        of_unit = {scope: cells for scope, cells in cells_by_scope.items() if scope.unit is unit}
        for topic, annotation in annotated_topics(study, unit) if of_unit else ():
            for annotator_id in dict.fromkeys(s.annotator_id for s in annotation.states if s.is_done):
                person = people[annotator_id]
                if counting is not None and person not in counting:
                    continue
                for scope, cells in of_unit.items():
                    for row, scores in scores_of(annotation, topic, annotator_id, scope):
                        cells.scores[row, topic.name].append(scores)
                        cells.annotators.add(person)
    return cells_by_scope


def scores_of(
    annotation: TopicAnnotation, topic: TopicTexts, annotator_id: str, scope: PyramidScoreScope
) -> Iterator[tuple[str, Array]]:
    """Yield row and scores of each summary that an annotator marked done.

    References follow if the scope includes them as systems.
    """
    references = [r.id for r in topic.references if not scope.references or r.name in scope.references]
    summaries = completed_summaries(annotation, topic, annotator_id)
    if not summaries or len(references) < 1 + scope.humans:
        return
    ids, rows = [summary.id for summary in summaries], [summary.name for summary in summaries]
    if scope.humans:
        counts = count_units(annotation, annotator_id, scope, references, ids, humans=references)
        scores = combine_folds(counts.scores(leave_one_out(len(references))), len(summaries))
        rows += [reference_system_name(r.name) for r in topic.references if r.id in references]
    else:
        counts = count_units(annotation, annotator_id, scope, references, ids)
        scores = counts.scores(np.ones((1, len(references)), dtype=np.bool_))[0]
    yield from zip(rows, scores, strict=True)


def count_units(
    annotation: TopicAnnotation,
    annotator_id: str,
    scope: PyramidScoreScope,
    references: Sequence[str],
    summaries: Sequence[str],
    humans: Sequence[str] = (),
) -> ScuCounts:
    """Count the content units of an annotation and of one annotator's matches.

    references, summaries: ids.
    humans: ids of references that are scored as systems too; they are the last rows.
    """
    if scope.unit is UnitKind.NUGGET:
        annotation = (with_automatic if scope.with_automatic else only_confirmed)(annotation)
    matches = [annotation.matches_of(summary, annotator_id) for summary in summaries]
    if scope.unit is UnitKind.NUGGET:
        return count_nuggets(
            annotation.pyramid, references, matches, humans, by_occurrences=scope.by_occurrences
        )
    return count_scus(annotation.pyramid, references, matches, humans)


def annotated_topics(
    study: Study, unit: UnitKind = UnitKind.SCU
) -> Iterator[tuple[TopicTexts, TopicAnnotation]]:
    """Yield every annotation with matching begun, with its topic's texts, one by one."""
    by_topic: dict[str, list[TopicAnnotation]] = defaultdict(list)
    for annotation in annotations_of(study, unit).annotations():
        if annotation.states:
            by_topic[annotation.pyramid.topic_id].append(annotation)
    for topic in study.texts.load(tuple(by_topic)) if by_topic else ():
        yield from ((topic, annotation) for annotation in by_topic[topic.id])


def _read_scope(name: str, parts: str, unit: UnitKind) -> PyramidScoreScope:
    scope = PyramidScoreScope(unit=unit)
    for part in parts.split(","):
        key, _, value = part.strip().partition(":")
        if key == "references" and parse_authors(value):
            scope = replace(scope, references=tuple(sorted(set(parse_authors(value)))))
        elif part.strip() == JACKKNIFE_KEY:
            scope = replace(scope, humans=True)
        elif part.strip() == _OCCURRENCES and unit is UnitKind.NUGGET:
            scope = replace(scope, by_occurrences=True)
        elif part.strip() == _AUTOMATIC and unit is UnitKind.NUGGET:
            scope = replace(scope, with_automatic=True)
        else:
            raise InputError(
                f"{name!r}: {part.strip()!r} is not a valid setting. Write {_EXAMPLE}, {JACKKNIFE_KEY} "
                f"or both with a "
                "comma between."
            )
    return scope
