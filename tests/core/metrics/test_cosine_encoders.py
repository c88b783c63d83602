"""`cosine` with other encoders than transformers, and `enc-avg`, against direct computations."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch

from core.domain.study import Text, TopicTexts
from core.errors import BadSetting
from core.metrics.base import Need
from core.metrics.registry import parse
from core.models.encoders import text_encoders
from core.models.encoders.encoder import Encoder
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import texts, topic_of_texts
from tests.core.metrics.scored import tools_for

SUMMARIES = ("The dog ran. It was glad.", "rain .", "", "the the dog")
REFERENCES = ("A dog ran.", "It did not rain; the dog was glad.")
DOCUMENTS = ("The dog ran and ran. Rain fell on the dog and on the mat all day.", "It was glad.")
WIDTH, CELL, INNER, READ = 3, 4, 3, 2


TOPIC = topic_of_texts(SUMMARIES, REFERENCES, DOCUMENTS)


@pytest.fixture
def resources(minilm: Encoder) -> StudyResources:
    return tools_for(minilm=minilm)


@pytest.fixture
def elmo(tmp_path: Path) -> Path:
    """A small random ELMo under the names that the published files have."""
    letters = {
        "activation": "relu",
        "filters": [[1, 2], [2, 3]],
        "max_characters_per_token": 8,
        "n_highway": 1,
    }
    sizes = {"projection_dim": WIDTH, "n_layers": 1, "cell_clip": 3, "proj_clip": 3}
    folder = tmp_path / "elmo"
    folder.mkdir()
    (folder / "tiny_options.json").write_text(
        json.dumps({"char_cnn": letters, "lstm": {**sizes, "use_skip_connections": True}})
    )
    shapes: dict[str, tuple[int, ...]] = {"char_embed": (261, 3)}
    shapes |= {"CNN/W_cnn_0": (1, 1, 3, 2), "CNN/b_cnn_0": (2,), "CNN/W_cnn_1": (1, 2, 3, 3)}
    shapes |= {"CNN/b_cnn_1": (3,), "CNN_proj/W_proj": (5, WIDTH), "CNN_proj/b_proj": (WIDTH,)}
    for gate in ("carry", "transform"):
        shapes |= {f"CNN_high_0/W_{gate}": (5, 5), f"CNN_high_0/b_{gate}": (5,)}
    for side in range(2):
        cell = f"RNN_{side}/RNN/MultiRNNCell/Cell0/LSTMCell"
        shapes |= {
            f"{cell}/W_0": (2 * WIDTH, 4 * CELL),
            f"{cell}/B": (4 * CELL,),
            f"{cell}/W_P_0": (CELL, WIDTH),
        }
    random = np.random.default_rng(2)
    with h5py.File(folder / "tiny_weights.hdf5", "w") as file:
        for name, shape in shapes.items():
            file[name] = random.normal(0, 0.7, shape).astype(np.float32)
    return folder


@pytest.fixture
def infersent(tmp_path: Path) -> Path:
    """Both versions with the vectors that they read, as their release lays them out."""
    folder = tmp_path / "InferSent"
    torch.manual_seed(4)
    network = torch.nn.LSTM(READ, INNER, bidirectional=True)
    words = ["<s>", "</s>", "<p>", "</p>", "the", "The", "dog", "ran", "It", "was", "glad", "rain", ".", "A"]
    rows = "\n".join(f"{word} {i / 10 - 0.8:.2f} {(i * 7 % 5) / 4 - 0.5:.2f}" for i, word in enumerate(words))
    for version, place in ((1, "GloVe/glove.840B.300d.txt"), (2, "fastText/crawl-300d-2M.vec")):
        (folder / place).parent.mkdir(parents=True)
        (folder / place).write_text(rows + "\n")
        (folder / "encoder").mkdir(exist_ok=True)
        state = {f"enc_lstm.{name}": value for name, value in network.state_dict().items()}
        torch.save(state, folder / "encoder" / f"infersent{version}.pkl")
    return folder


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Vectors of every text but the empty one."""
    random = np.random.default_rng(6)
    file = tmp_path / "somewhere.jsonl"
    with file.open("w") as lines:
        for content in (*SUMMARIES[:2], SUMMARIES[3], *REFERENCES, *DOCUMENTS):
            digest = hashlib.sha256(content.encode()).hexdigest()
            print(json.dumps({"sha256": digest, "vector": random.normal(size=4).tolist()}), file=lines)
    return file


@pytest.fixture
def place(elmo: Path, infersent: Path, vectors: Path) -> Callable[[str], str]:
    """What to write for a kind of encoder."""

    def placed(kind: str) -> str:
        folder = {"elmo": elmo, "infe": infersent, "vect": vectors}[kind[:4]]
        return f"{kind}:{folder}"

    return placed


def scores(spec: str, resources: StudyResources, topic: TopicTexts = TOPIC) -> np.ndarray:
    chosen = parse(spec)
    return chosen.score(chosen.prepare(topic, resources)).values[:, 0]


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / lengths) if lengths else 0.0


KINDS = ("elmo-max", "elmo-avg", "infersent1", "infersent1-masked", "infersent2", "vectors")


def plain_vector(kind: str, text: Text, name: str, resources: StudyResources) -> np.ndarray:
    """A text's vector of the rows that its encoder reads."""
    rows = resources.text_encoder(name).read([text])[0].rows.astype(float)
    if not len(rows):
        return np.full(rows.shape[1], np.nan)
    if kind == "infersent1":
        return np.maximum(rows.max(axis=0), 0)
    return rows.max(axis=0) if kind in ("elmo-max", "infersent1-masked", "infersent2") else rows.mean(axis=0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("against", ["reference", "document"])
def test_it_is_the_mean_of_the_cosines_of_what_the_encoder_reads(
    resources: StudyResources, place: Callable[[str], str], kind: str, against: str
) -> None:
    name = place(kind)
    others = TOPIC.documents if against == "document" else TOPIC.references
    mine = [plain_vector(kind, text, name, resources) for text in TOPIC.summaries]
    theirs = [plain_vector(kind, text, name, resources) for text in others]
    expected = [np.mean([cosine(a, b) for b in theirs]) for a in mine]
    values = scores(f"cosine:encoder={name},against={against}", resources)
    np.testing.assert_allclose(values, expected, atol=1e-6)
    assert np.isnan(values[2])


@pytest.mark.parametrize("kind", KINDS)
def test_the_explanation_evaluates_to_the_score_and_shows_words(
    resources: StudyResources, place: Callable[[str], str], kind: str
) -> None:
    chosen = parse(f"cosine:encoder={place(kind)},pooling=max")
    prepared = chosen.prepare(TOPIC, resources)
    values = chosen.score(prepared).values
    for system, summary in enumerate(TOPIC.summaries):
        (tree,) = chosen.explain(prepared, system).values()
        assert tree.evaluate() == pytest.approx(values[system, 0], abs=1e-6, nan_ok=True)
        leaves = [leaf for child in tree.children for leaf in child.children]
        for leaf in leaves:
            for evidence in leaf.evidence:
                assert (evidence.role, evidence.name) == ("summary", summary.name)
                assert kind == "vectors" or leaf.label == summary.content[slice(*evidence.span)]
        names = {leaf.label for leaf in leaves}
        assert (kind == "infersent1" and bool(summary.content)) == ("padding" in names)


def test_kinds_that_read_the_same_files_share_a_pass(resources: StudyResources, elmo: Path) -> None:
    first, second = (resources.text_encoder(f"elmo-{joining}:{elmo}") for joining in ("max", "avg"))
    assert first is second


def test_added_encoders_are_found_by_kind_or_name(
    resources: StudyResources, elmo: Path, infersent: Path, vectors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights, words = infersent / "encoder" / "infersent2.pkl", infersent / "fastText" / "crawl-300d-2M.vec"
    placed = words.rename(infersent.parent / words.name)
    added = {"elmo": elmo, "mine": weights, "fasttext-crawl": placed, "theirs": vectors}
    monkeypatch.setattr(text_encoders, "added_place", added.get)
    for name, folder in (("elmo-max", f"elmo-max:{elmo}"), ("vectors:theirs", f"vectors:{vectors}")):
        spec = f"cosine:encoder={name}"
        np.testing.assert_array_equal(scores(spec, resources), scores(f"cosine:encoder={folder}", resources))
    assert "|model:theirs|" in parse("cosine:encoder=vectors:theirs").signature(resources)
    assert "|word-vectors:crawl-300d-2M.vec|" in parse("cosine:encoder=infersent2:mine").signature(resources)


def test_a_changed_file_is_read_again(resources: StudyResources, vectors: Path) -> None:
    spec = f"cosine:encoder=vectors:{vectors}"
    before, signature = scores(spec, resources), parse(spec).signature(resources)
    rows = [json.loads(line) for line in vectors.read_text().splitlines()]
    vectors.write_text("\n".join(json.dumps({**row, "vector": [*row["vector"][::-1], 1]}) for row in rows))
    os.utime(vectors, ns=(1, 1))
    assert np.nanmax(np.abs(scores(spec, resources) - before)) > 1e-3
    assert parse(spec).signature(resources) != signature


def test_documents_are_cut_at_so_many_words(resources: StudyResources, elmo: Path, minilm: Encoder) -> None:
    cut = TopicTexts(
        "t",
        "t",
        documents=texts(("The dog ran and ran. Rain", DOCUMENTS[1]), "doc"),
        summaries=TOPIC.summaries,
    )
    for spec in ("cosine:against=document", f"cosine:against=document,encoder=elmo-max:{elmo}"):
        limited = scores(f"{spec},words=6", resources)
        np.testing.assert_allclose(limited, scores(spec, resources, cut), atol=1e-6)
        assert np.abs(limited - scores(spec, resources))[0] > 1e-4


def test_words_without_a_vector_are_noted(resources: StudyResources, infersent: Path) -> None:
    chosen = parse(f"cosine:encoder=infersent2:{infersent},against=document")
    assert chosen.score(chosen.prepare(TOPIC, resources)).notes == {"unknown_words": 1, "no_units": 1}


def test_signatures_name_the_encoder_and_make_the_metric_again(
    resources: StudyResources, place: Callable[[str], str]
) -> None:
    signatures = {kind: parse(f"cosine:encoder={place(kind)}").signature(resources) for kind in KINDS}
    assert len(set(signatures.values())) == len(KINDS)
    for kind, signature in signatures.items():
        assert parse(signature).signature(resources) == signature
        assert f"encoder:{kind}:" in signature
    assert "|model:elmo|" in signatures["elmo-max"]
    assert "|word-vectors:glove.840B.300d.txt|" in signatures["infersent1"]
    assert signatures["infersent1"].partition("|padding:")[2].startswith("zeros|")
    assert "|words:" not in parse("cosine").signature(resources)
    assert "|words:400|" in parse("cosine:words=400").signature(resources)


@pytest.mark.parametrize(
    ("encoder", "message"),
    [
        ("elmo-max", "'elmo' is not on this machine.*encoder=elmo-max:FOLDER"),
        ("elmo-avg:{0}/none", "none does not exist"),
        ("elmo-max:{0}", "is not an ELMo folder"),
        ("infersent1:{0}/elmo", r"has no infersent1\.pkl"),
        ("use-2:{0}", r"has no saved_model\.pb.*version 2"),
        ("vectors:{0}", r"Name an \.npz or \.jsonl file"),
        ("{0}/elmo", "is not a transformer's folder. Write elmo-max:.* or elmo-avg:"),
        ("{0}/somewhere.jsonl", "Write vectors:"),
    ],
)
def test_missing_files_are_reported_with_the_remedy(
    resources: StudyResources, tmp_path: Path, elmo: Path, vectors: Path, encoder: str, message: str
) -> None:
    import re

    chosen = parse(f"cosine:encoder={encoder.format(tmp_path)}")
    assert re.search(message, chosen.unavailable(resources))


def test_topics_with_texts_that_a_file_lacks_are_left_out(resources: StudyResources, vectors: Path) -> None:
    chosen = parse(f"cosine:encoder=vectors:{vectors}")
    assert chosen.missing_requirements(TOPIC, resources) == ""
    other = TopicTexts("t", "t", references=texts(("New.",), "ref"), summaries=TOPIC.summaries)
    assert chosen.missing_requirements(other, resources).startswith(
        "somewhere.jsonl has no vector for 1 of 4 texts"
    )


def test_a_damaged_file_skips_topics_and_names_the_line(resources: StudyResources, vectors: Path) -> None:
    vectors.write_text("{}\n")
    message = parse(f"cosine:encoder=vectors:{vectors}").missing_requirements(TOPIC, resources)
    assert "line 1: `sha256` is not 64 lowercase hexadecimal digits" in message


def test_a_file_of_vectors_is_named_in_short() -> None:
    assert parse("cosine:vectors=a.npz,words=3") == parse("cosine:encoder=vectors:a.npz,words=3")
    with pytest.raises(BadSetting, match="encoder is set twice"):
        parse("cosine:encoder=minilm,vectors=a.npz")


def test_precision_can_be_set_only_for_transformers() -> None:
    with pytest.raises(BadSetting, match="dtype=bfloat16 requires a transformer"):
        parse("cosine:encoder=elmo-max:x,dtype=bfloat16")


def test_the_mean_of_encoders_is_the_mean_of_their_cosines(
    resources: StudyResources, place: Callable[[str], str]
) -> None:
    members = [f"cosine:encoder={place('elmo-max')}", "cosine-words:joining=max", "cosine"]
    for settings in ("against=document,words=5", "against=reference,pooling=mean"):
        alone = [scores(f"{one}{',' if ':' in one else ':'}{settings}", resources) for one in members]
        values = scores(f"enc-avg:of={';'.join(members)},{settings}", resources)
        np.testing.assert_allclose(values, np.mean(alone, axis=0), atol=1e-6)


@pytest.mark.parametrize("settings", ["", "pooling=max", "against=document"])
def test_the_mean_is_explained_by_each_encoder(resources: StudyResources, settings: str) -> None:
    chosen = parse(f"enc-avg:{settings}")
    prepared = chosen.prepare(TOPIC, resources)
    values = chosen.score(prepared).values
    for system in range(len(SUMMARIES)):
        (tree,) = chosen.explain(prepared, system).values()
        assert tree.evaluate() == pytest.approx(values[system, 0], abs=1e-6, nan_ok=True)
    (tree,) = chosen.explain(prepared, 0).values()
    assert [child.label for child in tree.children[0].children] == [
        "cosine",
        "cosine-words:joining=avg",
        "cosine-words:joining=max",
        "cosine-tokens:joining=max",
    ]


def test_a_subset_of_references_needs_no_text(resources: StudyResources) -> None:
    chosen = parse("enc-avg:pooling=max")
    stats = chosen.score(chosen.prepare(TOPIC, resources)).stats
    assert stats is not None
    one = TopicTexts("t", "t", references=TOPIC.references[1:], summaries=TOPIC.summaries)
    alone = scores("enc-avg:pooling=max", resources, one)
    np.testing.assert_allclose(chosen.combine(stats, np.array([False, True]))[:, 0], alone, atol=1e-6)


def test_the_same_encoder_under_two_names_is_refused(
    resources: StudyResources, place: Callable[[str], str], tmp_path: Path
) -> None:
    twice = parse("enc-avg:of=cosine; cosine:encoder=sentence-transformers/all-MiniLM-L6-v2")
    assert twice.unavailable(resources).endswith("are the same encoder. Remove one of them.")
    both = parse(f"enc-avg:of=cosine:encoder={place('elmo-max')};cosine:encoder={place('elmo-avg')}")
    assert both.unavailable(resources) == ""
    (tmp_path / "copy.jsonl").write_bytes((tmp_path / "somewhere.jsonl").read_bytes())
    copied = f"enc-avg:of=cosine:encoder={place('vectors')};cosine:encoder=vectors:{tmp_path}/copy.jsonl"
    assert "are the same encoder" in parse(copied).unavailable(resources)
    assert (
        parse("enc-avg:of=cosine;cosine:encoder=elmo-max")
        .unavailable(resources)
        .startswith("cosine:encoder=elmo")
    )


@pytest.mark.parametrize(
    ("of", "message"),
    [
        ("cosine", "names one encoder"),
        ("cosine;rouge-n", "rouge-n is not a cosine metric. Choose one of: cosine, cosine-words"),
        ("cosine;cosine-words:words=3", "cosine-words:words=3 sets words, which all encoders share"),
        ("cosine;cosine:nothing=1", "No setting of cosine is named 'nothing'"),
    ],
)
def test_an_invalid_set_of_encoders_is_refused(of: str, message: str) -> None:
    with pytest.raises(BadSetting, match=message):
        parse(f"enc-avg:of={of}")


def test_the_mean_needs_what_it_is_held_against() -> None:
    assert parse("enc-avg:against=document").needs == {Need.DOCUMENTS, Need.ENCODER}
    assert parse("enc-avg").paper_models() == {"of": ("use-2", "use-3", "infersent1", "infersent2", "elmo")}
    assert parse("enc-avg:of=cosine;cosine:encoder=elmo-max").paper_models() == {}
