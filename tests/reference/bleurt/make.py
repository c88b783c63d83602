"""Ratings of bleurt-pytorch for a small random RemBERT, saved as that program saves BLEURT-20.

To run in an environment of its own, with bleurt-pytorch 0.0.1, transformers 4.49.0 and sentencepiece 0.2.3:

    python tests/reference/bleurt/make.py [FOLDER]

Writes config.json, spm.model, model.safetensors and cases.json.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import sentencepiece
import torch
from bleurt_pytorch import BleurtConfig, BleurtForSequenceClassification
from bleurt_pytorch.bleurt.tokenization_bleurt_sp import BleurtSPTokenizer

HERE = Path(__file__).parent
TEXTS = (
    "The court ruled on Monday.",
    "A judge decided, on Monday, that the law is void.",
    "the dog  sat on the mat ; it was 1,200 days old",
    " Über 30 Hunde saßen dort.\n\nNobody saw them. ",
    "no",
    "日本 ☃ [SEP] unknown",
)
PIECES = 52


def main(folder: Path, rule: str = "identity") -> None:
    folder.mkdir(exist_ok=True)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*TEXTS[:5]] * 20),
        model_prefix=str(folder / "spm"),
        vocab_size=PIECES,
        normalization_rule_name=rule,
        pad_id=0,
        unk_id=1,
        bos_id=-1,
        eos_id=-1,
        control_symbols=["[CLS]", "[SEP]", "[MASK]"],
        character_coverage=1.0,
        minloglevel=2,
    )
    (folder / "spm.vocab").unlink()
    torch.manual_seed(5)
    sizes = {"hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 16}
    config = BleurtConfig(
        vocab_size=PIECES, embedding_size=8, max_position_embeddings=64, initializer_range=0.5, **sizes
    )
    config.architectures = ["BleurtForSequenceClassification"]
    network = BleurtForSequenceClassification(config).eval()
    for _, bias in network.named_parameters():  # biases and norms start at fixed values
        bias.data += 0.2 * torch.randn_like(bias)
    network.save_pretrained(folder)
    tokenizer = BleurtSPTokenizer(str(folder / "spm.model"))
    tokenizer.save_pretrained(folder)
    cases = []
    for reference in TEXTS:
        for summary in TEXTS:
            cut = tokenizer([reference], [summary], return_tensors="pt")
            with torch.no_grad():
                rating = float(network(**cut).logits[0, 0]) if cut["input_ids"].shape[1] <= 64 else None
            cases.append([reference, summary, cut["input_ids"][0].tolist(), rating])
    (folder / "cases.json").write_text(json.dumps(cases, ensure_ascii=False, indent=0), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE, *sys.argv[2:])
