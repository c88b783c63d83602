"""Findings and history of the open pyramid: check and fix; list, preview and restore versions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.annotation.checks import run_checks
from core.annotation.finding import Finding, FindingKind
from core.domain.pyramid import TopicAnnotation, UnitKind
from core.domain.pyramid.restore import RestoreEffect, restore, restore_effect, with_shared_parts
from core.domain.study import Span
from core.formatting import unit_terms
from core.json_text import parse_json
from core.ports import ChangeKind, ChangeSet, EditRecord, annotations_of
from core.progress import JobSteps
from gui.background.jobs import Job, JobQueue, one_step
from gui.pages.pyramid.edits import Editor
from gui.pages.pyramid.rows import PYRAMID, FindingRow, HistoryRow
from gui.pages.pyramid.view import NO_REPAIR, PyramidView
from gui.session.annotation_session import AnnotationSession, annotation_session
from gui.session.context import Context
from gui.style.language import date_text, in_terms_of, tr

TAB = "history"
WAIT_MS = 150
PAGE_EDITS = 60
"""Edits to load at a time."""
READ_ONLY = tr("This is an earlier version. Restore it or return to the current version to edit.")
RESTORED = tr("Version restored. Undo reverts this.")
_BACK = "pyramid.back"
_UNDO_COMMANDS = ("edit.undo", "edit.redo")
_READING_COMMANDS = ("pyramid.order", "pyramid.findings", "pyramid.history", _BACK)


class PyramidHistory(QObject):
    """Lists the edits of the pyramid, and previews and restores earlier versions.

    past: the displayed earlier version; None while the current one is displayed.

    Signals:
        version_changed: another version is to be displayed, see `past`.
    """

    version_changed = Signal()

    def __init__(self, view: PyramidView, context: Context, page: str) -> None:
        super().__init__(view)
        self._view, self._context, self._page_key = view, context, page
        self._session: AnnotationSession = annotation_session(context, view.kind)
        self.past: TopicAnnotation | None = None
        self._record: EditRecord | None = None
        self._records: list[EditRecord] = []
        self._has_more = False
        self._jobs: dict[str, tuple[Job, Callable[[Any], None]]] = {}
        self._delay = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._delay.timeout.connect(self._read)
        session, commands = self._session, context.commands
        commands.bind("pyramid.history", view.go_to_history, self._page_key)
        commands.bind(_BACK, self.back, self._page_key)
        commands.allow(_BACK, False, self._page_key)
        view.shown.connect(self._delay.start)
        view.hidden.connect(self.back)
        view.side.tab_chosen.connect(self._delay.start)
        view.history.filter.chosen.connect(self._delay.start)
        view.history.tree.row_opened.connect(self._preview)
        view.history.more_button.clicked.connect(self._read_more)
        view.history.left.connect(self.back)
        view.history_banner.restore_button.clicked.connect(self.restore)
        view.history_banner.back_button.clicked.connect(self.back)
        session.opened.connect(self._reset)
        session.changed.connect(self._update_preview)
        session.saved.connect(self._delay.start)
        self._context.changes.changed.connect(self._study_changed)
        self._context.selection.scu_changed.connect(self._scu_changed)

    @Slot()
    def back(self) -> None:
        if self._record is None:
            return
        self.past = self._record = None
        self._session.allow_edits()
        self._allow_edits(True)
        self._view.show_preview("")
        self._show()
        self.version_changed.emit()

    @Slot()
    def restore(self) -> None:
        """Restore the displayed version, as one edit."""
        past = self.past
        if past is None:
            return
        self.back()
        if self._session.edit(lambda now: restore(now, past), "restore"):
            self._context.show_message(RESTORED)

    @Slot()
    def _reset(self) -> None:
        """Discard the history of the previous pyramid and cancel its jobs."""
        self.back()
        for job, _ in self._jobs.values():
            job.cancel()
        self._jobs.clear()
        self._records = []
        self._show()
        self._delay.start()

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if changes.kinds & {ChangeKind.PYRAMIDS, ChangeKind.MATCHES}:
            self._delay.start()

    @Slot()
    def _scu_changed(self) -> None:
        if self._view.history.filter.current != PYRAMID:
            self._delay.start()

    @Slot()
    def _read(self) -> None:
        """Read the newest edits, as many as are listed, if the list is visible."""
        if self._is_visible():
            self._start("edits", self._read_steps(max(PAGE_EDITS, len(self._records))), self._replace)

    @Slot()
    def _read_more(self) -> None:
        if self._is_visible() and self._records:
            self._start("edits", self._read_steps(PAGE_EDITS, self._records[-1].edit_id), self._append)

    def _read_steps(self, limit: int, before: str = "") -> JobSteps[Sequence[EditRecord]]:
        """Return a job that reads edits: one more than `limit`, to know whether there are older ones."""
        read = partial(self._context.study.edits.history, self._session.topic_id, limit + 1, before=before)
        if self._view.history.filter.current == PYRAMID:
            read = partial(read, pyramid_id=self._session.annotation.pyramid.id)
        elif scu_id := self._context.selection.scu_id:
            read = partial(read, scu_id=scu_id)
        else:
            return one_step(tuple, tr("reading the history"))
        return one_step(read, tr("reading the history"))

    def _replace(self, records: Sequence[EditRecord]) -> None:
        limit = max(PAGE_EDITS, len(self._records))
        self._records, self._has_more = list(records[:limit]), len(records) > limit
        self._show()

    def _append(self, records: Sequence[EditRecord]) -> None:
        self._records += records[:PAGE_EDITS]
        self._has_more = len(records) > PAGE_EDITS
        self._show()

    def _show(self) -> None:
        now = datetime.now().astimezone()
        current = self._record.edit_id if self._record is not None else ""
        rows = [history_row(record, now, current) for record in self._records]
        self._view.history.show_history(rows, has_more=self._has_more)

    @Slot(object)
    def _preview(self, edit_id: str) -> None:
        record = next((record for record in self._records if record.edit_id == edit_id), None)
        if record is not None:
            key, now = (self._session.topic_id, self._session.owner_id), self._session.annotation
            annotation_at = annotations_of(self._context.study, self._view.kind).annotation_at

            def read() -> TopicAnnotation:
                return with_shared_parts(annotation_at(*key, edit_id), now)

            self._start(
                "version",
                one_step(read, tr("reading an earlier version")),
                partial(self._show_version, record),
            )

    def _show_version(self, record: EditRecord, past: TopicAnnotation) -> None:
        if not self._is_visible():
            return
        self.past, self._record = past, record
        self._session.block_edits(READ_ONLY)
        self._allow_edits(False)
        self._update_preview()
        self._show()
        self.version_changed.emit()

    @Slot()
    def _update_preview(self) -> None:
        """Describe what restoring would change now."""
        if self.past is not None and self._record is not None:
            effect = restore_effect(self._session.annotation, self.past)
            sentence = preview_sentence(self._record, effect, self._view.kind)
            self._view.show_preview(sentence, can_restore=effect_sentence(effect) != NO_CHANGE)

    def _start(self, kind: str, steps: JobSteps[Any], then: Callable[[Any], None]) -> None:
        """Read in the background and pass the result on; cancel a running job of the same kind."""
        if kind in self._jobs:
            self._jobs[kind][0].cancel()
        job = self._context.jobs.start(tr("Reading the history"), steps, JobQueue.CHECKING)
        self._jobs[kind] = job, then
        job.finished.connect(self._finish)

    @Slot(object)
    def _finish(self, result: Any) -> None:
        for kind, (job, then) in list(self._jobs.items()):
            if job is self.sender():
                del self._jobs[kind]
                then(result)

    def _allow_edits(self, is_allowed: bool) -> None:
        """Enable or disable all commands that edit the pyramid."""
        commands = self._context.commands
        commands.allow(_BACK, not is_allowed, self._page_key)
        for command, _ in commands:
            edits = command.id.startswith(("pyramid.", "part.")) or command.id in _UNDO_COMMANDS
            if edits and command.id not in _READING_COMMANDS:
                commands.allow(command.id, is_allowed, self._page_key)

    def _is_visible(self) -> bool:
        return (
            self._view.isVisible()
            and self._view.side.tabs.current == TAB
            and bool(self._session.topic_id)
            and self._session.owner_id == self._context.annotator.id
        )


NO_CHANGE = tr("It is identical to the current version.")


def history_row(record: EditRecord, now: datetime, current: str) -> HistoryRow:
    """Return an entry of the history. current: id of the edit after which the pyramid is displayed."""
    at = record.at.astimezone()
    return HistoryRow(
        record.edit_id,
        day_of(at, now),
        f"{at:%H:%M}",
        record.annotator or tr("Import"),
        record.what,
        record.is_undone,
        record.edit_id == current,
    )


def day_of(at: datetime, now: datetime) -> str:
    """Return the heading of a day: Today, Yesterday or a date, with the year unless it is the current one."""
    days = (now.date() - at.date()).days
    if days in (0, 1):
        return (tr("Today"), tr("Yesterday"))[days]
    return date_text(at, tr("d MMMM") if at.year == now.year else tr("d MMMM yyyy"))


def preview_sentence(record: EditRecord, effect: RestoreEffect, kind: UnitKind = UnitKind.SCU) -> str:
    """Describe the displayed version and what restoring it would change."""
    at = record.at.astimezone()
    who = record.annotator or tr("an import")
    when = tr("{day} at {at:%H:%M}", day=date_text(at, tr("d MMMM yyyy")), at=at)
    return tr(
        "Version of {when}, after this edit by {who}: {what}. {effect_sentence}",
        when=when,
        who=who,
        what=record.what,
        effect_sentence=effect_sentence(effect, kind),
    )


def effect_sentence(effect: RestoreEffect, kind: UnitKind = UnitKind.SCU) -> str:
    """Describe what restoring would change: SCUs, their order, the “done” mark, and all matches."""
    if effect == RestoreEffect():
        return NO_CHANGE
    pyramid = [
        tr("adds %n SCUs", "", effect.scus_back) if effect.scus_back else "",
        tr("removes %n SCUs", "", effect.scus_gone) if effect.scus_gone else "",
        tr("changes %n SCUs", "", effect.scus_changed) if effect.scus_changed else "",
        tr("reorders SCUs") if effect.is_reordered else "",
        tr("changes the “done” mark") if effect.is_marked else "",
    ]
    matches = [
        tr("adds %n matches", "", effect.matches_back) if effect.matches_back else "",
        tr("removes %n matches", "", effect.matches_gone) if effect.matches_gone else "",
        tr("moves %n matches to former SCUs", "", effect.matches_moved) if effect.matches_moved else "",
    ]
    clauses = [
        ", ".join(filter(None, pyramid)),
        ", ".join(filter(None, matches)) or tr("matches are unaffected"),
    ]
    return in_terms_of(
        kind, tr("Restoring {clause}.", clause="; ".join(clause for clause in clauses if clause))
    )


CHECK_AFTER_MS = 300
"""Delay of the check after an edit, so that consecutive edits cause one check."""
IGNORE_EVENT, STOP_IGNORING_EVENT = "ignore finding", "heed finding again"
"""Names of the events stored in the study."""


class PyramidFindings(QObject):
    """Keeps the list of findings up to date and handles its requests."""

    def __init__(self, page: Editor, view: PyramidView, context: Context, key: str) -> None:
        super().__init__(view)
        self._page, self._view, self._context = page, view, context
        self._session: AnnotationSession = annotation_session(context, view.kind)
        self._job: Job | None = None
        self._findings: Mapping[str, Finding] | None = None
        self._ignored: frozenset[str] = frozenset()
        self._shows_ignored = False
        self._delay = QTimer(self, singleShot=True, interval=CHECK_AFTER_MS)
        self._delay.timeout.connect(self.start_check)
        self._connect(key)

    def _connect(self, page: str) -> None:
        session, findings = self._session, self._view.findings
        session.opened.connect(self._reset)
        session.changed.connect(self._delay.start)
        self._view.shown.connect(self._delay.start)
        findings.tree.row_opened.connect(self._go)
        findings.repair_requested.connect(self._repair)
        findings.ignored.connect(self._ignore)
        findings.ignored_button.clicked.connect(self._toggle_ignored)
        self._view.findings_link.clicked.connect(self._view.go_to_findings)
        self._context.commands.bind("pyramid.findings", self._view.go_to_findings, page)

    @Slot()
    def _reset(self) -> None:
        """Discard the findings and the running check of the previous pyramid."""
        self._drop_job()
        self._findings = None
        self._view.show_findings(None, 0, 0)
        self._delay.start()

    @Slot()
    def start_check(self) -> None:
        """Check the pyramid in the background; cancel a check that is still running."""
        if not self._page.is_active():
            return
        self._drop_job()
        steps = run_checks(self._session.annotation, self._session.topic)
        self._job = self._context.jobs.start(
            in_terms_of(self._view.kind, tr("Checking the pyramid")), steps, JobQueue.CHECKING
        )
        self._job.finished.connect(self._store)

    @Slot(object)
    def _store(self, findings: tuple[Finding, ...]) -> None:
        if self.sender() is not self._job:
            return
        self._job = None
        self._findings = {finding.key: finding for finding in findings}
        self._ignored = self._read_ignored()
        self._show()

    def _show(self) -> None:
        if self._findings is None:
            return
        rows = [
            _row(finding, key in self._ignored, self._view.kind) for key, finding in self._findings.items()
        ]
        open_rows = [row for row in rows if not row.is_ignored]
        visible = rows if self._shows_ignored else open_rows
        self._view.show_findings(visible, len(open_rows), len(rows) - len(open_rows))

    @Slot(object)
    def _go(self, key: str) -> None:
        """Select the SCU of a finding and go to its text."""
        finding = self._finding(key)
        if finding is None:
            return
        place = finding.place
        if finding.kind is FindingKind.MISPLACED_MATCH:
            self._context.selection.select(
                topic_id=self._session.topic_id, summary_id=place.text_id, scu_id=place.scu_id
            )
            self._context.show_page("matches" if self._view.kind is UnitKind.SCU else "hits")
            return
        self._context.selection.select(scu_id=place.scu_id or None)
        self._view.show_hovered(place.other_id)
        if (span := self._span_in_text(finding)) is not None:
            self._view.references.point_at(place.text_id, span)

    @Slot(str)
    def _repair(self, key: str) -> None:
        """Apply the fix that a finding proposes."""
        finding = self._finding(key)
        if finding is None:
            return
        if finding.repair is None:
            self._context.show_message(NO_REPAIR)
            return
        known = {scu.id for scu in self._session.annotation.pyramid.scus}
        if self._page.edit(finding.repair.edit, finding.repair.verb):
            new = [scu.id for scu in self._session.annotation.pyramid.scus if scu.id not in known]
            self._context.selection.select(scu_id=new[0] if new else finding.place.scu_id or None)

    @Slot(str, bool)
    def _ignore(self, key: str, is_ignored: bool) -> None:
        """Ignore a finding or stop ignoring it; the study stores this per annotator."""
        if (key in self._ignored) == is_ignored:
            return
        event = IGNORE_EVENT if is_ignored else STOP_IGNORING_EVENT
        finding = self._finding(key)
        details = json.dumps({"key": key, "finding": finding.sentence if finding is not None else ""})
        self._ignored = self._ignored | {key} if is_ignored else self._ignored - {key}
        study, annotator = self._context.study, self._context.annotator
        self._context.writes.track(
            study.edits.record_event(self._session.topic_id, annotator.id, event, details)
        )
        self._show()

    @Slot()
    def _toggle_ignored(self) -> None:
        self._shows_ignored = not self._shows_ignored
        self._show()

    def _span_in_text(self, finding: Finding) -> Span | None:
        """Return the span of a finding, clipped to its reference; None if nothing is left."""
        text = next((t for t in self._session.topic.references if t.id == finding.place.text_id), None)
        if text is None or finding.place.span is None:
            return None
        start, end = (min(max(at, 0), len(text.content)) for at in finding.place.span)
        return (start, end) if start < end else None

    def _drop_job(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _finding(self, key: str) -> Finding | None:
        return (self._findings or {}).get(key)

    def _read_ignored(self) -> frozenset[str]:
        study, key = self._context.study, (self._session.topic_id, self._context.annotator.id)
        counts = Counter(parse_json(details)["key"] for details in study.edits.events(*key, IGNORE_EVENT))
        counts.subtract(
            parse_json(details)["key"] for details in study.edits.events(*key, STOP_IGNORING_EVENT)
        )
        return frozenset(key for key, count in counts.items() if count > 0)


def _row(finding: Finding, is_ignored: bool, kind: UnitKind) -> FindingRow:
    repair = finding.repair
    label, about = (repair.label, repair.effect) if repair is not None else ("", "")
    heading = unit_terms.in_terms_of(kind, finding.kind.heading)
    return FindingRow(finding.key, heading, finding.sentence, label, about, is_ignored)
