"""Cosine similarity of embeddings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.domain.study import TopicTexts
from core.metrics.base import Need, Pool
from core.metrics.registry import metric, parse
from core.models.encoders.encoder import Encoder
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_texts
from tests.core.metrics.scored import tools_for

SUMMARIES = ("A judge struck the ban down.", "Rain is expected tomorrow.", "")
REFERENCES = ("The court ruled that the ban was void.", "A ban was struck down by a judge.")
DOCUMENTS = ("On Monday a federal judge said that the ban is void. " * 40, "Rain.", "The state will appeal.")


TOPIC = topic_of_texts(SUMMARIES, REFERENCES, DOCUMENTS)


@pytest.fixture
def resources(minilm: Encoder) -> StudyResources:
    return tools_for(TOPIC, minilm=minilm)


@pytest.mark.parametrize(("pooling", "reduce"), [("mean", np.mean), ("max", np.max)])
@pytest.mark.parametrize(("against", "others"), [("reference", REFERENCES), ("document", DOCUMENTS)])
def test_it_pools_the_cosines_of_whole_texts(
    resources: StudyResources,
    minilm: Encoder,
    pooling: str,
    reduce: Any,
    against: str,
    others: tuple[str, ...],
) -> None:
    chosen = metric("cosine", against=against, pooling=pooling)
    result = chosen.score(chosen.prepare(TOPIC, resources))
    mine, theirs = (minilm.text_vectors(side).vectors for side in (SUMMARIES[:2], others))
    cosines = np.array(
        [[a @ b / np.linalg.norm(a) / np.linalg.norm(b) for b in theirs] for a in mine], dtype=float
    )
    np.testing.assert_allclose(result.values[:2, 0], reduce(cosines, axis=1), atol=1e-6)
    assert chosen.measures() == (f"cosine.{pooling}",)
    assert (result.stats is None) == (against == "document")


def test_a_text_is_as_near_to_itself_as_can_be(resources: StudyResources) -> None:
    one = TopicTexts("t", "t", references=TOPIC.references[:1], summaries=TOPIC.references[:1])
    chosen = parse("cosine")
    assert chosen.score(chosen.prepare(one, resources)).values == pytest.approx(1.0)


def test_an_empty_text_has_no_score(resources: StudyResources) -> None:
    chosen = parse("cosine")
    assert np.isnan(chosen.score(chosen.prepare(TOPIC, resources)).values[2, 0])


def test_texts_beyond_256_pieces_are_counted(resources: StudyResources) -> None:
    chosen = metric("cosine", against="document")
    assert chosen.score(chosen.prepare(TOPIC, resources)).notes == {"truncated": 1, "no_units": 1}
    assert parse("cosine").score(parse("cosine").prepare(TOPIC, resources)).notes == {"no_units": 1}


@pytest.mark.parametrize("spec", ["cosine", "cosine:pooling=max"])
def test_a_subset_of_references_needs_no_text(resources: StudyResources, spec: str) -> None:
    chosen = parse(spec)
    stats = chosen.score(chosen.prepare(TOPIC, resources)).stats
    assert stats is not None
    one = TopicTexts("t", "t", references=TOPIC.references[1:], summaries=TOPIC.summaries)
    alone = chosen.score(chosen.prepare(one, resources)).values
    np.testing.assert_allclose(chosen.combine(stats, np.array([False, True])), alone, atol=1e-6)


@pytest.mark.parametrize("spec", ["cosine", "cosine:against=document,pooling=max"])
def test_the_explanation_evaluates_to_the_score(resources: StudyResources, spec: str) -> None:
    chosen = parse(spec)
    prepared = chosen.prepare(TOPIC, resources)
    values = chosen.score(prepared).values
    for system in range(3):
        (tree,) = chosen.explain(prepared, system).values()
        assert tree.evaluate() == pytest.approx(values[system, 0], abs=1e-9, nan_ok=True)
    (tree,) = chosen.explain(prepared, 0).values()
    assert [leaf.evidence[0].span[1] for leaf in tree.children] == [
        len(text.content) for text in prepared.others
    ]


def test_the_signature_describes_the_pooling(resources: StudyResources) -> None:
    signature = parse("cosine").signature(resources)
    assert signature == (
        "cosine|encoder:minilm|against:reference|pooling:mean|dtype:float32"
        "|model:all-MiniLM-L6-v2|hash:53aa51172d14|tokenizer:fast|vectors:mean|pieces:256|version:2"
    )
    assert parse(signature).signature(resources) == signature


def test_it_needs_what_it_is_held_against() -> None:
    document, reference = parse("cosine:against=document"), parse("cosine:pooling=max")
    assert document.needs == {Need.DOCUMENTS, Need.ENCODER}
    assert reference.needs == {Need.REFERENCES, Need.ENCODER}
    assert (document.pool, reference.pool) == (Pool.MEAN, Pool.MAX)


def test_an_unavailable_metric_gives_the_reason(resources: StudyResources, tmp_path: Path) -> None:
    assert parse("cosine").unavailable(resources) == ""
    assert "There is no model in" in metric("cosine", encoder=str(tmp_path / "x")).unavailable(resources)
