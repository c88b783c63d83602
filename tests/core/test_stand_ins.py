"""Where a measure ran on another model than its paper's, tables say so."""

from __future__ import annotations

import pytest

from core.measures import MeasureRef
from core.metrics import registry
from core.ports import MetricConfig
from core.stand_ins import stand_in_of, stand_ins_among


def stored(spec: str, model: str = "") -> MetricConfig:
    metric = registry.parse(spec)
    said = f"|model:{model}" if model else ""
    return MetricConfig(f"{metric.name}{said}|version:1", metric.name, "Embeddings", spec, metric.measures())


def ref(label: str, config: MetricConfig) -> MeasureRef:
    return MeasureRef(label, label, config.signature, config.family, config, 1, is_stale=False)


@pytest.mark.parametrize(
    ("spec", "model", "said"),
    [
        ("bertscore", "all-MiniLM-L6-v2", "stand-in: all-MiniLM-L6-v2 for roberta-large"),
        ("bertscore:encoder=roberta-large", "roberta-large", ""),
        ("bertscore:encoder=FacebookAI/roberta-large", "", ""),
        ("bertscore:encoder=/models/roberta-large", "roberta-large", ""),
        ("bertscore:encoder=/models/mine", "mine", "stand-in: mine for roberta-large"),
        ("ancr", "", "stand-in: all-MiniLM-L6-v2 for bert-base-uncased"),
        ("rouge-we", "all-MiniLM-L6-v2", "stand-in: all-MiniLM-L6-v2 for google-news"),
        ("rouge-we:mode=s3,vectors=/files/deps.words.gz", "deps.words.gz", ""),
        ("rouge-we:vectors=/files/deps.words", "deps.words", "stand-in: deps.words for google-news"),
        ("rouge-n", "", ""),
    ],
)
def test_another_model_than_the_papers_is_named_beside_that(spec: str, model: str, said: str) -> None:
    assert stand_in_of(stored(spec, model)) == said


def test_numbers_from_elsewhere_have_no_stand_in() -> None:
    imported = MetricConfig("bertscore|source:a.csv", "bertscore", "Embeddings", "", ("bertscore.f1",))
    assert stand_in_of(imported) == ""


def test_a_metric_that_this_version_lacks_has_no_stand_in() -> None:
    gone = MetricConfig("gone|version:1", "gone", "Embeddings", "gone", ("gone.f1",))
    assert stand_in_of(gone) == ""


def test_measures_on_one_stand_in_share_a_sentence() -> None:
    config = stored("bertscore", "all-MiniLM-L6-v2")
    refs = [ref(label, config) for label in ("bertscore.precision", "bertscore.recall", "bertscore.f1")]
    assert stand_ins_among([*refs, ref("rouge-2.f", stored("rouge-n"))]) == (
        "bertscore.precision, bertscore.recall and bertscore.f1 ran on all-MiniLM-L6-v2, a stand-in for "
        "roberta-large, which the paper used.",
    )
