"""Word vectors: every format, damaged files, memory mapping, and an encoder's input embeddings."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.errors import InputError, MissingResource
from core.models.encoders.word_vectors import find_vectors, load_word_vectors, split_file
from core.scoring.study_resources import StudyResources

Make = Callable[..., Path]

WORDS = {"court": (1.0, -2.5), "judge": (0.125, 3.0), "Präsident": (0.0, 7.0), "new york": (2.0, 2.0)}


def binary(words: dict[str, tuple[float, ...]], *, ends_words: bool = True) -> bytes:
    rows = (
        word.encode() + b" " + struct.pack(f"<{len(numbers)}f", *numbers) + (b"\n" if ends_words else b"")
        for word, numbers in words.items()
    )
    return b"%d 2\n" % len(words) + b"".join(rows)


def text(words: dict[str, tuple[float, ...]], *, has_header: bool) -> bytes:
    lines = [" ".join([word, *map(repr, numbers)]) for word, numbers in words.items()]
    return "\n".join([*([f"{len(words)} 2"] if has_header else []), *lines, ""]).encode()


ONE_WORD_EACH = {word: numbers for word, numbers in WORDS.items() if " " not in word}
FORMATS = {
    "word2vec.bin": binary(ONE_WORD_EACH),
    "gensim.bin": binary(ONE_WORD_EACH, ends_words=False),
    "fasttext.vec": text(WORDS, has_header=True),
    "glove.txt": text(WORDS, has_header=False),
    "blank-at-the-end.vec": text(WORDS, has_header=True).replace(b"\n", b" \n").replace(b"4 2 ", b"4 2"),
    "packed.bin.gz": gzip.compress(binary(ONE_WORD_EACH)),
    "packed.txt.bz2": bz2.compress(text(WORDS, has_header=False)),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_vectors(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(FORMATS[name])
    vectors = load_word_vectors(str(file))
    held = ONE_WORD_EACH if ".bin" in name else WORDS
    looked_up = vectors.of([*held, "absent", "Court", ""])
    assert vectors.dimension == 2
    assert looked_up.vectors[: len(held)].tolist() == [list(numbers) for numbers in held.values()]
    assert looked_up.is_known.tolist() == [True] * len(held) + [False] * 3
    assert not looked_up.vectors[len(held) :].any()


LETTERS = st.characters(categories=["L", "N", "M", "S"])
NAMES = st.text(LETTERS, min_size=1, max_size=6)
NUMBERS = st.tuples(*[st.floats(width=32, allow_nan=False, allow_infinity=False)] * 2)


@given(words=st.dictionaries(NAMES, NUMBERS, min_size=1, max_size=30))
@example(words={"0": (4.4881834866125834e-32, 0.0)})  # in binary: "0 1", an end of line, six bytes more
def test_any_words_are_found_again(
    tmp_path_factory: pytest.TempPathFactory, words: dict[str, tuple[float, float]]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    for name, content in (("a.bin", binary(words)), ("a.vec", text(words, has_header=True))):
        (folder / name).write_bytes(content)
        looked_up = load_word_vectors(str(folder / name)).of(list(words))
        assert looked_up.is_known.all()
        assert looked_up.vectors.tolist() == [list(numbers) for numbers in words.values()]


def test_the_first_of_two_equal_words_counts(tmp_path: Path) -> None:
    file = tmp_path / "twice.txt"
    file.write_text("a 1 1\nb 2 2\na 3 3\n", encoding="utf-8")
    assert load_word_vectors(str(file)).of(["a"]).vectors.tolist() == [[1, 1]]


def test_words_with_equal_hashes_are_distinguished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.models.encoders.word_vectors._hash_word", lambda word: len(word))
    file = tmp_path / "prints.txt"
    file.write_text("aa 1 1\nbb 2 2\ncc 3 3\n", encoding="utf-8")
    looked_up = load_word_vectors(str(file)).of(["cc", "aa", "dd"])
    assert looked_up.vectors.tolist() == [[3, 3], [1, 1], [0, 0]]
    assert looked_up.is_known.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("cut.bin", binary(ONE_WORD_EACH)[:-6], r"cut\.bin, word 3 of 3: the file is truncated"),
        ("more.bin", binary(ONE_WORD_EACH) + b"xy", "after word 3: there are more words than the header"),
        ("short.vec", b"2 3\na 1 2 3\nb 1 2\n", r"line 3: not a word with 3 numbers"),
        ("letters.txt", b"a 1 2\nb one 2\n", r"letters\.txt, line 2: not a word with 2 numbers"),
        ("fewer.vec", b"3 2\na 1 2\nb 1 2\n", "states 3 words, but the file contains 2"),
        ("nan.txt", b"a 1 2\nb nan 2\n", r"nan\.txt, word 2: its vector contains NaN or infinity"),
        ("prose.txt", b"The court ruled.\n", "contains no word vectors"),
        ("empty.txt", b"", "contains no word vectors"),
        ("whole.bin", bytes.fromhex("ba164f2f") + b"\x0c\x00", "is a complete fastText model"),
        ("huge.bin", b"1 99999999\na ", "invalid dimension 99999999"),
        ("packed.bin.gz", gzip.compress(binary(ONE_WORD_EACH))[:-9], "cannot be decompressed"),
    ],
    # A gzip header bears the time: named by their content, two processes would collect other tests.
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_damaged_file_is_reported_with_the_position_and_leaves_no_files(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        load_word_vectors(str(file))
    assert list(tmp_path.iterdir()) == [file]


def test_missing_vectors_are_reported_with_the_remedy() -> None:
    with pytest.raises(MissingResource, match=r"no word vectors in gone\.vec\. Name a word2vec"):
        find_vectors("gone.vec")
    with pytest.raises(MissingResource, match="models get"):
        find_vectors("somebody/no-such-encoder")


def test_a_file_is_converted_once_until_it_changes(tmp_path: Path) -> None:
    file, cache = tmp_path / "v.txt", tmp_path / "cache"
    file.write_text("a 1 1\n", encoding="utf-8")
    first = split_file(file, cache)
    made = (first / "about.json").stat().st_mtime_ns
    assert first.is_relative_to(cache)
    assert split_file(file, cache) == first
    assert (first / "about.json").stat().st_mtime_ns == made
    file.write_text("a 2 2\nb 1 1\n", encoding="utf-8")
    assert split_file(file, cache) != first
    assert load_word_vectors(str(file), cache).of(["a"]).vectors.tolist() == [[2, 2]]


def test_a_damaged_cache_error_states_that_it_can_be_deleted(tmp_path: Path) -> None:
    file = tmp_path / "v.txt"
    file.write_text("a 1 1\nb 2 2\n", encoding="utf-8")
    place = split_file(file)
    (place / "numbers").write_bytes(b"")
    with pytest.raises(InputError, match="Delete it; it will be created again"):
        load_word_vectors(str(file))


def test_converted_vectors_are_stored_next_to_the_digests(tmp_path: Path) -> None:
    from core.models.catalogue.digests import DigestCache

    file = tmp_path / "v.txt"
    file.write_text("a 1 1\n", encoding="utf-8")
    resources = StudyResources(digests=DigestCache(tmp_path / "cache"))
    assert resources.word_vectors(str(file)) is resources.word_vectors(str(file))
    assert [each.name.partition("-")[0] for each in (tmp_path / "cache" / "word-vectors").iterdir()] == [
        "v.txt"
    ]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc; run: on Linux")
def test_vectors_take_far_less_memory_than_their_file(tmp_path: Path) -> None:
    words, dimension = 20_000, 300
    file = tmp_path / "large.bin"
    rows = np.random.default_rng(1).standard_normal((words, dimension)).astype("<f4")
    with file.open("wb") as stream:
        stream.write(b"%d %d\n" % (words, dimension))
        for i, row in enumerate(rows):
            stream.write(b"w%d " % i + row.tobytes())
    code = (
        "import sys, re; from pathlib import Path; from core.models.encoders.word_vectors import "
        "load_word_vectors\n"
        "from core.files.allowed_names import allowed_names; allowed_names().named(*sys.argv[1:])\n"
        "said = Path('/proc/self/status').read_text\n"
        "held = lambda: int(re.search(r'RssAnon:\\s+(\\d+)', said())[1]) << 10\n"
        "load_word_vectors(sys.argv[2]).of(['a']); before = held()\n"
        "vectors = load_word_vectors(sys.argv[1]); vectors.of([f'w{i}' for i in range(500)])\n"
        "print(held() - before)"
    )
    small = tmp_path / "small.txt"
    small.write_text("a 1 1\n", encoding="utf-8")
    command = [sys.executable, "-c", code, str(file), str(small)]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": "."}
    )
    assert int(ran.stdout) < file.stat().st_size / 3


# An encoder's own -----------------------------------------------------------------------------------------


def test_an_encoder_gives_its_input_embeddings_as_torch_reads_them(make_model: Make) -> None:
    from transformers import AutoModel

    folder = make_model()
    table = AutoModel.from_pretrained(folder).get_input_embeddings().weight.detach().numpy()
    pieces = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    looked_up = load_word_vectors(str(folder)).of(["court", "cats", "unheard", ""])
    assert looked_up.is_known.tolist() == [True, True, False, False]
    assert np.allclose(looked_up.vectors[0], table[pieces["court"]])
    assert np.allclose(looked_up.vectors[1], (table[pieces["cat"]] + table[pieces["##s"]]) / 2)


def test_the_packaged_encoder_knows_near_words_without_torch() -> None:
    code = (
        "import sys; from core.models.encoders.word_vectors import load_word_vectors; import numpy as np\n"
        "found = load_word_vectors('minilm').of(['lawyer', 'attorney', 'banana']).vectors\n"
        "unit = found / np.linalg.norm(found, axis=1, keepdims=True); near = unit @ unit.T\n"
        "assert near[0, 1] > 0.6 > 0.2 > near[0, 2], near\n"
        "sys.exit(any(name in sys.modules for name in ('torch', 'transformers')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_damaged_weights_of_an_encoder_are_reported(make_model: Make) -> None:
    folder = make_model()
    weights = folder / "model.safetensors"
    content = weights.read_bytes()
    for damaged in (content[:100], b"\x00" * 40, b"\x02" + b"\x00" * 7 + b"[]"):
        weights.write_bytes(damaged)
        with pytest.raises(InputError, match="are damaged"):
            load_word_vectors(str(folder))


def test_an_encoder_without_a_table_of_words_is_refused(make_model: Make) -> None:
    from safetensors.torch import load_file, save_file

    folder = make_model()
    file = folder / "model.safetensors"
    save_file({k: v for k, v in load_file(file).items() if "word_embeddings" not in k}, file)
    with pytest.raises(InputError, match="have no word embeddings"):
        load_word_vectors(str(folder))
