"""Saving a pyramid as web page, PDF and picture, and printing, with a real view on a real study."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage
from PySide6.QtPrintSupport import QPrinter

from gui.widgets.printing import print_pages, printed_text
from tests.gui.pages.pyramid.pyramid_keys import Page


@pytest.fixture
def page(context, shown, qtbot):
    made = Page(context, qtbot)
    shown(made.view)
    made.view.activateWindow()
    return made


def trigger(page, command):
    page.context.commands.action(command).trigger()


@pytest.mark.parametrize(
    ("suffix", "start"), [(".html", b"<!DOCTYPE html>"), (".pdf", b"%PDF-"), (".png", b"\x89PNG")]
)
def test_the_displayed_pyramid_is_saved(page, qtbot, tmp_path, suffix, start):
    page.make("A", "the ban on the bridge was void", "Ban lifted")
    asked = []
    path = tmp_path / f"p{suffix}"

    def ask(question, suggested, kinds):
        asked.append((question, suggested, [ending for _, ending in kinds]))
        return path

    page.presenter.sheet.ask_path = ask
    trigger(page, "pyramid.save_sheet")
    qtbot.waitUntil(path.exists)
    assert path.read_bytes().startswith(start)
    (question, suggested, endings) = asked[0]
    assert question == "Save pyramid"
    assert suggested.startswith(page.topic.name)
    assert endings == [".html", ".pdf", ".png"]
    if suffix == ".html":
        text = path.read_text("utf-8")
        assert "Ban lifted" in text
        assert "A: “the ban on the bridge was void”" in text


def test_a_cancelled_dialog_writes_nothing(page, tmp_path):
    before = set(tmp_path.iterdir())
    page.presenter.sheet.ask_path = lambda *_: None
    trigger(page, "pyramid.save_sheet")
    assert not [job for job in page.context.jobs.running() if job.title.startswith("Saving")]
    assert set(tmp_path.iterdir()) == before


def test_the_pages_go_to_the_printer(page, qtbot, tmp_path):
    printed = []

    def to_file(title, pages):
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(tmp_path / "paper.pdf"))
        printed.append((title, pages))
        return print_pages(printer, pages)

    page.presenter.sheet.print_pages = to_file
    trigger(page, "study.print")
    qtbot.waitUntil(lambda: bool(printed))
    ((title, pages),) = printed
    assert title == f"Pyramid of {page.topic.name}"
    image = QImage.fromData(pages[0])
    assert round(image.height() / image.width(), 2) == 1.41
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF-")


def test_only_the_chosen_pages_are_printed(page, tmp_path):
    from core.domain.study import TopicTexts
    from core.report.formats.pdf import page_images
    from core.report.pyramid_sheet import pyramid_sheet

    topic: TopicTexts = page.topic
    one = page_images(pyramid_sheet(page.presenter.annotation.pyramid, topic, "me"))[0]
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "paper.pdf"))
    printer.setFromTo(2, 3)
    assert print_pages(printer, [one] * 5) == 2
    assert (tmp_path / "paper.pdf").read_bytes().count(b"/Type /Page\n") == 2


def test_the_outcome_is_said():
    assert printed_text(None) == ""
    assert printed_text(1) == "Printed 1 page."
    assert "did not start" in printed_text(0)
