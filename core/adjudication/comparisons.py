"""Adjudication of comparisons: annotators agree where they chose the same summaries."""

from __future__ import annotations

from collections.abc import Iterable

from core.adjudication.model import Draft, Item, TopicAdjudication, TopicPlan, Version, basis_of
from core.agreement.titles import annotations_name
from core.domain.assignment import Work
from core.domain.decisions import Choice, DecisionKind
from core.domain.preferences import ComparisonItem, ComparisonKind, Preference
from core.ports import NewPreference


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
