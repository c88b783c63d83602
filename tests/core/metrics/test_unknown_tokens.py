"""Texts with unknown tokens are noted, and do not score as if they were equal."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from core.comparison.cautions import note_text
from core.domain.study import TopicTexts
from core.metrics.base.unknown_tokens import refusal_reason, score_readable, unknown_tokens
from core.metrics.registry import parse
from core.scoring.config import ScoringConfig
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_texts

CAT = "แมวนั่งอยู่บนเสื่อ"
CAR = "รถยนต์วิ่งเร็วมากบนถนน"
AMHARIC = ("ድመቷ ምንጣፍ ላይ ተቀምጣለች", "መኪናው በመንገድ ላይ በፍጥነት ይሄዳል")
ENGLISH = "The cat sat on the mat."


@pytest.fixture(scope="module")
def resources() -> StudyResources:
    return StudyResources()


@pytest.mark.parametrize(
    "spec", ["bertscore", "cosine", "cosine-tokens", "enc-avg", "moverscore", "moverscore:mode=v2"]
)
def test_different_thai_sentences_are_not_scored_by_an_english_model(
    spec: str, resources: StudyResources
) -> None:
    _is_refused(spec, [CAT, ENGLISH], CAR, resources)


@pytest.mark.parametrize(
    "spec", ["cosine-words", "sms", "sms:mode=wms,context=yes", "rouge-we:text=unicode", "rouge-we:mode=s3"]
)
def test_words_of_an_unknown_script_are_not_scored(spec: str, resources: StudyResources) -> None:
    _is_refused(spec, [AMHARIC[0], ENGLISH], AMHARIC[1], resources)


def _is_refused(spec: str, summaries: list[str], reference: str, resources: StudyResources) -> None:
    block = score_readable(parse(spec), topic_of_texts(summaries, [reference]), resources)
    assert np.isnan(block.values).all()
    assert block.stats is not None
    assert np.isnan(block.stats).all()
    assert block.notes["mostly_unknown"] == 2


@pytest.mark.parametrize("spec", ["supert", "ancr", "cosine:against=document"])
def test_unknown_documents_are_not_scored(spec: str, resources: StudyResources) -> None:
    block = score_readable(parse(spec), topic_of_texts([ENGLISH], [ENGLISH], [CAT]), resources)
    assert np.isnan(block.values).all()
    assert block.notes["mostly_unknown"] == 1


def test_only_the_summary_that_is_unknown_is_left_without_a_score(resources: StudyResources) -> None:
    block = score_readable(parse("bertscore"), topic_of_texts([ENGLISH, CAT], [ENGLISH]), resources)
    assert block.values[0] == pytest.approx([1, 1, 1], abs=1e-5)
    assert np.isnan(block.values[1]).all()


def test_an_unknown_reference_leaves_out_only_the_scores_that_read_it(resources: StudyResources) -> None:
    metric = parse("bertscore")
    block = score_readable(metric, topic_of_texts([ENGLISH], [ENGLISH, CAT]), resources)
    assert block.stats is not None
    assert np.isnan(block.values).all()
    assert metric.combine(block.stats, np.array([True, False]))[0] == pytest.approx([1, 1, 1], abs=1e-5)


def test_punctuation_does_not_make_an_unknown_text_known(resources: StudyResources) -> None:
    spaced = ", ".join(AMHARIC[0].split()) + " . . . - '!'"
    shares = unknown_tokens(parse("bertscore"), topic_of_texts([spaced], [ENGLISH]), resources)
    assert shares.summaries[0] == 1.0
    assert shares.references[0] == 0.0


def test_a_few_unknown_tokens_are_noted_and_scored(resources: StudyResources) -> None:
    mixed = "The president visited the museum of " + CAT + " on Monday with his wife and three children."
    block = score_readable(parse("bertscore"), topic_of_texts([mixed], [ENGLISH]), resources)
    assert np.isfinite(block.values).all()
    assert block.notes == {"unknown_tokens": 1}
    assert (
        note_text("unknown_tokens", 1)
        == "1 text in which more than 5 % of the tokens are unknown to the model"
    )


def test_english_texts_have_no_note_and_empty_ones_count_as_0(resources: StudyResources) -> None:
    block = score_readable(parse("bertscore"), topic_of_texts([ENGLISH], [ENGLISH]), resources)
    assert block.notes == {}
    block = score_readable(parse("bertscore"), topic_of_texts([ENGLISH, ""], [ENGLISH]), resources)
    assert block.notes == {"counted_as_zero": 1}
    assert block.values[1].tolist() == [0, 0, 0]


def test_a_refusal_names_the_text_and_a_remedy(resources: StudyResources) -> None:
    topic = topic_of_texts([ENGLISH], [CAT])
    reason = refusal_reason(parse("bertscore"), topic, 0, resources)
    assert f"reference by {topic.references[0].name}" in reason
    assert "100%" in reason
    assert "multilingual" in reason
    assert not refusal_reason(parse("rouge-n"), topic, 0, resources)


def test_words_without_vectors_are_counted_in_a_file_of_vectors(tmp_path: Path) -> None:
    file = tmp_path / "few.txt"
    file.write_text("cat 1 0\nmat 0 1\n")
    topic: TopicTexts = topic_of_texts(["cat mat", "dog fog mat"], ["cat"])
    block = score_readable(parse(f"cosine-words:vectors={file}"), topic, StudyResources())
    assert np.isfinite(block.values[0]).all()
    assert np.isnan(block.values[1]).all()
    assert block.notes == {"unknown_words": 1, "mostly_unknown": 1}


def test_older_scores_of_other_scripts_are_stale_and_those_of_english_are_not(
    resources: StudyResources,
) -> None:
    config, lexical = ScoringConfig(parse("bertscore")), ScoringConfig(parse("rouge-n"))
    english, thai = (
        topic_of_texts([ENGLISH, "TNF-α and IL-1β rose."], [ENGLISH]),
        topic_of_texts([CAT], [CAR]),
    )
    assert _hash_before(config, english) == config.inputs_hash("s", english, "", resources)
    assert _hash_before(config, thai) != config.inputs_hash("s", thai, "", resources)
    assert _hash_before(lexical, thai) == lexical.inputs_hash("s", thai, "", resources)


def _hash_before(config: ScoringConfig, topic: TopicTexts) -> str:
    """The inputs' hash as it was made when unknown tokens were not counted."""
    read = {"summaries": topic.summaries, "references": topic.references}
    texts = {kind: [(text.name, text.digest) for text in each] for kind, each in read.items()}
    return hashlib.sha256(json.dumps(["s", "", texts]).encode()).hexdigest()
