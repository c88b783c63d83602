"""What a summary's matches look like line by line, and what they score."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from core.domain.coverage import parts_in_words
from core.domain.pyramid import Match, Pyramid, TopicAnnotation
from core.domain.pyramid_scores import PyramidScore, score_summary
from core.domain.study import Text, TopicTexts
from gui.presenters.pyramid_lines import letters_of
from gui.theme import weight_step
from gui.values.arithmetic import SCORE_TITLES, BlockRow, LiveScore, ScoreLine, WeightBlock
from gui.values.match import OutsideLine
from gui.values.scus import ScuLine
from gui.widgets.marks import OUTSIDE, Mark


class MatchLines:
    """Lines, marks and scores of one topic's summaries."""

    def __init__(self, topic: TopicTexts, annotator_id: str) -> None:
        self.topic, self._annotator_id = topic, annotator_id
        self._references = [reference.id for reference in topic.references]
        self._letters = letters_of(topic.references)
        self._contents = {text.id: text.content for text in topic.references}

    def summary(self, summary_id: str) -> Text | None:
        """A summary of the topic."""
        return next((text for text in self.topic.summaries if text.id == summary_id), None)

    def matches(self, annotation: TopicAnnotation, summary_id: str) -> tuple[Match, ...]:
        """The annotator's units of a summary."""
        return annotation.matches_of(summary_id, self._annotator_id)

    def lines(self, annotation: TopicAnnotation, summary_id: str) -> list[ScuLine]:
        """A line per SCU, as they stand in the pyramid, with what the summary has of it."""
        held: dict[str, list[Match]] = {}
        for match in self.matches(annotation, summary_id):
            if match.scu_id is not None:
                held.setdefault(match.scu_id, []).append(match)
        return [
            ScuLine(
                scu.id,
                scu.label,
                scu.weight,
                self._step(scu.weight),
                is_matched=scu.id in held,
                note=_note(held.get(scu.id, ())),
                words="\n".join(
                    parts_in_words(self._contents[c.reference_id], (p.span for p in c.parts))
                    for c in scu.contributors
                ),
            )
            for scu in annotation.pyramid.scus
        ]

    def marks(self, annotation: TopicAnnotation, summary_id: str) -> list[Mark]:
        """What is marked in a summary."""
        weights = {scu.id: scu.weight for scu in annotation.pyramid.scus}
        return [
            Mark(match.id, OUTSIDE, spans)
            if match.scu_id is None
            else Mark(match.scu_id, self._step(weights[match.scu_id]), spans)
            for match in self.matches(annotation, summary_id)
            if (spans := tuple(part.span for part in match.parts))
        ]

    def outside(self, annotation: TopicAnnotation, summary: Text) -> list[OutsideLine]:
        """The summary's units that the pyramid does not have."""
        return [
            OutsideLine(match.id, parts_in_words(summary.content, (part.span for part in match.parts)))
            for match in self.matches(annotation, summary.id)
            if match.scu_id is None
        ]

    def score(self, annotation: TopicAnnotation, summary_id: str) -> LiveScore:
        """What the summary scores now, with its arithmetic."""
        matches = self.matches(annotation, summary_id)
        score = score_summary(annotation.pyramid, matches, self._references)
        return LiveScore(
            hero=score.modified,
            hero_fact=f"{score.weight} of the ideal {sum(score.ideal_of_average)}",
            rows=(
                self._row("Matched", [scu.weight for scu in score.matched]),
                self._row(f"Ideal of {score.average_units}", score.ideal_of_average),
                self._row(f"Ideal of {score.units}", score.ideal_of_units),
            ),
            scores=score_lines(score),
            origins=origins(score),
            left_out=tuple(self._left_out(annotation.pyramid, matches)),
        )

    def _left_out(self, pyramid: Pyramid, matches: Sequence[Match]) -> Iterable[tuple[str, float]]:
        if len(self._references) < 2:
            return
        for reference_id, letter in zip(self._references, self._letters, strict=True):
            others = [other for other in self._references if other != reference_id]
            yield letter, score_summary(pyramid, matches, others).modified

    def _row(self, title: str, weights: Iterable[int]) -> BlockRow:
        return BlockRow(title, tuple(WeightBlock(weight, self._step(weight)) for weight in weights))

    def _step(self, weight: int) -> int:
        return weight_step(weight, len(self._references))


def score_lines(score: PyramidScore) -> tuple[ScoreLine, ...]:
    """Every score with the numbers it is made of."""
    units, average = f"X = {score.units}", f"X = {score.average_units}"
    original = f"{score.weight} / {sum(score.ideal_of_units)}  {units}"
    modified = f"{score.weight} / {sum(score.ideal_of_average)}  {average}"
    presence = f"{len(score.matched)} / {len(score.scus)} SCUs"
    ways = original, modified, "harmonic mean", presence
    values = score.original, score.modified, score.comprehensive, score.presence
    return tuple(ScoreLine(*line) for line in zip(SCORE_TITLES, ways, values, strict=True))


def origins(score: PyramidScore) -> tuple[str, ...]:
    """Where X comes from, in sentences."""
    if not score.references:
        return ()
    average = score.contributions / score.references
    rounded = "" if math.isclose(average, score.average_units) else f", rounded to {score.average_units}"
    modified = (
        f"Modified: {_counted(score.contributions, 'contributor')} in "
        f"{_counted(score.references, 'reference')}, {score.contributions} / {score.references} = "
        f"{average:.4g}{rounded}."
    )
    repeated = f", {_counted(score.repeats, 'repetition')}" if score.repeats else ""
    outside = f" and {_counted(score.outside, 'unit')} outside the pyramid" if score.outside else ""
    original = f"Original: {_counted(len(score.matched), 'matched SCU')}{repeated}{outside}."
    return modified, original


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _note(matches: Sequence[Match]) -> str:
    if not matches:
        return ""
    parts = sum(len(match.parts) for match in matches)
    words = _counted(parts, "part") if parts else "no span"
    return f"{words}, {len(matches)} times" if len(matches) > 1 else words
