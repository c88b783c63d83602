"""The real window with every page, on a small study that has something of everything."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from gui.app import PAGES, build_desk


class Windows(QObject):
    """Notes every window that comes up."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(type(watched).__name__)
        return False


@pytest.mark.parametrize("key", [spec.key for spec in PAGES])
def test_building_a_page_brings_up_no_window_of_its_own(key, qapp, qtbot, study, tmp_path) -> None:
    desk, window = build_desk(qapp, tmp_path / "settings.json")
    qtbot.addWidget(window)
    window.show()
    desk.start(study.path)
    qtbot.waitUntil(lambda: desk.context is not None, timeout=5000)
    windows = Windows()
    QApplication.instance().installEventFilter(windows)
    window.show_page(key)
    QApplication.processEvents()
    QApplication.instance().removeEventFilter(windows)
    assert windows.seen == []
    desk.close()
