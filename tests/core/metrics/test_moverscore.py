"""MoverScore: transport, idf, n-grams."""

from __future__ import annotations

import json
import math
import string
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from core.domain.study import Text, TopicTexts
from core.errors import BadSetting
from core.metrics.base import Explanation, Pool, format_setting
from core.metrics.embedding.optimal_transport import (
    euclidean,
    transport_costs,
    transport_plan,
    weighted_points,
)
from core.metrics.registry import metric, parse
from core.models.encoders.encoder import Encoder
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_texts as topic
from tests.core.metrics.scored import tools_for

Make = Callable[..., Path]
AddEncoder = Callable[[StudyResources], str]
MODES = ("v1", "v2", "v2-1.0.3")
CASES = json.loads(
    (Path(__file__).parents[2] / "reference" / "moverscore" / "cases.json").read_text(encoding="utf-8")
)
"""Scores of the authors' package, as tests/benchmarks/moverscore.py computes them."""

TEXTS = (
    "A federal judge struck the ban down on Monday.",
    "The court ruled that the state's ban was void, and the governor vowed to appeal at once.",
    "Ban void.",
    "Unputdownable nightingales: 😀 roads may be closed.",
)


def stats_of(spec: str, one: TopicTexts, resources: StudyResources | None = None) -> np.ndarray:
    """What a metric keeps per reference, shape (systems, references)."""
    chosen = parse(spec)
    stats = chosen.score(chosen.prepare(one, resources or tools_for(one))).stats
    assert stats is not None
    return stats[:, :, 0]


@pytest.mark.parametrize(
    ("mode", "score"),
    [
        ("v1", 1 - 0.4 / 3),  # a third of the mass, the word, goes |cat - dog|² = 0.2² + 0.6² far
        ("v2", 1 / (1 + math.sqrt(0.4) / 3)),
        ("v2-1.0.3", 1 - math.sqrt(0.4) / 3),
    ],
)
def test_a_case_worked_by_hand(by_table: AddEncoder, mode: str, score: float) -> None:
    one = topic(["cat"], ["dog", "cat"])
    resources = tools_for(one)
    chosen = metric("moverscore", encoder=by_table(resources), mode=mode, idf="no")
    result = chosen.score(chosen.prepare(one, resources))
    assert result.stats is not None
    np.testing.assert_allclose(result.stats[0, :, 0], [score, 1.0], atol=1e-6)
    np.testing.assert_allclose(result.values, [[(score + 1.0) / 2]], atol=1e-6)


def test_rare_pieces_hold_more_of_the_mass(by_table: AddEncoder) -> None:
    one = topic(["cat dog"], ["cat mat", "mat"])
    resources = tools_for(one)
    values = stats_of(f"moverscore:encoder={by_table(resources)}", one, resources)[0]
    cat, dog = math.log(3 / 2), math.log(3 / 1)  # mat, in both references, weighs log(3 / 3)
    np.testing.assert_allclose(values, [1 - dog / (cat + dog) * 0.4, np.nan], atol=1e-6)


def test_each_side_may_be_weighed_by_its_own_texts(by_table: AddEncoder) -> None:
    one = topic(["cat dog", "dog", "mat"], ["cat mat", "mat"])
    resources = tools_for(one)
    values = stats_of(f"moverscore:encoder={by_table(resources)},idf=sides", one, resources)[0]
    cat, dog = math.log(4 / 2), math.log(4 / 3)  # in one and in two of three summaries
    np.testing.assert_allclose(values, [1 - dog / (cat + dog) * 0.4, np.nan], atol=1e-6)


def test_stop_words_and_punctuation_do_not_move(by_table: AddEncoder) -> None:
    resources = tools_for()
    head = f"moverscore:encoder={by_table(resources)},idf=no"
    plain = stats_of(head, topic(["cat"], ["dog"]), resources)
    np.testing.assert_allclose(stats_of(head, topic(["cat ."], ["dog"]), resources), plain, atol=1e-9)
    values = stats_of(head, topic(["the cat"], ["dog"]), resources)
    dropped = stats_of(f"{head},stop_words=yes", topic(["the cat"], ["dog"]), resources)
    np.testing.assert_allclose(dropped, plain, atol=1e-9)
    assert abs(values - plain).max() > 1e-3


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: str(case["options"]))
def test_it_gives_what_the_package_gives(case: Any, minilm: Encoder) -> None:
    assert minilm.digest == CASES["model"], "the package was asked with other weights"
    topics = [topic(summaries, references) for summaries, references in CASES["topics"]]
    resources = tools_for(*topics)
    resources._encoders["minilm", "float32"] = minilm
    spec = ",".join(f"{key}={format_setting(value)}" for key, value in case["options"].items())
    values = [stats_of(f"moverscore:{spec}", one, resources).ravel() for one in topics]
    np.testing.assert_allclose(np.concatenate(values), case["scores"], atol=2e-5)


def plain_units(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def plain_text(text: str, mode: str, n: int, model: Any, tokenizer: Any) -> np.ndarray:
    """Points of one text's n-grams, every piece of weight 1, read alone through the model."""
    with torch.inference_mode():
        read = tokenizer(text, return_tensors="pt")
        states = torch.stack(model(**read, output_hidden_states=True).hidden_states)[:, 0].double().numpy()
    if mode == "v1":
        last = plain_units(states[-5:])
        vectors = np.concatenate([last.min(axis=0), last.mean(axis=0), last.max(axis=0)], axis=1)
    else:
        vectors = states[-1]
    words = tokenizer.convert_ids_to_tokens(read["input_ids"][0].tolist())
    places = [i for i, word in enumerate(words) if word not in set(string.punctuation) and "##" not in word]
    n = min(n, len(places))
    return plain_units(
        np.array([vectors[places[i : i + n]].mean(axis=0) for i in range(len(places) - n + 1)])
    )


def plain_distance(costs: np.ndarray) -> float:
    """The earth mover's distance between even masses, as a linear program in its textbook form."""
    rows, columns = costs.shape
    sums = np.concatenate([np.kron(np.eye(rows), np.ones(columns)), np.kron(np.ones(rows), np.eye(columns))])
    masses = np.concatenate([np.full(rows, 1 / rows), np.full(columns, 1 / columns)])
    return float(linprog(costs.ravel(), A_eq=sums, b_eq=masses, method="highs").fun)


@pytest.mark.parametrize(("mode", "n"), [("v1", 1), ("v1", 2), ("v1", 9), ("v2", 1), ("v2-1.0.3", 1)])
def test_it_agrees_with_a_plain_computation(minilm: Encoder, mode: str, n: int) -> None:
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(minilm.model.folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(minilm.model.folder)
    points = [plain_text(text, mode, n, model, tokenizer) for text in TEXTS]
    one = topic(TEXTS[:2], TEXTS)
    resources = tools_for(one)
    resources._encoders["minilm", "float32"] = minilm
    values = stats_of(f"moverscore:mode={mode},idf=no,n={n}", one, resources)
    for i, j in np.ndindex(2, 4):
        gaps = points[i][:, None] - points[j][None]
        squares = np.square(gaps).sum(axis=2)
        cost = plain_distance(squares if mode == "v1" else np.sqrt(squares))
        assert values[i, j] == pytest.approx(1 / (1 + cost) if mode == "v2" else 1 - cost, abs=1e-5)


@pytest.mark.parametrize("mode", MODES)
def test_a_text_against_itself_scores_1_and_sides_may_be_exchanged(mode: str) -> None:
    values = stats_of(f"moverscore:mode={mode}", topic(TEXTS, TEXTS), tools_for(topic(TEXTS, TEXTS)))
    np.testing.assert_allclose(np.diag(values), 1.0, atol=1e-6)
    np.testing.assert_allclose(values, values.T, atol=1e-5)
    assert (values[~np.eye(len(TEXTS), dtype=bool)] < 0.99).all()


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 1000))
def test_the_cost_of_transport_is_the_least_of_all_plans(rows: int, columns: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    mine, theirs = draw.random((rows, 3)), draw.random((columns, 3))
    sides = [
        weighted_points(
            "summary", Text("x", "x", ""), points, np.ones(len(points)), [""] * len(points), [()] * 9
        )
        for points in (mine, theirs)
    ]
    cost = transport_costs(sides[:1], sides[1:], squared=False)[0, 0]
    assert cost == pytest.approx(plain_distance(euclidean(mine, theirs)), abs=1e-9)
    assert sum(move.share for move in transport_plan(*sides, squared=False)) == pytest.approx(1.0)


def test_an_empty_text_has_no_score() -> None:
    one, no = topic(["", " \n", "A judge."], ["A judge.", ""]), np.nan
    np.testing.assert_allclose(stats_of("moverscore:idf=no", one), [[no, no], [no, no], [1, no]], atol=1e-6)


def test_any_subset_of_references_is_combined_without_the_texts() -> None:
    one = topic(TEXTS[:2], TEXTS[1:])
    chosen, resources = parse("moverscore"), tools_for(one)
    stats = chosen.score(chosen.prepare(one, resources)).stats
    assert stats is not None
    subset = chosen.combine(stats, np.array([True, False, True]))
    fewer = topic(TEXTS[:2], (TEXTS[1], TEXTS[3]))
    alone = chosen.score(chosen.prepare(fewer, resources)).values
    np.testing.assert_allclose(subset, alone, atol=1e-6)
    assert np.isnan(chosen.combine(stats, np.zeros(3, dtype=bool))).all()
    assert chosen.pool is Pool.MEAN


def test_batch_size_and_order_change_nothing() -> None:
    one, back = topic(TEXTS, TEXTS), topic(TEXTS[::-1], TEXTS[::-1])
    texts = SimpleNamespace(reference_sets=lambda: [one.references])
    study: Any = SimpleNamespace(texts=texts)
    together = stats_of("moverscore:mode=v2", one, StudyResources(study, "cpu", batch_tokens=10_000))
    singly = stats_of("moverscore:mode=v2", back, StudyResources(study, "cpu", batch_tokens=1))
    np.testing.assert_allclose(together, singly[::-1, ::-1], atol=1e-5)


@pytest.mark.parametrize("spec", [*(f"mode={mode}" for mode in MODES), "n=2,idf=no,subwords=yes"])
def test_the_explanation_evaluates_to_the_score(spec: str) -> None:
    one = topic([*TEXTS, ""], TEXTS[1:])
    chosen, resources = parse(f"moverscore:{spec}"), tools_for(one)
    prepared = chosen.prepare(one, resources)
    values = chosen.score(prepared).values
    for system in range(len(one.summaries)):
        trees = chosen.explain(prepared, system)
        assert tuple(trees) == chosen.measures()
        assert trees[chosen.measures()[0]].evaluate() == pytest.approx(
            values[system, 0], abs=1e-9, nan_ok=True
        )


def nodes(tree: Explanation) -> list[Explanation]:
    return [tree, *(node for child in tree.children for node in nodes(child))]


def test_the_explanation_shows_the_words_that_move() -> None:
    one = topic([TEXTS[0]], [TEXTS[2]])
    chosen = parse("moverscore:idf=no")
    tree = chosen.explain(chosen.prepare(one, tools_for(one)), 0)["moverscore-v1.score"]
    moved = [node for node in nodes(tree) if node.evidence]
    contents = {"summary": TEXTS[0], "reference": TEXTS[2]}
    pieces = {contents[e.role][slice(*e.span)] for node in moved for e in node.evidence}
    assert {"judge", "ban", "Ban", "void"} <= pieces
    assert "." not in pieces
    assert any(node.label == "ban → Ban" for node in moved)


def test_truncated_texts_are_counted(make_model: Make) -> None:
    one = topic(["the cat sat on a mat " * 3, "the cat"], ["a dog ran " * 9])
    chosen = metric("moverscore", encoder=str(make_model()), idf="no")
    assert chosen.score(chosen.prepare(one, tools_for(one))).notes == {"truncated": 2}


def test_the_signature_holds_what_the_mode_reads() -> None:
    signature = parse("moverscore").signature(tools_for())
    assert signature == (
        "moverscore|encoder:minilm|mode:v1|n:1|idf:yes|subwords:no|stop_words:no|dtype:float32"
        "|layers:2-6|model:all-MiniLM-L6-v2|hash:53aa51172d14|tokenizer:fast|version:2"
    )
    assert parse(signature).signature(tools_for()) == signature
    assert "|n:" not in parse("moverscore:mode=v2").signature(tools_for())


def test_settings_that_a_mode_does_not_use_are_refused() -> None:
    with pytest.raises(BadSetting, match="n=2 cannot be combined with mode=v2"):
        parse("moverscore:mode=v2,n=2")


def test_the_idf_counts_the_references_of_the_whole_study() -> None:
    one, other = topic(["x"], ["A judge."]), topic(["x"], ["A dog."])
    chosen = parse("moverscore")
    assert chosen.corpus_hash(tools_for(one)) != chosen.corpus_hash(tools_for(one, other))
    assert parse("moverscore:idf=no").corpus_hash(tools_for(one)) == ""


def test_an_idf_of_each_side_counts_the_summaries_of_the_whole_study_too() -> None:
    one, other = topic(["A cat."], ["A judge."]), topic(["A dog."], ["A judge."])
    by_sides, by_references = parse("moverscore:idf=sides"), parse("moverscore")
    assert by_sides.corpus_hash(tools_for(one)) != by_sides.corpus_hash(tools_for(other))
    assert by_references.corpus_hash(tools_for(one)) == by_references.corpus_hash(tools_for(other))
    assert "|idf:sides|" in by_sides.signature(tools_for(one))
