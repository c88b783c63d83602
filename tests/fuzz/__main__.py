"""python -m tests.fuzz [--files 60000] [--kind NAME] [--every 4]: how many files each format accepts.

Prints a table and every kind of fault once, with the number of a case; `--only NUMBER` runs that one again.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from pathlib import Path

from tests.fuzz.attempts import ACCEPTED, FAULT, REFUSED, Laboratory, Tally
from tests.fuzz.seeds import KINDS, Kind

SHOWN = 6


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    arguments.add_argument("--files", type=int, default=60_000, help="files of all kinds together")
    arguments.add_argument("--first", type=int, default=0, help="number of the first case of each kind")
    arguments.add_argument("--kind", help="only this kind: " + ", ".join(kind.name for kind in KINDS))
    arguments.add_argument("--every", type=int, default=4, help="every how many cases one is really written")
    arguments.add_argument("--only", type=int, help="only the case of this number, written and not")
    given = arguments.parse_args()
    kinds = [kind for kind in KINDS if given.kind in (None, kind.name)]
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        laboratory = Laboratory(Path(folder))
        print(
            f"{'format':16} {'files':>6} {'accepted':>9} {'refused':>8} {'faults':>7} {'written':>8} {'s':>6}"
        )
        for kind in kinds:
            start = time.monotonic()
            numbers = range(given.first, given.first + given.files // len(kinds))
            tally = _run(laboratory, kind, [given.only] if given.only is not None else numbers, given.every)
            counts, seconds = tally.counts, time.monotonic() - start
            files = counts[ACCEPTED] + counts[REFUSED] + counts[FAULT]
            print(
                f"{kind.name:16} {files:6} {counts[ACCEPTED]:9} {counts[REFUSED]:8} {counts[FAULT]:7} "
                f"{counts['written']:8} {seconds:6.0f}",
                flush=True,
            )
            _show_faults(tally)


def _run(laboratory: Laboratory, kind: Kind, numbers: range | list[int], every: int) -> Tally:
    tally = Tally()
    for number in numbers:
        laboratory.attempt(kind, number, tally, write=number % every == 0)
    return tally


def _show_faults(tally: Tally) -> None:
    """Each kind of fault once."""
    kinds: dict[str, tuple[int, int, str]] = {}
    for number, message in tally.faults:
        key = re.sub(r"[0-9a-f]{8,}|\d+|'[^']*'|\"[^\"]*\"", "", message.strip().splitlines()[-1])[:80]
        first, count, text = kinds.get(key, (number, 0, message))
        kinds[key] = (first, count + 1, text)
    for first, count, text in list(kinds.values())[:SHOWN]:
        print(f"--- {count} times, first in case {first}\n{text.strip()[-1500:]}", flush=True)


if __name__ == "__main__":
    main()
