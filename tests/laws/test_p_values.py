"""A p-value is valid at its level, or it is marked; every face shows the same one.

Tried to break it with every level, coefficient and method of intervals, by the command line, the Python
interface, the Compare page's cells and the report's tables; and with null data whose systems and topics vary.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyramidion
from cli.errors import DONE
from cli.main import main
from core.comparison import inference
from core.comparison.comparison import load_comparison
from core.comparison.inference import p_caution, p_method, short_p_method
from core.comparison.judgements import judgements
from core.comparison.options import InferenceOptions, IntervalMethod
from core.errors import BadSetting
from core.experiments.registry import all_experiments, parse_request
from core.ports import ExperimentRecord
from core.progress import run_to_completion
from core.report.build import report_inputs
from core.report.model import ReportOptions
from core.report.sections import correlation_sections
from core.stats.correlation import Coefficient, Level, correlate_many
from core.stats.intervals import bootstrap_intervals
from core.stats.resample_counts import ResampleUnit
from core.stats.types import WHICH_TAU, Ends
from gui.pages.compare.correlations.inference import Inference, Method, compute_task
from gui.pages.compare.correlations.queries import CorrelationQuery, PartialResult
from gui.pages.compare.correlations.study_data import ComparisonData
from gui.pages.compare.table.table_content import TableContent, cells_of, p_name
from storage.study_file import open_to_read

HUMAN = "rating.coherence"
LABEL = "rouge-2[stem:yes].f"
REQUESTS = [
    (level, coefficient)
    for level in Level
    for coefficient in Coefficient
    if coefficient is not Coefficient.SOFT_ACCURACY or level is Level.SYSTEM
]
METHODS = [
    IntervalMethod.BOOTSTRAP_BOTH,
    IntervalMethod.FISHER,
    IntervalMethod.T_TEST,
    IntervalMethod.NONE,
]
Found = tuple[float | None, str]
"""p and the name of its method."""


@pytest.fixture(scope="module")
def path(sample_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample study with one lexical metric."""
    copy = tmp_path_factory.mktemp("laws") / "sample.pyramidion"
    shutil.copy(sample_file, copy)
    assert main(["score", str(copy), "-m", "rouge-n:n=1", "-m", "rouge-n:n=2,stem=yes"]) == DONE
    return copy


@pytest.fixture
def _few_draws(monkeypatch):
    """All faces share this function, so fewer draws change them alike."""

    def quick(*arguments: Any, **options: Any) -> Any:
        return bootstrap_intervals(*arguments, **{**options, "draws": 200})

    monkeypatch.setattr(inference, "bootstrap_intervals", quick)


def by_command(path: Path, capsys: Any, *options: str) -> dict[str, Any]:
    capsys.readouterr()
    words = ["correlate", str(path), "--human", HUMAN, "--measure", LABEL, *options, "--json"]
    assert main(words) == DONE
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    return row


def p_of(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def on_the_page(study: Any, level: Level, coefficient: Coefficient, method: Method) -> Found:
    comparison = load_comparison(study, [HUMAN], measures=[LABEL])
    (ref,) = judgements(study, (), [HUMAN])
    numbers = ComparisonData(comparison, {HUMAN: ref}, {})
    query = CorrelationQuery(level, coefficient, HUMAN)
    (column,) = run_to_completion(PartialResult(numbers, [query]).work())
    known = run_to_completion(compute_task((query, (method.interval, method.ends)), numbers, column))
    computed = Inference(known, np.full(1, np.nan))
    options = method.options(level, coefficient)
    content = TableContent(numbers, [column], [computed], options=options)
    (cell,) = cells_of(content, column, computed)
    return p_of(cell.p), p_name(content)


def in_the_report(study: Any, level: Level, coefficient: Coefficient, method: IntervalMethod) -> Found:
    chance = InferenceOptions(method)
    options = ReportOptions((HUMAN,), (LABEL,), (level,), coefficient, chance=chance)
    inputs = run_to_completion(report_inputs(study, options))
    (section,) = correlation_sections(inputs)
    (table,) = section.tables
    keys = [column.key for column in table.columns]
    assert sum(key.endswith("_p") for key in keys) <= 1, "one kind of p in a table"
    notes = " ".join((*section.paragraphs, table.note))
    named = p_method(chance, level, coefficient)
    assert named in notes or not named
    assert p_caution(chance, level, coefficient) in notes
    key = f"{coefficient.value}_p"
    return (p_of(table.rows[0][keys.index(key)]) if key in keys else None), short_p_method(named)


@pytest.mark.usefixtures("_few_draws")
@pytest.mark.parametrize("method", METHODS)
def test_every_face_shows_the_same_p_of_the_same_kind(path, capsys, method):
    with open_to_read(path, "by a test") as study, pyramidion.open(path) as opened:
        for level, coefficient in REQUESTS:
            words = ("--level", level, "--coefficient", coefficient, "--interval", method)
            row = by_command(path, capsys, *words)
            frame = opened.correlations(
                HUMAN, LABEL, level=level.value, coefficient=coefficient.value, interval=method.value
            )
            options = InferenceOptions(method)
            expected = row["p"], row["p_method"]
            assert (p_of(frame["p"].iloc[0]), frame["p_method"].iloc[0] or "") == expected
            assert (frame["p_caution"].iloc[0] or "") == row["p_caution"]
            short = row["p"], short_p_method(row["p_method"])
            mark = ", caution" if row["p_caution"] else ""
            assert on_the_page(study, level, coefficient, Method(method)) == (short[0], short[1] + mark)
            assert in_the_report(study, level, coefficient, method) == short
            assert row["p_method"] == p_method(options, level, coefficient)


@pytest.mark.parametrize(("level", "coefficient"), REQUESTS)
def test_the_default_p_is_valid_at_its_level(path, capsys, level, coefficient):
    row = by_command(path, capsys, "--level", level, "--coefficient", coefficient, "--draws", "50")
    assert not row["p_caution"]
    for options in (
        InferenceOptions(IntervalMethod.AUTO),
        ReportOptions().chance,
        Method().options(level, coefficient),
    ):
        assert not p_caution(options, level, coefficient)
        kind = p_method(options, level, coefficient)
        assert level is Level.SYSTEM or kind in ("", f"{Ends.BCA} {IntervalMethod.BOOTSTRAP_BOTH}")
    assert row["p_method"] == p_method(InferenceOptions(IntervalMethod.AUTO), level, coefficient)


@pytest.mark.parametrize("method", IntervalMethod)
def test_a_p_that_ignores_systems_is_marked_off_system_level(method):
    ignores = method in (IntervalMethod.T_TEST, IntervalMethod.FISHER, IntervalMethod.BOOTSTRAP_TOPICS)
    for level, coefficient in REQUESTS:
        caution = p_caution(InferenceOptions(method), level, coefficient)
        assert bool(caution) == (ignores and level is not Level.SYSTEM and not coefficient.is_accuracy)


def null_study(random: np.random.Generator, systems: int, topics: int) -> np.ndarray:
    """Return independent values of which systems and topics have a fifth of the variance each."""
    parts = (
        random.normal(size=(systems, 1)),
        random.normal(size=(1, topics)),
        random.normal(size=(systems, topics)),
    )
    return sum(share**0.5 * part for share, part in zip((0.2, 0.2, 0.6), parts, strict=True))


@pytest.mark.parametrize("level", [Level.TOPIC, Level.GLOBAL])
def test_unrelated_measures_are_seldom_significant_by_the_default_p(level):
    random, studies = np.random.default_rng(5), 60
    default = own = 0
    for seed in range(studies):
        x, z = null_study(random, 16, 30)[None], null_study(random, 16, 30)
        found = run_to_completion(
            bootstrap_intervals(x, z, level, Coefficient.PEARSON, ResampleUnit.BOTH, draws=200, seed=seed)
        )
        default += found.p[0] < 0.05
        own += correlate_many(x, z, level, Coefficient.PEARSON)[0].p < 0.05
    assert default <= 9 < own, "0.05 of 60 is 3; 10 or more have a probability below .001"


def test_every_experiment_asks_which_tau_and_reads_stored_ones_as_gamma(study):
    asking = 0
    for experiment in all_experiments():
        choices = {f.name: f.metadata["choices"] for f in fields(experiment) if "choices" in f.metadata}
        if "gamma" not in choices.get("coefficient", ()):
            continue
        with pytest.raises(BadSetting, match=re.escape(WHICH_TAU)):
            parse_request(experiment.name, {"coefficient": "tau"})
        asking += 1
    assert asking > 10
    now = datetime.now(UTC)
    record = ExperimentRecord("e" * 32, "bootstrap", "", "T", {"coefficient": "tau"}, 0, "", now)
    study.experiments.save(record).result()
    (stored,) = study.experiments.all()
    assert stored.settings == {"coefficient": "gamma"}
    assert parse_request(stored.experiment, stored.settings).experiment.settings()["coefficient"] == "gamma"


def test_tau_is_answered_with_a_question(path, capsys):
    for words in (
        ["correlate", str(path)],
        ["report", str(path), "-o", "-"],
        ["compare", str(path), str(path)],
    ):
        assert main([*words, "--coefficient", "tau"]) != DONE
        assert WHICH_TAU in " ".join(capsys.readouterr().err.split())
    with pyramidion.open(path) as opened, pytest.raises(pyramidion.InputError, match=r"Which tau: kendall"):
        opened.correlations(coefficient="tau")
