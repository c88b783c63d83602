"""Every measure against the best, and the recipes of anchored ROUGE."""

from __future__ import annotations

import numpy as np
import pytest

from core.comparison.judgements import judgement_matrix
from core.comparison.measures import find_measure, matrix, measures
from core.domain.reference_authors import reference_system_name
from core.experiments.inputs.humans_as_systems import load_with_humans, scored_with_people
from core.experiments.inputs.measure_inputs import MeasureSpec, automatic
from core.experiments.inputs.subset_inputs import PYRAMID
from core.experiments.registry import parse_recipe, parse_request
from core.experiments.runner import run_experiment
from core.metrics import registry
from core.progress import run_to_completion
from core.scoring.jackknife import with_references_as_systems
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level, correlate
from core.stats.resampling.significance import williams
from core.stats.types import Alternative
from tests.core.conftest import copied

pytestmark = pytest.mark.slow

HUMAN = "rating.responsiveness"


def made(study, request, resources=None):
    """Return a result. resources: with the encoded texts of an earlier one."""
    return run_to_completion(run_experiment(study, request, resources or StudyResources(study))).result


@pytest.mark.parametrize("level", [Level.SYSTEM, Level.TOPIC])
def test_each_measure_is_tested_against_the_best_one(level, sample):
    request = parse_request("best", {"judgements": HUMAN, "level": level.value, "sides": "two"})
    table = made(sample, request).tables[0]
    rows = {row[0]: row for row in table.rows}
    best = max(rows, key=lambda name: rows[name][1])
    assert [name for name, row in rows.items() if row[-1] == "best"] == [best]
    assert rows[best][4] is None
    for at, name in enumerate(("Pearson's r", "Spearman's ρ", "Kendall's τ-b"), 1):
        assert f"{max(rows, key=lambda row: rows[row][at])} by {name}" in table.note
    human = judgement_matrix(sample, HUMAN).only(automatic(sample))

    def numbers(name):
        if name.startswith("pyramid."):
            return judgement_matrix(sample, name).select(human.systems, human.topics).values
        ref = find_measure(measures(sample), name)
        return matrix(sample, ref).select(human.systems, human.topics).values

    other = next(name for name in rows if name != best)
    one, two, z = numbers(best), numbers(other), human.values
    r12, r13, r23 = (
        correlate(a, b, level, Coefficient.PEARSON).value for a, b in ((one, z), (two, z), (one, two))
    )
    p = float(williams(r12, r13, r23, len(human.systems), Alternative.TWO))
    assert rows[best][1] == pytest.approx(r12, abs=1e-12)
    assert rows[other][4] == pytest.approx(p, abs=1e-12)
    adjusted = np.array([row[5] for name, row in rows.items() if name != best])
    assert (adjusted >= np.array([row[4] for name, row in rows.items() if name != best]) - 1e-15).all()


class TestAnchored:
    def test_a_curve_by_k_scores_each_configuration_once(self, changeable_study):
        result = made(changeable_study, parse_recipe("anchored-figure-3", {"k": "1,2"}))
        assert [row[0] for row in result.tables[0].rows] == [1, 2]
        assert [series.label for series in result.charts[0].series] == ["AncR-1†", "AncR-2†"]
        specs = {config.spec for config in changeable_study.scores.configs() if config.metric == "ancr"}
        assert specs == {"ancr:k=1", "ancr:k=2", "ancr:n=2,k=1", "ancr:n=2,k=2"}
        assert any("a stand-in for bert-base-uncased" in sentence for sentence in result.stand_ins)
        request = parse_recipe("anchored-figure-3", {"k": "1,2"})
        assert run_to_completion(
            run_experiment(changeable_study, request, StudyResources(changeable_study))
        ).is_stored

    def test_fewer_references_are_averaged_over_every_subset(self, changeable_study):
        chosen = {"judgements": "rating.coherence", "level": "system", "systems": "automatic"}
        request = parse_recipe("anchored-table-2", chosen)
        table = made(changeable_study, request).tables[0]
        rows = [("AncR-1†", 2), ("AncR-1†", 1), ("AncR-2†", 2), ("AncR-2†", 1)]
        assert [row[:2] for row in table.rows] == rows
        human = judgement_matrix(changeable_study, "rating.coherence")
        ref = find_measure(measures(changeable_study, with_made=True), "ancr-1.recall")
        rows = automatic(changeable_study)
        own = correlate(
            matrix(changeable_study, ref).only(rows).values, human.only(rows).values, Level.SYSTEM,
            Coefficient.SPEARMAN,
        )  # fmt: skip
        assert table.rows[0][3] == pytest.approx(own.value, abs=1e-12)

    def test_references_are_included_unless_excluded(self, changeable_study):
        chosen = {"measures": "rouge-2.f", "judgements": "rating.coherence", "level": "system"}
        with_people = made(changeable_study, parse_recipe("anchored-table-1", chosen))
        alone = {**chosen, "systems": "automatic"}
        without = made(changeable_study, parse_recipe("anchored-table-1", alone))
        assert with_people.tables[0].rows[0][1] != without.tables[0].rows[0][1]
        assert "Human summaries are systems too" in with_people.policy[-1]
        assert "Only automatic systems" in without.policy[-1]


class TestSelfMatched:
    """References as systems that are also among their own references, as in the paper."""

    WANTED = (MeasureSpec("R-2", "rouge-n:n=2,stem=yes", "rouge-2.recall"),)

    def test_references_are_judged_by_the_others_and_scored_by_all(self, sample, tmp_path):
        with copied(sample, tmp_path / "s.pyramidion") as study:
            rows = load_with_humans(study, [PYRAMID], "all")
            (judgement,) = rows.people.values()
            people = [name for name in judgement.systems if name not in automatic(study)]
            assert rows.has_references
            assert len(people) >= 2
            resources = StudyResources(study)
            (scores,) = run_to_completion(scored_with_people(study, resources, self.WANTED)).matrices
            topic = next(iter(study.texts.load()))
            metric = registry.parse("rouge-n:n=2,stem=yes")
            whole = metric.score(metric.prepare(with_references_as_systems(topic), resources)).values
            column = metric.measures().index("rouge-2.recall")
            names = [
                *(t.name for t in topic.summaries),
                *(reference_system_name(t.name) for t in topic.references),
            ]
            column_values = scores.select(names, [topic.name]).values[:, 0]
            assert column_values == pytest.approx(whole[:, column])

    def test_a_note_states_that_references_are_included_as_systems(self, sample, tmp_path):
        with copied(sample, tmp_path / "s.pyramidion") as study:
            resources = StudyResources(study)
            both = made(study, parse_recipe("anchored-table-2", {"level": "system"}), resources)
            with_people, alone = both.tables
            assert with_people.title.endswith("with human summaries")
            assert alone.title.endswith("without human summaries")
            assert with_people.rows[0][2] != alone.rows[0][2]
            assert any("references that include itself" in sentence for sentence in both.policy)
            assert "fewer of them match themselves" in both.warnings[0]
            alike = parse_recipe("anchored-table-2", {"level": "system", "systems": "automatic"})
            single = made(study, alike, resources)
            assert [table.rows for table in single.tables] == [alone.rows]

    def test_automatic_systems_exclude_references(self, sample):
        rows = load_with_humans(sample, [PYRAMID], "automatic")
        assert not rows.has_references
        assert set(rows.people[PYRAMID].systems) == automatic(sample)
