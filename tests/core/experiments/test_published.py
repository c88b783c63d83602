"""Published numbers next to a study's own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from core.comparison.judgements import judgement_matrix
from core.comparison.measures import find_measure, matrix, measures
from core.errors import InputError
from core.experiments.analyses.studies import published
from core.experiments.analyses.studies.published import PublishedResults, PublishedTable, published_tables
from core.experiments.inputs.measure_inputs import MeasureSpec
from core.experiments.registry import parse_request
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level, correlate

HUMAN = "pyramid.modified"
SYSTEMS = frozenset({"lead", "fuse", "tail"})


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> list[PublishedTable]:
    """Tables of a paper about the sample study."""
    rows = (("ROUGE-2", (0.5,)), ("METEOR", (0.25,)))
    facts = {"source": "Nobody 2020, Table 1", "topics": 8, "judgements": (HUMAN,), "systems": SYSTEMS}
    tables = [
        PublishedTable("metrics", "Metrics", rows=rows, level="global", coefficient="kendall", **facts),
        PublishedTable(
            "systems", "Systems", rows=(("lead", (0.125,)), ("fuse", (0.5,))), **facts | {"topics": 7}
        ),
    ]
    specs = {
        "ROUGE-2": MeasureSpec("", "rouge-n:n=2,stem=yes", "rouge-2.f"),
        "METEOR": MeasureSpec("", "meteor"),
    }
    monkeypatch.setattr(published, "published_tables", lambda: tuple(tables))
    monkeypatch.setattr(published, "_ROWS", {"metrics": specs})
    return tables


def test_each_number_is_the_papers_the_studys_and_their_difference(
    sample: Any, known: list[PublishedTable]
) -> None:
    resources = StudyResources(sample)
    result = run_to_completion(PublishedResults().run(sample, resources))
    metrics, systems = result.tables
    judged = judgement_matrix(sample, HUMAN)
    rouge = matrix(sample, find_measure(measures(sample), "rouge-2[stem:yes].f"))
    tau = correlate(
        rouge.select(judged.systems, judged.topics).values, judged.values, Level.GLOBAL, Coefficient.KENDALL
    ).value
    assert metrics.rows == (
        ("ROUGE-2", "rouge-2[stem:yes].f", HUMAN, 0.5, pytest.approx(tau), pytest.approx(tau - 0.5)),
    )
    lead = float(np.nanmean(judged.values[judged.systems.index("lead")]))
    assert systems.rows[0] == ("lead", HUMAN, 0.125, pytest.approx(lead), pytest.approx(lead - 0.125))
    assert metrics.note == "Source: Nobody 2020, Table 1."
    assert result.warnings == (
        "Systems: the paper has 7 topics, this study 8.",
        "Metrics: not scored in this study, or stale: METEOR.",
    )


def test_tables_of_other_systems_or_judgements_are_refused(sample: Any, known: list[PublishedTable]) -> None:
    assert PublishedResults().missing_requirements(sample) == ""
    known[:] = [PublishedTable("x", "X", "Y", 6, ("rating.none",), SYSTEMS, ())]
    with pytest.raises(InputError, match=r"Judgements needed: x: rating\.none"):
        run_to_completion(PublishedResults().run(sample, StudyResources(sample)))
    known[:] = [PublishedTable("x", "X", "Y", 6, (HUMAN,), frozenset({"GPT"}), ())]
    assert "No published results" in PublishedResults().missing_requirements(sample)


def test_the_packaged_tables_are_complete_and_can_be_chosen() -> None:
    for table in published_tables():
        assert all(len(values) == len(table.judgements) for _, values in table.rows), table.key
        assert all(math.isfinite(value) for _, values in table.rows for value in values)
        assert parse_request("published", {"table": table.key}).experiment.settings() == {"table": table.key}
        if table.coefficient:
            rows = published._ROWS[table.key]
            assert [name for name, _ in table.rows] == list(rows)
    widar = next(table for table in published_tables() if table.key == "summeval")
    printed = dict(widar.rows)
    assert printed["SUPERT"] == (0.130, 0.259, 0.167, 0.204)
    averages = {name: sum(values) / 4 for name, values in widar.rows}
    assert averages["WIDAR-1"] == pytest.approx(0.176, abs=0.0006), "the paper's own column of averages"
