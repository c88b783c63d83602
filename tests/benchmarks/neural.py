"""Neural metrics: time, memory, word pieces per second, and the encoder's share.

SummEval with its documents and eleven references, with texts encoded together for all metrics; then a study
of TAC's size, 48 topics of 58 systems, 4 references and 10 documents, by anchored ROUGE. On one core; on a
GPU, with its values compared with the CPU's, by ``python -m tests.benchmarks.neural --device cuda``.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import ot  # noqa: F401 - which takes seconds, before the clock starts
import torch

from core.domain.study import TopicTexts
from core.metrics.embedding import moverscore
from core.metrics.registry import parse
from core.models.encoders import encoder, nearest_neighbours, sentence_passages
from core.models.encoders.encoder import Encoder, load_encoder
from core.models.runtime.devices import devices, synchronize
from core.models.runtime.packed_linear import OneDnnLinear
from core.scoring.config import ScoringConfig
from core.scoring.encode_ahead import batch_topics, encode
from core.scoring.plan import PlannedRun
from core.scoring.study_resources import StudyResources
from tests.benchmarks import apart, sized
from tests.benchmarks.made_studies import is_there, made_topics, summeval_topics

AT_ONCE = 16
"""Number of topics that the engine has in memory."""

ANCHORED = ("ancr:n=1", "ancr:n=2")
ALL = (*ANCHORED, "bertscore", "moverscore:mode=v1", "cosine")
PAIRWISE = (
    (encoder, "best_cosines"),
    (sentence_passages, "best_cosines"),
    (nearest_neighbours, "k_nearest"),
    (moverscore, "transport_costs"),
)
"""Metrics that compare all texts with all others."""

Numbers = Mapping[str, np.ndarray]


@dataclass(slots=True)
class Meter:
    """Seconds by part, number of pieces, and arithmetic operations.

    Seconds are CPU time on a CPU and wall-clock time on a GPU.
    """

    device: str
    seconds: Counter[str] = field(default_factory=Counter)
    pieces: int = 0
    operations: float = 0.0

    @contextmanager
    def on(self, part: str) -> Iterator[None]:
        """Add the duration of a block to a part."""
        began = self._now()
        yield
        self.seconds[part] += self._now() - began

    def watch(self, owner: Any, name: str, part: str) -> None:
        """Add the duration of each call of a function to a part."""
        made = getattr(owner, name)

        def timed(*args: Any, **named: Any) -> Any:
            with self.on(part):
                return made(*args, **named)

        setattr(owner, name, timed)

    def watch_encoder(self, one: Encoder) -> None:
        """Count the pieces and time of an encoder."""
        network, hidden = one._network, one._network.hidden
        by_piece = _operations_by_piece(network._module)

        def counting(ids: Sequence[Sequence[int]], layers: Sequence[int]) -> list[torch.Tensor]:
            lengths = np.array([len(text) for text in ids], dtype=float)
            share = max(layers) / one.model.layers
            by_pair = 4 * one.model.dimension * max(layers)
            self.pieces += int(lengths.sum())
            self.operations += float(lengths.sum()) * by_piece * share + float((lengths**2).sum()) * by_pair
            with self.on("passes"):
                return hidden(ids, layers)

        network.hidden = counting  # type: ignore[method-assign]

    def _now(self) -> float:
        synchronize(self.device)
        return time.process_time() if self.device == "cpu" else time.perf_counter()


def _operations_by_piece(module: torch.nn.Module) -> float:
    """Return the multiplications and additions of all blocks for one piece, without attention."""
    linear = (
        part for name, part in module.named_modules() if hasattr(part, "in_features") and "layer" in name
    )
    return 2.0 * sum(int(part.in_features) * int(part.out_features) for part in linear)


def peak(device: str) -> float:
    """Return the operations per second of a product of large float32 matrices."""
    size = sized(2048 if device == "cpu" else 8192, 256)
    layer: torch.nn.Module = torch.nn.Linear(size, size, bias=False, device=device)
    if device == "cpu":
        layer = OneDnnLinear(layer)  # type: ignore[arg-type]
    matrix, best = torch.randn(size, size, device=device), float("inf")
    with torch.inference_mode():
        for _ in range(10):
            began = time.perf_counter()
            layer(matrix)
            synchronize(device)
            best = min(best, time.perf_counter() - began)
    return 2.0 * size**3 / best


def summeval(topics: int, device: str, threads: int = 1) -> Numbers:
    """Measure every metric on a number of SummEval topics."""
    return measure("SummEval", summeval_topics()[:topics], ALL, device, threads)


def tac(topics: int, device: str, threads: int = 1) -> Numbers:
    """Measure anchored ROUGE on a number of topics of TAC's size."""
    made = made_topics(topics=min(topics, 48), systems=sized(58, 3), references=4, documents=sized(10, 1))
    return measure("TAC's size", list(made), ANCHORED, device, threads)


def measure(
    name: str, topics: Sequence[TopicTexts], specs: Sequence[str], device: str, threads: int
) -> Numbers:
    """Score topics, print time and memory, and return all values."""
    if threads:  # so that what else the machine does strikes nothing
        torch.set_num_threads(threads)
    texts = SimpleNamespace(reference_sets=lambda: [topic.references for topic in topics])
    store: Any = SimpleNamespace(texts=texts)
    resources = StudyResources(store, device)
    configs = [ScoringConfig(parse(one)) for one in specs]
    runs = [PlannedRun(config, config.stored(resources)) for config in configs]
    resources._encoders["minilm", "float32"] = one = load_encoder("minilm", device=device)
    meter = Meter(device)
    meter.watch_encoder(one)
    for owner, function in PAIRWISE:
        meter.watch(owner, function, "pairwise")
    values = _scored(topics, runs, resources, meter)
    count = sum(len(topic.summaries) for topic in topics)
    print(f"{name}: {len(topics)} topics, {count} summaries, {_title(device, threads)}")
    _print_summary(meter, runs, device)
    return values


def _scored(
    topics: Sequence[TopicTexts], runs: list[PlannedRun], resources: StudyResources, meter: Meter
) -> Numbers:
    values: dict[str, list[np.ndarray]] = {}
    for start in range(0, len(topics), AT_ONCE):
        due = [(topic, runs) for topic in topics[start : start + AT_ONCE]]
        groups = batch_topics(due, resources)
        while True:
            with meter.on("encoding"):
                group = next(groups, None)
                if group is not None:
                    list(encode(group.requests, resources))
            if group is None:
                break
            for topic, _ in group.due:
                for run in runs:
                    metric = run.config.metric
                    with meter.on(metric.spec):
                        scored = metric.score(metric.prepare(topic, resources)).values
                    values.setdefault(metric.spec, []).append(scored)
    return {name: np.concatenate(of_topics) for name, of_topics in values.items()}


def _print_summary(meter: Meter, runs: Sequence[PlannedRun], device: str) -> None:
    spent, names = meter.seconds, [run.config.metric.spec for run in runs]
    whole, reached = spent["encoding"] + sum(spent[name] for name in names), peak(device)
    rate = meter.operations / spent["passes"]
    print(f"  {'encoding':20} {spent['encoding']:7.1f} s, {meter.pieces} pieces")
    for name in names:
        print(f"  {name:20} {spent[name]:7.1f} s beside it")
    print(f"  {'all':20} {whole:7.1f} s")
    shares = [f"{spent[part] / whole:.0%}" for part in ("passes", "pairwise")]
    print(f"  {shares[0]} in encoder passes, {shares[1]} in pairwise kernels")
    print(
        f"  {meter.pieces / spent['passes']:,.0f} pieces a second in passes: {rate / 1e9:,.0f} GFLOP/s, "
        f"{rate / reached:.0%} of the {reached / 1e9:,.0f} that a product of large matrices reaches"
    )
    print(f"  memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB", flush=True)
    if device.startswith("cuda"):
        print(
            f"  memory of the GPU at most {torch.cuda.max_memory_allocated(device) / 2**20:.0f} MiB",
            flush=True,
        )


def _title(device: str, threads: int) -> str:
    if device != "cpu":
        return next(one.title for one in devices() if one.name == device)
    return "one core" if threads == 1 else "all cores"


def main(topics: int = sized(100, 1), device: str = "cpu") -> None:
    """Measure both data sets, each in a separate process."""
    if not is_there():
        return
    for part in (summeval, tac):
        here = apart(part, topics, device)
        if device != "cpu":
            _compare(here, apart(part, topics, "cpu", 0))


def _compare(own: Numbers, expected: Numbers) -> None:
    """Print the largest difference of each metric's values from the CPU's."""
    for name, values in expected.items():
        print(f"  {name:20} differs from the CPU by at most {np.nanmax(np.abs(values - own[name])):.0e}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("topics", type=int, nargs="?", default=100)
    parser.add_argument("--device", default="cpu")
    main(**vars(parser.parse_args()))
