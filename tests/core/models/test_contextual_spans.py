"""Vectors of spans in the context of their sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.domain.study import Text
from core.models.encoders.contextual_spans import encode_in_context, l2_normalize
from core.models.encoders.encoder import load_encoder

Make = Callable[..., Path]


def test_a_spans_vector_is_the_mean_of_its_pieces_in_its_sentence(make_model: Make) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")
    read = encode_in_context(encoder, [Text("t", "A", "The cat sat. A dog ran on the mat.")])[0]
    vectors = encoder.encode(["A dog ran on the mat."], (2,))[0].vectors[0].numpy()  # after [CLS]
    expected = vectors[2:4].mean(axis=0)
    np.testing.assert_allclose(read.mean([(15, 22)]), expected / np.linalg.norm(expected), atol=1e-6)
    assert read.means([(15, 22)]).shape == (1, 32)


def test_parts_count_by_their_pieces(make_model: Make) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")
    read = encode_in_context(encoder, [Text("t", "A", "The cat sat on a mat.")])[0]
    vectors = encoder.encode(["The cat sat on a mat."], (2,))[0].vectors[0].numpy()
    expected = vectors[[2, 5, 6]].mean(axis=0)
    np.testing.assert_allclose(read.mean([(4, 7), (15, 20)]), expected / np.linalg.norm(expected), atol=1e-6)


@pytest.mark.parametrize(
    "content", ["the cat sat on a mat " * 6, " 🌉 the cat ran , a dog ran on the mat " * 3]
)
def test_a_sentence_beyond_the_limit_is_encoded_completely(make_model: Make, content: str) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")  # takes 12 pieces
    read = encode_in_context(encoder, [Text("t", "A", content)])[0]
    alone = [word for word in content.split() if word != "🌉"]
    assert [
        content[a:b] for a, b in zip(read.starts, read.ends, strict=True) if content[a:b] != "🌉"
    ] == alone


def test_a_span_without_a_piece_and_a_blank_text_have_zeros(make_model: Make) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")
    assert not encode_in_context(encoder, [Text("t", "A", "  ")])[0].mean([(0, 2)]).any()
    assert not encode_in_context(encoder, [Text("t", "A", "cat  dog")])[0].means([(3, 5)]).any()
    assert not l2_normalize(np.zeros((2, 3))).any()


def test_texts_encoded_together_equal_texts_encoded_alone(make_model: Make) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")
    texts = [
        Text("a", "A", "The cat sat. A dog ran."),
        Text("b", "B", ""),
        Text("c", "C", "the cat sat on a mat " * 4),
    ]
    for together, text in zip(encode_in_context(encoder, texts), texts, strict=True):
        alone = encode_in_context(load_encoder(str(encoder.model.folder), device="cpu"), [text])[0]
        assert together.starts.tolist() == alone.starts.tolist()
        np.testing.assert_allclose(together.sums, alone.sums, atol=1e-5)


def test_layers_are_summed_and_averages_are_not_normalized(make_model: Make) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")
    read = encode_in_context(encoder, [Text("t", "A", "The cat sat.")], (1, 2))[0]
    vectors = encoder.encode(["The cat sat."], (1, 2))[0].vectors.numpy()
    expected = vectors[:, 1:3].sum(axis=0).mean(axis=0)
    averages = read.averages(np.array([(0, 7), (3, 4)], dtype=np.int32))
    np.testing.assert_allclose(averages, [expected, np.zeros(32)], atol=1e-5)


def test_the_longest_window_holds_the_sentences_that_fit(make_model: Make) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")  # takes 12 pieces, two of them special
    content = "The cat sat. A dog ran. The cat ran on a mat. " + "the cat sat on a mat " * 3
    read = encode_in_context(encoder, [Text("t", "A", content)], window="longest")[0]
    together = encoder.encode(["The cat sat. A dog ran."], (2,))[0].vectors[0].double().numpy()
    np.testing.assert_allclose(read.sums[8], together[1:9].sum(axis=0), atol=1e-5)
    assert content[read.starts[8] : read.ends[8]] == "The"
    assert content[read.ends[-1] :].strip() == ""
