"""Time of `pyramidion evaluate` on a table of 100 rows with ratings, next to sacreBLEU's for one number.

Both are started as a user starts them. Imports: time in modules that are imported, as Python counts it.
"""

from __future__ import annotations

import csv
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks import sized

TOPICS, SYSTEMS, RUNS = sized(20, 6), 5, sized(5, 1)
WORDS = ("dam", "river", "city", "council", "bridge", "crack", "water", "plan", "money", "town")
_IMPORT = re.compile(r"import time:\s+(\d+) \|")


def main() -> None:
    """Print the shortest of some runs."""
    with tempfile.TemporaryDirectory() as folder:
        table, refs, out = (Path(folder, name) for name in ("table.csv", "refs.txt", "out.txt"))
        _write(table, refs, out)
        ours = ["-m", "pyramidion", "evaluate", str(table)]
        theirs = ["-m", "sacrebleu", str(refs), "-i", str(out), "-b"]
        for name, arguments in (("evaluate", ours), ("sacrebleu", theirs)):
            seconds = min(_seconds(arguments) for _ in range(RUNS))
            print(f"{name:10} {seconds:6.2f} s, of which imports {_import_seconds(arguments):.2f} s")


def _write(table: Path, refs: Path, out: Path) -> None:
    """Write a table of topics and systems, and the lines of the first system."""
    draw = random.Random(0)
    rows, lines = [], []
    for topic in range(TOPICS):
        base = draw.choices(WORDS, k=60)
        for system in range(SYSTEMS):
            words = [word if draw.random() > system / SYSTEMS else draw.choice(WORDS) for word in base]
            rows.append([topic, f"s{system}", " ".join(base), " ".join(words), 5 - system])
        lines.append((" ".join(base), rows[-SYSTEMS][3]))
    with table.open("w", newline="") as file:
        csv.writer(file).writerows([["id", "system", "reference", "summary", "coherence"], *rows])
    for path, column in ((refs, 0), (out, 1)):
        path.write_text("".join(f"{line[column]}\n" for line in lines))


def _seconds(arguments: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
    return time.perf_counter() - began


def _import_seconds(arguments: list[str]) -> float:
    """Return the time in imports, which is somewhat more than without counting it."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=True
    )
    return sum(map(int, _IMPORT.findall(done.stderr))) / 1e6


if __name__ == "__main__":
    main()
