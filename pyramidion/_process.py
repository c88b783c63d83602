"""Set-up of a process with the user's models, caches and indexes."""

from __future__ import annotations

from functools import cache

from storage.process_setup import set_up_process


@cache
def set_up() -> None:
    """Use the user's models, caches and indexes from now on."""
    set_up_process()
