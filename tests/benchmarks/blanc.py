"""BLANC beside the package blanc 0.3.4, by a small model that learnt a few sentences: the counts of words.

The package is put into a folder of its own, without what it asks for: its pins fight ours. It runs in a
process of its own, where what newer libraries dropped or moved is put back: transformers' AdamW is torch's,
sentences are lines, and the limit of 512 pieces and the pieces drawn as replacements are the small model's.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from core.domain.study import Text, TopicTexts, join_sentences
from core.metrics.blanc import Blanc
from core.metrics.registry import metric
from core.tools import EngineTools

PEER = "blanc==0.3.4"
FOLDER = Path(__file__).parents[1] / "reference" / "blanc"
MODEL, CASES = FOLDER / "model", FOLDER / "cases.json"
LONGEST = 56
"""Pieces that the small model takes."""

STEPS = 1500
"""What the small model learns in; with many more it needs no summary."""

DOCUMENTS = (
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


def topic() -> TopicTexts:
    """The sentences as one document, and the summaries."""
    summaries = (Text(f"s{i}", f"s{i}", *join_sentences(each)) for i, each in enumerate(SUMMARIES))
    return TopicTexts(
        "t", "t", documents=(Text("d", "d", *join_sentences(DOCUMENTS)),), summaries=tuple(summaries)
    )


def ours(name: str, options: dict[str, Any]) -> list[list[list[int]]]:
    """Counts of each summary, [right without help][right with it]."""
    chosen = metric(name, masked_lm=str(MODEL), **options)
    assert isinstance(chosen, Blanc)
    prepared = chosen.prepare(topic(), EngineTools(wanted_device="cpu"))
    return [answers.counts().tolist() for answers in chosen.answers(prepared, prepared.topic.summaries)]


def theirs() -> list[list[list[list[int]]]]:
    """The same by the package, for all options."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, PEER]
        subprocess.run(command, check=True)
        found = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.blanc", folder],
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[2],
        )
    counts: list[list[list[list[int]]]] = json.loads(found.stdout.splitlines()[-1])
    return counts


def main() -> None:
    """Print whether all counts agree, and both times."""
    begun = time.perf_counter()
    mine = [ours(name, options) for name, options in OPTIONS]
    middle = time.perf_counter()
    peer = theirs()
    for (name, options), a, b in zip(OPTIONS, mine, peer, strict=True):
        print(f"{name} {options}: {'equal' if a == b else f'{a} against {b}'}")
    print(
        f"pyramidion {middle - begun:.1f} s; {PEER} {time.perf_counter() - middle:.1f} s, installing included"
    )


def write_cases() -> None:
    """Make the small model anew, and keep what the package counts with it."""
    _make_model()
    cases = [
        {"metric": name, "options": options, "counts": counts}
        for (name, options), counts in zip(OPTIONS, theirs(), strict=True)
    ]
    lines = ",\n".join(json.dumps(case) for case in cases)
    CASES.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def _make_model() -> None:
    """A BERT of two layers, 24 wide, that fills in about half of the words of what it has read."""
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
    """Let a network fill in the documents' sentences, behind nothing or behind any of the texts."""
    import torch

    model = EngineTools(wanted_device="cpu").masked_lm(str(MODEL))
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.003)
    sentences, ahead = (
        [pieces.ids for pieces in model.cut(texts)]
        for texts in (DOCUMENTS, ["", *DOCUMENTS, *map(" ".join, SUMMARIES)])
    )
    network.train()
    for step in range(STEPS):
        before, read = ahead[torch.randint(len(ahead), ())], sentences[step % len(sentences)]
        ids = torch.from_numpy(model.closed(before, read)[:LONGEST])
        is_masked = torch.rand(len(ids)) < 0.25
        labels, shown = ids.masked_fill(~is_masked, -100), ids.masked_fill(is_masked, model.mask)
        optimizer.zero_grad()
        network(input_ids=shown[None], labels=labels[None]).loss.backward()
        optimizer.step()
    network.eval()


def _write_tokenizer() -> list[str]:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing

    lines = (*DOCUMENTS, *(line for each in SUMMARIES for line in each))
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
    """Print the package's counts. folder: where it was put."""
    import types

    import torch
    import transformers  # noqa: F401 - the module proper is behind a lazy one

    sys.modules["transformers"].AdamW = torch.optim.AdamW  # type: ignore[attr-defined]
    package = types.ModuleType("blanc")  # its own __init__ also imports metrics that need what is gone
    package.__path__ = [f"{folder}/blanc"]
    sys.modules["blanc"] = package
    sys.path.append(folder)
    from blanc import blanc, utils

    limit = json.loads((MODEL / "config.json").read_text(encoding="utf-8"))
    utils.BERT_MAX_TOKENS = blanc.BERT_MAX_TOKENS = limit["max_position_embeddings"]
    last = limit["vocab_size"] - 1
    blanc.TOKEN_REPLACE_RANGE = (min(1000, last), last)
    blanc.sent_tokenize = str.splitlines
    kinds = {"blanc-help": blanc.BlancHelp, "blanc-tune": blanc.BlancTune}
    found = []
    for name, options in OPTIONS:
        shared = {"model_name": str(MODEL), "measure": "relative-counts", "show_progress_bar": False}
        scorer = kinds[name](**shared, **options)
        (scores,) = scorer.eval_summaries_for_docs(
            ["\n".join(DOCUMENTS)], [["\n".join(each) for each in SUMMARIES]]
        )
        found.append([counts for _, counts in scores])
    print(json.dumps(found))


if __name__ == "__main__":
    _run_peer(sys.argv[1])
