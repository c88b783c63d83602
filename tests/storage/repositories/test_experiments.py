"""Experiments that a study keeps: results, and parts of those under way."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from core.ports import ChangeKind
from storage.study_file import open_study
from tests.storage.conftest import vary_topics


def test_an_experiment_is_read_as_it_was_kept(study):
    record = vary_topics(title="Fewer topics · 1–3", settings={"draws": "3", "set": "initial"})
    receipt = study.experiments.save(record).result()
    assert receipt.changes.kinds == {ChangeKind.EXPERIMENTS}
    assert study.experiments.get("e1") == record
    assert study.experiments.all() == [record]
    assert study.experiments.get("e2") is None


def test_parts_outlive_the_program_and_come_back_in_their_shape(study):
    study.experiments.save(vary_topics()).result()
    study.experiments.save_part("e1", "n=3", np.zeros((2, 3))).result()
    study.experiments.save_part("e1", "n=3", np.array([[1.0, np.nan]])).result()
    study.experiments.save_part("e1", "n=6", np.empty((0, 4))).result()
    path = study.path
    study.close()
    with open_study(path) as again:
        parts = again.experiments.parts("e1")
        assert list(parts) == ["n=3", "n=6"]
        np.testing.assert_array_equal(parts["n=3"], [[1.0, np.nan]])
        assert parts["n=6"].shape == (0, 4)


@pytest.mark.parametrize(
    ("changed", "left"),
    [({"result": "{}"}, []), ({"inputs_hash": "other"}, []), ({"seconds": 2.0}, ["n=3"])],
    ids=["it is done", "its inputs changed", "it goes on"],
)
def test_parts_stay_as_long_as_they_are_of_use(changed, left, study):
    study.experiments.save(vary_topics()).result()
    study.experiments.save_part("e1", "n=3", np.ones(3)).result()
    study.experiments.save(vary_topics(**changed)).result()
    assert list(study.experiments.parts("e1")) == left


def test_a_removed_experiment_leaves_nothing_and_takes_no_late_part(study):
    study.experiments.save(vary_topics()).result()
    study.experiments.save_part("e1", "n=3", np.ones(3)).result()
    study.experiments.remove("e1").result()
    study.experiments.save_part("e1", "n=6", np.ones(3)).result()
    assert study.experiments.all() == []
    assert study.experiments.parts("e1") == {}


def test_the_newest_experiment_is_first(study):
    for day, name in ((1, "old"), (3, "new"), (2, "between")):
        study.experiments.save(vary_topics(id=name, at=datetime(2026, 5, day, tzinfo=UTC))).result()
    assert [record.id for record in study.experiments.all()] == ["new", "between", "old"]
