"""Time of ROUGE-1 and ROUGE-2 with stemming over SummEval: ours, and rouge-score's.

Each runs in a process of its own: 1,600 summaries against the first reference, from texts to numbers. The
first run pays for loading the libraries (ours finds its compiled kernels on the disk), the second does not;
nothing else is kept between the two.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
SUMMEVAL = SHARED / "summeval" / "model_annotations.aligned.paired.jsonl"
Pairs = dict[str, tuple[str, dict[str, str]]]


def main() -> None:
    if not SUMMEVAL.exists():
        print(f"SummEval is not here; put it at {SUMMEVAL.parent}.")
        return
    run_apart("ours")  # compiles the kernels where nobody has yet
    ours, theirs = run_apart("ours"), run_apart("theirs")
    print("ROUGE-1 and ROUGE-2, stemming, 1,600 summaries, one reference, one process each")
    print("                 rouge-score     ours   times as fast")
    for what, mine, peers in zip(("with loading", "once loaded"), ours, theirs, strict=True):
        print(f"  {what:<13} {peers:9.2f} s {mine:6.2f} s {peers / mine:15.1f}")


def run_apart(who: str) -> tuple[float, float]:
    """Seconds of a first and a second run in a process of its own."""
    command = [sys.executable, "-c", f"from tests.benchmarks.rouge import measure; measure({who!r})"]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    first, second = json.loads(ran.stdout.splitlines()[-1])
    return first, second


def measure(who: str) -> None:
    score = score_ours if who == "ours" else score_theirs
    pairs = read_pairs()
    times = []
    for _ in range(2):
        began = time.perf_counter()
        score(pairs)
        times.append(time.perf_counter() - began)
    print(json.dumps([times[0], times[-1]]))


def read_pairs() -> Pairs:
    """Each topic's first reference, and its summaries by system."""
    pairs: Pairs = {}
    for line in SUMMEVAL.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        _, summaries = pairs.setdefault(row["id"], (row["references"][0], {}))
        summaries[row["model_id"]] = row["decoded"]
    return pairs


def score_ours(pairs: Pairs) -> None:
    from core.domain.study import Text, TopicTexts
    from core.metrics.registry import parse
    from core.tools import EngineTools

    tools = EngineTools(None)  # type: ignore[arg-type]
    metrics = [parse("rouge-n:n=1,stem=yes"), parse("rouge-n:n=2,stem=yes")]
    for name, (reference, written) in pairs.items():
        summaries = tuple(Text(system, system, text) for system, text in written.items())
        topic = TopicTexts(name, name, references=(Text("r", "r", reference),), summaries=summaries)
        for metric in metrics:
            metric.score(metric.prepare(topic, tools))


def score_theirs(pairs: Pairs) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2"], use_stemmer=True)
    for reference, written in pairs.values():
        for text in written.values():
            scorer.score(reference, text)
