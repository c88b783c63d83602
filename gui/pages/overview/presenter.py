"""Presenter of the Overview page: counts the study on a worker thread, again after each change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from PySide6.QtCore import QObject, Signal, Slot

from core.annotation.annotators import annotators_of, is_annotator
from core.annotation.assignment import assigned_by_work, roles_of
from core.annotation.blind_mode import is_blind
from core.annotation.next_step import Person, Step, next_step
from core.annotation.team_progress import WorkProgress, work_progress
from core.domain.assignment import CellProgress, Work
from core.domain.ratings import required_scales
from core.domain.study import Annotator, TopicHeader
from core.models.runtime.devices import available_device
from core.ports import ChangeKind, ChangeSet, EditRecord, MetricConfig, Study, language_of, set_language
from core.progress import JobSteps, Progress
from core.scoring.experiment_scores import listed_configs
from gui.background.jobs import JobQueue
from gui.background.turn_queue import TurnQueue
from gui.pages.overview.view import OverviewView, RecentEdit, ScoredMetric, WorkflowStep
from gui.session.context import Context, PageParts, PageReader
from gui.style.engine_words import language_names
from gui.style.language import tr

KEY = "overview"
NOT_SET = tr("Not set (read as English)")
_MAX_ROWS, _MAX_EDITS = 9, 120
"""Maximum number of rows of recent edits, and of edits that are read for them."""
_WORKS = {
    Work.PYRAMIDS: (tr("Pyramids"), tr("topics marked done"), tr("Annotate")),
    Work.MATCHES: (tr("Matches"), tr("summaries marked done"), tr("Match")),
    Work.NUGGETS: (tr("Nuggets"), tr("topics marked done"), tr("Annotate")),
    Work.HITS: (tr("Hits"), tr("summaries marked done"), tr("Check")),
    Work.RATINGS: (tr("Ratings"), tr("summaries rated"), tr("Rate")),
    Work.COMPARISONS: (tr("Pairs"), tr("comparisons answered"), tr("Compare")),
}
"""Title, finished units and action of each kind of work."""
_STEPS = {
    Step.IMPORT: (tr("Import texts…"), ""),
    Step.START: (tr("Start annotating"), ""),
    Step.CONTINUE: (tr("Continue annotating"), ""),
    Step.SCORE: (tr("Score the summaries"), "score"),
    Step.COMPARE: (tr("Compare with judgements"), "compare"),
}
"""Label of each next step, and its page unless it is that of a kind of work or the import."""
_GROUPED = {"rate": tr("ratings"), "match": tr("matches")}
"""Nouns for edits that are counted together, by the first word of their verb."""


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """Contents of a study and progress of the work.

    people: number of annotators.
    progress: everybody's progress by kind of work.
    person: who looks at it; their progress is shown if they are an annotator, else that of all.
    dimensions: names of the rating scales that are required.
    is_blind: whether the study is blind.
    configs: metric configurations, each with its number of scored topics.
    names: by signature, the name of the configuration and its measures, such as ("rouge-2", "recall, f").
    latest: recent edits, newest first.
    """

    topics: Sequence[TopicHeader]
    systems: int
    authors: int
    people: int
    progress: Mapping[Work, WorkProgress]
    person: Person
    dimensions: Sequence[str]
    is_blind: bool
    configs: Sequence[tuple[MetricConfig, int]]
    names: Mapping[str, tuple[str, str]]
    latest: Sequence[EditRecord]

    @property
    def summaries(self) -> int:
        return sum(topic.summaries for topic in self.topics)

    @property
    def references(self) -> int:
        return sum(topic.references for topic in self.topics)

    @property
    def documents(self) -> int:
        return sum(topic.documents for topic in self.topics)

    @property
    def is_scored(self) -> bool:
        """Return whether some metric has scores of all topics with summaries."""
        return max((topics for _, topics in self.configs), default=0) >= self.with_summaries > 0

    @property
    def with_summaries(self) -> int:
        """Return the number of topics with summaries, which are all that can be scored."""
        return sum(topic.summaries > 0 for topic in self.topics)

    def shown(self, work: Work) -> CellProgress:
        """Return the progress to show: the annotator's own, or that of all."""
        progress, person = self.progress[work], self.person
        if not person.is_annotator:
            return progress.of_all()
        return progress.of(person.name, person.assigned.get(work, ()))


def count_study(study: Study, annotator: Annotator) -> JobSteps[StudyCounts]:
    """Count everything that the page shows an annotator."""
    topics = study.texts.topics()
    progress = yield from work_progress(study)
    configs = [(config, len(study.scores.input_hashes(config.signature))) for config in listed_configs(study)]
    return StudyCounts(
        topics=topics,
        systems=len(study.texts.systems()),
        authors=len(study.texts.reference_authors()),
        people=len(annotators_of(study)),
        progress=progress,
        person=Person(
            annotator.name,
            is_annotator(study, annotator),
            roles_of(study).get(annotator.name),
            assigned_by_work(study, Work, annotator.name),
        ),
        dimensions=[scale.name for scale in required_scales(study.ratings.dimensions())],
        is_blind=is_blind(study),
        configs=configs,
        names=_names(study) if configs else {},
        latest=study.edits.history(limit=_MAX_EDITS),
    )


def find_changes(study: Study, device: str) -> JobSteps[str]:
    """Return which scores are out of date, and what has changed since, as a sentence; empty = none."""
    from core.comparison.measures import measures  # slow to import, as it loads all metrics
    from core.comparison.staleness_text import measures_text
    from core.scoring.study_resources import StudyResources

    yield Progress(0, 0, tr("comparing scores with the texts"))
    return measures_text(study, measures(study, StudyResources(study, device)))


def _names(study: Study) -> dict[str, tuple[str, str]]:
    """Return by signature the name and the measures as on Compare: ``rouge-2[stem:no]``, ``recall, f``."""
    from core.comparison.measures import measures  # slow to import, as it loads all metrics
    from core.metrics.registry import split_label

    labels: dict[str, list[str]] = {}
    for ref in measures(study, check_stale=False):
        labels.setdefault(ref.signature, []).append(ref.label)
    names = {}
    for signature, own in labels.items():
        pairs = [split_label(label) for label in own]
        name = pairs[0][0]
        share_name = bool(name) and all(prefix == name for prefix, _ in pairs)
        names[signature] = (
            (name, ", ".join(last for _, last in pairs)) if share_name else ("", ", ".join(own))
        )
    return names


class OverviewPresenter(QObject):
    """Count the study when the page is shown, and after changes while it is visible.

    Signals:
        counted: the StudyCounts, after they are displayed.
    """

    counted = Signal(object)

    def __init__(self, view: OverviewView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._turns = TurnQueue(self)
        self._reading = PageReader(
            view,
            context,
            tr("Counting"),
            lambda: count_study(context.study, context.annotator),
            frozenset(ChangeKind),
        )
        self._reading.read.connect(self._show)
        view.page_requested.connect(context.show_page)
        view.import_requested.connect(context.commands.action("study.import").trigger)
        context.changes.changed.connect(self._changed)
        view.language_box.chosen.connect(self._set_language)
        self._show_language()

    @Slot(object)
    def _set_language(self, code: str) -> None:
        if code != language_of(self._context.study):
            self._context.writes.track(
                set_language(self._context.study, code), lambda _: self._show_language()
            )

    def _show_language(self) -> None:
        self._view.show_language(language_of(self._context.study), [("", NOT_SET), *language_names()])

    @Slot(object)
    def _changed(self, changes: ChangeSet) -> None:
        if changes.kinds & {ChangeKind.TEXTS, ChangeKind.SETTINGS} or changes.is_external:
            self._show_language()

    @Slot(object)
    def _show(self, counts: StudyCounts) -> None:
        self._view.show_study(self._context.study.name, study_facts(counts))
        self._view.show_steps(workflow_steps(counts))
        self._view.show_next(*offered_step(counts))
        self._turns.add(lambda: self._show_lists(counts))

    def _show_lists(self, counts: StudyCounts) -> None:
        self._view.show_scored([_scored(config, topics, counts) for config, topics in counts.configs])
        self._view.show_edits(recent_edits(counts))
        self.counted.emit(counts)
        if counts.configs:
            self._check_scores()

    def _check_scores(self) -> None:
        """Compare the scores with the current texts."""
        device = available_device(self._context.settings.now.device)
        work = find_changes(self._context.study, device)
        job = self._context.jobs.start(tr("Checking for stale scores"), work, JobQueue.READING)
        job.finished.connect(self._view.show_stale)


build = PageParts(OverviewView, OverviewPresenter)


def study_facts(counts: StudyCounts) -> list[tuple[str, str]]:
    """Return the contents of the study as (label, value)."""
    return [
        (tr("Topics"), f"{len(counts.topics):,}"),
        (tr("Documents"), f"{counts.documents:,}"),
        (
            tr("References"),
            tr(
                "{references:,} by {authors}",
                references=counts.references,
                authors=tr("%n authors", "", counts.authors),
            ),
        ),
        (
            tr("Summaries"),
            tr(
                "{summaries:,} by {systems}",
                summaries=counts.summaries,
                systems=tr("%n systems", "", counts.systems),
            ),
        ),
        (tr("Annotators"), f"{counts.people:,}"),
        (tr("Dimensions"), ", ".join(counts.dimensions) or tr("none")),
        *(
            [(tr("Blind study"), tr("names of systems are hidden while annotating"))]
            if counts.is_blind
            else []
        ),
    ]


def workflow_steps(counts: StudyCounts) -> list[WorkflowStep]:
    """Return the steps of the workflow in order."""
    topics, can_be_scored = len(counts.topics), counts.with_summaries
    scored = sum(topics for _, topics in counts.configs)
    return [
        WorkflowStep(
            "texts",
            tr("Texts"),
            tr("{topics} with texts", topics=tr("%n topics", "", topics)),
            topics,
            topics,
            tr("Read"),
        ),
        *(_work_step(counts, work) for work in Work if _is_used(counts, work)),
        WorkflowStep(
            "score",
            tr("Scores"),
            tr(
                "{configs} on {topics}",
                configs=tr("%n metrics", "", len(counts.configs)),
                topics=tr("%n topics", "", can_be_scored),
            ),
            scored,
            len(counts.configs) * can_be_scored,
            tr("Score"),
        ),
    ]


def _is_used(counts: StudyCounts, work: Work) -> bool:
    """Return whether a kind of work is one of this study: the usual ones, and what somebody has begun."""
    usual = work in (Work.PYRAMIDS, Work.MATCHES, Work.RATINGS)
    planned = work is Work.COMPARISONS and counts.shown(work).total
    return usual or bool(planned) or counts.progress[work].of_all().is_begun


def _work_step(counts: StudyCounts, work: Work) -> WorkflowStep:
    """Return the progress of a kind of work: the annotator's own, with that of all where it differs."""
    title, unit, action = _WORKS[work]
    own, everybody = counts.shown(work), counts.progress[work].of_all()
    facts = [unit]
    if work is Work.RATINGS and counts.dimensions:
        facts = [
            tr(
                "{unit} on {dimensions}",
                unit=unit,
                dimensions=tr("%n dimensions", "", len(counts.dimensions)),
            )
        ]
    if not counts.person.is_annotator and everybody.is_begun:
        facts.append(tr("by all annotators"))
    elif (everybody.done, everybody.total) != (own.done, own.total):
        facts.append(
            tr("by all annotators {done:,} of {total:,}", done=everybody.done, total=everybody.total)
        )
    return WorkflowStep(str(work), title, " · ".join(facts), own.done, own.total, action)


def offered_step(counts: StudyCounts) -> tuple[str, str]:
    """Return the label of the next step's button and the key of its page (empty = import)."""
    step, work = next_step(
        counts.person,
        counts.topics,
        counts.progress,
        has_scales=bool(counts.dimensions),
        is_scored=counts.is_scored,
    )
    label, page = _STEPS[step]
    return label, str(work or page)


def _scored(config: MetricConfig, topics: int, counts: StudyCounts) -> ScoredMetric:
    by = (
        tr(" · references by {references}", references=", ".join(config.references))
        if config.references
        else ""
    )
    name, measures = counts.names.get(config.signature, ("", ", ".join(config.measures)))
    return ScoredMetric(
        (name or config.metric) + by, measures, topics, counts.with_summaries, config.signature
    )


def recent_edits(counts: StudyCounts) -> list[RecentEdit]:
    """Return the latest edits, newest first, with consecutive similar edits merged into one row."""
    topics = {topic.id: topic.name for topic in counts.topics}
    rows = []
    for (annotator, topic_id, _), group in groupby(counts.latest, _group_key):
        records = list(group)
        topic = f"{topics[topic_id]}: " if topic_id in topics else ""
        rows.append(RecentEdit(annotator, topic + _group_description(records), _time(records[0].at)))
    return rows[:_MAX_ROWS]


def _group_key(record: EditRecord) -> tuple[str, str, str]:
    """Return annotator, topic and action; consecutive edits with the same key are merged."""
    return record.annotator, record.topic_id or "", _group_noun(record) or _description(record)


def _group_noun(record: EditRecord) -> str:
    return "" if record.is_undone else _GROUPED.get(record.verb.partition(" ")[0], "")


def _group_description(records: Sequence[EditRecord]) -> str:
    """Return what similar edits did, such as ``24 ratings``."""
    count, description = len(records), _description(records[0])
    if count == 1:
        return description
    noun = _group_noun(records[0])
    return f"{count} {noun}" if noun else f"{count} × {description[:1].lower()}{description[1:]}"


def _description(record: EditRecord) -> str:
    text = record.what or record.verb
    return text[:1].upper() + text[1:] + (tr(" (undone)") if record.is_undone else "")


def _time(at: datetime) -> str:
    """Return the local time, with the date unless it is today."""
    local, now = at.astimezone(), datetime.now().astimezone()
    return f"{local:%H:%M}" if local.date() == now.date() else f"{local:%d %b %H:%M}"
