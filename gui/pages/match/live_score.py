"""Live pyramid scores of summaries, with their calculation as text and blocks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from core.domain.pyramid import Match, Pyramid, Scu
from core.domain.pyramid.scores import PyramidScore, WeightedPyramid, WeightedScu
from core.domain.study import TopicTexts
from gui.annotation.scus.scu_values import reference_letters
from gui.pages.match.values import SCORE_TITLES, BlockRow, LiveScore, ScoreRow, WeightBlock
from gui.style.language import tr
from gui.style.theme import weight_step

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
