"""ALBERT's tokenizer from a SentencePiece file that is written here field by field.

The tokenizer that transformers 4.46 makes of a trained file with its own converter and the package
sentencepiece had the same model, normalizer, pre-tokenizer and post-processor.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.models.catalogue.conversion import write_tokenizer
from core.models.catalogue.lookup import find_model
from core.models.catalogue.user_models import user_models
from core.models.library.add_model import add_model
from core.scoring.study_resources import StudyResources

Make = Callable[..., Path]
MARKS = (("<pad>", 3), ("<unk>", 2), ("[CLS]", 3), ("[SEP]", 3), ("[MASK]", 3))
WORDS = ("▁", "▁the", "▁court", "s", "▁mat", "1", ",", "1,", '▁"', "▁e")


def _bytes(field: int, content: bytes) -> bytes:
    """A field of a message, of fewer than 128 bytes."""
    return bytes([field << 3 | 2, len(content)]) + content


def _file(words: Sequence[str] = WORDS) -> bytes:
    pieces = [
        _bytes(1, text.encode()) + b"\x15" + struct.pack("<f", 0.0) + bytes([3 << 3, kind])
        for text, kind in MARKS
    ]
    pieces += [
        _bytes(1, text.encode()) + b"\x15" + struct.pack("<f", -1.0 - at) for at, text in enumerate(words)
    ]
    others = bytes([2 << 3 | 5]) + bytes(4) + bytes([4 << 3 | 1]) + bytes(8)
    return b"".join(_bytes(1, piece) for piece in pieces) + others + _bytes(3, _bytes(1, b"identity"))


@pytest.fixture
def albert(tmp_path: Path) -> Path:
    """A random ALBERT with its tokenizer as SentencePiece's file only."""
    import torch
    from transformers import AlbertConfig, AlbertForSequenceClassification

    torch.manual_seed(3)
    sizes = {"embedding_size": 8, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    labels = {0: "SUPPORTS", 1: "REFUTES", 2: "NOT ENOUGH INFO"}
    config = AlbertConfig(
        vocab_size=20, intermediate_size=16, initializer_range=0.8, id2label=labels, **sizes
    )
    folder = tmp_path / "vitaminc"
    AlbertForSequenceClassification(config).save_pretrained(folder)
    (folder / "spiece.model").write_bytes(_file())
    marks = {"cls": "[CLS]", "sep": "[SEP]", "pad": "<pad>", "unk": "<unk>", "mask": "[MASK]"}
    settings = {
        "tokenizer_class": "AlbertTokenizer",
        **{f"{name}_token": mark for name, mark in marks.items()},
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    user_models().use_folder(tmp_path / "settings")
    return folder


def test_pieces_are_those_of_the_file(albert: Path) -> None:
    from tokenizers import Tokenizer

    write_tokenizer(albert)
    cut = Tokenizer.from_file(str(albert / "tokenizer.json")).encode("The  courts `` É", "1,")
    assert cut.tokens == ["[CLS]", "▁the", "▁court", "s", '▁"', "▁e", "[SEP]", "▁", "1", ",", "[SEP]"]
    assert cut.type_ids == [0] * 7 + [1] * 4


def test_an_albert_is_added_with_a_tokenizer_and_tells_premise_and_hypothesis_apart(
    albert: Path, tmp_path: Path
) -> None:
    import torch
    from transformers import AlbertForSequenceClassification

    added = add_model(albert, copies=tmp_path / "models")
    assert added.place == tmp_path / "models" / "vitaminc"
    assert not (albert / "tokenizer.json").exists(), "the original stays as it is"
    (row,) = StudyResources().entailment("vitaminc").logits([("the court", "mat")]).values
    ids, types = [[2, 6, 7, 3, 9, 3]], [[0, 0, 0, 0, 1, 1]]
    network = AlbertForSequenceClassification.from_pretrained(albert).eval()
    with torch.no_grad():
        expected = network(torch.tensor(ids), token_type_ids=torch.tensor(types)).logits[0].numpy()
        other = network(torch.tensor(ids)).logits[0].numpy()
    np.testing.assert_allclose(row, expected, atol=1e-5)
    assert not np.allclose(row, other, atol=1e-3)
    assert find_model("vitaminc").folder == added.place


@pytest.mark.parametrize(
    "content", [b"", b"\xff", _file()[:-3], _file()[:40], b"\x0a\x03abc", _file(())[60:]]
)
def test_a_damaged_file_is_named(albert: Path, content: bytes) -> None:
    (albert / "spiece.model").write_bytes(content)
    with pytest.raises(InputError, match=r"spiece\.model is damaged or of a tokenizer"):
        write_tokenizer(albert)
