"""BERTScore: values, idf, layers, and parity with bert-score."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.domain.study import TopicTexts
from core.errors import BadSetting
from core.metrics.base import Explanation, Pool
from core.metrics.registry import metric, parse
from core.models.encoders.encoder import Encoder
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_texts as topic
from tests.core.metrics.scored import tools_for, values

Make = Callable[..., Path]
PARTS = ("precision", "recall", "f")


def scores(spec: str, one: TopicTexts, resources: StudyResources | None = None) -> np.ndarray:
    return values(spec, one, resources or tools_for(one))


def test_a_case_worked_by_hand(by_table: Callable[[StudyResources], str]) -> None:
    one = topic(["cat dog"], ["cat mat", "mat"])
    resources = tools_for(one)
    chosen = metric("bertscore", encoder=by_table(resources))
    result = chosen.score(chosen.prepare(one, resources))
    p, r = (1.0 + 0.8) / 2, (1.0 + 0.6) / 2
    other_p, other_r = (0.0 + 0.6) / 2, 0.6
    assert result.stats is not None
    np.testing.assert_allclose(
        result.stats[0],
        [[p, r, 2 * p * r / (p + r)], [other_p, other_r, 2 * other_p * other_r / (other_p + other_r)]],
        atol=1e-6,
    )
    np.testing.assert_allclose(result.values[0], [p, r, 2 * p * r / (p + r)], atol=1e-6)


def test_rare_pieces_weigh_more_by_idf(by_table: Callable[[StudyResources], str]) -> None:
    one = topic(["cat dog"], ["cat mat", "mat"])
    resources = tools_for(one)
    folder = by_table(resources)
    values = scores(f"bertscore:encoder={folder},idf=yes", topic(["cat dog"], ["cat mat"]), resources)[0]
    cat, dog, mat = math.log(3 / 2), math.log(3 / 1), math.log(3 / 3)
    precision = (cat * 1.0 + dog * 0.8) / (cat + dog)
    recall = (cat * 1.0 + mat * 0.6) / (cat + mat)
    np.testing.assert_allclose(values[:2], [precision, recall], atol=1e-6)


def test_the_best_reference_may_differ_from_part_to_part(by_table: Callable[[StudyResources], str]) -> None:
    one = topic(["cat"], ["cat mat mat", "dog"])
    resources = tools_for(one)
    folder = by_table(resources)
    best = scores(f"bertscore:encoder={folder}", one, resources)[0]
    np.testing.assert_allclose(best, [1.0, 0.8, 0.8], atol=1e-6)
    mean = scores(f"bertscore:encoder={folder},pooling=mean", one, resources)[0]
    np.testing.assert_allclose(mean, [0.9, (1 / 3 + 0.8) / 2, (0.5 + 0.8) / 2], atol=1e-6)


def test_an_empty_text_scores_nothing() -> None:
    values = scores("bertscore", topic(["", " \n", "A judge ruled."], ["A judge ruled."]))
    np.testing.assert_allclose(values, [[0, 0, 0], [0, 0, 0], [1, 1, 1]], atol=1e-5)
    assert not scores("bertscore", topic(["A judge ruled."], [""])).any()


def test_without_weights_there_is_no_score() -> None:
    assert np.isnan(scores("bertscore:idf=yes", topic(["same"], ["same"]))).all()


TEXTS = (
    "A federal judge struck the ban down on Monday.",
    "The court ruled that the state's ban was void, and the governor vowed to appeal at once.",
    "Ban void.",
    "Rain is expected in the north tomorrow; 😀 roads may be closed.",
)


def test_any_subset_of_references_is_combined_without_the_texts() -> None:
    one = topic(TEXTS[:2], TEXTS[1:])
    for spec in ("bertscore", "bertscore:pooling=mean"):
        chosen = parse(spec)
        stats = chosen.score(chosen.prepare(one, tools_for(one))).stats
        assert stats is not None
        subset = chosen.combine(stats, np.array([True, False, True]))
        alone = scores(spec, topic(TEXTS[:2], (TEXTS[1], TEXTS[3])))
        np.testing.assert_allclose(subset, alone, atol=1e-6)
        assert np.isnan(chosen.combine(stats, np.zeros(3, dtype=bool))).all()


def test_the_order_of_systems_and_references_changes_nothing() -> None:
    there = scores("bertscore:idf=yes", topic(TEXTS, TEXTS[1:]))
    back = scores("bertscore:idf=yes", topic(TEXTS[::-1], TEXTS[:0:-1]))
    np.testing.assert_allclose(there, back[::-1], atol=1e-5)


def test_exchanging_the_sides_exchanges_precision_and_recall() -> None:
    there = scores("bertscore", topic([TEXTS[0]], [TEXTS[1]]))[0]
    back = scores("bertscore", topic([TEXTS[1]], [TEXTS[0]]))[0]
    np.testing.assert_allclose(there[[1, 0, 2]], back, atol=1e-6)


@pytest.mark.parametrize("spec", ["bertscore", "bertscore:idf=yes", "bertscore:pooling=mean"])
def test_the_explanation_evaluates_to_the_score(spec: str) -> None:
    one = topic([*TEXTS, ""], TEXTS[1:])
    chosen, resources = parse(spec), tools_for(one)
    prepared = chosen.prepare(one, resources)
    values = chosen.score(prepared).values
    for system in range(len(one.summaries)):
        trees = chosen.explain(prepared, system)
        assert list(trees) == [f"bertscore.{part}" for part in PARTS]
        explained = [tree.evaluate() for tree in trees.values()]
        np.testing.assert_allclose(explained, values[system], atol=1e-6)


def leaves(tree: Explanation) -> list[Explanation]:
    return [leaf for child in tree.children for leaf in leaves(child)] or [tree]


def test_the_explanation_shows_the_matched_words() -> None:
    one = topic([TEXTS[0]], [TEXTS[3]])
    chosen = parse("bertscore")
    trees = chosen.explain(chosen.prepare(one, tools_for(one)), 0)
    contents = {"summary": TEXTS[0], "reference": TEXTS[3]}
    for leaf in leaves(trees["bertscore.recall"]):
        mine, *theirs = leaf.evidence
        piece = contents[mine.role][slice(*mine.span)]
        assert (mine.role, mine.name) == ("reference", "ref-0")
        assert leaf.label.startswith(f"{piece} → ")
        assert leaf.label.endswith(contents["summary"][slice(*theirs[0].span)] if theirs else "]")


def test_truncated_texts_are_counted(make_model: Make) -> None:
    one = topic(["the cat sat on a mat " * 3, "the cat"], ["a dog ran " * 9])
    chosen = metric("bertscore", encoder=str(make_model()))
    assert chosen.score(chosen.prepare(one, tools_for(one))).notes == {"truncated": 2}


def test_the_signature_repeats_the_run() -> None:
    signature = parse("bertscore").signature(tools_for())
    assert signature == (
        "bertscore|encoder:minilm|layer:5|idf:no|pooling:best|dtype:float32"
        "|model:all-MiniLM-L6-v2|hash:53aa51172d14|tokenizer:fast|version:2"
    )
    assert parse(signature).signature(tools_for()) == signature


def test_the_idf_counts_the_references_of_the_whole_study() -> None:
    one, other = topic(["x"], ["A judge."]), topic(["x"], ["A dog."])
    chosen = parse("bertscore:idf=yes")
    assert chosen.corpus_hash(tools_for(one)) != chosen.corpus_hash(tools_for(one, other))
    assert parse("bertscore").corpus_hash(tools_for(one)) == ""


def test_an_unavailable_metric_gives_the_reason(tmp_path: Path) -> None:
    resources = tools_for()
    assert parse("bertscore").unavailable(resources) == ""
    assert "There is no model in" in metric("bertscore", encoder=str(tmp_path / "x")).unavailable(resources)
    assert "has 6 layers" in metric("bertscore", layer=9).unavailable(resources)


def test_it_knows_how_its_references_pool() -> None:
    assert (parse("bertscore").pool, parse("bertscore:pooling=mean").pool) == (Pool.MAX, Pool.MEAN)
    assert parse("bertscore") == metric("bertscore", pooling="best")
    with pytest.raises(BadSetting, match="Choose one of: best, mean"):
        metric("bertscore", pooling="sum")


SUMMEVAL = Path(__file__).parents[4] / "shared/data/summeval/model_annotations.aligned.paired.jsonl"


def summeval(count: int) -> list[dict[str, Any]]:
    if not SUMMEVAL.is_file():
        pytest.skip(f"needs SummEval; put its file at {SUMMEVAL} and run: pytest -m data")
    with SUMMEVAL.open(encoding="utf-8") as lines:
        return [json.loads(next(lines)) for _ in range(count)]


@pytest.mark.data
@pytest.mark.parametrize(("layer", "idf", "references"), [(5, False, 1), (6, False, 4), (5, True, 3)])
def test_it_agrees_with_bert_score_on_summeval(
    minilm: Encoder, layer: int, idf: bool, references: int
) -> None:
    peer = pytest.importorskip("bert_score", reason="run: pip install bert-score==0.3.13")
    rows = summeval(48)[::4]
    topics = [topic([row["decoded"]], row["references"][:references]) for row in rows]
    resources = tools_for(*topics)
    resources._encoders["minilm", "float32"] = minilm
    chosen = metric("bertscore", layer=layer, idf=idf)
    ours = np.concatenate([chosen.score(chosen.prepare(one, resources)).values for one in topics])
    folder = str(minilm.model.folder)
    weights: Any = False
    if idf:
        tokenizer = peer.utils.get_tokenizer(folder)
        weights = peer.utils.get_idf_dict(list(resources.study_references()), tokenizer, nthreads=0)
    theirs = peer.score(
        [row["decoded"] for row in rows],
        [row["references"][:references] for row in rows],
        model_type=folder,
        num_layers=layer,
        idf=weights,
        device="cpu",
    )
    np.testing.assert_allclose(ours, torch.stack(theirs, dim=1).numpy(), atol=1e-4)
