"""Cosines of pooled word and word piece vectors, against cases by hand and direct computations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.domain.study import TopicTexts
from core.errors import BadSetting
from core.metrics.base import Need, Pool
from core.metrics.embedding.text_vectors import pool_words, word_shares
from core.metrics.registry import metric, parse
from core.models.encoders.encoder import Encoder
from core.scoring.study_resources import StudyResources
from core.text.sentences import sentence_spans
from tests.core.metrics.made_topics import topic_of_texts as topic
from tests.core.metrics.scored import tools_for, values

SUMMARIES = ("A judge struck the ban down. He was sure 🌉.", "Rain is expected tomorrow.", "", "Ban. Ban.")
REFERENCES = ("The court ruled that the ban was void.", "A ban was struck down by a judge. Rain followed.")
DOCUMENTS = ("On Monday a federal judge said that the ban is void. " * 4, "The state will appeal. Rain.")
BOTH = ("cosine-words", "cosine-tokens")


TOPIC = topic(SUMMARIES, REFERENCES, DOCUMENTS)


@pytest.fixture
def resources(minilm: Encoder) -> StudyResources:
    return tools_for(minilm=minilm)


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Four words in two dimensions, one of them under its capital alone."""
    file = tmp_path / "small.txt"
    file.write_text("cat 3 0\ndog 0 4\nmat 1 1\nRome 0 -2\n", encoding="utf-8")
    return file


def scores(spec: str, one: TopicTexts, resources: StudyResources) -> np.ndarray:
    return values(spec, one, resources)[:, 0]


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_a_case_worked_by_hand(resources: StudyResources, vectors: Path) -> None:
    one = topic(["cat dog", "Rome bird", "bird"], ["mat", "cat cat Rome"])
    avg = scores(f"cosine-words:vectors={vectors}", one, resources)
    # averages (1.5, 2), (0, -2); references (1, 1), (2, -2/3)
    first = (3.5 / 2.5 / np.sqrt(2) + (3 - 4 / 3) / 2.5 / np.sqrt(4 + 4 / 9)) / 2
    second = (-1 / np.sqrt(2) + (2 / 3) / np.sqrt(4 + 4 / 9)) / 2
    np.testing.assert_allclose(avg, [first, second, np.nan], atol=1e-7)
    greatest = scores(f"cosine-words:vectors={vectors},joining=max", one, resources)
    # greatest (3, 4), (0, -2); references (1, 1), (3, 0)
    expected = [(7 / 5 / np.sqrt(2) + 3 / 5) / 2, (-1 / np.sqrt(2) + 0) / 2, np.nan]
    np.testing.assert_allclose(greatest, expected, atol=1e-7)


def test_words_are_looked_up_as_written_or_in_lower_case(resources: StudyResources, vectors: Path) -> None:
    one = topic(["Cat", "Rome"], ["cat dog"])
    values = scores(f"cosine-words:vectors={vectors}", one, resources)
    lower = scores(f"cosine-words:vectors={vectors},case=lower", one, resources)
    np.testing.assert_allclose(values, [np.nan, -0.8], atol=1e-7)
    np.testing.assert_allclose(lower, [0.6, np.nan], atol=1e-7)


def test_words_without_a_vector_are_noted(resources: StudyResources, vectors: Path) -> None:
    one = topic(["cat bird", "dog"], ["mat bird", "bird"])
    chosen = metric("cosine-words", vectors=str(vectors))
    assert chosen.score(chosen.prepare(one, resources)).notes == {"unknown_words": 3, "no_units": 1}


@pytest.mark.parametrize(("words", "expected"), [(1, 1.0), (2, 0.6), (0, 3 / np.sqrt(9 + 64))])
def test_documents_are_cut_at_so_many_words(
    resources: StudyResources, vectors: Path, words: int, expected: float
) -> None:
    one = topic(["cat"], documents=["cat dog dog"])
    spec = f"cosine-words:vectors={vectors},against=document,words={words}"
    np.testing.assert_allclose(scores(spec, one, resources), expected, atol=1e-7)


Plain = Callable[[str, Sequence[int]], np.ndarray]


@pytest.fixture(scope="module")
def plain_pieces(minilm: Encoder) -> Plain:
    """Gives vectors of pieces by the model itself, one sentence at a time, layers side by side."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(minilm.model.folder)
    module = AutoModel.from_pretrained(minilm.model.folder).eval()

    def read(content: str, layers: Sequence[int]) -> np.ndarray:
        rows = []
        for start, end in sentence_spans(content):
            fed = tokenizer(content[start:end], return_tensors="pt")
            with torch.no_grad():
                states = module(**fed, output_hidden_states=True).hidden_states
            rows.append(np.concatenate([states[layer][0, 1:-1].numpy() for layer in layers], axis=1))
        return np.concatenate(rows)

    return read


@pytest.mark.parametrize(
    ("layers", "read", "joining", "join", "against", "others"),
    [
        ("last", [6], "avg", np.mean, "reference", REFERENCES),
        ("last", [6], "max", np.max, "document", DOCUMENTS),
        ("2+5", [2, 5], "avg", np.mean, "document", DOCUMENTS),
        ("all", range(1, 7), "max", np.max, "reference", REFERENCES),
    ],
)
def test_it_agrees_with_a_plain_computation(
    resources: StudyResources,
    plain_pieces: Plain,
    layers: str,
    read: Sequence[int],
    joining: str,
    join: Callable[..., np.ndarray],
    against: str,
    others: Sequence[str],
) -> None:
    one = topic(SUMMARIES[:2], REFERENCES, DOCUMENTS)
    values = scores(f"cosine-tokens:layers={layers},joining={joining},against={against}", one, resources)
    mine, theirs = (
        [join(plain_pieces(content, read), axis=0) for content in side] for side in (SUMMARIES[:2], others)
    )
    np.testing.assert_allclose(values, [np.mean([cosine(a, b) for b in theirs]) for a in mine], atol=1e-5)


def test_documents_are_cut_before_they_are_read(resources: StudyResources) -> None:
    spec = "cosine-tokens:against=document"
    cut = scores(f"{spec},words=13", topic(SUMMARIES, documents=DOCUMENTS[:1]), resources)
    short = "On Monday a federal judge said that the ban is void. On Monday"
    assert [cut.tolist()] == [
        pytest.approx(scores(spec, topic(SUMMARIES, documents=[short]), resources), abs=1e-5, nan_ok=True)
    ]


def test_batches_and_order_change_nothing(resources: StudyResources) -> None:
    spec = "cosine-tokens:layers=3+6,joining=max"
    one_by_one = StudyResources(None, "cpu", batch_tokens=1)
    back = scores(spec, topic(SUMMARIES[::-1], REFERENCES[::-1]), one_by_one)
    np.testing.assert_allclose(scores(spec, TOPIC, resources), back[::-1], atol=1e-5)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("joining", ["avg", "max"])
def test_a_text_is_as_near_to_itself_as_can_be_and_an_empty_one_has_no_score(
    resources: StudyResources, name: str, joining: str
) -> None:
    one = topic([REFERENCES[0], "", " \n"], REFERENCES[:1])
    expected = [1.0, np.nan, np.nan]
    np.testing.assert_allclose(scores(f"{name}:joining={joining}", one, resources), expected, atol=1e-6)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("pooling", ["mean", "max"])
def test_a_subset_of_references_needs_no_text(resources: StudyResources, name: str, pooling: str) -> None:
    chosen = metric(name, pooling=pooling)
    stats = chosen.score(chosen.prepare(TOPIC, resources)).stats
    assert stats is not None
    alone = chosen.score(chosen.prepare(topic(SUMMARIES, REFERENCES[1:]), resources)).values
    pooled = chosen.combine(stats, np.array([False, True]))
    assert pooled.shape == (len(SUMMARIES), 1)
    np.testing.assert_allclose(pooled[[0, 1, 3]], alone[[0, 1, 3]], atol=1e-6)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("settings", ["", "joining=max,pooling=max", "joining=max,against=document"])
def test_the_explanation_evaluates_to_the_score_and_shows_words(
    resources: StudyResources, name: str, settings: str
) -> None:
    chosen = parse(f"{name}:{settings}")
    prepared = chosen.prepare(TOPIC, resources)
    values = chosen.score(prepared).values
    for system, summary in enumerate(TOPIC.summaries):
        ((measure, tree),) = chosen.explain(prepared, system).items()
        assert (measure,) == chosen.measures()
        assert tree.evaluate() == pytest.approx(values[system, 0], abs=1e-6, nan_ok=True)
        assert len(tree.children) == 2
        for leaf in (leaf for cosine in tree.children for leaf in cosine.children):
            (side,) = leaf.evidence
            assert (side.role, side.name) == ("summary", summary.name)
            assert leaf.label == summary.content[slice(*side.span)] != ""


numbers = st.floats(-4, 4, allow_nan=False, width=16)


@given(arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 4)), elements=numbers))
def test_word_contributions_sum_to_the_unit_vector(words: np.ndarray) -> None:
    for joining in ("avg", "max"):
        vector = pool_words(words, joining)
        length = np.linalg.norm(vector)
        if length < 1e-6:  # what cancels out is a matter of rounding
            continue
        np.testing.assert_allclose(word_shares(words, joining).sum(axis=0), vector / length, atol=1e-9)


def test_a_sentence_that_is_too_long_is_counted(make_model: Callable[..., Path]) -> None:
    chosen = metric("cosine-tokens", encoder=str(make_model()))
    one = topic(["the cat sat on a mat " * 3, "the cat"], ["a dog ran."])
    assert chosen.score(chosen.prepare(one, StudyResources(None, "cpu"))).notes == {"truncated": 1}


def test_the_signatures_repeat_the_runs(resources: StudyResources) -> None:
    tokens = parse("cosine-tokens:layers=6+4").signature(resources)
    assert tokens == (
        "cosine-tokens|encoder:minilm|layers:4+6|joining:avg|against:reference|pooling:mean|words:0"
        "|dtype:float32|model:all-MiniLM-L6-v2|hash:53aa51172d14|tokenizer:fast|version:2"
    )
    words = parse("cosine-words:joining=max").signature(resources)
    assert words == (
        "cosine-words|vectors:minilm|joining:max|against:reference|pooling:mean|words:0|case:kept|stop_words:no"
        "|source:input-embeddings|model:all-MiniLM-L6-v2|hash:53aa51172d14|version:2"
    )
    for signature in (tokens, words):
        assert parse(signature).signature(resources) == signature
    assert "|layers:6|" in parse("cosine-tokens").signature(resources)


@pytest.mark.parametrize("layers", ["", "first", "0", "3+", "-1", "²"])
def test_invalid_layers_are_refused(layers: str) -> None:
    with pytest.raises(BadSetting, match="is not valid"):
        metric("cosine-tokens", layers=layers)


def test_they_say_why_they_cannot_run(resources: StudyResources, tmp_path: Path) -> None:
    missing = str(tmp_path / "x")
    assert [parse(name).unavailable(resources) for name in BOTH] == ["", ""]
    assert "has 6 layers" in parse("cosine-tokens:layers=9").unavailable(resources)
    assert "There is no model in" in metric("cosine-tokens", encoder=missing).unavailable(resources)
    assert "no word vectors in" in metric("cosine-words", vectors=f"{missing}.txt").unavailable(resources)


def test_they_need_what_they_are_held_against() -> None:
    assert parse("cosine-words:against=document").needs == {Need.DOCUMENTS, Need.WORD_VECTORS}
    assert parse("cosine-tokens").needs == {Need.REFERENCES, Need.ENCODER}
    assert (parse("cosine-tokens").pool, parse("cosine-words:pooling=max").pool) == (Pool.MEAN, Pool.MAX)
    assert parse("cosine-words:joining=max").measures() == ("cosine-words-max.mean",)
