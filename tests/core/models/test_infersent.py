"""InferSent from files in the released format, against a step-by-step computation in numpy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from core.domain.study import Text
from core.errors import InputError
from core.models.encoders.infersent import InferSent, load_infersent
from core.models.encoders.word_vectors import load_word_vectors
from core.text.treebank import moses_words, treebank_words

INNER, READ = 3, 4
VOCABULARY = (
    "<s>",
    "</s>",
    "<p>",
    "</p>",
    "the",
    "dog",
    "does",
    "n't",
    "doesn",
    "'t",
    "run",
    "``",
    ".",
    "🌉",
)


def state(read: int = READ) -> dict[str, torch.Tensor]:
    random = torch.Generator().manual_seed(5)
    shapes = {
        "weight_ih_l0": (4 * INNER, read),
        "weight_hh_l0": (4 * INNER, INNER),
        "bias_ih_l0": (4 * INNER,),
        "bias_hh_l0": (4 * INNER,),
    }
    return {
        f"enc_lstm.{name}{side}": torch.randn(shape, generator=random)
        for side in ("", "_reverse")
        for name, shape in shapes.items()
    }


@pytest.fixture
def words(tmp_path: Path) -> Path:
    random = np.random.default_rng(3)
    file = tmp_path / "small.txt"
    rows = (" ".join([word, *map(str, random.normal(0, 1, READ).round(3))]) for word in VOCABULARY)
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    file = tmp_path / "infersent.pkl"
    torch.save(state(), file, _use_new_zipfile_serialization=False)  # as in 2018
    return file


def load(weights: Path, words: Path, version: int, batch_words: int = 512) -> InferSent:
    return load_infersent(weights, version, load_word_vectors(str(words)), "cpu", batch_words)


def text(content: str) -> Text:
    return Text(content, content, content)


def plain(known: Sequence[str], words: Path) -> np.ndarray:
    """States of both directions, shape (words, 2 x inner), by the equations of an LSTM."""
    rows = (line.split(" ") for line in words.read_text(encoding="utf-8").splitlines())
    vectors = {row[0]: np.array(row[1:], dtype=float) for row in rows}
    fed = [vectors[word] for word in known]
    there, back = (_direction(order, side) for order, side in ((fed, ""), (fed[::-1], "_reverse")))
    return np.array([np.concatenate(pair) for pair in zip(there, back[::-1], strict=True)])


def _direction(fed: list[np.ndarray], side: str) -> list[np.ndarray]:
    own = {name: value.double().numpy() for name, value in state().items()}
    h, c, states = np.zeros(INNER), np.zeros(INNER), []
    for x in fed:
        gates = own[f"enc_lstm.weight_ih_l0{side}"] @ x + own[f"enc_lstm.bias_ih_l0{side}"]
        gates = gates + own[f"enc_lstm.weight_hh_l0{side}"] @ h + own[f"enc_lstm.bias_hh_l0{side}"]
        enter, keep, new, out = np.split(gates, 4)
        c = c / (1 + np.exp(-keep)) + np.tanh(new) / (1 + np.exp(-enter))
        h = np.tanh(c) / (1 + np.exp(-out))
        states.append(h)
    return states


@pytest.mark.parametrize(
    ("version", "known"),
    [
        (1, ["<s>", "the", "dog", "does", "n't", "``", "run", ".", "</s>"]),
        (2, ["<p>", "the", "dog", "doesn", "'t", "``", "run", ".", "</p>"]),
    ],
)
def test_it_agrees_with_a_plain_computation(
    weights: Path, words: Path, version: int, known: list[str]
) -> None:
    (read,) = load(weights, words, version).read([text("the dog doesn't \"run gladly.")])
    assert list(read.names) == known
    assert read.has_unknown
    np.testing.assert_allclose(read.rows, plain(known, words), atol=1e-5)


def test_batches_and_order_change_nothing(weights: Path, words: Path) -> None:
    contents = ["the dog does run.", "run", "🌉", "", "the the the dog dog run run.", " \n"]
    together = load(weights, words, 1).read([text(content) for content in contents])
    alone = load(weights, words, 1, batch_words=1).read([text(content) for content in contents[::-1]])[::-1]
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_allclose(one.rows, other.rows, atol=1e-6)
    assert [len(one.rows) for one in together] == [7, 3, 3, 0, 10, 0]
    assert not any(one.has_unknown for one in together)


def test_a_text_of_unknown_words_has_only_the_markers(weights: Path, words: Path) -> None:
    (read,) = load(weights, words, 2).read([text("cats sleep")])
    assert (read.names, read.spans, read.has_unknown) == (("<p>", "</p>"), ((0, 0), (10, 10)), True)
    np.testing.assert_allclose(read.rows, plain(["<p>", "</p>"], words), atol=1e-5)


def test_words_have_their_original_spans() -> None:
    content = "She said: \"I don't, can't and won't 🌉.\" It's over."
    end = content.index(" It")
    words = [word for own in treebank_words(content, [(0, end), (end + 1, len(content))]) for word in own]
    assert [content[a:b] for _, (a, b) in words][-7:] == ["🌉", ".", '"', "It", "'s", "over", "."]
    pieces = [(word, content[a:b]) for word, (a, b) in moses_words(words)]
    assert ("``", '"') in pieces
    assert ("don", "don") in pieces
    assert ("can", "can") in pieces
    assert ("'t", "'t") in pieces


def test_a_file_that_could_run_code_is_refused(tmp_path: Path, words: Path) -> None:
    file = tmp_path / "infersent.allnli.pickle"
    torch.save({"encoder": Path("/etc")}, file)
    with pytest.raises(InputError, match="could run code"):
        load(file, words, 1)


def test_files_that_do_not_match_are_named(tmp_path: Path, weights: Path, words: Path) -> None:
    torch.save(state(read=5), weights)
    with pytest.raises(
        InputError, match="word vectors of dimension 5, but the vectors next to it have dimension 4"
    ):
        load(weights, words, 1)
    torch.save({"enc_lstm.weight_ih_l0": torch.zeros(1)}, weights)
    with pytest.raises(InputError, match=r"enc_lstm\.weight_hh_l0 is missing"):
        load(weights, words, 1)
    weights.write_bytes(b"\x80nothing")
    with pytest.raises(InputError, match=r"infersent\.pkl"):
        load(weights, words, 1)
