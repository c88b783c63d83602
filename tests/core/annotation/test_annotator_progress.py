"""Pace of annotators: the days that are left, and who is late."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.annotator_progress import (
    IDLE_DAYS,
    LATE_RULE,
    AnnotatorProgress,
    days_left,
    progress_table,
    team_progress,
    with_status,
)
from core.annotation.annotators import Team, save_team
from core.annotation.assignment import assign
from core.domain.assignment import Work
from core.domain.pyramid import add_scu, mark_pyramid_done
from core.progress import run_to_completion

TODAY = date(2026, 3, 20)


def days(*seconds: float) -> dict[date, float]:
    """Return active time by day, the last one today."""
    return {TODAY - timedelta(days=ago): one for ago, one in enumerate(reversed(seconds))}


def test_the_time_left_is_divided_by_that_of_the_last_five_days_with_work() -> None:
    # 300 s for a quarter of the work, so 900 s are left; of the last five days, the mean is 50 s
    assert days_left(0.25, days(50, 0, 50, 40, 60, 50, 50)) == pytest.approx(18)
    assert days_left(0.25, days(600, 100, 100, 100, 100, 100)) == pytest.approx(33)
    assert days_left(1.0, {}) == 0.0
    assert days_left(0.0, days(50)) is None, "no pace yet"
    assert days_left(0.5, days(0.0)) is None, "imported work has no time"


@given(
    st.floats(0.01, 1),
    st.floats(0.01, 1),
    st.lists(st.floats(1, 1e4), min_size=1, max_size=9),
    st.floats(0.1, 10),
)
def test_fewer_days_are_left_the_more_is_done_whatever_the_unit_of_time(one, other, worked, unit) -> None:
    less, more = sorted((one, other))
    assert days_left(more, days(*worked)) <= days_left(less, days(*worked))
    scaled = days_left(less, days(*(unit * each for each in worked)))
    assert scaled == pytest.approx(days_left(less, days(*worked)))


def person(
    name: str, left: float | None, idle: int | None = 0, done: float | None = 0.5
) -> AnnotatorProgress:
    return AnnotatorProgress(name, days_left=left, idle_days=idle, done=done)


def statuses(*people: AnnotatorProgress, inactive: tuple[str, ...] = ()) -> list[str]:
    return [one.status for one in with_status(people, inactive)]


def test_late_are_those_with_more_than_twice_the_median_of_the_others_or_idle_ones() -> None:
    assert statuses(person("A", 4), person("B", 4), person("C", 8)) == ["", "", ""]
    assert statuses(person("A", 4), person("B", 4), person("C", 9)) == ["", "", "late"]
    assert statuses(person("A", 0, done=1.0), person("B", 2)) == ["done", ""], "a day is no delay"
    assert statuses(person("A", 0, done=1.0), person("B", 3)) == ["done", "late"]
    assert statuses(person("A", 4), person("B", 4, IDLE_DAYS), person("C", 4, IDLE_DAYS - 1)) == [
        "",
        "late",
        "",
    ]
    assert statuses(person("A", 0, IDLE_DAYS, 1.0)) == ["done"]
    assert statuses(person("A", 99)) == [""], "nobody to compare with"
    assert statuses(person("A", None, None, 0.0), person("B", 4)) == ["not begun", ""]
    assert statuses(person("A", None, None, None)) == [""], "nothing to do"
    everybody = person("A", 1), person("B", 1), person("C", 9)
    assert statuses(*everybody, inactive=("C",)) == ["", "", "inactive"]


def test_to_do_are_assigned_topics_else_all_of_the_work_that_is_begun(study) -> None:
    ann, ben = (study.annotators.get_or_create(name).id for name in ("Ann", "Ben"))
    topic = study.texts.topic(study.texts.topics()[0].id)
    for owner in (ann, ben):
        before = study.pyramids.annotation(topic.id, owner)
        after = mark_pyramid_done(add_scu(before, "ban", topic.references[0].id, [(0, 9)]), True)
        study.pyramids.commit(before, after, "new SCU", owner, 60.0).result()
    assign(study, Work.PYRAMIDS, {"D1": ("Ann", "Cat")}, None).result()
    study.annotators.get_or_create("Cat")
    save_team(study, Team(frozenset({"Cat", "Dan"})), None).result()
    study.annotators.get_or_create("Dan")
    study.annotators.get_or_create("opened it only")
    found = {one.name: one for one in run_to_completion(team_progress(study))}
    assert {name: one.done for name, one in found.items()} == {
        "Ann": 1.0,
        "Ben": 0.5,
        "Cat": 0.0,
        "Dan": None,
    }
    assert {name: one.status for name, one in found.items()} == {
        "Ann": "done",
        "Ben": "",
        "Cat": "not begun",
        "Dan": "",
    }
    assert found["Ben"].days_left == 1.0
    assert found["Ben"].idle_days == 0
    later = run_to_completion(team_progress(study, date.today() + timedelta(days=IDLE_DAYS)))
    assert [one.name for one in later if one.status == "late"] == ["Ben"]
    assert LATE_RULE in progress_table(later).note
