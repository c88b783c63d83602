"""What is odd about the pyramid in front: found in the background, shown, mended on demand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from core.annotation.checks import run_checks
from core.annotation.finding import Finding, FindingKind
from core.domain.study import Span
from gui.background.jobs import Job, JobQueue
from gui.pages.pyramid.editor import Editor
from gui.pages.pyramid.finding_values import FindingRow
from gui.session.annotation_session import AnnotationSession, annotation_session
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

WAIT_MS = 300
"""How long after an edit to look: the next one may be on its way."""
IGNORED, HEEDED = "ignore finding", "heed finding again"
NO_REPAIR = "This needs a decision: press Enter to go to the place."


class PyramidFindings(QObject):
    """Keeps the list of findings up to date, and does what is asked there."""

    def __init__(self, page: Editor, view: PyramidView, context: Context, key: str) -> None:
        super().__init__(view)
        self._page, self._view, self._context = page, view, context
        self._front: AnnotationSession = annotation_session(context)
        self._job: Job | None = None
        self._found: Mapping[str, Finding] | None = None
        self._ignored: frozenset[str] = frozenset()
        self._shows_ignored = False
        self._wait = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._wait.timeout.connect(self._look)
        self._connect(key)

    def _connect(self, page: str) -> None:
        front, findings = self._front, self._view.findings
        front.opened.connect(self._begin)
        front.changed.connect(self._wait.start)
        self._view.shown.connect(self._wait.start)
        findings.place_requested.connect(self._go)
        findings.repair_requested.connect(self._mend)
        findings.ignored.connect(self._ignore)
        findings.ignored_wanted.connect(self._show_ignored)
        self._view.findings_requested.connect(self._view.go_to_findings)
        self._context.commands.bind("pyramid.findings", self._view.go_to_findings, page)

    @Slot()
    def _begin(self) -> None:
        """Forget what was found in another pyramid, or is about to be."""
        self._drop_job()
        self._found = None
        self._view.show_findings(None, 0, 0)
        self._wait.start()

    @Slot()
    def _look(self) -> None:
        """Look for findings in the background; what an earlier look finds is of no use any more."""
        if not self._is_in_front():
            return
        self._drop_job()
        steps = run_checks(self._front.annotation, self._front.topic)
        self._job = self._context.jobs.start("Looking for findings", steps, JobQueue.CHECKING)
        self._job.finished.connect(self._keep)

    @Slot(object)
    def _keep(self, found: tuple[Finding, ...]) -> None:
        if self.sender() is not self._job:
            return
        self._job = None
        self._found = {finding.key: finding for finding in found}
        self._ignored = self._kept_ignored()
        self._show()

    def _show(self) -> None:
        if self._found is None:
            return
        lines = [_line(finding, key in self._ignored) for key, finding in self._found.items()]
        open_lines = [line for line in lines if not line.is_ignored]
        shown = lines if self._shows_ignored else open_lines
        self._view.show_findings(shown, len(open_lines), len(lines) - len(open_lines))

    @Slot(str)
    def _go(self, key: str) -> None:
        """Select what a finding is about, and put the keyboard on its words."""
        finding = self._finding(key)
        if finding is None:
            return
        place = finding.place
        if finding.kind is FindingKind.MISPLACED_MATCH:
            self._context.selection.select(
                topic_id=self._front.topic_id, summary_id=place.text_id, scu_id=place.scu_id
            )
            self._context.show_page("matches")
            return
        self._context.selection.select(scu_id=place.scu_id or None)
        self._view.show_hovered(place.other_id)
        if (span := self._span_in_text(finding)) is not None:
            self._view.references.point_at(place.text_id, span)

    @Slot(str)
    def _mend(self, key: str) -> None:
        """Make the edit that a finding proposes."""
        finding = self._finding(key)
        if finding is None:
            return
        if finding.repair is None:
            self._context.show_message(NO_REPAIR)
            return
        known = {scu.id for scu in self._front.annotation.pyramid.scus}
        if self._page.edit(finding.repair.edit, finding.repair.verb):
            new = [scu.id for scu in self._front.annotation.pyramid.scus if scu.id not in known]
            self._context.selection.select(scu_id=new[0] if new else finding.place.scu_id or None)

    @Slot(str, bool)
    def _ignore(self, key: str, is_ignored: bool) -> None:
        """Say nothing of a finding any more, or speak of it again; the study keeps that for the annotator."""
        if (key in self._ignored) == is_ignored:
            return
        verb = IGNORED if is_ignored else HEEDED
        finding = self._finding(key)
        details = json.dumps({"key": key, "finding": finding.sentence if finding is not None else ""})
        self._ignored = self._ignored | {key} if is_ignored else self._ignored - {key}
        study, annotator = self._context.study, self._context.annotator
        self._context.writes.track(
            study.edits.record_event(self._front.topic_id, annotator.id, verb, details)
        )
        self._show()

    @Slot(bool)
    def _show_ignored(self, is_wanted: bool) -> None:
        self._shows_ignored = is_wanted
        self._show()

    def _span_in_text(self, finding: Finding) -> Span | None:
        """The words of a finding as far as its reference goes."""
        text = next((t for t in self._front.topic.references if t.id == finding.place.text_id), None)
        if text is None or finding.place.span is None:
            return None
        start, end = (min(max(at, 0), len(text.content)) for at in finding.place.span)
        return (start, end) if start < end else None

    def _drop_job(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _finding(self, key: str) -> Finding | None:
        return (self._found or {}).get(key)

    def _kept_ignored(self) -> frozenset[str]:
        study, whose = self._context.study, (self._front.topic_id, self._context.annotator.id)
        times = Counter(json.loads(details)["key"] for details in study.edits.events(*whose, IGNORED))
        times.subtract(json.loads(details)["key"] for details in study.edits.events(*whose, HEEDED))
        return frozenset(key for key, count in times.items() if count > 0)

    def _is_in_front(self) -> bool:
        return (
            self._view.isVisible()
            and bool(self._front.topic_id)
            and self._front.owner_id == self._context.annotator.id
        )


def _line(finding: Finding, is_ignored: bool) -> FindingRow:
    repair = finding.repair
    words, about = (repair.words, repair.about) if repair is not None else ("", "")
    return FindingRow(finding.key, finding.kind.heading, finding.sentence, words, about, is_ignored)
