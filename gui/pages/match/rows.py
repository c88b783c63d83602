"""Values displayed on the Match page: rows and marks of summaries, units and SCUs; the live score."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count, groupby

from core.annotation.match_order import in_text_order, repeats_of
from core.annotation.word_coverage import coverage, joined_text, words
from core.domain.pyramid import Match, Pyramid, Scu, TopicAnnotation
from core.domain.pyramid.scores import PyramidScore, WeightedPyramid, WeightedScu
from core.domain.study import Text, TopicTexts
from gui.annotation.match_values import ExpressionRow, UnitCounts, UnitRow
from gui.annotation.scus.scu_values import ScuRow, first_expression, named_weight, reference_letters
from gui.annotation.text.marks import OUTSIDE, Mark
from gui.style.language import tr
from gui.style.theme import weight_step


@dataclass(slots=True)
class MatchLocation:
    """Ids of the displayed summary, the selected SCU and the selected unit (a match); empty for none."""

    summary_id: str = ""
    scu_id: str = ""
    match_id: str = ""


class EditName(StrEnum):
    """Names of the edits as stored in the history. Their active time counts as time spent on matching."""

    MATCH = "match"
    MATCH_WITHOUT = "match without a span"
    MATCH_AGAIN = "match again"
    UNMATCH = "unmatch"
    ADD_UNIT = "add unit"
    REMOVE_UNIT = "remove unit"
    REASSIGN = "reassign unit"
    COMMENT = "comment on unit"
    REMOVE_PART = "remove part of a match"
    CHANGE_SPAN = "change span of a match"
    REPLACE_SPAN = "replace span of a match"
    FLAG = "flag summary"
    UNFLAG = "take flag off"
    DONE = "mark summary done"
    REOPEN = "reopen summary"
    NOTE = "note on a summary"
    ACCEPT_MATCH = "take suggestion: match"
    ACCEPT_UNIT = "take suggestion: add unit"
    ACCEPT_ALL = "take proposed matches"


SCORE_TITLES = (tr("Original"), tr("Modified"), tr("Comprehensive"), tr("Presence"))
MAIN_SCORE = tr("Modified")


@dataclass(frozen=True, slots=True)
class WeightBlock:
    """The weight of an SCU as a block.

    step: colour of the weight, from 1 to 5.
    scu_id: empty if the block stands for any of several SCUs, described by `label`.
    """

    weight: int
    step: int
    scu_id: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class BlockRow:
    """A sum of weights. blocks: in descending order of weight."""

    title: str
    blocks: tuple[WeightBlock, ...]

    @property
    def total(self) -> int:
        return sum(block.weight for block in self.blocks)

    @property
    def expression(self) -> str:
        """Return the sum as text, e.g. ``2×4 + 1×1``; 0 without blocks."""
        return expression([block.weight for block in self.blocks])

    def runs(self) -> tuple[tuple[WeightBlock, ...], ...]:
        return tuple(tuple(run) for _, run in groupby(self.blocks, key=lambda block: block.weight))


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One of the scores in SCORE_TITLES.

    formula: how it is calculated.
    value: NaN if undefined.
    """

    title: str
    formula: str
    value: float


@dataclass(frozen=True, slots=True)
class LiveScore:
    """Scores of a summary.

    main: the modified score.
    main_fact: how the modified score is calculated; the only text for a pyramid without SCUs.
    rows: the matched weights and the ideal sums.
    scores: all scores, in the order of SCORE_TITLES.
    explanations: sentences on the calculation.
    without_reference: for each reference, its letter and the modified score without it.
    """

    main: float
    main_fact: str
    rows: tuple[BlockRow, ...] = ()
    scores: tuple[ScoreRow, ...] = ()
    explanations: tuple[str, ...] = ()
    without_reference: tuple[tuple[str, float], ...] = ()


def expression(weights: Sequence[int]) -> str:
    """Return weights as a sum of products, the highest weight first."""
    counted = sorted(Counter(weights).items(), reverse=True)
    return " + ".join(f"{count}×{weight}" for weight, count in counted) or "0"


class MatchRows:
    """Rows and marks of one topic's summaries."""

    def __init__(self, topic: TopicTexts) -> None:
        self.topic = topic
        self._references = [reference.id for reference in topic.references]
        self.letters = reference_letters(topic.references)
        self._contents = {text.id: text.content for text in topic.references}
        self._summaries = {text.id: text for text in topic.summaries}
        self._cache: dict[str, tuple[Scu, ScuRow]] = {}
        self._scus: tuple[Scu, ...] = ()
        self._by_id: dict[str, Scu] = {}

    def summary(self, summary_id: str) -> Text | None:
        """Return a summary of the topic; None if it has no such summary."""
        return self._summaries.get(summary_id)

    def text(self, summary_id: str) -> Text:
        """Return a summary of the topic.

        Raises KeyError if it has no such summary.
        """
        return self._summaries[summary_id]

    def scu_rows(
        self,
        annotation: TopicAnnotation,
        matches: Sequence[Match],
        content: str,
        notes: Mapping[str, str] | None = None,
    ) -> list[ScuRow]:
        """Return one row per SCU, in the order of the pyramid, with its match in the summary.

        content: of the summary. notes: text per SCU id, to show instead of the number of parts.
        """
        by_scu: dict[str, list[Match]] = {}
        for match in matches:
            by_scu.setdefault(match.scu_id or "", []).append(match)
        units: dict[str, list[UnitRow]] = {}
        for unit in self.units(annotation, matches, content):
            units.setdefault(unit.scu_id, []).append(unit)
        rows = []
        for scu in annotation.pyramid.scus:
            row, own = self._row(scu), by_scu.get(scu.id, ())
            note = _note(own) if notes is None else notes.get(scu.id, "")
            details = (*units.get(scu.id, (_UNMATCHED,)), *row.details)
            rows.append(replace(row, is_matched=bool(own), note=note, details=details))
        return rows

    def marks(self, annotation: TopicAnnotation, matches: Sequence[Match]) -> tuple[Mark, ...]:
        scus = self._scus_of(annotation)
        repeats = repeats_of(matches)
        return tuple(
            Mark(match.id, OUTSIDE, spans, name=tr("Not in the pyramid"))
            if match.scu_id is None
            else Mark(
                match.scu_id,
                self._row(scus[match.scu_id]).step,
                spans,
                match.id,
                match.id in repeats,
                name=named_weight(scus[match.scu_id]),
            )
            for match in matches
            if (spans := tuple(part.span for part in match.parts))
        )

    def units(
        self, annotation: TopicAnnotation, matches: Sequence[Match], content: str
    ) -> tuple[UnitRow, ...]:
        """Return the units of a summary in text order, those without a span last."""
        scus, repeats, numbers = self._scus_of(annotation), repeats_of(matches), count(1)
        units = []
        for match in in_text_order(matches):
            words = joined_text(content, (part.span for part in match.parts))
            scu = scus.get(match.scu_id or "")
            of_scu = ("", "", 0) if scu is None else (scu.id, scu.label, scu.weight)
            number = next(numbers) if scu is None else 0
            units.append(UnitRow(match.id, *of_scu, words, number, match.id in repeats, match.comment))
        return tuple(units)

    def units_fact(self, matches: Sequence[Match], content: str) -> UnitCounts:
        """Return the numbers of units of a summary and the share of its words in no unit."""
        spans = [part.span for match in matches for part in match.parts]
        outside = sum(match.scu_id is None for match in matches)
        return UnitCounts(
            len(matches), len(repeats_of(matches)), outside, 1 - coverage(words(content), spans)
        )

    def _expressions(self, scu: Scu) -> Iterator[ExpressionRow]:
        for contributor in sorted(scu.contributors, key=lambda c: self._references.index(c.reference_id)):
            spans = sorted(part.span for part in contributor.parts)
            if spans:
                letter = self.letters[self._references.index(contributor.reference_id)]
                text = joined_text(self._contents[contributor.reference_id], spans)
                yield ExpressionRow(contributor.reference_id, letter, text, spans[0])

    def _scus_of(self, annotation: TopicAnnotation) -> Mapping[str, Scu]:
        if annotation.pyramid.scus is not self._scus:
            self._scus = annotation.pyramid.scus
            self._by_id = {scu.id: scu for scu in self._scus}
        return self._by_id

    def _row(self, scu: Scu) -> ScuRow:
        """Return the cached row of an SCU with its references, as for a summary without units."""
        cached = self._cache.get(scu.id)
        if cached is not None and cached[0] is scu:
            return cached[1]
        expressing = {c.reference_id for c in scu.contributors}
        weight = scu.weight
        row = ScuRow(
            scu.id,
            scu.label,
            weight,
            weight_step(weight, len(self._references)),
            tuple(reference_id in expressing for reference_id in self._references),
            words=self._text_of(scu),
            first=first_expression(scu, self._references),
            has_comment=bool(scu.comment) or any(c.comment for c in scu.contributors),
            details=tuple(self._expressions(scu)),
        )
        self._cache[scu.id] = scu, row
        return row

    def _text_of(self, scu: Scu) -> str:
        return "\n".join(
            joined_text(self._contents[c.reference_id], (p.span for p in c.parts)) for c in scu.contributors
        )


_UNMATCHED = UnitRow("", "", "", 0, "")
"""Below an SCU that is not matched, so that a match moves no row."""


def _note(matches: Sequence[Match]) -> str:
    if not matches:
        return ""
    parts = sum(len(match.parts) for match in matches)
    text = tr("%n parts", "", parts) if parts else tr("no span")
    return f"{len(matches)}× · {text}" if len(matches) > 1 else text


NO_SCUS = tr("No score yet: the pyramid has no SCU with a contributor.")


class MatchScores:
    """Pyramid scores of the summaries of one topic."""

    def __init__(self, topic: TopicTexts) -> None:
        self._references = [reference.id for reference in topic.references]
        self._letters = reference_letters(topic.references)
        self._scus: tuple[Scu, ...] = ()
        self._by_references: tuple[WeightedPyramid, ...] = ()

    def modified(self, pyramid: Pyramid, matches: Sequence[Match]) -> float:
        """Return the modified score; NaN if the ideal is empty."""
        return self._weighted(pyramid)[0].score_matches(matches).modified

    def live(self, pyramid: Pyramid, matches: Sequence[Match]) -> LiveScore:
        """Return the scores of a summary with these units, and their calculation."""
        score = self._weighted(pyramid)[0].score_matches(matches)
        if not score.scus:
            return LiveScore(score.modified, NO_SCUS)
        return LiveScore(
            main=score.modified,
            main_fact=_main_fact(score),
            rows=(
                BlockRow(tr("Matched"), tuple(map(self._block, score.matched))),
                self._ideal(score, score.average_units, score.ideal_of_average),
                self._ideal(score, score.units, score.ideal_of_units),
            ),
            scores=score_rows(score),
            explanations=explanations(score),
            without_reference=tuple(self._without_reference(pyramid, matches)),
        )

    def _weighted(self, pyramid: Pyramid) -> tuple[WeightedPyramid, ...]:
        """Return the pyramid weighted by all references, then, if there are several, without each; cached."""
        if pyramid.scus is not self._scus or not self._by_references:
            every = self._references
            without_one = [[other for other in every if other != omitted] for omitted in every]
            sets = (every, *(without_one if len(every) > 1 else ()))
            self._by_references = tuple(WeightedPyramid(pyramid, references) for references in sets)
            self._scus = pyramid.scus
        return self._by_references

    def _without_reference(self, pyramid: Pyramid, matches: Sequence[Match]) -> Iterable[tuple[str, float]]:
        for letter, weighted in zip(self._letters, self._weighted(pyramid)[1:], strict=False):
            yield letter, weighted.score_matches(matches).modified

    def _ideal(self, score: PyramidScore, units: int, weights: Sequence[int]) -> BlockRow:
        """Return the ideal summary of this many units.

        If only some SCUs of the lightest weight fit, their blocks name no SCU.
        """
        blocks = [self._block(scu) for scu in score.scus[: len(weights)]]
        lightest = weights[-1] if weights else 0
        candidates = sum(scu.weight == lightest for scu in score.scus)
        if candidates > sum(weight == lightest for weight in weights):
            label = tr("any of the {candidates} SCUs of this weight", candidates=candidates)
            anonymous = WeightBlock(lightest, self._step(lightest), label=label)
            blocks = [anonymous if block.weight == lightest else block for block in blocks]
        return BlockRow(tr("Ideal of {units}", units=units), tuple(blocks))

    def _block(self, scu: WeightedScu) -> WeightBlock:
        return WeightBlock(scu.weight, self._step(scu.weight), scu.scu_id, scu.label)

    def _step(self, weight: int) -> int:
        return weight_step(weight, len(self._references))


def score_rows(score: PyramidScore) -> tuple[ScoreRow, ...]:
    """Return all scores with their formulas, in the order of SCORE_TITLES."""
    original = f"{score.weight} / {sum(score.ideal_of_units)}  X = {score.units}"
    modified = f"{score.weight} / {sum(score.ideal_of_average)}  X = {score.average_units}"
    presence = tr("{matched} / {scus} SCUs", matched=len(score.matched), scus=len(score.scus))
    formulas = original, modified, tr("harmonic mean"), presence
    values = score.original, score.modified, score.comprehensive, score.presence
    return tuple(ScoreRow(*row) for row in zip(SCORE_TITLES, formulas, values, strict=True))


def explanations(score: PyramidScore) -> tuple[str, ...]:
    """Return sentences on how each X is calculated, and on the cap of the comprehensive score."""
    sentences = [
        tr("Modified: {average}.", average=_average(score)),
        tr("Original: {units}.", units=_units(score)),
    ]
    if score.modified > 1:
        sentences.append(tr("Comprehensive caps the modified score at 1, as DUCView 1.5 does."))
    return tuple(sentences)


def _main_fact(score: PyramidScore) -> str:
    ideal = sum(score.ideal_of_average)
    if not ideal:
        return tr("undefined: references have fewer than half an SCU on average")
    return tr("{weight} of the ideal {ideal}", weight=score.weight, ideal=ideal)


def _average(score: PyramidScore) -> str:
    average = score.contributions / score.references
    exact = math.isclose(average, score.average_units)
    rounded = "" if exact else tr(", rounded half up to {average_units}", average_units=score.average_units)
    contributors = tr("%n contributors", "", score.contributions)
    references = tr("%n references", "", score.references)
    return tr(
        "{contributors} in {references}, {contributions} / {references_2} = {average:.4g}{rounded}",
        contributors=contributors,
        references=references,
        contributions=score.contributions,
        references_2=score.references,
        average=average,
        rounded=rounded,
    )


def _units(score: PyramidScore) -> str:
    if not score.units:
        return tr("no matches yet, so X is 0")
    parts = [tr("%n matched SCUs", "", len(score.matched))]
    if score.repeats:
        parts.append(tr("%n repetitions", "", score.repeats))
    if score.outside:
        parts.append(tr("{outside} not in the pyramid", outside=tr("%n units", "", score.outside)))
    return " + ".join(parts) + (f" = {score.units}" if len(parts) > 1 else "")
