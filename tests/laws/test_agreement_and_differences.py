"""Every kind of annotation whose agreement is measured has differences that can be decided and taken back.

Tried to be broken by automatic hits, hits in part, nuggets of other importance, marked spans and sets of
three summaries.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.adjudication.model import ItemState
from core.adjudication.topics import (
    KINDS,
    AdjudicationSelection,
    adjudication_of,
    read_topic,
    sides_of,
    survey,
)
from core.agreement.titles import annotations_name, annotations_title, annotations_work
from core.agreement.verdicts import verdict_lines
from core.domain.assignment import Work
from core.domain.decisions import RESULT_GROUP, Choice
from core.domain.preferences import ComparisonItem, ComparisonKind, ComparisonPlan
from core.domain.pyramid import Match, UnitKind, add_match, add_scu, mark_pyramid_done, set_summary_state
from core.domain.pyramid.nugget_edits import set_importance, set_partial
from core.domain.ratings import Dimension, ScaleKind
from core.operations.agree import agree
from core.operations.options import AgreeRequest
from core.ports import annotations_of
from core.progress import run_to_completion

REQUEST = AgreeRequest(bootstrap=0)
SELECTED = AdjudicationSelection()


@pytest.fixture
def annotated(study):
    """Return a study in which Ann and Ben differ in every kind of annotation, in one topic or in both."""
    topic = study.texts.topic(study.texts.topics()[0].id)
    ann, ben = (study.annotators.get_or_create(name).id for name in ("Ann", "Ben"))
    _rate(study, topic, ann, ben)
    for kind in UnitKind:
        _annotate(study, topic, ann, ben, kind)
    _compare(study, topic, ann, ben)
    study.flush()
    return study


def _rate(study, topic, ann, ben) -> None:
    scales = [study.ratings.add_dimension(name) for name in ("tone", "coherence")]
    marked = Dimension("e" * 32, "errors", 0.0, 1.0, kind=ScaleKind.SPANS, anchors=((1.0, "wrong"),))
    study.ratings.edit_dimensions(scales, [*scales, marked], ann).result()
    for person, shift in ((ann, 0), (ben, 1)):
        for place, summary in enumerate(topic.summaries):
            for scale in scales:
                study.ratings.rate(summary.id, scale.id, person, 1 + (place * (1 + shift)) % 5)
            spans = [(0, 3 + 4 * shift, 1)] if place else []
            study.ratings.rate(summary.id, marked.id, person, float(len(spans)), spans=spans)


def _annotate(study, topic, ann, ben, kind) -> None:
    store, (reference, *_), (first, second, *_) = (
        annotations_of(study, kind),
        topic.references,
        topic.summaries,
    )
    units = [f"{number}{kind}".ljust(32, "0") for number in (1, 2)]
    for owner, end in ((ann, 12), (ben, 20)):
        before = after = store.annotation(topic.id, owner)
        for number, unit in enumerate(units):
            words = [(9 * number, 9 * number + 6 if number else end)]
            row_id = unit if owner == ann else unit.replace("0", "f")
            after = add_scu(after, f"Fact {number}", reference.id, words, row_id)
            if kind is UnitKind.NUGGET:
                after = set_importance(after, row_id, "vital" if owner == ann else "okay")
        store.commit(before, mark_pyramid_done(after, True), "edit", owner).result()
    for who, unit in ((ann, units[0]), (ben, units[1])):
        before = after = store.annotation(topic.id, ann)
        for summary in (first, second):
            after = add_match(after, summary.id, who, unit, [(0, 6)])
            after = set_summary_state(after, summary.id, who, is_done=True)
        if kind is UnitKind.NUGGET and who == ben:
            found = [one.id for one in after.matches_of(first.id, ben)]
            automatic = Match("a" * 32, second.id, ben, units[0], is_confirmed=False)
            after = replace(set_partial(after, found, True), matches=(*after.matches, automatic))
        store.commit(before, after, "match", who).result()


def _compare(study, topic, ann, ben) -> None:
    for number, kind in enumerate(ComparisonKind):
        texts = topic.summaries[: 2 + number]
        ids = tuple(text.id for text in texts)
        items = [ComparisonItem(f"{number}{place}".ljust(32, "c"), topic.id, ids) for place in range(3)]
        plan = ComparisonPlan(f"{number}".ljust(32, "b"), kind.value, kind, size=len(ids))
        study.comparisons.add_plan(plan, items, ann).result()
        for place, item in enumerate(items):
            study.comparisons.answer(item.id, ann, ids[0], ids[-1])
            best, worst = (ids[0], ids[-1]) if place == 0 else (ids[-1], ids[0])
            study.comparisons.answer(item.id, ben, best, worst)


def lines(study) -> dict[str, int]:
    """Return the number of differences of each line of the agreement, by its annotations."""
    table = run_to_completion(agree(study, REQUEST))
    counted = run_to_completion(survey(study, SELECTED)).to_decide()
    return {line.what: line.differences for line in verdict_lines(table, counted)}


def to_decide(study, what: str):
    """Return the topics of the annotations, and the items that are listed as differences."""
    work = annotations_work(what)
    selection = replace(SELECTED, annotation=work, part=what.removeprefix(annotations_name(work)))
    sides = sides_of(study.annotators.all(), selection, "Mia")
    topics = [
        adjudication_of(read_topic(study, head.id, sides.result.id), selection, sides)
        for head in study.texts.topics()
    ]
    states = (ItemState.OPEN, ItemState.LATER)
    return [(topic, item) for topic in topics for item in topic.items if item.state in states]


def test_every_kind_is_measured_and_decided(annotated) -> None:
    assert set(KINDS) == set(Work) == {annotations_work(what) for what in lines(annotated)}
    titles = {work: annotations_title(annotations_name(work, "x")) for work in Work}
    assert len(set(titles.values())) == len(Work)


def test_agreement_counts_what_can_be_decided_and_undo_takes_a_decision_back(annotated) -> None:
    annotated.annotators.get_or_create(SELECTED.result, RESULT_GROUP)
    mia = annotated.annotators.get_or_create("Mia").id
    before = lines(annotated)
    whats = run_to_completion(survey(annotated, SELECTED)).to_decide()
    assert all(before.values()), "every line has differences"
    for what, count in whats.items():
        found = to_decide(annotated, what)
        assert len(found) == count > 0, what
        assert all(" : " in item.values or "other words" in item.values for _, item in found), what
        topic, item = found[0]
        for choice in (Choice.ACCEPT, Choice.NEITHER, *((Choice.BOTH,) if item.both else ())):
            annotated.adjudication.commit(topic.decide(item, choice), mia).result()
            left = len(to_decide(annotated, what))
            assert left == count - 1, (what, choice)
            assert run_to_completion(survey(annotated, SELECTED)).to_decide()[what] == left
            annotated.edits.undo(mia).result()
            assert len(to_decide(annotated, what)) == count, (what, choice)
    assert lines(annotated) == before
