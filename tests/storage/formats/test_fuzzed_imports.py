"""Hundreds of damaged files of every format: each is imported or refused in sentences, nothing else.

`python -m tests.fuzz` runs tens of thousands.
"""

from __future__ import annotations

import pytest

from tests.conftest import NIGHTLY
from tests.fuzz.attempts import ACCEPTED, REFUSED, Laboratory, Tally
from tests.fuzz.seeds import KINDS, Kind

pytestmark = pytest.mark.slow

CASES, WRITTEN_EVERY = (64, 8) if NIGHTLY else (16, 16)


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    return Laboratory(tmp_path_factory.mktemp("fuzz"))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_damaged_files_are_imported_or_refused_and_come_back_as_they_were(
    laboratory: Laboratory, kind: Kind
) -> None:
    tally = Tally()
    for number in range(CASES):
        laboratory.attempt(kind, number, tally, write=number % WRITTEN_EVERY == 0)
    assert tally.faults == []
    assert tally.counts[ACCEPTED] + tally.counts[REFUSED] == CASES
    assert min(tally.counts[ACCEPTED], tally.counts[REFUSED]) > CASES / 20, "both ends are reached"
