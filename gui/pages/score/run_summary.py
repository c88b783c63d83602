"""Content of the Run panel before, during and after a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from core.progress import Progress
from core.scoring.engine import RunProgress, RunReport
from core.scoring.plan import PlannedRun, RefusedRun, ScoringPlan
from gui.pages.score.configurations import ConfigEntry, ConfigStatus, differences, full_name, name_of
from gui.pages.score.values import LeftOut, RunDetails, RunRow, ScoreState
from gui.style.language import tr

_NOTES = {
    "truncated": tr("Truncated texts"),
    "unknown_tokens": tr("Texts with more than 5 % unknown tokens"),
    "mostly_unknown": tr("Texts not scored: most tokens are unknown to the model, choose a multilingual one"),
    "unknown_words": tr("Texts with words that have no vector"),
    "dropped_characters": tr("Texts with non-ASCII characters dropped"),
    "unread_script": tr("Texts in a script that the metric cannot split into words"),
    "undecided_answers": tr("Answers that may change with batch size or device"),
    "found_nothing": tr("Texts for which the index has no document"),
    "cutoff_exceeds_index": tr("Topics scored with an index no larger than the cut-off"),
    "small_index": tr("Topics scored with an index too small to rank"),
    "tied_documents": tr("Texts whose documents tie because lengths are rounded"),
}


@dataclass(slots=True)
class ActiveRun:
    """A run and its result.

    progress: the latest progress. report: the result; None = not finished.
    ending: a sentence if the run was cancelled or failed.
    """

    plan: ScoringPlan
    started: datetime
    device: str
    progress: Progress = field(default_factory=lambda: Progress(0, 0))
    report: RunReport | None = None
    ending: str = ""

    def done(self) -> tuple[int, ...]:
        """Return the number of finished topics of each configuration."""
        if isinstance(self.progress, RunProgress) and self.progress.topics:
            return self.progress.topics
        return (0,) * len(self.plan.runs)


def clock(seconds: float) -> str:
    """Return a duration as ``0:07``, ``2:10`` or ``1 h 05``."""
    whole = max(round(seconds), 0)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02d}"
    return f"{whole // 60}:{whole % 60:02d}"


def planned_details(
    chosen: Sequence[tuple[ConfigEntry, ConfigStatus | None]],
    facts: Sequence[tuple[str, str]],
    ending: str = "",
) -> RunDetails:
    """Return a run that has not started. ending: a sentence on the previous run."""
    known = [(entry, config_status) for entry, config_status in chosen if config_status is not None]
    able = [
        (entry, config_status, config_status.planned)
        for entry, config_status in known
        if config_status.planned is not None
    ]
    waiting = sum(bool(run.topics) for _, _, run in able)
    is_looking = len(known) < len(chosen)
    estimate = sum(run.seconds for _, _, run in able)
    return RunDetails(
        fact=tr("{able} chosen", able=len(able)) if able else "",
        hero=clock(max(estimate, 1.0)) if waiting and not is_looking else "",
        beside=_planned_text(len(chosen), waiting, is_looking=is_looking, ending=ending),
        share=None,
        facts=tuple(facts),
        lines=tuple(_planned_line(entry, config_status, run) for entry, config_status, run in able),
        left_out=tuple(_left_out(known)),
        can_start=bool(waiting) and not is_looking,
    )


def running_details(
    run: ActiveRun,
    chosen: Sequence[tuple[ConfigEntry, ConfigStatus | None]],
    facts: Sequence[tuple[str, str]],
) -> RunDetails:
    """Return a run in progress."""
    progress, done = run.progress, run.done()
    share = progress.done / progress.total if progress.total else 0.0
    finished = sum(count == len(r.topics) for count, r in zip(done, run.plan.runs, strict=True))
    left = progress.seconds_left
    return RunDetails(
        fact=tr("started {started:%H:%M}", started=run.started),
        hero=clock(left) if left is not None else "…",
        beside=(
            tr("left"),
            tr(
                "{share:.0%} · {finished} of {runs} done",
                share=share,
                finished=finished,
                runs=len(run.plan.runs),
            ).replace("%", " %"),
        ),
        share=share,
        facts=tuple(facts),
        lines=tuple(_running_line(r, count) for r, count in zip(run.plan.runs, done, strict=True)),
        left_out=tuple(_left_out([(e, o) for e, o in chosen if o is not None])),
        is_running=True,
    )


def done_details(
    run: ActiveRun, report: RunReport, next_details: RunDetails, names: Mapping[str, str]
) -> RunDetails:
    """Return a finished run, above what could be run next. names: signature to display name."""
    failed = len(report.failures)
    words = _scored(run, report) + (tr(", {failed} failed", failed=failed) if failed else "")
    failures = (
        LeftOut(f"{names.get(f.signature, f.signature)} · {f.topic}", f.message) for f in report.failures
    )
    refused = (LeftOut(name, why) for name, why in report.refusals.items())
    notes = tuple(_notes(report, names))
    if next_details.can_start:
        return replace(next_details, facts=(*next_details.facts, (tr("Last run"), words)), notes=notes)
    return replace(
        next_details,
        fact=tr("done {now:%H:%M}", now=datetime.now()),
        hero=clock(report.seconds),
        beside=(tr("taken"), words),
        notes=notes,
        left_out=(*failures, *refused, *next_details.left_out),
    )


def _planned_text(chosen: int, waiting: int, *, is_looking: bool, ending: str) -> tuple[str, str]:
    if is_looking:
        return tr("Checking existing scores …"), ending
    if not chosen:
        return tr("Nothing is chosen."), ending or tr("Tick metrics in the list, then press Score.")
    if not waiting:
        return tr("Everything chosen is scored."), ending
    return tr("estimated"), ending or tr("{metrics} to score", metrics=tr("%n metrics", "", waiting))


def _planned_line(entry: ConfigEntry, config_status: ConfigStatus, run: PlannedRun) -> RunRow:
    if not run.topics:
        state, status = config_status.state, tr("scored") if run.up_to_date else tr("nothing to score")
    elif run.up_to_date or config_status.stale:
        topics = tr("%n topics", "", len(run.topics))
        is_stale = config_status.stale == len(run.topics)
        what = tr("{topics} stale", topics=topics) if is_stale else tr("{topics} left", topics=topics)
        state, status = ScoreState.PARTLY, f"{what} · {_about(run)}"
    else:
        state, status = ScoreState.NEW, _about(run)
    return RunRow(name_of(entry.metric), differences(entry.metric), state, status)


def _running_line(run: PlannedRun, done: int) -> RunRow:
    metric, total = run.config.metric, len(run.topics)
    name, about = name_of(metric), differences(metric)
    if done >= total:
        return RunRow(name, about, ScoreState.SCORED, tr("done"))
    if not done:
        return RunRow(name, about, ScoreState.WAITING, tr("waiting"))
    return RunRow(
        name, about, ScoreState.RUNNING, tr("topic {done} of {total}", done=done, total=total), done / total
    )


def _left_out(known: Sequence[tuple[ConfigEntry, ConfigStatus]]) -> list[LeftOut]:
    sentences = []
    for entry, config_status in known:
        name = full_name(entry.metric)
        if isinstance(config_status.run, RefusedRun):
            sentences.append(LeftOut(name, config_status.run.reason, tr("Settings"), entry.key))
            continue
        for reason, count in config_status.run.left_out.items():
            sentences.append(LeftOut(name, tr("%n topics", "", count) + f": {reason}."))
    return sentences


def _scored(run: ActiveRun, report: RunReport) -> str:
    """Return ``37 metrics × 6 topics scored``, or the number of pairs if some are missing."""
    metrics = [r for r in run.plan.runs if r.topics]
    topics = {len(r.topics) for r in metrics}
    if len(topics) == 1 and report.scored == len(metrics) * (most := max(topics)):
        return tr(
            "{metrics} × {topics} scored",
            metrics=tr("%n metrics", "", len(metrics)),
            topics=tr("%n topics", "", most),
        )
    return tr("%n pairs of metric and topic scored", "", report.scored)


def _notes(report: RunReport, names: Mapping[str, str]) -> list[str]:
    """Return one sentence per kind of note, with metrics and numbers of texts."""
    counts: dict[str, list[str]] = {}
    for signature, notes in report.notes.items():
        for what, count in notes.items():
            counts.setdefault(what, []).append(f"{names.get(signature, signature)} ({count:,})")
    return [f"{_NOTES.get(what, what)}: {', '.join(metrics)}" for what, metrics in counts.items()]


def _about(run: PlannedRun) -> str:
    return "< 1 s" if run.seconds < 1 else tr("about {clock}", clock=clock(run.seconds))
