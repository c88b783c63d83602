"""The study of these tests is on a PostgreSQL server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from core.files.study_address import ServerAddress
from storage.study_file import StudyFile, open_study


@pytest.fixture
def study(server_address: ServerAddress) -> Iterator[StudyFile]:
    """An open study of 2 topics, 3 systems and 2 references on the server, without annotations."""
    with open_study(server_address) as opened:
        yield opened


@pytest.fixture
def wait_until() -> Callable[[Callable[[], object]], None]:
    """Wait until something is true; fails after a minute."""

    def wait(is_true: Callable[[], object]) -> None:
        deadline = time.monotonic() + 60
        while not is_true():
            assert time.monotonic() < deadline
            time.sleep(0.02)

    return wait
