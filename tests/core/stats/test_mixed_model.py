"""Mixed models: values of lme4 and lmerTest (`tests/reference/make_mixed_models.R`), and a design by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.progress import Cancelled, cancellable, run_to_completion
from core.stats.estimators import mixed_model
from core.stats.estimators.mixed_model import RandomEffect, fit_mixed_model, variance_intervals

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "mixed_models.json").read_text())


def model_of(data, blocks=0):
    """Return the arguments of a reference data set, with the levels of one of its effects as blocks."""
    effects = [RandomEffect(name, np.array(codes)) for name, codes in data["codes"].items()]
    fixed = np.array(data["fixed"])
    return np.array(data["y"], dtype=float), np.eye(fixed.max() + 1)[fixed], effects, effects[blocks].codes


def fit(data, blocks=0):
    return run_to_completion(fit_mixed_model(*model_of(data, blocks)))


@pytest.mark.parametrize("name", REFERENCE)
def test_variances_and_criterion_are_those_of_lme4(name):
    expected, model = REFERENCE[name], fit(REFERENCE[name])
    assert model.criterion == pytest.approx(expected["criterion"], abs=1e-5)
    variances = dict(zip(model.names, model.variances, strict=True))
    assert variances == pytest.approx(expected["variances"], rel=1e-4)
    assert model.residual == pytest.approx(expected["residual"], rel=1e-4)
    assert model.has_converged
    assert model.singular == (("Batch",) if name == "singular" else ())


@pytest.mark.parametrize("name", REFERENCE)
def test_fixed_effects_and_degrees_of_freedom_are_those_of_lmertest(name):
    expected, model = REFERENCE[name], fit(REFERENCE[name])
    found = [model.contrast(row) for row in np.eye(len(model.fixed))]
    assert [one.value for one in found] == pytest.approx(expected["estimates"], rel=1e-5)
    assert [one.error for one in found] == pytest.approx(expected["errors"], rel=1e-4)
    assert [one.freedom for one in found] == pytest.approx(expected["df"], rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", REFERENCE)
def test_intervals_are_the_profile_intervals_of_lme4(name):
    expected = REFERENCE[name]
    ends = np.sqrt(run_to_completion(variance_intervals(*model_of(expected))))
    for low, high, (found_low, found_high) in zip(expected["sd_low"], expected["sd_high"], ends, strict=True):
        if high is not None:  # lme4 finds no interval of the residual of a singular model
            assert (found_low, found_high) == pytest.approx((low, high), rel=3e-4, abs=1e-6)


def test_wider_confidence_gives_a_wider_interval():
    narrow, wide = (
        run_to_completion(variance_intervals(*model_of(REFERENCE["dyestuff"]), confidence=confidence))
        for confidence in (0.8, 0.99)
    )
    assert (wide[:, 0] < narrow[:, 0]).all()
    assert (narrow[:, 1] < wide[:, 1]).all()
    assert wide[0, 0] == 0  # as lme4: confint(fm1, level = 0.99) ends at 0


def test_perfectly_explained_values_have_no_intervals():
    groups = np.repeat(np.arange(4), 3)
    y = np.array([1.0, 2.0, 2.0, 3.0])[groups]
    ends = run_to_completion(variance_intervals(y, np.ones((12, 1)), [RandomEffect("group", groups)], groups))
    assert np.isnan(ends).all()


@pytest.mark.slow
def test_a_limit_on_memory_changes_no_value(monkeypatch):
    whole = fit(REFERENCE["unbalanced"])
    monkeypatch.setattr(mixed_model, "_CELLS_AT_ONCE", 50)
    monkeypatch.setattr(mixed_model, "_CELLS_KEPT", 0)
    parts = fit(REFERENCE["unbalanced"])
    assert parts.variances == pytest.approx(whole.variances, rel=1e-6)
    assert parts.criterion == pytest.approx(whole.criterion, abs=1e-9)


def test_the_factor_of_the_blocks_does_not_change_the_result():
    one, other = fit(REFERENCE["unbalanced"]), fit(REFERENCE["unbalanced"], blocks=1)
    assert one.criterion == pytest.approx(other.criterion, abs=1e-8)
    assert one.variances == pytest.approx(other.variances, rel=1e-4)


def test_balanced_nested_design_has_the_variances_of_the_mean_squares():
    random = np.random.default_rng(1)
    groups = np.repeat(np.arange(8), 5)
    y = random.normal(0, 2, 8)[groups] + random.normal(0, 1, 40)
    model = run_to_completion(fit_mixed_model(y, np.ones((40, 1)), [RandomEffect("group", groups)], groups))
    cells = y.reshape(8, 5)
    between, within = 5 * cells.mean(axis=1).var(ddof=1), cells.var(axis=1, ddof=1).mean()
    assert model.variances[0] == pytest.approx((between - within) / 5, rel=1e-5)
    assert model.residual == pytest.approx(within, rel=1e-5)
    mean = model.contrast(np.ones(1))
    assert mean.error == pytest.approx(np.sqrt(between / 40), rel=1e-5)
    assert mean.freedom == pytest.approx(7, rel=1e-3)
    half = 2.364624 * np.sqrt(between / 40)  # t of 7 degrees of freedom
    assert mean.interval() == pytest.approx((mean.value - half, mean.value + half), rel=1e-3)


def test_constant_values_are_refused():
    groups = np.repeat(np.arange(3), 4)
    with pytest.raises(InputError, match="do not vary"):
        run_to_completion(
            fit_mixed_model(np.full(12, 2.0), np.ones((12, 1)), [RandomEffect("group", groups)], groups)
        )


def test_a_fit_can_be_cancelled():
    with cancellable(lambda: True), pytest.raises(Cancelled):
        fit(REFERENCE["crossed"])


@pytest.mark.slow
def test_intervals_report_progress_and_can_be_cancelled_between_ends():
    steps = variance_intervals(*model_of(REFERENCE["crossed"]), note="rating")
    seen = list(steps)
    assert [(one.done, one.total, one.note) for one in seen[-6:]] == [(n, 6, "rating") for n in range(6)]
    steps = variance_intervals(*model_of(REFERENCE["crossed"]))
    stop = False
    with cancellable(lambda: stop), pytest.raises(Cancelled):  # noqa: PT012
        for progress in steps:
            stop = progress.total == 6 and progress.done == 2
