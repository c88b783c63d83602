"""Precomputed vectors, by the texts' SHA-256."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.domain.study import Text
from core.errors import InputError
from core.models.encoders.precomputed_vectors import load_precomputed_vectors

CONTENTS = ("A dog ran.", "Cafés 🌉 reopened.", "Rain.")
VECTORS = np.array([[1.0, 2.0], [0.5, -0.25], [3.0, 0.0]], dtype=np.float32)


def text(content: str, spans: tuple[tuple[int, int], ...] | None = None) -> Text:
    return Text(content, content, content, spans)


def sha256(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8")).hexdigest()


def write_npz(file: Path) -> None:
    np.savez(file, sha256=np.array([sha256(content) for content in CONTENTS]), vectors=VECTORS)


def write_jsonl(file: Path) -> None:
    rows = zip(CONTENTS, VECTORS.tolist(), strict=True)
    lines = (json.dumps({"sha256": sha256(content), "vector": vector}) for content, vector in rows)
    file.write_text("\n\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize(("name", "write"), [("some.npz", write_npz), ("some.jsonl", write_jsonl)])
def test_texts_have_the_vectors_of_their_hashes(
    tmp_path: Path, name: str, write: Callable[[Path], None]
) -> None:
    write(tmp_path / name)
    vectors = load_precomputed_vectors(tmp_path / name)
    read = vectors.read([text(CONTENTS[2]), text(""), text(CONTENTS[1], ((0, 5),)), text(CONTENTS[0])])
    assert [one.rows.tolist() for one in read] == [[[3, 0]], [], [[0.5, -0.25]], [[1, 2]]]
    assert read[0].spans == ((0, 5),)


def test_texts_without_a_vector_are_counted(tmp_path: Path) -> None:
    write_npz(tmp_path / "some.npz")
    vectors = load_precomputed_vectors(tmp_path / "some.npz")
    texts = [text(content) for content in ("New.", "", CONTENTS[0], "Newer.", "New.")]
    assert vectors.missing_requirements(texts).startswith("some.npz has no vector for 2 of 3 texts")
    assert vectors.missing_requirements(texts[1:3]) == ""
    with pytest.raises(InputError, match="2 of 3 texts; run pyramidion export --what texts --format hashes"):
        vectors.read(texts)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"sha256": "ab", "vector": [1]}', "line 1: `sha256` is not 64"),
        (f'{{"sha256": "{"a" * 64}", "vector": "x"}}', "line 1: `vector` is not a list of numbers"),
        (f'{{"sha256": "{"a" * 64}", "vector": [1, NaN]}}', "line 1: `vector` does not contain 2"),
        (f'{{"sha256": "{"a" * 64}", "vector": []}}', "line 1: `vector` does not contain any"),
        (
            f'{{"sha256": "{"a" * 64}", "vector": [1]}}\n{{"sha256": "{"b" * 64}", "vector": [1, 2]}}',
            "line 2: `vector` does not contain 1",
        ),
        (
            f'{{"sha256": "{"a" * 64}", "vector": [1]}}\n{{"sha256": "{"a" * 64}", "vector": [2]}}',
            "line 2: an earlier row has another vector",
        ),
        ("[1]", "line 1: not an object"),
        ("{", "is not valid JSONL"),
        ("", "contains no vectors"),
    ],
)
def test_damage_is_reported_with_its_position(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        load_precomputed_vectors(file)


def test_arrays_that_do_not_fit_are_refused_and_no_pickle_is_opened(tmp_path: Path) -> None:
    file = tmp_path / "bad.npz"
    np.savez(file, sha256=np.array([sha256("a")]), vectors=VECTORS)
    with pytest.raises(InputError, match="one row for each text"):
        load_precomputed_vectors(file)
    np.savez(file, sha256=np.array([sha256("a"), 1], dtype=object), vectors=VECTORS[:2])
    with pytest.raises(InputError, match="must contain the arrays"):
        load_precomputed_vectors(file)
