"""Feedback on training topics: how an annotator's work differs from the known annotation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.annotation.control_topics import KnownUse, known_annotators
from core.domain.pyramid import Match, TopicAnnotation, UnitKind
from core.domain.ratings import Dimension, MarkedSpan, Rating, ScaleKind
from core.domain.study import TopicTexts
from core.formatting.legible_text import one_line
from core.formatting.numbers import pluralize
from core.ports import Study

_MOST_QUOTED = 80
"""Characters of a quoted part."""


def trainer_of(study: Study, topic: str, annotator_id: str) -> str:
    """Return the id of the annotator whose annotation of a topic is shown as feedback.

    topic: its name. Empty = it is no training topic, or the annotation is the annotator's own one.
    """
    name = known_annotators(study, KnownUse.TRAINING).get(topic, "")
    ids = {person.name: person.id for person in study.annotators.all()} if name else {}
    found = ids.get(name, "")
    return "" if found == annotator_id else found


@dataclass(frozen=True, slots=True)
class MatchFeedback:
    """Comparison of the matches in one summary.

    right, total: content units that both have or both lack, and all.
    differences: a line for each other one.
    """

    right: int
    total: int
    differences: tuple[str, ...]
    kind: UnitKind = UnitKind.SCU

    @property
    def summary(self) -> str:
        """The result as a sentence."""
        what = "nugget" if self.kind is UnitKind.NUGGET else "SCU"
        return f"{self.right} of {pluralize(self.total, what)} as in the known annotation."


def match_feedback(
    annotation: TopicAnnotation, topic: TopicTexts, summary_id: str, annotator_id: str, known_id: str
) -> MatchFeedback | None:
    """Return how an annotator's matches in a summary differ from the known ones.

    None if one of the two has not marked the summary done against this pyramid, and for the known annotator.
    """
    states = (annotation.state_of(summary_id, one) for one in (annotator_id, known_id))
    if annotator_id == known_id or not all(state is not None and state.is_done for state in states):
        return None
    content = next(text.content for text in topic.summaries if text.id == summary_id)
    own, known = (_by_unit(annotation.matches_of(summary_id, one)) for one in (annotator_id, known_id))
    differences = []
    for scu in annotation.pyramid.scus:
        if scu.id in known and scu.id not in own:
            part = _quoted(known[scu.id], content)
            differences.append(f"Missed: {scu.label}" + (f" – “{part}”" if part else ""))
        elif scu.id in own and scu.id not in known:
            differences.append(f"Not in the known annotation: {scu.label}")
    total = len(annotation.pyramid.scus)
    return MatchFeedback(total - len(differences), total, tuple(differences), annotation.pyramid.kind)


def rating_feedback(scale: Dimension, own: float | None, known: Rating | None, content: str) -> str:
    """Return the known rating next to the annotator's own one, a sentence.

    own: the annotator's value, None = not rated yet, which gives an empty text, as does an unknown rating.
    """
    if own is None or known is None or known.value is None:
        return ""
    if scale.kind is ScaleKind.TEXT:
        return f"Known answer: {known.note}"
    if scale.kind is ScaleKind.SPANS:
        return f"Known: {_marks(known.spans, dict(scale.anchors), content)}."
    right = scale.meaning(known.value) if scale.has_categories else f"{known.value:g}"
    if own == known.value:
        return f"As in the known annotation: {right}."
    if scale.has_categories:
        return f"Known: {right}."
    return (
        f"Known: {right}. Yours is {abs(own - known.value):g} {'higher' if own > known.value else 'lower'}."
    )


def _by_unit(matches: Sequence[Match]) -> dict[str, Match]:
    return {match.scu_id: match for match in matches if match.scu_id is not None}


def _quoted(match: Match, content: str) -> str:
    text = " … ".join(content[part.start : part.end] for part in match.parts)
    return one_line(text, _MOST_QUOTED)


def _marks(spans: Sequence[MarkedSpan], categories: Mapping[float, str], content: str) -> str:
    if not spans:
        return "nothing to mark"
    return ", ".join(
        f"“{' '.join(content[start:end].split())}” ({categories.get(category, category)})"
        for start, end, category in spans
    )
