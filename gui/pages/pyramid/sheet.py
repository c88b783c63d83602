"""Saving and printing of the displayed pyramid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Slot

from core.domain.pyramid import TopicAnnotation
from core.domain.study import TopicTexts
from core.files.atomic_write import atomic_write_bytes, check_writable
from core.files.file_names import file_name
from core.progress import JobSteps, Progress
from core.report.model import Report
from gui.background.jobs import JobQueue
from gui.session.context import Context
from gui.style.language import in_terms_of, tr
from gui.widgets.file_dialogs import ask_where_to_save
from gui.widgets.printing import Print, print_on_paper, printed_text

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

AskPath = Callable[[str, str, Sequence[tuple[str, str]]], Path | None]


class Page(Protocol):
    """What is needed of the page's presenter."""

    @property
    def annotation(self) -> TopicAnnotation: ...

    @property
    def topic(self) -> TopicTexts | None: ...


class SheetController(QObject):
    """Save the displayed pyramid as a web page, PDF or picture, or print it.

    ask_path: asks where to write; None = cancelled.
    print_pages: asks for a printer and prints pages; returns how many were printed.
    """

    def __init__(
        self,
        page: Page,
        view: PyramidView,
        context: Context,
        key: str,
    ) -> None:
        super().__init__(view)
        self._page, self._view, self._context = page, view, context
        self.ask_path: AskPath = partial(ask_where_to_save, view)
        self.print_pages: Print = partial(print_on_paper, view)
        context.commands.bind("pyramid.save_sheet", self.save, key)
        context.commands.bind("study.print", self.print_sheet, key)

    @Slot()
    def save(self) -> None:
        """Ask for a file and write the displayed pyramid there."""
        from core.report.pyramid_sheet import SUFFIXES

        topic = self._page.topic
        if topic is None:
            self._context.show_message(tr("Choose a topic first."))
            return
        name = in_terms_of(self._view.kind, tr("pyramid"))
        kinds = [(title, suffix) for suffix, title in SUFFIXES.items()]
        path = self.ask_path(tr("Save {name}", name=name), file_name(f"{topic.name}-{name}", ".html"), kinds)
        if path is None:
            return
        work = _write(self._page.annotation, topic, self._annotator(), path)
        job = self._context.jobs.start(tr("Saving {name}", name=path.name), work, JobQueue.FILES)
        job.finished.connect(lambda: self._context.show_message(tr("{name} saved.", name=path.name)))

    @Slot()
    def print_sheet(self) -> None:
        """Make the pages of the displayed pyramid, ask for a printer and print them."""
        topic = self._page.topic
        if topic is None:
            self._context.show_message(tr("Choose a topic first."))
            return
        work = _pages(self._page.annotation, topic, self._annotator())
        job = self._context.jobs.start(tr("Making the pages"), work, JobQueue.FILES)
        job.finished.connect(self._send)

    @Slot(object)
    def _send(self, made: tuple[str, list[bytes]]) -> None:
        title, pages = made
        self._context.show_message(printed_text(self.print_pages(title, pages)))

    def _annotator(self) -> str:
        owner = self._page.annotation.pyramid.annotator_id
        return next((one.name for one in self._context.study.annotators.all() if one.id == owner), "nobody")


def _sheet(annotation: TopicAnnotation, topic: TopicTexts, annotator: str) -> Report:
    from core.report.pyramid_sheet import pyramid_sheet

    return pyramid_sheet(annotation.pyramid, topic, annotator)


def _write(annotation: TopicAnnotation, topic: TopicTexts, annotator: str, path: Path) -> JobSteps[Path]:
    from core.report.pyramid_sheet import sheet_bytes

    check_writable(path)
    yield Progress(0, 0, tr("writing {name}", name=path.name))
    atomic_write_bytes(path, sheet_bytes(_sheet(annotation, topic, annotator), path.suffix.lower()))
    return path


def _pages(
    annotation: TopicAnnotation, topic: TopicTexts, annotator: str
) -> JobSteps[tuple[str, list[bytes]]]:
    from core.report.formats.pdf import page_images

    yield Progress(0, 0, tr("making the pages"))
    sheet = _sheet(annotation, topic, annotator)
    return sheet.title, page_images(sheet)
