"""Pyramid scores as judgements: kind, references, references as systems."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.domain.pyramid import TopicAnnotation, completed_summaries
from core.domain.pyramid.subset_scores import KINDS, count_scus, leave_one_out, score_subsets
from core.domain.reference_authors import check_authors, format_authors, parse_authors, reference_system_name
from core.domain.study import TopicTexts
from core.errors import InputError
from core.matrix import Array, combine_folds
from core.ports import JACKKNIFE_KEY, Study

TITLES: Mapping[str, str] = {
    "modified": "Pyramid (modified)",
    "original": "Pyramid (original)",
    "comprehensive": "Pyramid (comprehensive)",
    "presence": "SCU presence",
}
_PREFIX = "pyramid."


@dataclass(frozen=True, slots=True)
class PyramidScoreScope:
    """References to include, and whether references are scored as systems.

    references: authors, empty = all.
    humans: references are scored as systems by the others.
    """

    references: tuple[str, ...] = ()
    humans: bool = False

    def parts(self) -> str:
        """Return the text in a judgement's name, empty = all references, without references as systems."""
        chosen = f"references:{format_authors(self.references, ',[]')}" if self.references else ""
        return ",".join(part for part in (JACKKNIFE_KEY if self.humans else "", chosen) if part)


@dataclass(frozen=True, slots=True)
class PyramidJudgement:
    """One pyramid score by one scope; its text is the name, as ``pyramid.modified[references:A+B]``."""

    kind: str
    scope: PyramidScoreScope = field(default_factory=PyramidScoreScope)

    def __str__(self) -> str:
        parts = self.scope.parts()
        return f"{_PREFIX}{self.kind}[{parts}]" if parts else f"{_PREFIX}{self.kind}"

    @classmethod
    def read(cls, name: str) -> PyramidJudgement | None:
        """Parse the name of a pyramid score, None if it is another judgement.

        Raises InputError if the brackets contain anything invalid.
        """
        head, bracket, rest = name.partition("[")
        kind = head.removeprefix(_PREFIX)
        if not head.startswith(_PREFIX) or kind not in KINDS:
            return None
        if not bracket:
            return cls(kind)
        if not rest.endswith("]"):
            raise InputError(f"{name!r} has no closing bracket. Write {_EXAMPLE}.")
        return cls(kind, _read_scope(name, rest[:-1]))

    @property
    def title(self) -> str:
        """Return the title for tables."""
        labels = [f"references {', '.join(self.scope.references)}"] if self.scope.references else []
        labels += ["references as systems"] if self.scope.humans else []
        return f"{TITLES[self.kind]}, {', '.join(labels)}" if labels else TITLES[self.kind]

    def policy(self, annotators: str) -> str:
        """Return a sentence on what is included. annotators: names as text."""
        sentence = f"{TITLES[self.kind]}: summaries whose matching is marked done, matched by {annotators}; "
        sentence += "an SCU's weight is the number of references that express it"
        if self.scope.references:
            sentence += f", counting only references by {', '.join(self.scope.references)}"
        if self.scope.humans:
            sentence += (
                "; each reference is scored as a system by the others, and a summary's score is the mean "
                "over leave-one-out subsets of the references"
            )
        return f"{sentence}."


_EXAMPLE = "pyramid.modified[references:A+B]"


@dataclass(frozen=True, slots=True)
class PyramidScoreCells:
    """Scores of one scope.

    scores: (row, topic name) to each annotator's four scores in the order of KINDS.
    annotators: names.
    """

    scores: dict[tuple[str, str], list[Array]] = field(default_factory=lambda: defaultdict(list))
    annotators: set[str] = field(default_factory=set)


def all_pyramid_judgements() -> list[PyramidJudgement]:
    """Return every pyramid score by all references."""
    return [PyramidJudgement(kind) for kind in KINDS]


def choose_references(names: Sequence[str], authors: Sequence[str]) -> list[str]:
    """Return the names with pyramid scores restricted to these authors' references, others unchanged.

    Raises InputError if there is no pyramid score, or if one is already restricted to references.
    """
    chosen, found = [], 0
    for name in names:
        judgement = PyramidJudgement.read(name)
        if judgement is not None:
            found += 1
            if judgement.scope.references:
                raise InputError(f"{name} already names its references. Give references in one place only.")
            scope = replace(judgement.scope, references=tuple(sorted(set(authors))))
            judgement = replace(judgement, scope=scope)
        chosen.append(name if judgement is None else str(judgement))
    if not found:
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
    found = {scope: PyramidScoreCells() for scope in scopes}
    check_authors({author for scope in found for author in scope.references}, study.texts.reference_authors())
    people = {person.id: person.name for person in study.annotators.all()}
    for topic, annotation in annotated_topics(study):
        for annotator_id in dict.fromkeys(s.annotator_id for s in annotation.states if s.is_done):
            person = people[annotator_id]
            if counting is not None and person not in counting:
                continue
            for scope, cells in found.items():
                for row, scores in scores_of(annotation, topic, annotator_id, scope):
                    cells.scores[row, topic.name].append(scores)
                    cells.annotators.add(person)
    return found


def scores_of(
    annotation: TopicAnnotation, topic: TopicTexts, annotator_id: str, scope: PyramidScoreScope
) -> Iterator[tuple[str, Array]]:
    """Yield row and four scores of each summary that an annotator marked done.

    References follow if the scope includes them as systems.
    """
    references = [r.id for r in topic.references if not scope.references or r.name in scope.references]
    summaries = completed_summaries(annotation, topic, annotator_id)
    if not summaries or len(references) < 1 + scope.humans:
        return
    matches = [annotation.matches_of(summary.id, annotator_id) for summary in summaries]
    rows = [summary.name for summary in summaries]
    if scope.humans:
        counts = count_scus(annotation.pyramid, references, matches, humans=references)
        scores = combine_folds(score_subsets(counts, leave_one_out(len(references))), len(summaries))
        rows += [reference_system_name(r.name) for r in topic.references if r.id in references]
    else:
        counts = count_scus(annotation.pyramid, references, matches)
        scores = score_subsets(counts, np.ones((1, len(references)), dtype=np.bool_))[0]
    yield from zip(rows, scores, strict=True)


def annotated_topics(study: Study) -> Iterator[tuple[TopicTexts, TopicAnnotation]]:
    """Yield every pyramid with matching begun, with its topic's texts, pyramid by pyramid."""
    by_topic: dict[str, list[TopicAnnotation]] = defaultdict(list)
    for annotation in study.pyramids.annotations():
        if annotation.states:
            by_topic[annotation.pyramid.topic_id].append(annotation)
    for topic in study.texts.load(tuple(by_topic)) if by_topic else ():
        yield from ((topic, annotation) for annotation in by_topic[topic.id])


def _read_scope(name: str, parts: str) -> PyramidScoreScope:
    scope = PyramidScoreScope()
    for part in parts.split(","):
        key, _, value = part.strip().partition(":")
        if key == "references" and parse_authors(value):
            scope = replace(scope, references=tuple(sorted(set(parse_authors(value)))))
        elif part.strip() == JACKKNIFE_KEY:
            scope = replace(scope, humans=True)
        else:
            raise InputError(
                f"{name!r}: {part.strip()!r} is not a valid setting. Write {_EXAMPLE}, {JACKKNIFE_KEY} "
                f"or both with a "
                "comma between."
            )
    return scope
