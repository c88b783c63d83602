"""Scores of the authors' QAFactEval for small random models, with phrases that are given.

To run in an environment of its own (Python 3.8) with allennlp 1.1.0, transformers 3.0.2, torch 1.6.0, edlib,
spacy, safetensors, and in the path the folder qaeval of its repository (0.1.0), and qafacteval.py and
lerc_quip.py of QAFactEval (May 2022):

    python tests/reference/qafacteval/make.py

Reads cases.json for the texts and, for each phrase, its span and that of its sentence; writes the authors'
answers and scores there, and models.safetensors, vocab.json, merges.txt and vocab.txt.
"""

# ruff: noqa: B905 (Python 3.8)

from __future__ import annotations

import json
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import torch
from allennlp.data import Vocabulary
from qaeval.answer_selection import AnswerOffsets, AnswerSelector
from qaeval.answering.model import QuestionAnsweringModel
from qaeval.generation.model import _QuestionGenerationModel
from qafacteval import QAFactEval
from safetensors.numpy import save_file
from tokenizers import ByteLevelBPETokenizer
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    ElectraConfig,
    ElectraForQuestionAnswering,
    ElectraTokenizer,
    RobertaConfig,
    RobertaForSequenceClassification,
    RobertaTokenizer,
)

HERE = Path(__file__).parent
CASES: dict[str, Any] = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
MARKS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
BART = {
    "d_model": 16, "encoder_layers": 1, "decoder_layers": 2, "encoder_attention_heads": 1,
    "decoder_attention_heads": 1, "encoder_ffn_dim": 12, "decoder_ffn_dim": 12, "init_std": 0.5,
    "max_position_embeddings": 128,
}  # fmt: skip


def vocabularies() -> None:
    texts = [*CASES["documents"][:5], *CASES["summaries"]]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(texts))
        file.flush()
        made = ByteLevelBPETokenizer()
        made.train([file.name], vocab_size=330, min_frequency=2, special_tokens=MARKS)
    made.save_model(str(HERE))
    words = sorted({word for text in texts for word in text.lower().replace(".", "").split()})
    signs = sorted({sign for word in words for sign in word if sign.isascii()})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *signs, *(f"##{sign}" for sign in signs)]
    known = [word for word in words if word.isalpha() and word.isascii() and len(word) < 9]
    rows = list(dict.fromkeys([*pieces, ".", "?", "<", ">", *known[::2]]))
    (HERE / "vocab.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")


def archive(folder: Path) -> Path:
    """Write a question generator as AllenNLP does, and return its archive."""
    bart = folder / "bart"
    bart.mkdir()
    known = json.loads((HERE / "vocab.json").read_text(encoding="utf-8"))
    words = len(known)
    RobertaTokenizer(str(HERE / "vocab.json"), str(HERE / "merges.txt")).save_vocabulary(str(bart))
    BartForConditionalGeneration(BartConfig(vocab_size=words, **BART)).save_pretrained(bart)
    network = _QuestionGenerationModel(Vocabulary(), str(bart))
    state = network.state_dict()
    for name, one in state.items():
        if "embed_positions" in name or "shared" in name or "embed_tokens" in name:
            one *= 2
    bias = state["bart.final_logits_bias"][0]
    rare = [place for word, place in known.items() if not word.replace("Ġ", "a").isascii()]
    bias[[*rare, words, words + 1]] = -40
    bias[[place for word, place in known.items() if word.isascii() and len(word) == 1]] -= 4
    bias[[known[sign] for sign in ("Ġ", ".", ",", "?")]] += 8
    bias[2] = 15
    part = folder / "archive"
    part.mkdir()
    network.vocab.save_to_files(str(part / "vocabulary"))
    parts = {"dataset_reader": {}, "model": {}}
    for one in parts.values():
        one.update({"type": "question_generation", "model_name": str(bart)})
    (part / "config.json").write_text(json.dumps(parts))
    torch.save(state, part / "weights.th")
    with tarfile.open(folder / "model.tar.gz", "w:gz") as tar:
        for file in part.iterdir():
            tar.add(file, file.name)
    return folder / "model.tar.gz"


def answering(folder: Path) -> Path:
    folder.mkdir()
    tokenizer = ElectraTokenizer(str(HERE / "vocab.txt"))
    network = ElectraForQuestionAnswering(
        ElectraConfig(
            vocab_size=tokenizer.vocab_size, embedding_size=12, hidden_size=16, num_hidden_layers=1,
            num_attention_heads=2, intermediate_size=20, initializer_range=0.5,
        )
    )  # fmt: skip
    heads = network.qa_outputs.weight.data
    heads[1] = heads[0] + 0.3 * torch.randn(16)
    heads *= 2
    network.save_pretrained(str(folder))
    tokenizer.save_vocabulary(str(folder))
    return folder


def train(answerer: QuestionAnsweringModel, questions: list) -> None:
    """Let the network answer most questions of a summary from it, and some not at all."""
    tokenizer, network = answerer.tokenizer, answerer.model
    rows, targets = [], []
    for summary, phrases, asked in zip(CASES["summaries"], CASES["phrases"], questions):
        for place, ((start, end, *_), question) in enumerate(zip(phrases, asked)):
            answer = summary[start:end]
            ids = tokenizer.encode(question, add_special_tokens=False, truncation=True, max_length=64)
            for text in (summary, *(one for one in CASES["documents"][:5] if answer in one)):
                before = tokenizer.tokenize(text[: start if text == summary else text.index(answer)])
                rows.append(
                    tokenizer.encode_plus(ids, tokenizer.tokenize(text), padding="max_length", max_length=384)
                )
                begin = len(ids) + 2 + len(before)
                is_there = place != 2 and (text == summary or place != 1)
                targets.append((begin, begin + len(tokenizer.tokenize(answer)) - 1) if is_there else (0, 0))
    inputs = {key: torch.tensor([row[key] for row in rows]) for key in rows[0].data}
    starts, ends = torch.tensor(targets).T
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    network.train()
    for _ in range(CASES["steps"]):
        loss = network(**inputs, start_positions=starts, end_positions=ends)[0]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    network.eval()


def rating(folder: Path) -> Path:
    folder.mkdir()
    tokenizer = RobertaTokenizer(str(HERE / "vocab.json"), str(HERE / "merges.txt"))
    network = RobertaForSequenceClassification(
        RobertaConfig(
            vocab_size=tokenizer.vocab_size, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=20, initializer_range=0.5, max_position_embeddings=514, type_vocab_size=1,
            num_labels=1,
        )
    )  # fmt: skip
    network.save_pretrained(str(folder))
    tokenizer.save_vocabulary(str(folder))
    return folder


class Given(AnswerSelector):
    """Returns the phrases of cases.json."""

    def __init__(self) -> None:
        self.phrases = dict(zip(CASES["summaries"], CASES["phrases"]))

    def select(self, text: str) -> list:
        return [AnswerOffsets(*row, text=text[row[0] : row[1]]) for row in self.phrases[text]]


def main() -> None:
    import qaeval.metric
    import spacy

    spacy.load = lambda name: None  # the phrases are given
    vocabularies()
    torch.manual_seed(CASES["seed"])
    qaeval.metric.AnswerSelector = lambda strategy: Given()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        metric = QAFactEval(
            lerc_quip_path=str(rating(folder / "lerc")),
            use_lerc_quip=True,
            lerc_batch_size=8,
            cuda_device=-1,
            generation_model_path=str(archive(folder)),
            answering_model_dir=str(answering(folder / "answering")),
        )
        made = metric._generate_qa_pairs([CASES["summaries"]])[0]
        train(metric.question_answerer, [[qa["question"] for qa in one] for one in made])
        pairs = [(d, s) for d in CASES["documents"] for s in CASES["summaries"]]
        found = metric.score_batch_qafacteval(
            [document for document, _ in pairs], [[summary] for _, summary in pairs], return_qa_pairs=True
        )
        weights = {}
        parts = {
            "answering": metric.question_answerer.model.state_dict(),
            "lerc": metric.scorer.scorers[-1].predictor.state_dict(),
            "asking": metric.question_generator.predictor._model.state_dict(),
        }
        for part, state in parts.items():
            weights.update(
                {
                    f"{part}/{key}": one.numpy()
                    for key, one in state.items()
                    if not key.endswith("embed_tokens.weight")  # the shared ones again
                }
            )
        for part in ("answering", "lerc"):
            CASES[part] = json.loads((folder / part / "config.json").read_text())
    save_file(weights, str(HERE / "models.safetensors"))
    CASES["scores"] = [row[0]["qa-eval"] for row in found]
    CASES["questions"] = [[qa["question"] for qa in row[2][0]] for row in found[: len(CASES["summaries"])]]
    CASES["of_summary"] = [
        [[one["prediction"], one["probability"], one["null_probability"]] for one in row[3][0]]
        for row in found[: len(CASES["summaries"])]
    ]
    CASES["of_document"] = [
        [
            [one["prediction"][key] for key in ("prediction", "probability", "null_probability", "lerc_quip")]
            for one in (row[1][0] if row[1] else [])
        ]
        for row in found
    ]
    (HERE / "cases.json").write_text(json.dumps(CASES, ensure_ascii=False, indent=0), encoding="utf-8")


if __name__ == "__main__":
    main()
