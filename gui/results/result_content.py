"""Contents of the Resample page: rows, details and texts for experiments and their results."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from core.experiments.available import ExperimentOption
from core.experiments.experiment import Experiment, ExperimentRequest
from core.experiments.runner import StoredResult
from core.formatting.numbers import format_duration
from core.results.result import Result
from gui.results.values import ExperimentRow, ExperimentStatus, ResultDetails, ResultPart
from gui.style.language import date_text, tr

OWN_GROUP = tr("Experiments")
"""Heading of the experiments that are no recipe of a paper."""

NOTES_KEY = "notes-0"
"""Key of the part of a result that lists its notes."""


def experiment_row(
    option: ExperimentOption, request: ExperimentRequest, stored: frozenset[str], running: str
) -> ExperimentRow:
    """Return the row of an option in the list.

    stored: ids of experiments with a result in the study.
    running: key of the option that is running, empty = none.
    """
    if option.key == running:
        status, status_text = ExperimentStatus.RUNNING, "running"
    elif option.problem:
        status, status_text = ExperimentStatus.UNAVAILABLE, "unavailable"
    elif request.experiment.id in stored:
        status, status_text = ExperimentStatus.STORED, tr("done")
    else:
        status, status_text = ExperimentStatus.NEW, ""
    name = option.key.partition(":")[2]
    label = recipe_label(option.key)
    title = f"{label}: {request.title}" if label else request.title
    tip = f"{title}\n{option.problem or option.about}\n{name}"
    return ExperimentRow(option.key, title, option.paper or OWN_GROUP, status, status_text, tip)


def recipe_label(key: str) -> str:
    """Return the label of a recipe in its paper, such as ``Table 1``; empty for other experiments."""
    kind, _, name = key.partition(":")
    words = name.split("-")[-2:]
    return " ".join(words).capitalize() if kind == "recipe" else ""


def resample_command(key: str, default: Experiment, chosen: Experiment, study_name: str) -> str:
    """Return the command that runs an experiment or recipe with settings other than the default ones.

    key: of its option, such as ``experiment:judges``.
    """
    kind, _, name = key.partition(":")
    usual = default.settings()
    changed = [f"{one}={value}" for one, value in chosen.settings().items() if usual[one] != value]
    settings = [word for pair in changed for word in ("-s", pair)]
    return shlex.join(["pyramidion", "resample", study_name, f"--{kind}", name, *settings])


def result_details(stored: StoredResult) -> ResultDetails:
    """Return the texts around a result."""
    changes, reason = stored.changes, stored.problem
    if changes:
        reason = tr("Since this result was computed, {changes}.", changes=changes)
    at = stored.record.at.astimezone()
    return ResultDetails(
        title=stored.result.title,
        fact=tr(
            "{at} · seed {seed} · {seconds}",
            at=date_text(at, tr("d MMM yyyy, HH:mm")),
            seed=stored.record.seed,
            seconds=format_duration(stored.record.seconds),
        ),
        parts=result_parts(stored.result),
        notes=result_notes(stored.result),
        policy=" ".join(stored.result.policy),
        is_stale=stored.is_stale,
        reason=reason,
    )


def result_parts(result: Result) -> tuple[ResultPart, ...]:
    """Return the parts of a result: figures, then tables, then notes if there are any."""
    charts = [("chart", tr("Figure"), chart.title) for chart in result.charts]
    tables = [("table", tr("Table"), table.title) for table in result.tables]
    notes = result_notes(result)
    last = (ResultPart(NOTES_KEY, tr("Notes ({notes})", notes=len(notes)), ""),) if notes else ()
    return (*_numbered(charts), *_numbered(tables), *last)


def result_notes(result: Result) -> tuple[str, ...]:
    """Return the notes on a result, a sentence each: stand-in models and warnings."""
    return (*result.stand_ins, *result.warnings)


def _numbered(parts: Sequence[tuple[str, str, str]]) -> list[ResultPart]:
    has_several = len(parts) > 1
    return [
        ResultPart(f"{kind}-{index}", f"{label} {index + 1}" if has_several else label, title)
        for index, (kind, label, title) in enumerate(parts)
    ]


def missing_result_text(option: ExperimentOption | None, *, is_running: bool) -> tuple[str, bool]:
    """Return the reason why there is no result, and whether the experiment can be run now."""
    if option is None:
        return tr("Select an experiment."), False
    if is_running:
        return (
            tr(
                "Running. Progress is shown at the bottom of the window. If you cancel, finished "
                "steps are stored."
            ),
            False,
        )
    if option.problem:
        return option.problem, False
    return tr("Not run with these settings yet."), True
