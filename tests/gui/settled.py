"""Whether the window has shown all that it was asked for."""

from __future__ import annotations

from typing import Any

from gui.background.turn_queue import TurnQueue
from gui.shell.main_window import ComingPage


def is_settled(controller: Any) -> bool:
    """Return whether the page is built, and nothing is being read or stored or waits for a later turn."""
    context, window = controller.context, controller.window
    return not (
        isinstance(window.stack.currentWidget(), ComingPage)
        or controller.jobs.running()
        or (context is not None and context.writes.is_saving)
        or any(steps.isActive() for steps in window.findChildren(TurnQueue))
    )
