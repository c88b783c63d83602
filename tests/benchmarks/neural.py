"""Neural metrics on one core: time, memory, word pieces per second, and what of it is the encoder's.

All of SummEval with its documents and eleven references, what all metrics read encoded together; then a study
as large as TAC's, 48 topics of 58 systems, 4 references and 10 documents, by anchored ROUGE.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from types import SimpleNamespace
from typing import Any

import torch

from core.domain.study import TopicTexts
from core.metrics.registry import parse, spec
from core.models.encoder import load_encoder
from core.planning import Config, Run
from core.reading_ahead import encode, grouped
from core.tools import EngineTools
from tests.benchmarks.made_studies import is_there, made_topics, summeval_topics

AT_ONCE = 16
"""Topics that the engine has in memory."""

ANCHORED = ("ancr:n=1", "ancr:n=2")
ALL = (*ANCHORED, "bertscore", "moverscore:mode=v1", "cosine")


def summeval(topics: int) -> None:
    """Every metric on so many topics of SummEval."""
    measure("SummEval", summeval_topics()[:topics], ALL)


def tac(topics: int) -> None:
    """Anchored ROUGE on so many topics of TAC's size."""
    made = made_topics(topics=min(topics, 48), systems=58, references=4, documents=10)
    measure("TAC's size", list(made), ANCHORED)


def measure(name: str, topics: Sequence[TopicTexts], specs: Sequence[str]) -> None:
    """Score topics and print what that took."""
    torch.set_num_threads(1)  # so that what else the machine does strikes nothing
    store: Any = SimpleNamespace(reference_sets=lambda: [topic.references for topic in topics])
    tools, runs = EngineTools(store, "cpu"), [Run(Config(parse(one))) for one in specs]
    tools._encoders["minilm", "float32"] = encoder = load_encoder("minilm", device="cpu")
    pieces, hidden = [0], encoder._network.hidden

    def counting(ids: Sequence[Sequence[int]], layers: Sequence[int]) -> list[torch.Tensor]:
        pieces[0] += sum(map(len, ids))
        return hidden(ids, layers)

    encoder._network.hidden = counting  # type: ignore[method-assign]
    encoding, scoring = _times(topics, runs, tools)
    print(f"{name}: {len(topics)} topics, {sum(len(t.summaries) for t in topics)} summaries, one core")
    print(f"  {'encoding':20} {encoding:7.1f} s, {pieces[0]} pieces, {pieces[0] / encoding:.0f} a second")
    for run, seconds in zip(runs, scoring, strict=True):
        print(f"  {spec(run.config.metric):20} {seconds:7.1f} s beside it")
    whole = encoding + sum(scoring)
    print(f"  {'all':20} {whole:7.1f} s, {encoding / whole:.0%} of it the encoder's")
    print(f"  memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB", flush=True)


def _times(topics: Sequence[TopicTexts], runs: list[Run], tools: EngineTools) -> tuple[float, list[float]]:
    """Seconds of the core that encoding takes, and each metric's beside it."""
    encoding, scoring = 0.0, [0.0] * len(runs)
    for start in range(0, len(topics), AT_ONCE):
        due = [(topic, runs) for topic in topics[start : start + AT_ONCE]]
        began = time.process_time()
        for group in grouped(due, tools):
            for _ in encode(group.wanted, tools):
                pass
            encoding += time.process_time() - began
            for topic, _ in group.due:
                for i, run in enumerate(runs):
                    began = time.process_time()
                    run.config.metric.score(run.config.metric.prepare(topic, tools))
                    scoring[i] += time.process_time() - began
            began = time.process_time()
    return encoding, scoring


def main(topics: int = 100) -> None:
    """Measure both, each in a process of its own, whose memory is its alone."""
    if not is_there():
        return
    for part in (summeval, tac):
        _in_own_process(part, topics)


def _in_own_process(part: Callable[[int], None], topics: int) -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        process.submit(part, topics).result()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
