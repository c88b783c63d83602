"""Adjudication of ratings: annotators agree where they gave the same value."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from core.adjudication.model import Draft, Item, TopicAdjudication, Version, basis_of
from core.domain.decisions import Choice, DecisionKind
from core.domain.ratings import Dimension, ScaleKind
from core.errors import InputError
from core.ports.adjudication import NewRatingValue


class RatingAdjudication(TopicAdjudication):
    """Ratings of a topic's summaries; an item is one summary on one scale. Answers in words are left out."""

    unit = "rating"

    def _items(self) -> Iterable[Item]:
        total = len(self.data.topic.summaries)
        for number, summary in enumerate(self.data.topic.summaries, 1):
            for scale in self.data.dimensions:
                if scale.kind is ScaleKind.TEXT:
                    continue
                values = [
                    (person.name, self._values[key])
                    for person in self.sides.annotators
                    if (key := (summary.id, scale.id, person.id)) in self._values
                ]
                if len(values) < 2:
                    continue
                mean = sum(value for _, value in values) / len(values)
                is_agreed = len({value for _, value in values}) == 1
                result = self._values.get((summary.id, scale.id, self.sides.result.id))
                yield Item(
                    DecisionKind.RATING,
                    scale.id,
                    summary.id,
                    scale.name,
                    f"Summary {number} of {total}",
                    tuple(Version(name, described(scale, value)) for name, value in values),
                    is_agreed,
                    "" if result is None else described(scale, result),
                    basis_of(values),
                    self.decision(DecisionKind.RATING, scale.id, summary.id),
                    "" if is_agreed or not scale.is_numeric else f"Mean ({mean:g})",
                    "No rating",
                    scale,
                )

    def _apply(self, draft: Draft, item: Item, choice: Choice, version: int, value: float | None) -> None:
        values = {
            name: self._values[item.summary_id, item.subject, person.id]
            for person in self.sides.annotators
            for name in (person.name,)
            if (item.summary_id, item.subject, person.id) in self._values
        }
        if choice is Choice.ACCEPT:
            value = values[item.versions[version].annotator]
        elif choice is Choice.BOTH:
            value = sum(values.values()) / len(values)
        elif choice is Choice.NEITHER:
            value = None
        if item.scale is not None and value is not None and (problem := item.scale.value_problem(value)):
            raise InputError(f"{problem} Choose a value of the scale.")
        draft.ratings.append(NewRatingValue(item.summary_id, item.subject, value))

    def _mark_done(self, draft: Draft, after: TopicAdjudication) -> None:
        """Ratings have no mark."""

    @cached_property
    def _values(self) -> dict[tuple[str, str, str], float]:
        return {
            (one.summary_id, one.dimension_id, one.annotator_id): one.value
            for one in self.data.ratings
            if one.value is not None
        }


def described(scale: Dimension, value: float) -> str:
    """Return a value with its meaning on the scale."""
    meaning = scale.meaning(value)
    if not scale.is_numeric and meaning:
        return meaning
    return f"{value:g} of {scale.high:g}{meaning and f': {meaning}'}"
