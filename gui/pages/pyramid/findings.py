"""Checks of the open pyramid: run in the background, list the findings, apply fixes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer, Slot

from core.annotation.checks import run_checks
from core.annotation.finding import Finding, FindingKind
from core.domain.pyramid import UnitKind
from core.domain.study import Span
from core.formatting import unit_terms
from gui.background.jobs import Job, JobQueue
from gui.pages.pyramid.edits import Editor
from gui.pages.pyramid.values import FindingRow
from gui.pages.pyramid.view import PyramidView
from gui.session.annotation_session import AnnotationSession, annotation_session
from gui.session.context import Context
from gui.style.language import in_terms_of, tr

WAIT_MS = 300
"""Delay of the check after an edit, so that consecutive edits cause one check."""
IGNORE_EVENT, STOP_IGNORING_EVENT = "ignore finding", "heed finding again"
"""Names of the events stored in the study."""
NO_REPAIR = tr("No automatic fix. Press Enter to go to the text.")


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
        self._delay = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._delay.timeout.connect(self.start_check)
        self._connect(key)

    def _connect(self, page: str) -> None:
        session, findings = self._session, self._view.findings
        session.opened.connect(self._reset)
        session.changed.connect(self._delay.start)
        self._view.shown.connect(self._delay.start)
        findings.place_requested.connect(self._go)
        findings.repair_requested.connect(self._repair)
        findings.ignored.connect(self._ignore)
        findings.ignored_toggled.connect(self._show_ignored)
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

    @Slot(str)
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

    @Slot(bool)
    def _show_ignored(self, is_visible: bool) -> None:
        self._shows_ignored = is_visible
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
        counts = Counter(json.loads(details)["key"] for details in study.edits.events(*key, IGNORE_EVENT))
        counts.subtract(
            json.loads(details)["key"] for details in study.edits.events(*key, STOP_IGNORING_EVENT)
        )
        return frozenset(key for key, count in counts.items() if count > 0)


def _row(finding: Finding, is_ignored: bool, kind: UnitKind) -> FindingRow:
    repair = finding.repair
    label, about = (repair.label, repair.effect) if repair is not None else ("", "")
    heading = unit_terms.in_terms_of(kind, finding.kind.heading)
    return FindingRow(finding.key, heading, finding.sentence, label, about, is_ignored)
