"""A p-value is valid at its level, or it is marked; every face shows the same numbers for a request.

Tried to break it with every level, coefficient and method of intervals, by the command line, the Python
interface, the Compare page's cells and the report's tables; with null data whose systems and topics vary; and
with random requests on the real Compare page over small studies with tied measures, copies, falling and
incomplete measures, two annotators and excluded systems.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from dataclasses import fields, replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyramidion
from cli.errors import DONE
from cli.main import main
from core.comparison import inference
from core.comparison.inference import p_caution, p_method, short_p_method
from core.comparison.options import (
    BEST,
    Adjustment,
    DifferenceTest,
    InferenceOptions,
    IntervalMethod,
    SystemSelection,
    Variants,
)
from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.errors import BadSetting
from core.experiments.registry import all_experiments, parse_request
from core.operations import method_text
from core.operations import options as request_options
from core.operations.columns import PartialResult, intervals_query, values_query
from core.operations.correlate import Correlations, correlate, infer_judgement, load_data
from core.operations.options import CorrelateRequest, ReportRequest
from core.ports import ExperimentRecord
from core.progress import run_to_completion
from core.report.build import report_inputs
from core.report.sections import correlation_sections
from core.stats.correlation import Coefficient, Level, correlate_many
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.intervals import bootstrap_intervals
from core.stats.types import WHICH_TAU, Ends, UndefinedPolicy
from gui.pages.compare.correlation_cache import DEFAULT_REQUEST
from gui.pages.compare.presenter import ComparePresenter
from gui.pages.compare.table.table_content import TableContent, cells_of, p_name
from gui.pages.compare.values import MeasureCell, View
from gui.pages.compare.view import CompareView
from storage.study_file import open_to_read
from tests.conftest import NIGHTLY

pytestmark = pytest.mark.slow

HUMAN = "rating.coherence"
LABEL = "rouge-2[stem:yes].f"
REQUESTS = [
    (level, coefficient)
    for level in Level
    for coefficient in Coefficient
    if coefficient is not Coefficient.SOFT_ACCURACY or level is Level.SYSTEM
]
METHODS = [IntervalMethod.BOOTSTRAP_BOTH, IntervalMethod.FISHER, IntervalMethod.T_TEST, IntervalMethod.NONE]
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
        return bootstrap_intervals(*arguments, **{**options, "draws": 50})

    monkeypatch.setattr(inference, "bootstrap_intervals", quick)


def by_command(path: Path, capsys: Any, *options: str) -> dict[str, Any]:
    capsys.readouterr()
    words = ["correlate", str(path), "--human", HUMAN, "--measure", LABEL, *options, "--json"]
    assert main(words) == DONE
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    return row


def p_of(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def on_the_page(study: Any, request: CorrelateRequest) -> Found:
    request = replace(request, judgements=(HUMAN,), measures=(LABEL,))
    data = load_data(study, request)
    (column,) = run_to_completion(PartialResult(data, [values_query(request, HUMAN)]).work())
    result = run_to_completion(infer_judgement(data, HUMAN, intervals_query(request, HUMAN)))
    content = TableContent(data, [column], [result], request)
    (cell,) = cells_of(content, 0)
    return p_of(cell.p), p_name(content)


def in_the_report(study: Any, level: Level, coefficient: Coefficient, method: IntervalMethod) -> Found:
    request = ReportRequest(
        judgements=(HUMAN,), measures=(LABEL,), levels=(level,), coefficient=coefficient, interval=method
    )
    inputs = run_to_completion(report_inputs(study, request))
    options = request.inference()
    (section,) = correlation_sections(inputs)
    (table,) = section.tables
    keys = [column.key for column in table.columns]
    assert sum(key.endswith("_p") for key in keys) <= 1, "one kind of p in a table"
    notes = " ".join((*section.paragraphs, table.note))
    named = p_method(options, level, coefficient)
    assert named in notes or not named
    assert p_caution(options, level, coefficient) in notes
    key = f"{coefficient.value}_p"
    return (p_of(table.rows[0][keys.index(key)]) if key in keys else None), short_p_method(named)


@pytest.mark.usefixtures("_few_draws")
@pytest.mark.parametrize("method", METHODS)
def test_every_face_shows_the_same_p_of_the_same_kind(path, capsys, method):
    some = REQUESTS if NIGHTLY else REQUESTS[METHODS.index(method) :: len(METHODS)]
    with open_to_read(path, "by a test") as study, pyramidion.open(path) as opened:
        for level, coefficient in some:
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
            request = CorrelateRequest(level=level, coefficient=coefficient, interval=method)
            assert on_the_page(study, request) == (short[0], short[1] + mark)
            assert in_the_report(study, level, coefficient, method) == short
            assert row["p_method"] == p_method(options, level, coefficient)


@pytest.mark.parametrize(("level", "coefficient"), REQUESTS)
def test_the_default_p_is_valid_at_its_level(path, capsys, level, coefficient):
    row = by_command(path, capsys, "--level", level, "--coefficient", coefficient, "--draws", "50")
    assert not row["p_caution"]
    for options in (
        InferenceOptions(IntervalMethod.AUTO),
        ReportRequest().inference(),
        replace(DEFAULT_REQUEST, level=level, coefficient=coefficient).inference(),
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


SYSTEMS, TOPICS = tuple(f"s{i}" for i in range(6)), tuple(f"T{i}" for i in range(5))
MEASURES = ("one", "two", "copy", "falling", "part", "constant")


def random_study(random: np.random.Generator) -> ImportContent:
    """Return ratings by two annotators and imported measures: tied, copied, falling, incomplete, constant."""
    quality = random.integers(1, 6, (len(SYSTEMS), len(TOPICS)))
    one, two = (quality + random.integers(-1, 3, quality.shape) for _ in range(2))
    values = {
        "one": one,
        "two": two,
        "copy": 2 * one + 1,
        "falling": -one,
        "part": two[:, :3],
        "constant": np.ones_like(one),
    }
    ratings, scores = [], []
    for (i, system), (j, topic) in product(enumerate(SYSTEMS), enumerate(TOPICS)):
        if random.random() < 0.9:
            for who in ("Ann", "Ben"):
                value = float(np.clip(quality[i, j] + random.integers(-1, 2), 1, 5))
                ratings.append(NewRating(topic, system, "coherence", who, value))
        scores += [
            NewScore(topic, system, f"{name}.score", float(given[i, j]))
            for name, given in values.items()
            if j < given.shape[1]
        ]
    return ImportContent(
        "random",
        topics=[NewTopic(t, summaries={s: NewText(f"{s} {t}.") for s in SYSTEMS}) for t in TOPICS],
        annotators={"Ann": "", "Ben": ""},
        dimensions={"coherence": (1, 5)},
        ratings=ratings,
        scores=scores,
    )


def random_requests(random: np.random.Generator, count: int) -> list[CorrelateRequest]:
    """Return requests that the page offers."""

    def one_of(choices: Any) -> Any:
        return list(choices)[random.integers(len(list(choices)))]

    offered = set(IntervalMethod) - {IntervalMethod.AUTO, IntervalMethod.BOOTSTRAP_ANNOTATORS}
    found = []
    for _ in range(count):
        level, coefficient = one_of(REQUESTS)
        request = CorrelateRequest(
            judgements=(HUMAN,),
            level=level,
            coefficient=coefficient,
            undefined=one_of((UndefinedPolicy.SKIP, UndefinedPolicy.ZERO)),
            systems=one_of((SystemSelection.AUTOMATIC, SystemSelection.ALL)),
            common_topics=bool(random.random() < 0.3),
            interval=one_of(sorted(offered)),
            interval_method=one_of(Ends),
            compare=one_of((BEST, BEST, None)),
            test=one_of(DifferenceTest),
            family=one_of(Variants),
            adjust=one_of(Adjustment),
        )
        no_test = {} if request.compare else {"test": DifferenceTest.PERMUTATION_BOTH}
        found.append(replace(request, **no_test).fitting())
    return found


def choose(view: CompareView, request: CorrelateRequest) -> None:
    """Choose a request by the controls of the page."""
    view.level_box.chosen.emit(request.level.value)
    view.coefficient_box.chosen.emit(request.coefficient.value)
    if view.systems_box.currentData() != request.systems.value:
        view.systems_chosen.emit(request.systems.value)
    options = {
        "interval": request.interval,
        "interval_method": request.interval_method,
        "test": request.test if request.compare else "none",
        "family": request.family,
        "adjust": request.adjust,
        "undefined": request.undefined,
        "common_topics": "yes" if request.common_topics else "no",
    }
    for key, value in options.items():
        view.options.action(key, str(value)).trigger()


@pytest.fixture
def page(study, context, shown):
    view = CompareView()
    presenter = ComparePresenter(
        view, context, lambda *_: None, lambda *_: None, lambda *_: None, lambda *_: None
    )
    return lambda: shown(view), view, presenter


def same(one: Any, other: Any) -> bool:
    return np.array_equal(np.asarray(one, float), np.asarray(other, float), equal_nan=True)


def is_complete(content: TableContent | None, request: CorrelateRequest, expected: Correlations) -> bool:
    """Return whether the page has everything that it shows of a request."""
    (bound,) = (one if one.short_text else None for one in expected.upper_bounds)
    if content is None or content.request != request or repr(content.agreement(0)) != repr(bound):
        return False
    (result,), shown = expected.results.values(), content.results[0]
    if shown is None or any(column.coming for column in content.columns):
        return False
    return same(shown.intervals.p, result.intervals.p) and shown.against == result.against


def check_numbers(view: CompareView, expected: Correlations) -> None:
    """Compare each cell with the row of its measure."""
    (result,) = expected.results.values()
    cells = {row.label: row.cells[0] for row in view.table.measures.rows()}
    assert set(cells) == {f"{name}.score" for name in MEASURES}
    for place, record in enumerate(expected.records()):
        cell, ends = cells[record["measure"]], result.intervals
        assert same((cell.value, cell.p), (record["value"], record["p"]))
        assert same((cell.low, cell.high), (ends.low[place], ends.high[place]))
        assert same((cell.n, cell.dropped), (record["n"], record["dropped"]))
        assert same(
            (cell.tie_threshold, cell.against_best), (record["tie_threshold"], result.adjusted[place])
        )
        assert (cell.no_interval, cell.eligible.sentence) == (ends.reasons[place], record["reason"])
    if result.against:
        assert cells[result.against].is_best


def check_sentences(view: CompareView, human: str, expected: Correlations, request: CorrelateRequest) -> None:
    """Compare methods and cautions with the notes."""
    (result,), notes = expected.results.values(), " ".join(expected.notes)
    method = view.table_panel.method_label.text()
    assert method_text.interval_text(expected.options, request.level).lower() in method.lower()
    if result.tests:
        assert f"{method_text.RULES[request.adjust]} over {result.tests} " in method
        assert method_text.test_text(expected.options, result.tests).lower() in method.lower()
        assert result.untestable in method
    own = f"The best measure of {human}"
    for sentence in view.notice.sentences:
        assert sentence.startswith(own) or sentence in notes, "a caution of the page alone"


def check_groups(presenter: ComparePresenter, qtbot: Any, expected: Correlations) -> None:
    """Compare the figure of pairs with the tests behind the groups."""
    (groups,), side = expected.groups.values(), presenter.side_panel
    if groups.reason or not groups.tests:
        return
    side.choose_view(View.SIGNIFICANCE)
    qtbot.waitUntil(lambda: side.content is not None and bool(side.content.measures))
    rows, labels = side.content.table().rows, [ref.label for ref in expected.comparison.refs]
    places = [labels.index(label) for label, *_ in rows]
    assert same([row[1:] for row in rows], groups.p[np.ix_(places, places)])
    side.choose_view(View.SCATTER)


@pytest.mark.parametrize("seed", range(2))
def test_the_page_shows_what_the_operation_computes(seed, study, page, qtbot, monkeypatch):
    monkeypatch.setattr(request_options, "DRAWS", 60)
    monkeypatch.setattr(request_options, "SIMULATED", 30)
    random = np.random.default_rng(seed)
    study.import_data(random_study(random))
    show, view, presenter = page
    show()
    for request in random_requests(random, 6):
        choose(view, request)
        expected = run_to_completion(correlate(study, replace(request, clusters=True, upper_bound=True)))
        qtbot.waitUntil(lambda r=request, e=expected: is_complete(presenter.content, r, e), timeout=20000)
        check_numbers(view, expected)
        check_sentences(view, presenter.data.judgements[HUMAN].title, expected, request)
        check_groups(presenter, qtbot, expected)


def test_tied_best_measures_are_tested_and_never_differ(study, page, qtbot, monkeypatch):
    monkeypatch.setattr(request_options, "DRAWS", 200)
    random = np.random.default_rng(1)
    study.import_data(random_study(random))
    request = CorrelateRequest((HUMAN,), compare=BEST, measures=("one.score", "copy.score", "two.score"))
    found = run_to_completion(correlate(study, request))
    (result,) = found.results.values()
    labels = [ref.label for ref in found.comparison.refs]
    by_label = dict(zip(labels, result.adjusted.tolist(), strict=True))
    tied = {"one.score", "copy.score"} - {result.against}
    assert result.against in ("one.score", "copy.score"), "the case that this is about"
    assert [by_label[label] for label in tied] == [1.0]
    assert result.tests == 2, "a family does not depend on its results"
    show, view, _ = page
    show()

    def cells() -> dict[str, MeasureCell]:
        return {row.label: row.cells[0] for row in view.table.measures.rows()}

    qtbot.waitUntil(lambda: bool(cells()) and np.isfinite(cells()["two.score"].against_best))
    assert [cells()[label].is_best for label in ("one.score", "copy.score")] == [True, True]
