"""Marks of measures that ran on another model than their paper's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.comparison.comparison import load_comparison
from core.comparison.measures import MeasureRef
from core.comparison.stand_ins import stand_in_of, stand_ins_among
from core.formatting.tables import to_latex, to_markdown
from core.metrics import registry
from core.ports import MetricConfig, ScoreBlock
from core.stats.correlation import Coefficient, Level
from tests.scoring import report_of


def stored(spec: str, model: str = "") -> MetricConfig:
    metric = registry.parse(spec)
    setting = f"|model:{model}" if model else ""
    return MetricConfig(
        f"{metric.name}{setting}|version:1", metric.name, "Embeddings", spec, metric.measures()
    )


def ref(label: str, config: MetricConfig) -> MeasureRef:
    return MeasureRef(label, label, config.signature, config.family, config, 1)


@pytest.mark.parametrize(
    ("spec", "model", "note"),
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
        ("cosine", "all-MiniLM-L6-v2", "stand-in: all-MiniLM-L6-v2 for infersent1"),
        ("cosine:encoder=elmo-max:/models/mine", "elmo", ""),
        ("cosine:encoder=use-2", "", ""),
        ("cosine:encoder=vectors:/files/mine.npz", "mine.npz", ""),
        ("rouge-n", "", ""),
    ],
)
def test_a_substitute_model_is_named_with_the_papers_model(spec: str, model: str, note: str) -> None:
    assert stand_in_of(stored(spec, model)) == note


def test_imported_scores_have_no_stand_in() -> None:
    imported = MetricConfig("bertscore|source:a.csv", "bertscore", "Embeddings", "", ("bertscore.f",))
    assert stand_in_of(imported) == ""


def test_an_unknown_metric_has_no_stand_in() -> None:
    gone = MetricConfig("gone|version:1", "gone", "Embeddings", "gone", ("gone.f1",))
    assert stand_in_of(gone) == ""


def test_measures_on_one_stand_in_share_a_sentence() -> None:
    config = stored("bertscore", "all-MiniLM-L6-v2")
    refs = [ref(label, config) for label in ("bertscore.precision", "bertscore.recall", "bertscore.f")]
    assert stand_ins_among([*refs, ref("rouge-2.f", stored("rouge-n"))]) == (
        "bertscore.precision, bertscore.recall and bertscore.f ran on all-MiniLM-L6-v2, a stand-in for "
        "roberta-large, which the paper used.",
    )


@pytest.fixture
def study(changeable_study: Any) -> Any:
    """A judged study with ROUGE, and BERTScore by the packaged model."""
    config = stored("bertscore", "all-MiniLM-L6-v2")
    names = tuple(system.name for system in changeable_study.texts.systems())
    for topic in changeable_study.texts.topics():
        values = np.random.default_rng(3).random((len(names), len(config.measures)))
        block = ScoreBlock(topic.id, names, (), values, None, "hash", 0.1)
        changeable_study.scores.save(config, block).result()
    return changeable_study


def test_comparisons_report_their_stand_ins(study: Any) -> None:
    comparison = load_comparison(study, ["rating.coherence"])
    rows = comparison.rows(Level.SYSTEM, Coefficient.PEARSON)
    stand_ins = {row.measure.partition(".")[0]: row.stand_in for row in rows}
    expected = "stand-in: all-MiniLM-L6-v2 for roberta-large"
    assert stand_ins == {"rouge-1": "", "rouge-2": "", "bertscore": expected}
    assert comparison.points("bertscore.f", "rating.coherence", Level.SYSTEM).stand_in == expected


@pytest.mark.slow
def test_a_report_marks_stand_ins_in_tables_and_figures(study: Any) -> None:
    sections = {section.anchor: section for section in report_of(study).sections}
    table = sections["correlation-system"].tables[0]
    cells = {row[0]: row[-2] for row in table.rows}
    assert [one.title for one in table.columns[-2:]] == [
        "Stand-in",
        "Out of date",
    ]  # the texts were never scored
    assert cells["bertscore.f†"] == "all-MiniLM-L6-v2 for roberta-large"
    assert cells["rouge-1.f"] == ""
    sentence = "bertscore.precision, bertscore.recall and bertscore.f ran on all-MiniLM-L6-v2, a stand-in"
    assert "bertscore.f ran on all-MiniLM-L6-v2" in sections["overview"].illustrations[0].caption
    assert sentence in sections["scatter"].illustrations[-1].caption  # of all measures
    assert sentence in sections["systems"].tables[0].note
    assert sentence in sections["signatures"].paragraphs[0]


@pytest.mark.slow
def test_every_table_and_figure_of_a_report_marks_and_explains_stand_ins(study: Any) -> None:
    report = report_of(study)
    tables = [table for section in report.sections for table in section.tables]
    named = [table for table in tables if "bertscore" in to_markdown(table)]
    assert len(named) > 3
    for table in named:
        for text in (to_markdown(table), to_latex(table).replace(r"$^{\dagger}$", "†")):
            assert "bertscore.f†" in text, table.title
            assert "all-MiniLM-L6-v2" in text, table.title
    figures = [figure for section in report.sections for figure in section.illustrations]
    drawn = [figure for figure in figures if "bertscore" in figure.light]
    assert drawn
    for figure in drawn:
        assert "†" in figure.light, figure.title
        assert "all-MiniLM-L6-v2" in figure.caption, figure.title
