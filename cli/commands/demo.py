"""The command `demo`: the whole workflow on the sample study, each step with its time."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import Lines, print_message, print_table
from cli.window import missing_display_reason, open_window
from core.files.paths import ensure_folder
from core.formatting.numbers import format_correlation
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core import ports
    from core.comparison.comparison import Comparison, CorrelationRow
    from core.scoring.engine import PlannedRun, ScoringPlan
    from core.stats.correlation import Level


def demo(
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder of the sample study and its report.")
    ] = Path("demo"),
    window: Annotated[
        bool, typer.Option(help="Open the window at the end if a display is available.")
    ] = True,
    budget: Annotated[float, typer.Option(metavar="SECONDS", help="Time limit for scoring.")] = 60.0,
) -> None:
    """Run the whole workflow on the sample study.

    Creates the study, scores it, correlates metrics with human judgements, writes the report and opens
    the window.
    """
    from cli.command_pages import command_pages
    from storage.sample_study import create_sample
    from storage.study_file import open_study

    began = time.perf_counter()
    ensure_folder(folder)
    path, report = folder / "sample.pyramidion", folder / "report.html"
    if path.exists():
        print(f"{path} already exists and is used unchanged.")
    else:
        with _timed("Created the sample study"):
            run_with_progress(create_sample(path), "Creating the sample", "No study was created.").close()
    with open_study(path) as study:
        failed = _score(study, budget)
        print_comparison(study)
        _write_report(study, report)
    print(f"\nStudy: {path}\nReport: {report}\nTotal time: {time.perf_counter() - began:.1f} s")
    if not window:
        raise typer.Exit(failed)
    if why := missing_display_reason():
        print(f"{why}\nOn a computer with a display, `pyramidion {path}` opens the window.")
        raise typer.Exit(failed)
    raise typer.Exit(open_window(path, command_pages))


@contextmanager
def _timed(what: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    print(f"{what}: {time.perf_counter() - began:.1f} s", flush=True)


def _score(study: ports.Study, budget: float) -> int:
    """Score with every metric within the time limit. Returns 1 where something failed."""
    from core.operations.score import plan_rows, requested_configs
    from core.scoring import engine
    from core.scoring.study_resources import StudyResources

    resources = StudyResources(study)
    with _timed("Planned scoring"):
        plan = engine.plan(study, requested_configs((), resources), resources)
    fitting, others = _fitting(plan, budget)
    with _timed(f"Scored with {len(fitting.runs)} configurations"):
        report = run_with_progress(engine.score(study, fitting, resources), "Scoring")
    if others.entries:
        print("Not scored:")
        heads = {"metric": "Metric", "seconds": "Seconds (estimate)", "refusal": "Reason"}
        print_table(plan_rows(others), heads, right=("seconds",))
    for failure in report.failures:
        print(f"{failure.topic}: {failure.message}")
    return 1 if report.failures else 0


def _fitting(plan: ScoringPlan, budget: float) -> tuple[ScoringPlan, ScoringPlan]:
    """Return the fastest runs that fit into the time limit together, and the others."""
    from core.scoring.engine import ScoringPlan

    fitting: list[PlannedRun] = []
    for run in sorted(plan.runs, key=lambda run: run.seconds):
        if sum(r.seconds for r in fitting) + run.seconds <= budget:
            fitting.append(run)
    chosen = tuple(run for run in plan.runs if run in fitting)
    others = tuple(entry for entry in plan.entries if entry not in fitting)
    return ScoringPlan(chosen, plan.topics), ScoringPlan(others, ())


def print_comparison(study: ports.Study) -> None:
    """Print the correlations at system and topic level, then the notes on both."""
    from core.comparison.comparison import load_comparison
    from core.comparison.judgements import judgements
    from core.stats.correlation import Level

    with _timed("Correlated metrics with human judgements"):
        comparison = load_comparison(study, [ref.name for ref in judgements(study)])
    for level in (Level.SYSTEM, Level.TOPIC):
        print_correlations(comparison, level)
    _print_notes(comparison)


def print_correlations(comparison: Comparison, level: Level) -> None:
    """Print Pearson correlations of all measures, sorted by the first judgement with the best on top."""
    from core.comparison.stand_ins import marked_labels
    from core.stats.correlation import Coefficient

    rows, humans = comparison.rows(level, Coefficient.PEARSON), list(comparison.judgements)
    if not rows:
        return
    labels = [ref.label for ref in comparison.refs]
    by_measure: dict[str, dict[str, CorrelationRow]] = {label: {} for label in labels}
    for row in rows:
        by_measure[row.measure][row.human] = row

    def place(measure: str) -> float:
        value = by_measure[measure][humans[0]].ranked_by
        return -value if math.isfinite(value) else math.inf

    names = marked_labels(comparison.refs)
    cells = [
        {"measure": names[label], **{h: format_correlation(by_measure[label][h].value, 3) for h in humans}}
        for label in sorted(labels, key=place)
    ]
    heads = {human: Lines(human.split(".")) for human in humans}
    title = f"Pearson at {level} level, n = {rows[0].n}"
    print_table(cells, {"measure": "Measure", **heads}, title=title, right=humans)


def _print_notes(comparison: Comparison) -> None:
    from core.comparison.measures import lower_is_better
    from core.comparison.stand_ins import footnote_of

    if sentence := lower_is_better(comparison.refs):
        print_message(sentence)
    if footnote := footnote_of(comparison.refs):
        print_message(footnote)


def _write_report(study: ports.Study, path: Path) -> None:
    from core.report.build import build_report
    from core.report.formats.html import write_html

    with _timed("Wrote the report"):
        write_html(
            run_with_progress(build_report(study), "Creating the report", "No report was written."), path
        )
