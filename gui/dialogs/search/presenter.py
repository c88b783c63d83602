"""Presenter of the search dialog: searches the study while the user types and goes to hits."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot

from core.annotation import text_search
from core.annotation.text_search import SearchableText, SearchHit, SearchResults, TextKind
from core.domain.pyramid import UnitKind
from core.ports import ChangeKind as Changed
from core.ports import ChangeSet
from gui.annotation.study_modes import blind_mode_of
from gui.background.jobs import Job, JobQueue, OneJob
from gui.dialogs.search.view import HitRow, SearchDialog
from gui.session.context import Context
from gui.style.language import in_terms_of, tr
from gui.widgets.dialog import ToolPresenter

WAIT_MS = 80
MAX_HITS = 50
"""Maximum number of listed hits of each kind."""

_CONTEXT = 90
_SEARCHED_KINDS = frozenset(
    {Changed.TEXTS, Changed.PYRAMIDS, Changed.MATCHES, Changed.PEOPLE, Changed.SETTINGS}
)
_TITLES = {
    TextKind.TOPIC: tr("Topics"),
    TextKind.REFERENCE: tr("References"),
    TextKind.DOCUMENT: tr("Documents"),
    TextKind.SUMMARY: tr("Summaries"),
    TextKind.LABEL: tr("Labels of SCUs and nuggets"),
    TextKind.CONTRIBUTOR: tr("Contributors and occurrences"),
    TextKind.UNIT: tr("Units outside the pyramid"),
    TextKind.COMMENT: tr("Comments"),
    TextKind.NOTE: tr("Notes"),
}
_PAGES = {
    TextKind.DOCUMENT: "texts",
    TextKind.SUMMARY: "matches",
    TextKind.UNIT: "matches",
    TextKind.NOTE: "matches",
}

_PAGES_OF_NUGGETS = {"pyramids": "nuggets", "matches": "hits"}


class SearchPresenter(ToolPresenter):
    """Reads the study off the GUI thread and searches it in memory until it changes."""

    def __init__(self, view: SearchDialog, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self.passages: tuple[SearchableText, ...] = ()  # texts that are searched
        self._hits = SearchResults()
        self.current = -1  # index of the hit that was opened last, -1 = none
        self._collecting: Job | None = None
        self._searching = OneJob(context.jobs, self)
        self.is_stale = True  # whether study has changed since it was read
        self._typing = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._typing.timeout.connect(self._search)
        view.field.textChanged.connect(lambda: self._typing.start())
        view.chosen.connect(self._go)
        context.changes.changed.connect(self._update)

    @Slot()
    def open(self) -> None:
        """Show the search dialog and read the study if it has changed."""
        self._view.begin()
        self._collect()

    @property
    def is_busy(self) -> bool:
        """Whether the study is being read or searched, or a search is scheduled."""
        return self._typing.isActive() or self._searching.current is not None or self._collecting is not None

    @property
    def hits(self) -> tuple[SearchHit, ...]:
        """The current hits, in the order of the list."""
        return tuple(self._hits.hits)

    def step(self, by: int) -> bool:
        """Go to the next (+1) or previous (-1) hit, wrapping around; return False without hits."""
        if not self._hits.hits:
            return False
        self._go((self.current + by) % len(self._hits.hits))
        return True

    def close(self) -> None:
        """Stop searching and delete the dialog; called when the study is closed."""
        self._typing.stop()
        self._searching.stop()
        super().close()

    def _collect(self) -> None:
        if self.is_stale and self._collecting is None:
            self.is_stale = False
            steps = text_search.collect_texts(self._context.study, self._context.annotator.id)
            self._collecting = self._context.jobs.start(
                tr("Reading the study to search it"), steps, JobQueue.SEARCHING
            )
            self._collecting.finished.connect(self._take_passages)
            self._collecting.ended.connect(self._end_collecting)

    @Slot(object)
    def _take_passages(self, passages: tuple[SearchableText, ...]) -> None:
        own = ("", self._context.annotator.name)
        is_blind = blind_mode_of(self._context).is_on  # blind mode hides the work of other annotators
        self.passages = tuple(p for p in passages if p.by in own) if is_blind else passages
        self._search()

    @Slot(object)
    def _end_collecting(self, _: Job) -> None:
        self._collecting = None
        if self._view.isVisible():
            self._collect()

    @Slot()
    def _search(self) -> None:
        self._searching.stop()
        query = self._view.field.text()
        if not query.strip():
            self._show(SearchResults())
            return
        steps = text_search.search(self.passages, query, MAX_HITS)
        job = self._searching.start(tr("Searching"), steps, JobQueue.SEARCHING)
        job.finished.connect(lambda hits: self._take_hits(job, hits))

    def _take_hits(self, job: Job, hits: SearchResults) -> None:
        if job is self._searching.current:  # else the search text has changed since
            self._show(hits)

    def _show(self, hits: SearchResults) -> None:
        if hits != self._hits:
            self.current = -1
        self._hits = hits
        rows = [self._row(index, hit) for index, hit in enumerate(hits.hits)]
        total = sum(hits.counts.values())
        if total:
            fact = tr("1 match") if total == 1 else tr("{total:,} matches", total=total)
        elif not self._view.field.text().strip():
            fact = ""
        else:
            fact = (
                tr("Reading the study…") if self._collecting is not None else tr("No matches in the study.")
            )
        self._view.show_hits(rows, fact)

    def _row(self, index: int, hit: SearchHit) -> HitRow:
        passage, (start, end) = hit.passage, hit.span
        count = self._hits.counts[passage.kind]
        limit = tr(", the first {max_hits}", max_hits=MAX_HITS) if count > MAX_HITS else ""
        group = f"{_TITLES[passage.kind]} · {count:,}{limit}"
        text = passage.text
        before = ("…" if start > _CONTEXT else "") + _on_one_line(text[max(0, start - _CONTEXT) : start])
        after = _on_one_line(text[end : end + _CONTEXT]) + ("…" if end + _CONTEXT < len(text) else "")
        by = tr("by {by}", by=passage.by) if passage.by else ""
        where = " · ".join(part for part in (passage.topic, passage.title, by) if part)
        return HitRow(index, group, before, _on_one_line(text[start:end]), after, where)

    @Slot(int)
    def _go(self, index: int) -> None:
        """Select the topic, summary and SCU of a hit, show its page and scroll to the match."""
        self.current = index
        hit = self._hits.hits[index]
        passage, selection = hit.passage, self._context.selection
        selection.select(
            topic_id=passage.topic_id, summary_id=passage.summary_id or None, scu_id=passage.scu_id or None
        )
        page = _PAGES.get(passage.kind, "matches" if passage.summary_id else "pyramids")
        if passage.unit is UnitKind.NUGGET:
            page = _PAGES_OF_NUGGETS[page]
        self._context.show_page(page)
        if passage.text_id:
            start, end = hit.span
            selection.pointed.emit(passage.text_id, passage.start + start, passage.start + end)
        if passage.by not in ("", self._context.annotator.name) and page in ("pyramids", "nuggets"):
            text = tr("This place is in the pyramid of {by}; the page shows yours.", by=passage.by)
            self._context.show_message(in_terms_of(passage.unit, text))

    @Slot(object)
    def _update(self, changes: ChangeSet) -> None:
        if changes.kinds & _SEARCHED_KINDS:
            self.is_stale = True
            if self._view.isVisible():
                self._collect()


def _on_one_line(text: str) -> str:
    """Return a text on one line, with at most one space at each end."""
    joined = " ".join(text.split())
    return (" " if text[:1].isspace() else "") + joined + (" " if text[-1:].isspace() and joined else "")
