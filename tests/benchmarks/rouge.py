"""Time and memory of the ROUGE family over SummEval: Pyramidion, ROUGE-1.5.5's Perl, and rouge-score.

1,600 summaries with eleven references each, stemmed, from texts to scores, each program in a separate
process. Pyramidion runs once cold, loading compiled loops from the cache, and once warm, with nothing cached
but the compiled loops. The others run once; about three minutes together.
"""

from __future__ import annotations

import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from core.domain.study import Text, TopicTexts
from tests.benchmarks import apart, sized
from tests.benchmarks.made_studies import SUMMEVAL, is_there
from tests.perl_rouge import missing_requirements, output, unpack

FAMILY = [
    *(f"rouge-n:n={n},stem=yes" for n in (1, 2, 3, 4)),
    "rouge-l:stem=yes",
    "rouge-w:weight=1.2,stem=yes",
    "rouge-s:gap=4,stem=yes",
    "rouge-su:gap=4,stem=yes",
]
ITS_VARIANTS = [
    *(f"rouge-n:n={n},stem=yes,mode=rouge-score" for n in (1, 2, 3, 4)),
    "rouge-l:stem=yes,split=lines,mode=rouge-score",
]


class Run(NamedTuple):
    """Seconds of the first and the last run, and the peak memory in MiB."""

    first: float
    last: float
    memory: float


def main() -> None:
    if not is_there():
        return
    apart(measure, "family")  # compiles the loops where nobody has yet
    rows = {
        "ours, the family": apart(measure, "family"),
        "ROUGE-1.5.5's Perl": apart(measure, "perl") if not missing_requirements() else None,
        "ours, its variants": apart(measure, "variants"),
        "rouge-score": apart(measure, "rouge_score"),
    }
    print("SummEval, 11 references, stemmed; family: 1-4, L, W-1.2, S4, SU4; its variants: 1-4, Lsum")
    print("                      first run   last run   peak memory   times as slow")
    for mine, theirs in (("ours, the family", "ROUGE-1.5.5's Perl"), ("ours, its variants", "rouge-score")):
        for name in (mine, theirs):
            show(name, rows[name], rows[mine])


def show(name: str, ran: Run | None, mine: Run | None) -> None:
    if ran is None or mine is None:
        print(f"  {name:<20} {missing_requirements()}")
        return
    ratio = f"{ran.first / mine.first:8.0f} / {ran.last / mine.last:.0f}" if ran is not mine else ""
    print(f"  {name:<20} {ran.first:8.1f} s {ran.last:8.1f} s {ran.memory:9.0f} MiB {ratio}")


def measure(who: str) -> Run:
    """Run a program."""
    score = PROGRAMS[who]
    topics = read_topics()
    times = []
    for _ in range(2 if who in ("family", "variants") else 1):
        began = time.perf_counter()
        score(topics)
        times.append(time.perf_counter() - began)
    whose = resource.RUSAGE_CHILDREN if who == "perl" else resource.RUSAGE_SELF
    return Run(times[0], times[-1], resource.getrusage(whose).ru_maxrss / 1024)


def read_topics() -> list[TopicTexts]:
    rows: dict[str, tuple[list[str], dict[str, str]]] = {}
    for line in SUMMEVAL.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows.setdefault(row["id"], (row["references"], {}))[1][row["model_id"]] = row["decoded"]
    return [
        TopicTexts(
            name,
            name,
            references=tuple(Text(f"r{i}", f"r{i}", text) for i, text in enumerate(references)),
            summaries=tuple(Text(system, system, text) for system, text in written.items()),
        )
        for name, (references, written) in list(rows.items())[: sized(None, 2)]
    ]


def score_with(specs: list[str]) -> Callable[[list[TopicTexts]], None]:
    def score(topics: list[TopicTexts]) -> None:
        from core.metrics.registry import parse
        from core.scoring.study_resources import StudyResources

        resources = StudyResources()
        metrics = [parse(spec) for spec in specs]
        for topic in topics:
            for metric in metrics:
                metric.score(metric.prepare(topic, resources))

    return score


def score_by_rouge_score(topics: list[TopicTexts]) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rouge3", "rouge4", "rougeLsum"], use_stemmer=True)
    for topic in topics:
        references = [text.content for text in topic.references]
        for summary in topic.summaries:
            scorer.score_multi(references, summary.content)


def score_by_perl(topics: list[TopicTexts]) -> None:
    score_by_rouge(["-m", "-n", "4", "-w", "1.2", "-2", "4", "-U", "-d"], topics)


def score_by_rouge(options: list[str], topics: list[TopicTexts]) -> None:
    """Score by Perl with one resample, since averages are not measured."""
    with tempfile.TemporaryDirectory() as folder:
        output(unpack(Path(folder)), ["-r", "1", *options], topics, Path(folder))


PROGRAMS = {
    "family": score_with(FAMILY),
    "variants": score_with(ITS_VARIANTS),
    "rouge_score": score_by_rouge_score,
    "perl": score_by_perl,
}
