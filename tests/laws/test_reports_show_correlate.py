"""A report shows the numbers of `correlate` for the same request, whatever the level, coefficient and seed.

Tried to break it with measures that are tied, incomplete or better if lower, judgements of which one has a
single annotator, and undefined correlations in each of their treatments.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.domain.study import SystemKind
from core.operations.correlate import correlate
from core.operations.options import ReportRequest
from core.progress import run_to_completion
from core.report.build import report_inputs
from core.report.main_part import main_judgements, results_section
from core.report.sections import correlation_sections
from core.stats.resampling.intervals import FEW_IN_TAIL
from core.stats.types import Coefficient, Level, UndefinedPolicy
from storage.study_file import new_study
from tests.conftest import examples

COEFFICIENTS = [one for one in Coefficient if not one.is_accuracy]


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Eight systems, five topics; a measure like the judgement, its copy, a bad and an incomplete one."""
    drawn = random.Random(3)
    topics, systems = [f"t{i}" for i in range(5)], [f"s{i}" for i in range(8)]
    cells = [(t, s) for t in topics for s in systems]
    truth = {cell: systems.index(cell[1]) / 2 + drawn.gauss(0, 0.3) for cell in cells}
    noise = {cell: float(drawn.randint(1, 3)) for cell in cells}
    ratings = [
        NewRating(*cell, "fluency", who, min(5.0, max(1.0, round(truth[cell] + drawn.gauss(1, 0.4)))))
        for cell in cells
        for who in ("a", "b", "c")
    ] + [NewRating(*cell, "style", "a", noise[cell] if cell[0] > "t0" else 3.0) for cell in cells]
    values = {"good.f": truth, "same.f": truth, "good.p": noise, "bad.f": noise}
    scores = [NewScore(*cell, name, one[cell]) for name, one in values.items() for cell in cells]
    scores += [NewScore(*cell, "part.f", truth[cell]) for cell in cells if cell[0] < "t3"]
    content = ImportContent(
        "made for tests",
        topics=[NewTopic(t, summaries={s: NewText(f"{s} on {t}.") for s in systems}) for t in topics],
        systems=dict.fromkeys(systems, SystemKind.AUTOMATIC),
        annotators=dict.fromkeys("abc", ""),
        dimensions={"fluency": (1.0, 5.0), "style": (1.0, 5.0)},
        ratings=ratings,
    )
    with new_study(tmp_path_factory.mktemp("law") / "s.pyramidion", name="Study") as made:
        made.import_data(content)
        made.import_data(ImportContent("made for tests", scores=scores))
        made.flush()
        yield made


def finite(value):
    return None if value is None or not math.isfinite(value) else value


@settings(max_examples=examples(12), deadline=None)
@given(
    st.sampled_from(list(Level)),
    st.sampled_from(COEFFICIENTS),
    st.sampled_from([UndefinedPolicy.SKIP, UndefinedPolicy.ZERO]),
    st.integers(0, 99),
    st.booleans(),
)
def test_reports_show_what_correlate_computes(study, level, coefficient, undefined, seed, has_all):
    measures = ("good.f", "same.f", "good.p", "bad.f", "part.f") if has_all else ()
    asked = ReportRequest(
        levels=(level,), coefficient=coefficient, undefined=undefined, seed=seed, draws=30, measures=measures
    )
    found = run_to_completion(correlate(study, replace(asked, level=level)))
    inputs = run_to_completion(report_inputs(study, asked))
    expected = [found.records()[at] for at in found.in_order()]
    (section,) = correlation_sections(inputs)
    for human, table in zip(inputs.judgements, section.tables, strict=True):
        keys = [column.key for column in table.columns]
        rows = [dict(zip(keys, row, strict=True)) for row in table.rows]
        mine = [record for record in expected if record["human"] == human.name]
        names = {"value": coefficient.value, "p": f"{coefficient.value}_p", "p_adjusted": "p_difference"}
        for name in ("measure", "value", "low", "high", "p", "p_adjusted", "n", "dropped"):
            shown = [row.get(names.get(name, name)) for row in rows]
            if name == "measure":
                assert shown == [record[name] for record in mine]
            else:
                assert list(map(finite, shown)) == [finite(record[name]) for record in mine]
    (main,) = results_section(inputs)
    keys = [column.key for column in main.tables[0].columns]
    rows = {row[0]: dict(zip(keys, row, strict=True)) for row in main.tables[0].rows}
    for record in expected:
        if record["human"] in main_judgements(inputs) and record["measure"] in rows:
            row = rows[record["measure"]]
            shown = row.get(f"{record['human']} cluster"), finite(row[f"{record['human']} {coefficient}"])
            assert shown == (record["cluster"], finite(record["value"]))
            note = main.tables[0].note
            assert (f"{record['measure']} ({record['coverage']})" in note) or record["status"] != "incomplete"
            unsteady = record["tail_draws"] is not None and record["tail_draws"] < FEW_IN_TAIL
            assert "so it depends on the seed" in note or not unsteady
            assert finite(record["low"]) is not None or record["no_interval"] in note
    bounds = {bound.human: bound.one for bound in found.upper_bounds if bound.short_text}
    last = rows.get("one annotator", {})
    shown = {human: last.get(f"{human} {coefficient}") for human in main_judgements(inputs)}
    assert {human: value for human, value in shown.items() if value is not None} == bounds
