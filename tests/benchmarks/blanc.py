"""BLANC's word counts compared with the package blanc 0.3.4, by a small model trained on a few sentences.

The package runs in a separate process with patches for newer libraries: AdamW is torch's, sentences are
lines, and the limit of 512 pieces and the random replacement pieces are the model's. Then part of a SummEval
article is timed in both.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from core.domain.study import Text, TopicTexts, join_sentences
from core.files.allowed_names import allowed_names
from core.metrics.comprehension.blanc import Blanc
from core.metrics.registry import metric
from core.models.catalogue.lookup import find_model
from core.scoring.study_resources import StudyResources
from core.text.sentences import sentence_spans
from tests.benchmarks import sized
from tests.benchmarks.made_studies import SUMMEVAL, is_there
from tests.peers import ask_peer

PEER = "blanc==0.3.4"
FOLDER = Path(__file__).parents[1] / "reference" / "blanc"
MODEL, CASES = FOLDER / "model", FOLDER / "cases.json"
LONGEST = 56
"""Maximum number of pieces of the small model."""

STEPS = 1500
"""Number of training steps of the small model; with many more it needs no summary."""

DOCUMENT = (
    "The court ruled on Monday that the ban on the old bridge was void.",
    "A judge lifted the ban; cafe\u0301s near the bridge reopened at once.",
    "The storm closed the harbour, and two ships waited outside for days.",
    "Governors said that people disagreed with the ruling of the court on the bridge, and that ships would "
    "wait until the storm near the harbour was over.",
    "Rain is expected in the north.",
)
SUMMARIES = (
    ("The court lifted the ban on the bridge.", "Cafes reopened."),
    ("The storm closed the harbour for days.",),
    ("Nothing.",),
    (
        "Governors disagreed with the judge, and people waited near the bridge until the ruling was over.",
        "Two ships waited outside the harbour in the rain.",
    ),
    (),
)
OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("blanc-help", {"gap": 6}),
    ("blanc-help", {"gap": 2, "len_sent_allow_cut": 10}),
    (
        "blanc-help",
        {
            "gap": 4,
            "gap_mask": 2,
            "help_sep": ".",
            "filler_token": "the",
            "min_token_length_normal": 1,
            "min_token_length_followup": 1,
            "len_sent_allow_cut": 20,
        },
    ),
    ("blanc-tune", {"gap": 6, "random_seed": 1, "learning_rate": 0.003}),
    ("blanc-tune", {"gap": 2, "random_seed": 7, "learning_rate": 0.01, "finetune_mask_evenly": False}),
    (
        "blanc-tune",
        {
            "gap": 3,
            "gap_tune": 4,
            "random_seed": 3,
            "learning_rate": 0.02,
            "finetune_epochs": 3,
            "finetune_batch_size": 3,
            "finetune_chunk_size": 12,
            "finetune_chunk_stride": 5,
            "id_layer_freeze_below": 4,
            "id_layer_freeze_above": 3,
            "warmup_steps": 2,
        },
    ),
)


@dataclass(frozen=True)
class Job:
    """Texts, as lists of sentences, to score by one model with some options."""

    model: str
    document: Sequence[str]
    summaries: Sequence[Sequence[str]]
    options: Sequence[tuple[str, dict[str, Any]]]

    def topic(self) -> TopicTexts:
        """Return the topic as a value of core."""
        document = Text("d", "d", *join_sentences(self.document))
        summaries = (Text(f"s{i}", f"s{i}", *join_sentences(each)) for i, each in enumerate(self.summaries))
        return TopicTexts("t", "t", documents=(document,), summaries=tuple(summaries))


@dataclass(frozen=True)
class Counted:
    """Counts of each summary, [right without help][right with it], and the seconds they took."""

    counts: list[list[list[int]]]
    seconds: float


SMALL = Job(str(MODEL), DOCUMENT, SUMMARIES, OPTIONS)


def ours(job: Job) -> list[Counted]:
    """Return Pyramidion's counts for each of a job's options."""
    resources, topic, counted = StudyResources(requested_device="cpu"), job.topic(), []
    allowed_names().named(job.model)
    resources.masked_lm(job.model)
    for name, options in job.options:
        chosen = metric(name, masked_lm=job.model, **options)
        assert isinstance(chosen, Blanc)
        begun = time.perf_counter()
        answers = chosen.answers(chosen.prepare(topic, resources), topic.summaries)
        counted.append(Counted([one.counts().tolist() for one in answers], time.perf_counter() - begun))
    return counted


def theirs(*jobs: Job) -> list[list[Counted]]:
    """Return the results of the package for all jobs."""
    jobs_counted = ask_peer([PEER], "tests.benchmarks.blanc", [asdict(job) for job in jobs])
    return [[Counted(**each) for each in job] for job in jobs_counted]


def _stored(job: Job) -> list[list[Counted]]:
    """Return the stored results of the package for the first options of the small texts."""
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    return [[Counted(case["counts"], math.nan) for case in cases[: len(job.options)]]]


def main() -> None:
    """Print whether all counts agree, and the seconds of both, loading not counted."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = sized([SMALL, *_article(Path(folder))], [replace(SMALL, options=OPTIONS[:1])])
        peer = sized(theirs, _stored)(*jobs)
        for job, counted in zip(jobs, peer, strict=True):
            for (name, options), mine, other in zip(job.options, ours(job), counted, strict=True):
                verdict = "equal" if mine.counts == other.counts else f"{mine.counts} against {other.counts}"
                seconds = f"{mine.seconds:.2f} s, {PEER} {other.seconds:.2f} s"
                print(f"{name} {options}, {len(job.document)} sentences: {verdict}; {seconds}")


def _article(folder: Path) -> list[Job]:
    """Return part of a SummEval article and three summaries, for random weights of MiniLM's size."""
    if not is_there():
        return []
    import torch
    from transformers import BertConfig, BertForMaskedLM

    with SUMMEVAL.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line, _ in zip(lines, range(3), strict=False)]
    packaged = find_model("minilm").folder
    torch.manual_seed(5)
    BertForMaskedLM(BertConfig.from_pretrained(packaged)).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(packaged / name, folder)
    document, *summaries = (
        [text[start:end] for start, end in sentence_spans(text)]
        for text in (rows[0]["text"], *(row["decoded"] for row in rows))
    )
    return [Job(str(folder), document[:10], summaries, OPTIONS[:1])]


def write_cases() -> None:
    """Train the small model again and store the package's counts with it."""
    _make_model()
    (package,) = theirs(SMALL)
    cases = [
        {"metric": name, "options": options, "counts": counted.counts}
        for (name, options), counted in zip(OPTIONS, package, strict=True)
    ]
    lines = ",\n".join(json.dumps(case) for case in cases)
    CASES.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def _make_model() -> None:
    """Train a BERT of two layers, 24 wide, that fills in about half of the words of its training texts."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    vocabulary = _write_tokenizer()
    torch.manual_seed(5)
    sizes = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48}
    sizes |= {"vocab_size": len(vocabulary), "max_position_embeddings": LONGEST}
    network = BertForMaskedLM(BertConfig(**sizes))
    network.save_pretrained(MODEL)
    _teach(network)
    network.save_pretrained(MODEL)


def _teach(network: Any) -> None:
    """Train a network to fill in the documents' sentences, alone or after one of the texts."""
    import torch

    model = StudyResources(requested_device="cpu").masked_lm(str(MODEL))
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.003)
    sentences, ahead = (
        [pieces.ids for pieces in model.cut(texts)]
        for texts in (DOCUMENT, ["", *DOCUMENT, *map(" ".join, SUMMARIES)])
    )
    network.train()
    for step in range(STEPS):
        before, read = ahead[torch.randint(len(ahead), ())], sentences[step % len(sentences)]
        ids = torch.from_numpy(model.closed(before, read)[:LONGEST])
        is_masked = torch.rand(len(ids)) < 0.25
        labels, inputs = ids.masked_fill(~is_masked, -100), ids.masked_fill(is_masked, model.mask)
        optimizer.zero_grad()
        network(input_ids=inputs[None], labels=labels[None]).loss.backward()
        optimizer.step()
    network.eval()


def _write_tokenizer() -> list[str]:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing

    lines = (*DOCUMENT, *(line for each in SUMMARIES for line in each))
    words = {word.strip(".,;").lower() for line in lines for word in line.replace("\u0301", "").split()}
    divided = {
        "governors": ["govern", "##ors"],
        "reopened": ["re", "##open", "##ed"],
        "ruling": ["rul", "##ing"],
    }
    pieces = sorted(words - set(divided)) + [piece for parts in divided.values() for piece in parts]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", ";", *pieces]
    tokenizer = Tokenizer(WordPiece({piece: i for i, piece in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    MODEL.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(MODEL / "tokenizer.json"))
    marks = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    settings = {"tokenizer_class": "BertTokenizer", "model_max_length": LONGEST, **marks}
    (MODEL / "tokenizer_config.json").write_text(json.dumps(settings) + "\n", encoding="utf-8")
    return vocabulary


def _run_peer(folder: str) -> None:
    """Print the package's counts and seconds for the jobs on standard input. folder: of the package."""
    import types

    import torch
    import transformers  # noqa: F401 - the module proper is behind a lazy one

    sys.modules["transformers"].AdamW = torch.optim.AdamW  # type: ignore[attr-defined]
    package = types.ModuleType("blanc")  # its own __init__ also imports metrics that need what is gone
    package.__path__ = [f"{folder}/blanc"]
    sys.modules["blanc"] = package
    sys.path.append(folder)
    from blanc import blanc

    blanc.sent_tokenize = str.splitlines
    kinds = {"blanc-help": blanc.BlancHelp, "blanc-tune": blanc.BlancTune}
    print(json.dumps([_peer_counts(Job(**job), kinds) for job in json.load(sys.stdin)]))


def _peer_counts(job: Job, kinds: dict[str, Any]) -> list[dict[str, Any]]:
    from blanc import blanc, utils

    sizes = json.loads((Path(job.model) / "config.json").read_text(encoding="utf-8"))
    utils.BERT_MAX_TOKENS = blanc.BERT_MAX_TOKENS = sizes["max_position_embeddings"]
    last = min(29_999, sizes["vocab_size"] - 1)
    blanc.TOKEN_REPLACE_RANGE = (min(1000, last), last)
    results = []
    for name, options in job.options:
        shared = {"model_name": job.model, "measure": "relative-counts", "show_progress_bar": False}
        scorer = kinds[name](**shared, **options)
        begun = time.perf_counter()
        (scores,) = scorer.eval_summaries_for_docs(
            ["\n".join(job.document)], [["\n".join(each) for each in job.summaries]]
        )
        seconds = time.perf_counter() - begun
        results.append({"counts": [counts for _, counts in scores], "seconds": seconds})
    return results


if __name__ == "__main__":
    _run_peer(sys.argv[1])
