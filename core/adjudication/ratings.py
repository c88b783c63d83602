"""Adjudication of ratings and comparisons: annotators agree where they gave the same value or answer."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from core.adjudication.model import Draft, Item, TopicAdjudication, TopicPlan, Version, basis_of
from core.agreement.titles import annotations_name
from core.domain.assignment import Work
from core.domain.decisions import Choice, DecisionKind
from core.domain.preferences import ComparisonItem, ComparisonKind, Preference
from core.domain.ratings import Dimension, MarkedSpan, Rating, ScaleKind
from core.domain.study import Text
from core.errors import InputError
from core.formatting.numbers import pluralize
from core.ports import NewPreference, NewRatingValue


class RatingAdjudication(TopicAdjudication):
    """Ratings of a topic's summaries; an item is one summary on one scale. Answers in words are left out."""

    work, unit = Work.RATINGS, "rating"
    why_empty = "No summary of this topic was rated by two of the annotators on the same scale."

    def _items(self) -> Iterable[Item]:
        total = len(self.data.topic.summaries)
        for number, summary in enumerate(self.data.topic.summaries, 1):
            for scale in self.data.dimensions:
                if self.part not in ("", scale.name):
                    continue
                given = self._given(summary.id, scale.id)
                if scale.kind is ScaleKind.TEXT or len(given) < 2:
                    continue
                has_spans = scale.kind is ScaleKind.SPANS
                versions = [(name, rating.spans if has_spans else rating.value) for name, rating in given]
                is_agreed = len({version for _, version in versions}) == 1
                mean = sum(rating.value or 0 for _, rating in given) / len(given)
                both = "All marks" if has_spans else f"Mean ({mean:g})" if scale.is_numeric else ""
                result = self._ratings.get((summary.id, scale.id, self.sides.result.id))
                yield Item(
                    annotations_name(self.work, scale.name),
                    DecisionKind.RATING,
                    scale.id,
                    summary.id,
                    scale.name,
                    f"Summary {number} of {total}",
                    tuple(
                        Version(name, described(scale, rating, summary), brief=_brief(scale, rating, summary))
                        for name, rating in given
                    ),
                    is_agreed,
                    "" if result is None else described(scale, result, summary),
                    basis_of(versions),
                    self.decision(DecisionKind.RATING, scale.id, summary.id),
                    "" if is_agreed else both,
                    "No rating",
                    None if has_spans else scale,
                )

    def _apply(self, draft: Draft, item: Item, choice: Choice, version: int, value: float | None) -> None:
        given = dict(self._given(item.summary_id, item.subject))
        spans: tuple[MarkedSpan, ...] = ()
        if choice is Choice.ACCEPT:
            accepted = given[item.versions[version].annotator]
            value, spans = accepted.value, accepted.spans
        elif choice is Choice.BOTH:
            value = sum(rating.value or 0 for rating in given.values()) / len(given)
            spans = tuple(sorted({span for rating in given.values() for span in rating.spans}))
        elif choice is Choice.NEITHER:
            value = None
        if item.scale is not None and value is not None and (problem := item.scale.value_problem(value)):
            raise InputError(f"{problem} Choose a value of the scale.")
        draft.ratings.append(NewRatingValue(item.summary_id, item.subject, value, spans))

    def _mark_done(self, draft: Draft, after: TopicAdjudication) -> None:
        """Ratings have no mark."""

    def _given(self, summary_id: str, scale_id: str) -> list[tuple[str, Rating]]:
        """Return the annotators' ratings of a summary on a scale."""
        return [
            (person.name, self._ratings[key])
            for person in self.sides.annotators
            if (key := (summary_id, scale_id, person.id)) in self._ratings
        ]

    @cached_property
    def _ratings(self) -> dict[tuple[str, str, str], Rating]:
        return {
            (one.summary_id, one.dimension_id, one.annotator_id): one
            for one in self.data.ratings
            if one.value is not None
        }


def _brief(scale: Dimension, rating: Rating, summary: Text) -> str:
    if scale.kind is ScaleKind.SPANS:
        return pluralize(len(rating.spans), "mark")
    return f"{rating.value:g}" if scale.is_numeric else described(scale, rating, summary)


def described(scale: Dimension, rating: Rating, summary: Text) -> str:
    """Return a rating with its meaning on the scale, or the marked spans with their categories."""
    if scale.kind is ScaleKind.SPANS:
        names = dict(scale.anchors)
        marks = [
            f"“{summary.content[start:end]}” ({names[category]})" for start, end, category in rating.spans
        ]
        return "; ".join(marks) or "no marks"
    meaning = scale.meaning(rating.value or 0.0)
    if not scale.is_numeric and meaning:
        return meaning
    return f"{rating.value:g} of {scale.high:g}{meaning and f': {meaning}'}"


class ComparisonAdjudication(TopicAdjudication):
    """Comparisons of a topic's summaries; an item is one comparison of a plan."""

    work, unit = Work.COMPARISONS, "comparison"
    why_empty = "No comparison of this topic was answered by two of the annotators."

    def _items(self) -> Iterable[Item]:
        for plan in self.data.plans:
            if self.part not in ("", plan.plan.name):
                continue
            for number, comparison in enumerate(plan.items, 1):
                answers = {one.annotator_id: one for one in plan.answers if one.item_id == comparison.id}
                given = [
                    (person.name, answers[person.id])
                    for person in self.sides.annotators
                    if person.id in answers
                ]
                if len(given) > 1:
                    yield self._item(plan, number, comparison, given, answers.get(self.sides.result.id))

    def _item(
        self,
        plan: TopicPlan,
        number: int,
        comparison: ComparisonItem,
        given: list[tuple[str, Preference]],
        result: Preference | None,
    ) -> Item:
        is_pair = plan.plan.kind is ComparisonKind.PAIRWISE
        chosen = {(one.best, one.worst) for _, one in given}
        return Item(
            annotations_name(self.work, plan.plan.name),
            DecisionKind.PREFERENCE,
            comparison.id,
            "",
            plan.plan.question or plan.plan.name,
            f"Comparison {number} of {len(plan.items)}",
            tuple(
                Version(name, self._described(comparison, one), brief=brief_answer(comparison, one))
                for name, one in given
            ),
            len(chosen) == 1,
            "" if result is None else self._described(comparison, result),
            basis_of((name, [one.best, one.worst]) for name, one in given),
            self.decision(DecisionKind.PREFERENCE, comparison.id),
            "Tie" if is_pair and len(chosen) > 1 else "",
            "No answer",
            compared=comparison.summary_ids,
        )

    def _apply(self, draft: Draft, item: Item, choice: Choice, version: int, value: float | None) -> None:
        chosen: tuple[str | None, str | None] | None = None
        if choice is Choice.BOTH:
            chosen = None, None
        elif choice is Choice.ACCEPT:
            people = {person.name: person.id for person in self.sides.annotators}
            who = people[item.versions[version].annotator]
            answers = (one for plan in self.data.plans for one in plan.answers)
            its = next(a for a in answers if (a.item_id, a.annotator_id) == (item.subject, who))
            chosen = its.best, its.worst
        draft.preferences.append(NewPreference(item.subject, chosen))

    def _mark_done(self, draft: Draft, after: TopicAdjudication) -> None:
        """Comparisons have no mark."""

    def _described(self, comparison: ComparisonItem, answer: Preference) -> str:
        if answer.best is None:
            return "Tie"
        texts = {text.id: text.content for text in self.data.topic.summaries}

        def named(summary_id: str | None) -> str:
            words = texts.get(summary_id or "", "").split()
            return f"{letter_of(comparison, summary_id)}, “{' '.join(words[:6])} …”"

        if len(comparison.summary_ids) == 2:
            return f"Prefers {named(answer.best)}"
        return f"Best: {named(answer.best)}\nWorst: {named(answer.worst)}"


def letter_of(comparison: ComparisonItem, summary_id: str | None) -> str:
    """Return the letter of a summary by its place in a comparison, A = the first."""
    return chr(ord("A") + comparison.summary_ids.index(summary_id or ""))


def brief_answer(comparison: ComparisonItem, answer: Preference) -> str:
    """Return an answer in a few characters: the letter of the best, of a tuple also of the worst."""
    if answer.best is None:
        return "tie"
    best = letter_of(comparison, answer.best)
    return best if len(comparison.summary_ids) == 2 else f"{best} > {letter_of(comparison, answer.worst)}"
