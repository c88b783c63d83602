"""The window."""

import sys

import PySide6.QtCore  # noqa: F401 - loads the module that is changed


def _leave_sources_unread() -> None:
    """Let PySide6 not read the source of every imported module to find out whether it uses PySide6.

    It asks for the sake of `from __feature__ import`, which nothing here uses. Reading takes a quarter of the
    time of all imports and keeps the sources in memory: 180 MB once models run.
    """
    feature = sys.modules.get("shibokensupport.feature")
    if feature is not None and hasattr(feature, "_mod_uses_pyside"):
        vars(feature)["_mod_uses_pyside"] = lambda module: False


_leave_sources_unread()
