"""The next step of a study, by what it has and who opens it."""

from __future__ import annotations

import pytest

from core.annotation.next_step import Person, Step, next_step
from core.annotation.team_progress import WorkProgress
from core.domain.assignment import Role, Work
from core.domain.study import TopicHeader

P, M, R, C = Work.PYRAMIDS, Work.MATCHES, Work.RATINGS, Work.COMPARISONS
TOPICS = tuple(TopicHeader(name, name, references=2, summaries=3) for name in ("D1", "D2"))
BARE = tuple(TopicHeader(name, name, summaries=3) for name in ("D1", "D2"))
ANN_DID_D1 = {P: {("D1", "Ann"): {"D1"}}}
ANN_DID_ALL = {P: {("D1", "Ann"): {"D1"}, ("D2", "Ann"): {"D2"}}}
BEGUN = {P: {("D1", "Ann"): set()}}
ANN, BEN = Person("Ann"), Person("Ben")
WITH_D1 = Person("Ann", assigned={P: {"D1"}})
WITH_D2 = Person("Ann", assigned={P: {"D2"}})
WITH_BOTH = Person("Ann", assigned={P: {"D1", "D2"}})
RATER, MATCHER = Person("Ann", assigned={R: {"D1"}}), Person("Ann", assigned={P: {"D1"}, M: {"D1"}})
MANAGER, ADJUDICATOR = Person("Mia", role=Role.MANAGER), Person("Mia", role=Role.ADJUDICATOR)
WORKING_MANAGER = Person("Ann", role=Role.MANAGER, assigned={P: {"D1", "D2"}})
IN_ROLE = Person("Ann", role=Role.ANNOTATOR)
LOOKS = Person("Zoe", is_annotator=False)


def made(done, own) -> dict[Work, WorkProgress]:
    """Progress of two topics with three summaries each. own: comparisons by topic and annotator."""
    totals = {work: 1 if work in (P, Work.NUGGETS) else 0 if work is C else 3 for work in Work}
    return {
        work: WorkProgress(
            work,
            dict.fromkeys(("D1", "D2"), totals[work]),
            {key: frozenset(units) for key, units in done.get(work, {}).items()},
            own if work is C else {},
        )
        for work in Work
    }


CASES = [
    # person, topics, done, has scales, is scored, step, work
    (ANN, (), {}, False, False, Step.IMPORT, None),
    (WITH_D1, (), {}, False, False, Step.IMPORT, None),
    (ANN, TOPICS, {}, False, False, Step.START, P),
    (ANN, TOPICS, {}, False, True, Step.START, P),
    (ANN, BARE, {}, True, False, Step.START, R),
    (ANN, BARE, {}, False, False, Step.SCORE, None),
    (ANN, TOPICS, ANN_DID_D1, False, False, Step.SCORE, None),
    (ANN, TOPICS, ANN_DID_D1, False, True, Step.COMPARE, None),
    (BEN, TOPICS, ANN_DID_D1, False, True, Step.COMPARE, None),
    (WITH_D1, TOPICS, {}, False, True, Step.START, P),
    (WITH_D1, TOPICS, BEGUN, False, True, Step.CONTINUE, P),
    (WITH_D1, TOPICS, ANN_DID_D1, False, False, Step.SCORE, None),
    (WITH_D2, TOPICS, ANN_DID_D1, False, True, Step.START, P),
    (WITH_BOTH, TOPICS, ANN_DID_D1, False, True, Step.CONTINUE, P),
    (WITH_BOTH, TOPICS, ANN_DID_ALL, False, True, Step.COMPARE, None),
    (RATER, TOPICS, ANN_DID_D1, True, True, Step.START, R),
    (RATER, TOPICS, {}, False, True, Step.COMPARE, None),  # there is nothing to rate on
    (MATCHER, TOPICS, ANN_DID_D1, False, True, Step.CONTINUE, M),
    (IN_ROLE, TOPICS, {}, False, True, Step.START, P),
    (IN_ROLE, TOPICS, ANN_DID_D1, False, True, Step.CONTINUE, P),
    (IN_ROLE, TOPICS, ANN_DID_ALL, False, True, Step.COMPARE, None),
    (MANAGER, TOPICS, {}, True, False, Step.SCORE, None),
    (MANAGER, TOPICS, ANN_DID_D1, True, True, Step.COMPARE, None),
    (ADJUDICATOR, TOPICS, {}, True, False, Step.SCORE, None),
    (WORKING_MANAGER, TOPICS, ANN_DID_D1, False, True, Step.CONTINUE, P),
    (LOOKS, TOPICS, {}, True, False, Step.SCORE, None),
    (LOOKS, TOPICS, ANN_DID_D1, True, True, Step.COMPARE, None),
]


@pytest.mark.parametrize(("person", "topics", "done", "has_scales", "is_scored", "step", "work"), CASES)
def test_the_next_step_is_that_of_the_table(person, topics, done, has_scales, is_scored, step, work) -> None:
    found = next_step(person, topics, made(done, {}), has_scales=has_scales, is_scored=is_scored)
    assert found == (step, work)


def test_comparisons_of_ones_own_are_assigned_work() -> None:
    progress = made({}, {("D1", "Ann"): 2})
    options = {"has_scales": False, "is_scored": True}
    assert next_step(ANN, TOPICS, progress, **options) == (Step.START, C)
    assert next_step(MANAGER, TOPICS, progress, **options) == (Step.COMPARE, None)
    done = made({C: {("D1", "Ann"): {"i1", "i2"}}}, {("D1", "Ann"): 2})
    assert next_step(ANN, TOPICS, done, **options) == (Step.COMPARE, None)
