"""Printing of pages that were made as pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog, QWidget

from gui.style.language import tr

Print = Callable[[str, Sequence[bytes]], int | None]
"""Takes a title and pages as PNG; returns the number of printed pages, None = cancelled."""


def print_on_paper(parent: QWidget, title: str, pages: Sequence[bytes]) -> int | None:
    """Ask for a printer and print pages. Returns their number, None = cancelled."""
    printer = ask_printer(parent, title, len(pages))
    return None if printer is None else print_pages(printer, pages)


def printed_text(count: int | None) -> str:
    """Return what to tell the user about a number of printed pages."""
    if count is None:
        return ""
    if not count:
        return tr("The printer did not start. Check its settings.")
    return tr("Printed {count}.", count=tr("%n pages", "", count))


def ask_printer(parent: QWidget, title: str, pages: int) -> QPrinter | None:
    """Show the printing dialog of the platform; None = cancelled."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    printer.setDocName(title)
    dialog = QPrintDialog(printer, parent)
    dialog.setWindowTitle(tr("Print"))
    dialog.setOption(QPrintDialog.PrintDialogOption.PrintPageRange, on=True)
    dialog.setMinMax(1, pages)
    dialog.setFromTo(1, pages)
    try:
        return printer if dialog.exec() == QDialog.DialogCode.Accepted else None
    finally:
        dialog.deleteLater()


def print_pages(printer: QPrinter, pages: Sequence[bytes]) -> int:
    """Print PNG pages, each as large as the paper allows; returns the number of printed pages.

    The page range that was chosen in the dialog is respected. Returns 0 where the printer does not start.
    """
    first, last = printer.fromPage() or 1, printer.toPage() or len(pages)
    printer.setFullPage(True)
    printer.setPageOrientation(QPageLayout.Orientation.Portrait)
    painter = QPainter()
    if not painter.begin(printer):
        return 0
    count = 0
    try:
        for page in pages[first - 1 : last]:
            if count:
                printer.newPage()
            image = QImage.fromData(page)
            area = QRectF(printer.pageLayout().fullRectPixels(printer.resolution()))
            size = QSizeF(image.size()).scaled(area.size(), Qt.AspectRatioMode.KeepAspectRatio)
            painter.drawImage(QRectF(area.topLeft(), size), image)
            count += 1
    finally:
        painter.end()
    return count
