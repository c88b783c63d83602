"""Every measure against the best, and the recipes of anchored ROUGE."""

from __future__ import annotations

import numpy as np
import pytest

from core.experiments.measured import automatic
from core.experiments.registry import asked, asked_recipe
from core.experiments.running import perform
from core.judgements import judgement_matrix
from core.measures import find, matrix, measures
from core.progress import run
from core.stats.correlation import Coefficient, Level, correlate
from core.stats.significance import Sides, williams
from core.tools import EngineTools

HUMAN = "rating.responsiveness"


def made(study, wish):
    return run(perform(study, wish, EngineTools(study))).result


@pytest.mark.parametrize("level", [Level.SYSTEM, Level.TOPIC])
def test_each_measure_is_tested_against_the_best_one(level, sample):
    wish = asked("best", {"judgements": HUMAN, "level": level.value, "sides": "two"})
    table = made(sample, wish).tables[0]
    rows = {row[0]: row for row in table.rows}
    best = max(rows, key=lambda name: rows[name][1])
    assert [name for name, row in rows.items() if row[-1] == "best"] == [best]
    assert rows[best][4] is None
    human = judgement_matrix(sample, HUMAN).only(automatic(sample))

    def numbers(name):
        if name.startswith("pyramid."):
            return judgement_matrix(sample, name).select(human.systems, human.topics).values
        ref = find(measures(sample), name)
        return matrix(sample, ref).select(human.systems, human.topics).values

    other = next(name for name in rows if name != best)
    one, two, z = numbers(best), numbers(other), human.values
    r12, r13, r23 = (
        correlate(a, b, level, Coefficient.PEARSON).value for a, b in ((one, z), (two, z), (one, two))
    )
    p = float(williams(r12, r13, r23, len(human.systems), Sides.TWO))
    assert rows[best][1] == pytest.approx(r12, abs=1e-12)
    assert rows[other][4] == pytest.approx(p, abs=1e-12)
    adjusted = np.array([row[5] for name, row in rows.items() if name != best])
    assert (adjusted >= np.array([row[4] for name, row in rows.items() if name != best]) - 1e-15).all()


class TestAnchored:
    def test_a_curve_by_k_scores_each_configuration_once(self, changeable_study):
        result = made(changeable_study, asked_recipe("anchored-figure-3", {"k": "1,2"}))
        assert [row[0] for row in result.tables[0].rows] == [1, 2]
        assert [series.label for series in result.charts[0].series] == ["AncR-1", "AncR-2"]
        specs = {config.spec for config in changeable_study.configs() if config.metric == "ancr"}
        assert specs == {"ancr:k=1", "ancr:k=2", "ancr:n=2,k=1", "ancr:n=2,k=2"}
        assert any("in place of bert-base-uncased" in sentence for sentence in result.stand_ins)
        wish = asked_recipe("anchored-figure-3", {"k": "1,2"})
        assert run(perform(changeable_study, wish, EngineTools(changeable_study))).is_kept

    def test_fewer_references_are_averaged_over_every_subset(self, changeable_study):
        wish = asked_recipe("anchored-table-2", {"judgements": "rating.coherence", "level": "system"})
        table = made(changeable_study, wish).tables[0]
        assert [row[:2] for row in table.rows] == [("AncR-1", 2), ("AncR-1", 1), ("AncR-2", 2), ("AncR-2", 1)]
        human = judgement_matrix(changeable_study, "rating.coherence")
        ref = find(measures(changeable_study, with_made=True), "ancr-1.recall")
        rows = automatic(changeable_study)
        own = correlate(
            matrix(changeable_study, ref).only(rows).values, human.only(rows).values, Level.SYSTEM,
            Coefficient.SPEARMAN,
        )  # fmt: skip
        assert table.rows[0][3] == pytest.approx(own.value, abs=1e-12)

    def test_people_take_part_where_they_are_wanted(self, changeable_study):
        chosen = {"measures": "rouge-2.f", "judgements": "rating.coherence", "level": "system"}
        with_people = made(changeable_study, asked_recipe("anchored-table-1", {**chosen, "systems": "all"}))
        without = made(changeable_study, asked_recipe("anchored-table-1", chosen))
        assert with_people.tables[0].rows[0][1] != without.tables[0].rows[0][1]
