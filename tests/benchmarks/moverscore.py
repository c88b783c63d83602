"""MoverScore compared with the package moverscore 1.0.3, by the packaged MiniLM.

The package runs in a separate process with pytorch_pretrained_bert and pyemd's C++ transport, and patches for
newer libraries: np.float is float, the GPU is the CPU, and the second module's DistilBERT has the weights of
the first. Most of the cases difference is rounding in C++: with pyemd's other backend, POT, differences
are about 1e-6.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

from core.domain.study import Text, TopicTexts
from core.metrics.registry import metric
from core.models.catalogue.lookup import find_model
from core.scoring.study_resources import StudyResources
from core.text.tokenization import stop_words
from tests.benchmarks import sized
from tests.benchmarks.made_studies import SUMMEVAL, is_there
from tests.peers import ask_peer

PEER = "moverscore==1.0.3"
PEERS = (PEER, "pytorch_pretrained_bert==0.6.2", "pyemd==1.1.0")
CASES = Path(__file__).parents[1] / "reference" / "moverscore" / "cases.json"
ARTICLES, SYSTEMS = 3, 3
"""Numbers of articles and systems of SummEval; eleven references give 99 pairs."""

TEXTS: tuple[tuple[Sequence[str], Sequence[str]], ...] = (
    (
        (
            "The court lifted the ban on the old bridge, and cafés nearby reopened.",
            "Ban void.",
            "Unputdownable nightingales: 😀 roads may be closed...",
        ),
        (
            "A federal judge struck the bridge's ban down on Monday.",
            "The court ruled that the ban was void, and the governor vowed to appeal at once.",
        ),
    ),
    (
        ("A storm closed the harbour for days.", "Two ships waited - rain is expected in the north."),
        (
            "The storm closed the harbour, and two ships waited outside it for days.",
            "Rain; the harbour's closed!",
            "Harbourmasters rerouted ships.",
        ),
    ),
)
OPTIONS: tuple[dict[str, Any], ...] = (
    {"mode": "v1", "idf": "no"},
    {"mode": "v1", "idf": "yes"},
    {"mode": "v1", "idf": "sides"},
    {"mode": "v1", "idf": "sides", "stop_words": True},
    {"mode": "v1", "idf": "sides", "n": 2},
    {"mode": "v1", "idf": "no", "n": 3, "subwords": True},
    {"mode": "v2-1.0.3", "idf": "no"},
    {"mode": "v2-1.0.3", "idf": "yes"},
    {"mode": "v2-1.0.3", "idf": "sides"},
    {"mode": "v2-1.0.3", "idf": "no", "stop_words": True},
)
"""Options for both programs, as settings of the metric; idf selects the package's dictionaries."""


@dataclass(frozen=True)
class Job:
    """Topics, each its summaries and its references, to score with each of some options."""

    topics: Sequence[tuple[Sequence[str], Sequence[str]]]
    options: Sequence[dict[str, Any]]

    def texts(self) -> list[TopicTexts]:
        """Return the topics as values of core."""
        return [
            TopicTexts(
                f"t{k}",
                f"t{k}",
                references=tuple(Text(f"r{i}", f"r{i}", each) for i, each in enumerate(references)),
                summaries=tuple(Text(f"s{i}", f"s{i}", each) for i, each in enumerate(summaries)),
            )
            for k, (summaries, references) in enumerate(self.topics)
        ]

    def pairs(self) -> list[tuple[str, str]]:
        """Return each summary with each of its references, in the order of the scores."""
        return [(s, r) for summaries, references in self.topics for s in summaries for r in references]


@dataclass(frozen=True)
class Scored:
    """Scores of a job's pairs by one of its options, and their seconds."""

    scores: list[float]
    seconds: float


SMALL = Job(TEXTS, OPTIONS)


def ours(job: Job) -> list[Scored]:
    """Return Pyramidion's scores for each of a job's options."""
    topics, scored = job.texts(), []
    store: Any = SimpleNamespace(
        reference_sets=lambda: [topic.references for topic in topics], texts=lambda: topics
    )
    for options in job.options:
        resources, chosen = StudyResources(store, "cpu", encoding_cache=0), metric("moverscore", **options)
        resources.encoder("minilm")
        begun = time.perf_counter()
        stats = [chosen.score(chosen.prepare(topic, resources)).stats for topic in topics]
        seconds = time.perf_counter() - begun
        scored.append(Scored([float(x) for each in stats if each is not None for x in each.flat], seconds))
    return scored


def theirs(*jobs: Job) -> list[list[Scored]]:
    """Return the results of the package for all jobs."""
    question = {"model": str(find_model("minilm").folder), "jobs": [asdict(job) for job in jobs]}
    answers = ask_peer(PEERS, "tests.benchmarks.moverscore", question)
    return [[Scored(**each) for each in job] for job in answers]


def _stored(job: Job) -> list[list[Scored]]:
    """Return the stored results of the package for the first options of the small texts."""
    cases = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
    return [[Scored(case["scores"], math.nan) for case in cases[: len(job.options)]]]


def main() -> None:
    """Print the largest difference of each option's scores, and the seconds of both, loading not counted."""
    if not is_there():
        return
    job = sized(_summeval, lambda: replace(SMALL, options=OPTIONS[:1]))()
    (peer,) = sized(theirs, _stored)(job)
    for options, mine, other in zip(job.options, ours(job), peer, strict=True):
        gaps = np.abs(np.subtract(mine.scores, other.scores))
        named = ",".join(f"{key}={value}" for key, value in options.items())
        spread = f"scores {min(mine.scores):.3f} to {max(mine.scores):.3f}, at most {gaps.max():.1e} apart"
        seconds = f"{mine.seconds:.1f} s, {PEER} {other.seconds:.1f} s"
        print(f"moverscore:{named}, {len(gaps)} pairs: {spread}; {seconds}")


def _summeval() -> Job:
    """Return summaries of some articles by some systems, with their eleven references."""
    topics: dict[str, tuple[list[str], list[str]]] = {}
    with SUMMEVAL.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if len(topics) == ARTICLES and row["id"] not in topics:
                break
            summaries, _ = topics.setdefault(row["id"], ([], list(row["references"])))
            if len(summaries) < SYSTEMS:
                summaries.append(row["decoded"])
    return Job(list(topics.values()), OPTIONS)


def write_cases() -> None:
    """Store the package's scores of the small texts."""
    (package,) = theirs(SMALL)
    cases = [
        {"options": options, "scores": [round(score, 9) for score in scored.scores]}
        for options, scored in zip(OPTIONS, package, strict=True)
    ]
    record = {
        "package": ", ".join(PEERS),
        "model": find_model("minilm").sha256,
        "topics": TEXTS,
        "cases": cases,
    }
    CASES.parent.mkdir(parents=True, exist_ok=True)
    CASES.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _run_peer(folder: str) -> None:
    """Print the package's scores for the jobs on standard input. folder: of the package."""
    question = json.load(sys.stdin)
    sys.path.append(folder)
    np.float = float  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as model:
        _write_model(Path(question["model"]), Path(model))
        first = _first_module(model)
    modules = {"v1": first, "v2-1.0.3": _second_module(question["model"], first.tokenizer)}
    jobs = [Job(**job) for job in question["jobs"]]
    print(json.dumps([[asdict(_scored(modules, job, each)) for each in job.options] for job in jobs]))


def _write_model(model: Path, folder: Path) -> None:
    """Write a BERT in the format of the package's first module."""
    import torch
    from transformers import AutoModel

    for name in ("config.json", "vocab.txt"):
        shutil.copy(model / name, folder)
    weights = AutoModel.from_pretrained(model).state_dict()
    torch.save({f"bert.{name}": values for name, values in weights.items()}, folder / "pytorch_model.bin")
    (folder / "MNLI_BERT.zip").touch()  # else it would fetch the authors' model


def _first_module(model: str) -> Any:
    import torch

    errors = ModuleType("botocore.exceptions")
    errors.ClientError = OSError  # type: ignore[attr-defined]
    sys.modules |= {"boto3": ModuleType("boto3"), "botocore": ModuleType("botocore"), errors.__name__: errors}
    os.environ["MOVERSCORE"] = model
    with mock.patch.object(torch.nn.Module, "to", lambda network, device: network):
        import moverscore
    moverscore.emd = partial(moverscore.emd, backend="cpp")
    moverscore.device, moverscore.tokenizer.max_len = "cpu", find_model("minilm").limit
    return moverscore


def _second_module(model: str, tokenizer: Any) -> Any:
    import torch
    import transformers

    network = transformers.AutoModel.from_pretrained(model)

    class Network(torch.nn.Module):
        def forward(self, input_ids: Any, attention_mask: Any) -> tuple[Any, Any, None]:
            read = network(input_ids=input_ids, attention_mask=attention_mask, output_hidden_states=True)
            return read.last_hidden_state, read.hidden_states, None

        def to(self, device: str) -> Any:
            return self

    stand_in = ModuleType("transformers")
    for name, made in (("Config", None), ("Tokenizer", tokenizer), ("Model", Network())):
        setattr(stand_in, f"DistilBert{name}", SimpleNamespace(from_pretrained=_always(made)))
    sys.modules["transformers"] = stand_in
    import moverscore_v2

    sys.modules["transformers"] = transformers
    moverscore_v2.emd_with_flow = partial(moverscore_v2.emd_with_flow, backend="cpp")
    return moverscore_v2


def _always(made: Any) -> Callable[..., Any]:
    return lambda *_, **__: made


def _scored(modules: dict[str, Any], job: Job, options: dict[str, Any]) -> Scored:
    module = modules[options["mode"]]
    summaries, references = map(list, zip(*job.pairs(), strict=True))
    begun = time.perf_counter()
    scores = module.word_mover_score(
        references,
        summaries,
        *_dictionaries(module, job, options["idf"]),
        stop_words=sorted(stop_words()) if options.get("stop_words") else [],
        n_gram=options.get("n", 1),
        remove_subwords=not options.get("subwords", False),
        batch_size=16,
        device="cpu",
    )
    return Scored([float(score) for score in scores], time.perf_counter() - begun)


def _dictionaries(module: Any, job: Job, idf: str) -> tuple[Any, Any]:
    """Return the idf of the references and of the summaries."""
    if idf == "no":
        return defaultdict(lambda: 1.0), defaultdict(lambda: 1.0)
    summaries = [text for texts, _ in job.topics for text in texts]
    references = [text for _, texts in job.topics for text in texts]
    own = summaries if idf == "sides" else references
    return module.get_idf_dict(references, nthreads=1), module.get_idf_dict(own, nthreads=1)


if __name__ == "__main__":
    _run_peer(sys.argv[1])
