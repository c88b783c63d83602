"""Garbage collection on the GUI thread."""

from __future__ import annotations

import gc
import sys
import threading
from types import ModuleType

import pytest
from PySide6.QtCore import QObject

from gui.background.gc_timer import GarbageTimer


class Cycle(QObject):
    """Object with a reference to itself, which only the collector frees; records the thread."""

    freed_on: threading.Thread | None = None

    def __init__(self) -> None:
        super().__init__()
        self.itself = self

    def __del__(self) -> None:
        type(self).freed_on = threading.current_thread()


@pytest.fixture
def timer(qapp):
    gc.collect()
    thresholds = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # Python's own, which the program keeps
    timer = GarbageTimer()
    timer.start()
    yield timer
    timer.stop()
    gc.set_threshold(*thresholds)


def allocate(count: int = 20_000) -> list[object]:
    """Allocate more containers than the collector's threshold."""
    return [[number] for number in range(count)]


def test_cycles_with_qt_objects_are_freed_only_on_the_gui_thread(timer, qtbot) -> None:
    Cycle.freed_on = None
    Cycle()
    worker = threading.Thread(target=allocate)
    worker.start()
    worker.join()
    assert Cycle.freed_on is None
    objects = allocate()
    qtbot.waitUntil(lambda: Cycle.freed_on is not None)
    assert Cycle.freed_on is threading.main_thread()
    assert objects


def test_stopping_enables_automatic_collection(qapp) -> None:
    timer = GarbageTimer()
    timer.start()
    assert not gc.isenabled()
    timer.stop()
    assert gc.isenabled()


def test_objects_of_a_library_are_not_scanned_again(timer, qtbot, monkeypatch) -> None:
    frozen = gc.get_freeze_count()
    objects = allocate()
    for number in range(200):
        monkeypatch.setitem(sys.modules, f"part_of_a_library_{number}", ModuleType("part"))
    qtbot.waitUntil(lambda: gc.get_freeze_count() >= frozen + len(objects))
    gc.unfreeze()
