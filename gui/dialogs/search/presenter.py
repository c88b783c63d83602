"""Searches the whole study while words are typed, and goes to what is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from core.annotation import text_search
from core.annotation.text_search import SearchableText, SearchHit, SearchResults, TextKind
from core.ports import ChangeKind as Changed
from core.ports import ChangeSet
from gui.annotation.blind_mode import blind_mode_of
from gui.background.jobs import Job, JobQueue
from gui.dialogs.search.values import HitRow
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.dialogs.search.view import SearchDialog

WAIT_MS = 80
MOST = 50
"""Hits of a kind that are listed."""

_AROUND = 90
_CONCERNED = frozenset({Changed.TEXTS, Changed.PYRAMIDS, Changed.MATCHES, Changed.PEOPLE, Changed.SETTINGS})
_TITLES = {
    TextKind.TOPIC: "Topics",
    TextKind.REFERENCE: "References",
    TextKind.DOCUMENT: "Documents",
    TextKind.SUMMARY: "Summaries",
    TextKind.LABEL: "Labels of SCUs",
    TextKind.CONTRIBUTOR: "Contributors",
    TextKind.UNIT: "Units outside the pyramid",
    TextKind.COMMENT: "Comments",
    TextKind.NOTE: "Notes",
}
_PAGES = {
    TextKind.DOCUMENT: "texts",
    TextKind.SUMMARY: "matches",
    TextKind.UNIT: "matches",
    TextKind.NOTE: "matches",
}


class SearchPresenter(QObject):
    """Reads the study once, off the GUI thread, then searches it in memory until it changes."""

    def __init__(self, view: SearchDialog, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._passages: tuple[SearchableText, ...] = ()
        self._hits = SearchResults()
        self._at = -1
        self._collecting: Job | None = None
        self._searching: Job | None = None
        self._is_stale = True
        self._typing = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._typing.timeout.connect(self._search)
        view.typed.connect(lambda: self._typing.start())
        view.chosen.connect(self._go)
        context.changes.changed.connect(self._look)

    @Slot()
    def open(self) -> None:
        """Bring the search to the front, over the study as it is now."""
        self._view.begin()
        self._collect()

    def step(self, by: int) -> bool:
        """Go to the next place found (+1) or the one before (-1), going round; whether there is one."""
        if not self._hits.hits:
            return False
        self._go((self._at + by) % len(self._hits.hits))
        return True

    def close(self) -> None:
        """Search no longer; for when the study is closed."""
        self._typing.stop()
        self._searching = None  # what it finds has nowhere to go any more
        self._view.hide()
        self._view.deleteLater()

    def _collect(self) -> None:
        if self._is_stale and self._collecting is None:
            self._is_stale = False
            steps = text_search.collect_texts(self._context.study, self._context.annotator.id)
            self._collecting = self._context.jobs.start(
                "Reading the study to search it", steps, JobQueue.SEARCHING
            )
            self._collecting.finished.connect(self._collected)
            self._collecting.ended.connect(self._read)

    @Slot(object)
    def _collected(self, passages: tuple[SearchableText, ...]) -> None:
        own = ("", self._context.annotator.name)
        is_blind = blind_mode_of(self._context).is_on  # then others' work is theirs alone
        self._passages = tuple(p for p in passages if p.by in own) if is_blind else passages
        self._search()

    @Slot(object)
    def _read(self, _: Job) -> None:
        self._collecting = None
        if self._view.isVisible():
            self._collect()

    @Slot()
    def _search(self) -> None:
        if self._searching is not None:
            self._searching.cancel()
        query = self._view.field.text()
        if not query.strip():
            self._show(SearchResults())
            return
        steps = text_search.search(self._passages, query, MOST)
        job = self._searching = self._context.jobs.start("Searching", steps, JobQueue.SEARCHING)
        job.finished.connect(lambda hits: self._found(job, hits))
        job.ended.connect(self._searched)

    def _found(self, job: Job, hits: SearchResults) -> None:
        if job is self._searching:  # else something else has been typed since
            self._show(hits)

    @Slot(object)
    def _searched(self, job: Job) -> None:
        if job is self._searching:
            self._searching = None

    def _show(self, hits: SearchResults) -> None:
        if hits != self._hits:
            self._at = -1
        self._hits = hits
        lines = [self._line(place, hit) for place, hit in enumerate(hits.hits)]
        total = sum(hits.counts.values())
        if total:
            fact = "1 place" if total == 1 else f"{total:,} places"
        elif not self._view.field.text().strip():
            fact = ""
        else:
            fact = "Reading the study…" if self._collecting is not None else "This is nowhere in the study."
        self._view.show_hits(lines, fact)

    def _line(self, place: int, hit: SearchHit) -> HitRow:
        passage, (start, end) = hit.passage, hit.span
        count = self._hits.counts[passage.kind]
        more = f"{_TITLES[passage.kind]} · {count:,}" + (f", the first {MOST}" if count > MOST else "")
        text = passage.text
        before = ("…" if start > _AROUND else "") + _even(text[max(0, start - _AROUND) : start])
        after = _even(text[end : end + _AROUND]) + ("…" if end + _AROUND < len(text) else "")
        by = f"by {passage.by}" if passage.by else ""
        where = " · ".join(part for part in (passage.topic, passage.title, by) if part)
        return HitRow(place, more, before, _even(text[start:end]), after, where)

    @Slot(int)
    def _go(self, place: int) -> None:
        """Select everything about a hit, show its page, and point at its words."""
        self._at = place
        hit = self._hits.hits[place]
        passage, selection = hit.passage, self._context.selection
        selection.select(
            topic_id=passage.topic_id,
            summary_id=passage.summary_id or None,
            scu_id=passage.scu_id or None,
        )
        page = _PAGES.get(passage.kind, "matches" if passage.summary_id else "pyramids")
        self._context.show_page(page)
        if passage.text_id:
            start, end = hit.span
            selection.point_at(passage.text_id, passage.start + start, passage.start + end)
        if passage.by not in ("", self._context.annotator.name) and page == "pyramids":
            self._context.show_message(f"This is in the pyramid of {passage.by}; the page shows your own.")

    @Slot(object)
    def _look(self, changes: ChangeSet) -> None:
        if changes.kinds & _CONCERNED:
            self._is_stale = True
            if self._view.isVisible():
                self._collect()


def _even(text: str) -> str:
    """A text on one line; blanks at its ends stay, one each."""
    words = " ".join(text.split())
    return (" " if text[:1].isspace() else "") + words + (" " if text[-1:].isspace() and words else "")
