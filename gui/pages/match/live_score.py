"""What a summary scores and how that comes about, in words and blocks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from core.domain.pyramid import Match, Pyramid, Scu
from core.domain.pyramid.scores import PyramidScore, WeightedPyramid, WeightedScu
from core.domain.study import TopicTexts
from core.formatting.numbers import pluralize
from gui.annotation.scu_rows import reference_letters
from gui.pages.match.score_arithmetic_values import SCORE_TITLES, BlockRow, LiveScore, ScoreRow, WeightBlock
from gui.style.theme import weight_step

NO_SCUS = "No score yet: the pyramid has no SCU with a contributor."


class MatchScores:
    """Scores of one topic's summaries."""

    def __init__(self, topic: TopicTexts) -> None:
        self._references = [reference.id for reference in topic.references]
        self._letters = reference_letters(topic.references)
        self._scus: tuple[Scu, ...] = ()
        self._by_references: tuple[WeightedPyramid, ...] = ()

    def modified(self, pyramid: Pyramid, matches: Sequence[Match]) -> float:
        """The modified score alone; NaN where the ideal is empty."""
        return self._weighted(pyramid)[0].score_matches(matches).modified

    def live(self, pyramid: Pyramid, matches: Sequence[Match]) -> LiveScore:
        """What a summary with these units scores, with its arithmetic."""
        score = self._weighted(pyramid)[0].score_matches(matches)
        if not score.scus:
            return LiveScore(score.modified, NO_SCUS)
        return LiveScore(
            hero=score.modified,
            hero_fact=_hero_fact(score),
            rows=(
                BlockRow("Matched", tuple(map(self._block, score.matched))),
                self._ideal(score, score.average_units, score.ideal_of_average),
                self._ideal(score, score.units, score.ideal_of_units),
            ),
            scores=score_rows(score),
            origins=origins(score),
            left_out=tuple(self._left_out(pyramid, matches)),
        )

    def _weighted(self, pyramid: Pyramid) -> tuple[WeightedPyramid, ...]:
        """The pyramid by all references, then without each if there are several; made once per pyramid."""
        if pyramid.scus is not self._scus or not self._by_references:
            whole = self._references
            fewer = [[other for other in whole if other != left_out] for left_out in whole]
            sets = (whole, *(fewer if len(whole) > 1 else ()))
            self._by_references = tuple(WeightedPyramid(pyramid, references) for references in sets)
            self._scus = pyramid.scus
        return self._by_references

    def _left_out(self, pyramid: Pyramid, matches: Sequence[Match]) -> Iterable[tuple[str, float]]:
        for letter, weighted in zip(self._letters, self._weighted(pyramid)[1:], strict=False):
            yield letter, weighted.score_matches(matches).modified

    def _ideal(self, score: PyramidScore, units: int, weights: Sequence[int]) -> BlockRow:
        """The heaviest SCUs that so many units can hold; of the lightest weight among them, any would do."""
        blocks = [self._block(scu) for scu in score.scus[: len(weights)]]
        lightest = weights[-1] if weights else 0
        of_it = sum(scu.weight == lightest for scu in score.scus)
        if of_it > sum(weight == lightest for weight in weights):
            label = f"any of the {of_it} SCUs of this weight"
            either = WeightBlock(lightest, self._step(lightest), label=label)
            blocks = [either if block.weight == lightest else block for block in blocks]
        return BlockRow(f"Ideal of {units}", tuple(blocks))

    def _block(self, scu: WeightedScu) -> WeightBlock:
        return WeightBlock(scu.weight, self._step(scu.weight), scu.scu_id, scu.label)

    def _step(self, weight: int) -> int:
        return weight_step(weight, len(self._references))


def score_rows(score: PyramidScore) -> tuple[ScoreRow, ...]:
    """Every score with the numbers it is made of."""
    original = f"{score.weight} / {sum(score.ideal_of_units)}  X = {score.units}"
    modified = f"{score.weight} / {sum(score.ideal_of_average)}  X = {score.average_units}"
    presence = f"{len(score.matched)} / {len(score.scus)} SCUs"
    ways = original, modified, "harmonic mean", presence
    values = score.original, score.modified, score.comprehensive, score.presence
    return tuple(ScoreRow(*line) for line in zip(SCORE_TITLES, ways, values, strict=True))


def origins(score: PyramidScore) -> tuple[str, ...]:
    """Where each X comes from and what else is not plain, in sentences."""
    said = [f"Modified: {_average(score)}.", f"Original: {_units(score)}."]
    if score.modified > 1:
        said.append("Comprehensive takes the modified score as 1, as DUCView 1.5 does.")
    return tuple(said)


def _hero_fact(score: PyramidScore) -> str:
    ideal = sum(score.ideal_of_average)
    if not ideal:
        return "undefined: the average reference has less than half an SCU"
    return f"{score.weight} of the ideal {ideal}"


def _average(score: PyramidScore) -> str:
    average = score.contributions / score.references
    exact = math.isclose(average, score.average_units)
    rounded = "" if exact else f", rounded half up to {score.average_units}"
    contributors = pluralize(score.contributions, "contributor")
    references = pluralize(score.references, "reference")
    return (
        f"{contributors} in {references}, {score.contributions} / {score.references} = {average:.4g}{rounded}"
    )


def _units(score: PyramidScore) -> str:
    if not score.units:
        return "nothing is matched yet, so it is 0"
    parts = [pluralize(len(score.matched), "matched SCU")]
    if score.repeats:
        parts.append(pluralize(score.repeats, "repetition"))
    if score.outside:
        parts.append(f"{pluralize(score.outside, 'unit')} not in the pyramid")
    return " + ".join(parts) + (f" = {score.units}" if len(parts) > 1 else "")
