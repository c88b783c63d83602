"""Law: an edit, its undo and its redo announce the same changes, and among them what results depend on.

Tried to be broken by an edit of each kind: whatever changes the contents of a study or its languages makes
pages of results read again.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.annotation.comparison_plans import draw_plan
from core.comparison.study_digest import study_digest
from core.domain.preferences import ComparisonKind
from core.domain.pyramid import add_match, add_scu, set_summary_state
from core.ports import SCORED_CHANGES, set_language


def ann(study):
    return study.annotators.get_or_create("Ann").id


def first(study):
    return next(iter(study.texts.load()))


def rate(study):
    (scale, *_) = study.ratings.dimensions()
    return study.ratings.rate(first(study).summaries[0].id, scale.id, ann(study), 3.0)


def describe_scale(study):
    (scale, *others) = before = study.ratings.dimensions()
    return study.ratings.edit_dimensions(before, [replace(scale, high=9.0), *others], ann(study))


def answer(study):
    (plan,) = study.comparisons.plans()
    item = study.comparisons.items(plan.id)[0]
    return study.comparisons.answer(item.id, ann(study), *item.summary_ids[:2])


def build(study):
    topic, me = first(study), ann(study)
    before = study.pyramids.annotation(topic.id, me)
    after = add_scu(before, "unit", topic.references[0].id, [(0, 3)], "1" * 32)
    after = add_match(after, topic.summaries[0].id, me, "1" * 32)
    return study.pyramids.commit(before, after, "build", me)


def finish(study):
    topic, me = first(study), ann(study)
    before = study.pyramids.annotation(topic.id, me)
    after = set_summary_state(before, topic.summaries[0].id, me, is_done=True)
    return study.pyramids.commit(before, after, "finish", me)


def mark_nugget(study):
    topic, me = first(study), ann(study)
    before = study.nuggets.annotation(topic.id, me)
    after = add_scu(before, "nugget", topic.references[0].id, [(0, 3)], "2" * 32)
    return study.nuggets.commit(before, after, "mark", me)


def say_language(study):
    return set_language(study, "de")


def say_language_of_a_topic(study):
    return set_language(study, "ja", [first(study).id])


EDITS = (rate, describe_scale, answer, build, finish, mark_nugget, say_language, say_language_of_a_topic)


@pytest.mark.parametrize("edit", EDITS)
def test_edit_undo_and_redo_announce_what_results_depend_on(study, edit):
    me = ann(study)
    study.ratings.add_dimension("coherence", annotator_id=me)
    plan, items = draw_plan(study, "better", ComparisonKind.PAIRWISE, per_summary=1, size=0)
    study.comparisons.add_plan(plan, items, None).result()
    digests = [study_digest(study)]
    receipt = edit(study).result()
    digests.append(study_digest(study))
    editor = None if edit in (say_language, say_language_of_a_topic) else me
    undone = study.edits.undo(editor).result()
    digests.append(study_digest(study))
    redone = study.edits.redo(editor).result()
    digests.append(study_digest(study))
    assert digests[0] == digests[2] != digests[1] == digests[3]
    assert receipt.changes.kinds & SCORED_CHANGES
    assert receipt.changes.kinds == undone.changes.kinds == redone.changes.kinds
