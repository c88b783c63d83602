"""Fixtures of laws about the window are those of its other tests."""

from tests.gui.conftest import (  # noqa: F401 - pytest finds fixtures by their names here
    _all_garbage_on_this_thread,
    _dressed,
    _garbage_on_this_thread,
    commands,
    context,
    qtbot,
    requests,
    shown,
)
