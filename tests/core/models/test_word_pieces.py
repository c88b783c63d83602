"""Word pieces and their words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.models.catalogue.lookup import find_model
from core.models.runtime.network import load_network
from core.models.runtime.word_pieces import WordPieceTokenizer


def cutter(folder: str = "minilm") -> tuple[WordPieceTokenizer, Any]:
    _, tokenizer = load_network(find_model(folder), "cpu", "float32")
    return WordPieceTokenizer(tokenizer), tokenizer


MINILM, TOKENIZER = cutter()


def test_a_text_is_tokenized_with_the_span_of_each_piece(make_model: Callable[..., Path]) -> None:
    pieces = cutter(str(make_model()))[0].cut(["The cats sat."])[0]
    assert pieces.strings == ("[CLS]", "the", "cat", "##s", "sat", ".", "[SEP]")
    assert pieces.spans == ((0, 0), (0, 3), (4, 7), (7, 8), (9, 12), (12, 13), (0, 0))
    assert pieces.is_special.tolist() == [True, *[False] * 5, True]
    assert not pieces.is_truncated


def test_spans_count_code_points_and_leading_spaces() -> None:
    text = "\n  😀 naïve 👩‍👩‍👧 café"
    pieces = MINILM.cut([text])[0]
    words = [text[start:end] for start, end in pieces.spans]
    assert words[2] == "naïve"
    assert words[-2] == "café"


@given(st.text(max_size=60))
def test_spans_are_within_the_text_and_in_order(text: str) -> None:
    pieces = MINILM.cut([text])[0]
    own = [span for span, special in zip(pieces.spans, pieces.is_special, strict=True) if not special]
    assert all(0 <= start <= end <= len(text) for start, end in own)
    assert [start for start, _ in own] == sorted(start for start, _ in own)


def test_a_truncated_text_is_what_the_tokenizer_truncates() -> None:
    text = "judges in the city ruled on monday that unbelievable bans are unconstitutional " * 3
    for limit in (3, 4, 17):
        cut = MINILM.cut([text], limit)[0]
        assert cut.ids.tolist() == TOKENIZER(text, truncation=True, max_length=limit)["input_ids"]
        assert cut.is_truncated
        assert len(cut.spans) == len(cut.strings) == len(cut.is_special) == limit


def test_a_text_of_just_the_limit_is_whole() -> None:
    assert not MINILM.cut(["one two three"], 5)[0].is_truncated


def test_an_empty_text_has_only_special_pieces() -> None:
    assert [pieces.is_empty for pieces in MINILM.cut(["", " \n", "x"])] == [True, True, False]


def test_pieces_are_counted_once_per_text() -> None:
    texts = ["dog dog cat", "dog", "mat"]
    counted = MINILM.document_frequencies(texts)
    dog, cat, mark = (TOKENIZER.convert_tokens_to_ids(piece) for piece in ("dog", "cat", "[CLS]"))
    assert (counted.texts, counted.of[dog], counted.of[cat], counted.of[mark]) == (3, 2, 1, 3)


def test_the_count_of_other_texts_is_another_one() -> None:
    assert MINILM.document_frequencies(["dog"]).texts == 1
    assert MINILM.document_frequencies(["dog", "cat"]).texts == 2


def test_the_first_word_of_a_roberta_is_cut_as_if_a_blank_stood_before_it(
    make_model: Callable[..., Path],
) -> None:
    folder = make_model("roberta")
    _write_roberta(folder)
    cutter_, _ = cutter(str(folder))
    first, *_ = cutter_.cut([" ab ab"])
    assert first.strings == ("<s>", "Ġab", "Ġab", "</s>")
    assert first.spans == ((0, 0), (1, 3), (4, 6), (0, 0))


def _write_roberta(folder: Path) -> None:
    """Put a RoBERTa of one merge, a+b, in the place of a folder's model."""
    from transformers import RobertaConfig, RobertaModel, RobertaTokenizer

    marks = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    vocabulary = {piece: i for i, piece in enumerate([*marks, "a", "b", "Ġ", "ab", "Ġab"])}
    for file in folder.iterdir():
        file.unlink()
    RobertaTokenizer(vocab=vocabulary, merges=[("a", "b"), ("Ġ", "ab")]).save_pretrained(folder)
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    config = RobertaConfig(vocab_size=len(vocabulary), max_position_embeddings=14, **sizes)
    RobertaModel(config).save_pretrained(folder)
