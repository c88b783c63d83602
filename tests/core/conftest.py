"""Encoders for tests: the packaged one, and tiny random ones in a folder of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "on",
    "mat",
    "ran",
    "court",
    "ruled",
    "##s",
    "##ed",
    "new",
    ".",
    ",",
]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@pytest.fixture(scope="session")
def minilm() -> Any:
    """The packaged encoder on the CPU."""
    from core.models.encoder import load_encoder

    return load_encoder("minilm", device="cpu")


@pytest.fixture
def make_model(tmp_path: Path) -> Callable[..., Path]:
    """Writes a random BERT of two layers, 32 wide, for texts of up to 12 pieces, and returns its folder."""

    def make(name: str = "tiny", **changed: Any) -> Path:
        import torch
        from transformers import BertConfig, BertModel

        torch.manual_seed(7)
        sizes = {
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "intermediate_size": 64,
            "max_position_embeddings": 12,
            **changed,
        }
        folder = tmp_path / name
        BertModel(BertConfig(vocab_size=len(SPECIAL) + len(WORDS), **sizes)).save_pretrained(folder)
        _write_tokenizer(folder)
        return folder

    return make


def _write_tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing

    vocabulary = {piece: i for i, piece in enumerate(SPECIAL + WORDS)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    marks = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    settings = {"tokenizer_class": "BertTokenizer", "model_max_length": 1_000_000_000_000, **marks}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
