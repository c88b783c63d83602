"""ELMo from files in the published format, against a step-by-step computation in numpy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from core.domain.study import Text
from core.errors import InputError
from core.models.encoders.elmo_network import Elmo, letters_of, load_elmo, load_network, read_options
from core.progress import Cancelled, cancellable

FILTERS = [[1, 3], [2, 4], [3, 2]]
LONGEST, EMBEDDED, WIDTH, CELL, LAYERS, HIGHWAYS = 9, 4, 5, 7, 2, 2
COUNT = sum(count for _, count in FILTERS)
CLIP = 0.3


def options(**changed: Any) -> dict[str, Any]:
    letters = {
        "activation": "relu",
        "embedding": {"dim": EMBEDDED},
        "filters": FILTERS,
        "max_characters_per_token": LONGEST,
        "n_characters": 262,
        "n_highway": HIGHWAYS,
    }
    directions = {
        "cell_clip": CLIP,
        "dim": CELL,
        "n_layers": LAYERS,
        "proj_clip": CLIP,
        "projection_dim": WIDTH,
        "use_skip_connections": True,
    }
    return {"char_cnn": letters, "lstm": {**directions, **changed}}


def numbers() -> dict[str, np.ndarray]:
    """Random weights under the names that the published file has."""
    random = np.random.default_rng(11)
    shapes: dict[str, tuple[int, ...]] = {"char_embed": (261, EMBEDDED)}
    for i, (width, count) in enumerate(FILTERS):
        shapes |= {f"CNN/W_cnn_{i}": (1, width, EMBEDDED, count), f"CNN/b_cnn_{i}": (count,)}
    for i in range(HIGHWAYS):
        for gate in ("carry", "transform"):
            shapes |= {f"CNN_high_{i}/W_{gate}": (COUNT, COUNT), f"CNN_high_{i}/b_{gate}": (COUNT,)}
    shapes |= {"CNN_proj/W_proj": (COUNT, WIDTH), "CNN_proj/b_proj": (WIDTH,)}
    for side in range(2):
        for i in range(LAYERS):
            cell = f"RNN_{side}/RNN/MultiRNNCell/Cell{i}/LSTMCell"
            shapes |= {f"{cell}/W_0": (2 * WIDTH, 4 * CELL), f"{cell}/B": (4 * CELL,)}
            shapes |= {f"{cell}/W_P_0": (CELL, WIDTH)}
    return {name: random.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    described, weights = tmp_path / "options.json", tmp_path / "weights.hdf5"
    described.write_text(json.dumps(options()), encoding="utf-8")
    with h5py.File(weights, "w") as file:
        for name, values in numbers().items():
            file[name] = values
    return described, weights


@pytest.fixture
def elmo(files: tuple[Path, Path]) -> Elmo:
    return load_elmo(*files, "cpu", 512)


def text(content: str) -> Text:
    return Text(content, content, content)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def plain_word(signs: Sequence[int], w: dict[str, np.ndarray]) -> np.ndarray:
    letters = w["char_embed"][[*signs, *[260] * (LONGEST - len(signs))]].astype(np.float64)
    features = []
    for i, (width, count) in enumerate(FILTERS):
        best = np.full(count, -np.inf)
        for start in range(LONGEST - width + 1):
            seen = sum(letters[start + k] @ w[f"CNN/W_cnn_{i}"][0, k] for k in range(width))
            best = np.maximum(best, seen + w[f"CNN/b_cnn_{i}"])
        features.append(np.maximum(best, 0))
    x = np.concatenate(features)
    for i in range(HIGHWAYS):
        carry = sigmoid(x @ w[f"CNN_high_{i}/W_carry"] + w[f"CNN_high_{i}/b_carry"])
        new = np.maximum(x @ w[f"CNN_high_{i}/W_transform"] + w[f"CNN_high_{i}/b_transform"], 0)
        x = carry * new + (1 - carry) * x
    return x @ w["CNN_proj/W_proj"] + w["CNN_proj/b_proj"]


def plain_direction(words: list[np.ndarray], side: int, w: dict[str, np.ndarray]) -> list[list[np.ndarray]]:
    layers, fed = [], words
    for i in range(LAYERS):
        cell = f"RNN_{side}/RNN/MultiRNNCell/Cell{i}/LSTMCell"
        h, c, out = np.zeros(WIDTH), np.zeros(CELL), []
        for x in fed:
            gates = np.concatenate([x, h]) @ w[f"{cell}/W_0"] + w[f"{cell}/B"]
            enter, new, keep, give = np.split(gates, 4)
            c = np.clip(sigmoid(keep + 1) * c + sigmoid(enter) * np.tanh(new), -CLIP, CLIP)
            h = np.clip((sigmoid(give) * np.tanh(c)) @ w[f"{cell}/W_P_0"], -CLIP, CLIP)
            out.append(h + x if i else h)
        layers.append(out)
        fed = out
    return layers


def plain(sentence: Sequence[str]) -> np.ndarray:
    """A sentence's words, shape (words, layers x width), by TensorFlow's definitions."""
    w = numbers()
    signs = [[256], *(list(word.encode()[: LONGEST - 2]) for word in sentence), [257]]
    words = [plain_word([258, *own, 259], w) for own in signs]
    there = plain_direction(words, 0, w)
    back = [layer[::-1] for layer in plain_direction(words[::-1], 1, w)]
    pairs = [(words, words), *zip(there, back, strict=True)]
    return np.stack(
        [np.concatenate([part[i] for pair in pairs for part in pair]) for i in range(1, len(words) - 1)]
    )


SENTENCE = ("Cafés", "were", "n't", "extraordinarily", "cheap", "🌉", ".")


def test_it_agrees_with_a_plain_computation(elmo: Elmo) -> None:
    (read,) = elmo.read([text("Cafés weren't extraordinarily cheap 🌉.")])
    assert read.names == SENTENCE
    assert read.rows.shape == (7, 2 * WIDTH * (LAYERS + 1))
    np.testing.assert_allclose(read.rows, plain(SENTENCE), atol=1e-5)


def test_sentences_are_read_alone_and_in_any_batch(elmo: Elmo, files: tuple[Path, Path]) -> None:
    contents = ["A dog ran off. It's gone.", "Rain.", "", " \n", "The court ruled on the ban today."]
    together = elmo.read([text(content) for content in contents])
    alone = load_elmo(*files, "cpu", 1)
    for content, one in zip(contents, together, strict=True):
        np.testing.assert_allclose(alone.read([text(content)])[0].rows, one.rows, atol=1e-5)
        assert [content[a:b] for a, b in one.spans] == list(one.names)
    expected = np.concatenate([plain(("A", "dog", "ran", "off", ".")), plain(("It", "'s", "gone", "."))])
    np.testing.assert_allclose(together[0].rows, expected, atol=1e-5)
    assert [len(one.rows) for one in together] == [9, 2, 0, 0, 8]


def test_nothing_is_carried_from_one_run_to_the_next(files: tuple[Path, Path]) -> None:
    once, warm = (load_elmo(*files, "cpu", 64) for _ in range(2))
    warm.read([text("Much was read before this.")])
    np.testing.assert_array_equal(
        once.read([text("A dog ran.")])[0].rows, warm.read([text("A dog ran.")])[0].rows
    )


def test_a_text_is_read_once(elmo: Elmo, monkeypatch: pytest.MonkeyPatch) -> None:
    read, passes = elmo._network.read, []
    monkeypatch.setattr(elmo._network, "read", lambda texts: passes.append(len(texts)) or read(texts))
    elmo.read([text("A dog."), text("A cat."), text("A dog.")])
    elmo.read([text("A cat.")])
    assert passes == [2]


def test_cancellation_stops_between_two_words(elmo: Elmo) -> None:
    checks: list[int] = []

    def is_to_stop() -> bool:
        checks.append(1)
        return len(checks) > 4

    with cancellable(is_to_stop), pytest.raises(Cancelled):
        elmo.read([text("A dog ran off and was gone.")])
    assert len(checks) == 5
    assert len(elmo.read([text("A dog ran off and was gone.")])[0].rows) == 8


def test_a_long_word_is_cut_and_keeps_its_end() -> None:
    table = letters_of(["extraordinary"], 9)
    assert table[1].tolist() == [258, *b"extraor", 259]
    assert table[0].tolist() == [258, 256, 259] + [260] * 6


def test_without_clipping_and_skips_it_is_another_network(files: tuple[Path, Path]) -> None:
    described, weights = files
    described.write_text(json.dumps(options(cell_clip=None, proj_clip=0, use_skip_connections=False)))
    network = load_network(read_options(described), weights, "cpu")
    assert (network.options.cell_clip, network.options.has_skips) == (0.0, False)
    (rows,) = network.read([letters_of(SENTENCE, LONGEST)])
    assert np.abs(rows.numpy() - plain(SENTENCE)).max() > 0.01


@pytest.mark.parametrize(
    "kind", ["external link", "soft link", "link of a group", "virtual", "external", "huge"]
)
def test_weights_behind_links_are_refused(files: tuple[Path, Path], kind: str) -> None:
    described, weights = files
    other = weights.with_name("other.hdf5")
    other.write_bytes(weights.read_bytes())
    name = "CNN_proj/W_proj"
    with h5py.File(weights, "a") as file:
        values = np.asarray(file[name])
        del file[name]
        if kind == "external link":
            file[name] = h5py.ExternalLink(other.name, name)
        elif kind == "soft link":
            file["elsewhere"] = values
            file[name] = h5py.SoftLink("/elsewhere")
        elif kind == "link of a group":
            del file["CNN_proj"]
            file["CNN_proj"] = h5py.ExternalLink(other.name, "CNN_proj")
        elif kind == "virtual":
            layout = h5py.VirtualLayout(shape=values.shape, dtype=values.dtype)
            layout[:] = h5py.VirtualSource(other.name, name, shape=values.shape)
            file.create_virtual_dataset(name, layout)
        elif kind == "external":
            raw = weights.with_name("raw")
            raw.write_bytes(values.tobytes())
            place = [(str(raw), 0, values.nbytes)]
            file.create_dataset(name, values.shape, values.dtype, external=place)
        else:
            file.create_dataset(name, (2**20, 2**20), np.float32, chunks=(1, 2**10), compression="gzip")
    with pytest.raises(InputError, match=r"is a link|not stored in the file itself|any published ELMo"):
        load_elmo(described, weights, "cpu", 64)


def test_damaged_files_are_named(files: tuple[Path, Path]) -> None:
    described, weights = files
    with h5py.File(weights, "a") as file:
        del file["CNN_proj/W_proj"]
    with pytest.raises(InputError, match=r"weights\.hdf5 do not match the ELMo model .*no CNN_proj/W_proj"):
        load_elmo(described, weights, "cpu", 64)
    weights.write_bytes(b"no numbers")
    with pytest.raises(InputError, match=r"weights\.hdf5 do not match the ELMo model"):
        load_elmo(described, weights, "cpu", 64)
    described.write_text('{"lstm": {}}')
    with pytest.raises(InputError, match=r"options\.json does not describe an ELMo model"):
        load_elmo(described, weights, "cpu", 64)
