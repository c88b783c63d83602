"""Metrics on texts in other scripts: scored if the study's language is set, otherwise noted."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sacrebleu

from core.metrics import registry
from core.metrics.base import Need
from core.metrics.base.unknown_tokens import score_readable
from core.metrics.registry import localize, parse
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_texts

HALF = {  # a reference, and a summary that copies its first half
    "zh": ("中国经济增长速度放缓，专家认为这是正常的现象。", "中国经济增长速度放缓，股票市场昨天大幅下跌。"),
    "ja": ("首相は昨日、新しい経済政策を発表しました。", "首相は昨日、新しい病院の建設現場を訪れていた。"),
    "th": ("แมวสีดำนั่งอยู่บนเสื่อในบ้านของเพื่อน", "แมวสีดำนั่งอยู่บนหลังคาโรงเรียนเมื่อวานนี้"),
}
SPACED = {
    "ru": ("В Москве прошёл сильный дождь.", "В Москве прошёл концерт."),
    "ar": ("ذهب الولد إلى المدرسة صباحا.", "ذهب الولد إلى السوق."),
    "hi": ("मुझे किताबें पढ़ना बहुत पसंद है।", "मुझे किताबें खरीदना नहीं है।"),
    "ko": ("대한민국의 수도는 서울이다.", "대한민국의 수도는 크다."),
}
LEXICAL = ("rouge-n:n=1", "rouge-l", "bleu", "meteor", "chrf", "js", "idss")
ENGLISH = ("The court ruled on the ban.", "The court met on Monday.")
TOOLS = StudyResources()


def score(spec: str, reference: str, summary: str, document: str = "") -> float:
    block = score_readable(
        parse(spec), topic_of_texts([summary], [reference], [document or reference]), TOOLS
    )
    assert "unread_script" not in block.notes
    assert "dropped_characters" not in block.notes
    return float(block.values[0, -1])


@pytest.mark.parametrize("language", [*HALF, *SPACED])
@pytest.mark.parametrize("spec", [*LEXICAL, "widar:mode=paper"])
def test_a_half_copied_text_scores_between_nothing_and_everything(language: str, spec: str) -> None:
    reference, summary = {**HALF, **SPACED}[language]
    here = localize(spec, language)
    half, same, none = (score(here, reference, text) for text in (summary, reference, "Quite other words."))
    low, high = sorted((none, same))
    assert low < half < high
    assert half != pytest.approx(math.log(2))


@pytest.mark.parametrize("language", HALF)
@pytest.mark.parametrize("spec", ["bleu", "meteor", "js", "cider", "idss", "widar"])
def test_unsupported_scripts_are_noted(language: str, spec: str) -> None:
    reference, summary = HALF[language]
    block = score_readable(parse(spec), topic_of_texts([summary], [reference], [reference]), TOOLS)
    assert block.notes["unread_script"] == (2 if spec == "idss" else 3 if spec == "widar" else 2)


def test_bleu_has_sacrebleus_values_for_chinese_and_characters() -> None:
    for language, tok in (("zh", "zh"), ("th", "char")):
        reference, summary = HALF[language]
        expected = sacrebleu.sentence_bleu(summary, [reference], tokenize=tok).score
        assert score(localize("bleu", language), reference, summary) == pytest.approx(expected)
        assert expected > 10


def test_english_metrics_keep_their_signatures_to_the_letter() -> None:
    signatures = {
        "js": "js|n:1|stem:yes|stop_words:yes|version:1",
        "idss": "idss|similarity:rouge-l.f|version:1",
        "rouge-n": "rouge-n|n:2|stem:no|stop_words:no|text:1.5.5|words:0|bytes:0|pooling:sum|alpha:0.5|"
        "rounding:1.5.5|mode:1.5.5|version:1",
    }
    for name, signature in signatures.items():
        for language in ("", "en"):
            assert parse(localize(name, language)).signature(TOOLS) == signature


def test_other_languages_name_their_words_in_the_signature_which_reads_back() -> None:
    for language in ("zh", "ru"):
        for name in ("js", "idss", "widar", "meteor", "rouge-n"):
            metric = parse(localize(name, language))
            words = "icu" if language == "zh" and name != "rouge-n" else "unicode"
            signature = metric.signature(TOOLS)
            assert f":{'intl' if (name, language) == ('meteor', 'ru') else words}" in signature
            assert ("|icu:" in signature) == (words == "icu")
            assert parse(signature) == metric


def test_every_default_of_a_language_is_a_setting_that_exists() -> None:
    for cls in registry.metrics():
        for settings in cls.default_configs:
            for language in ("ja", "de", "ko"):
                assert parse(localize(f"{cls.name}:{settings}", language, replaces=True)).name == cls.name


def test_explicit_settings_and_signatures_are_unchanged() -> None:
    assert localize("rouge-n:n=1,text=1.5.5", "ja") == "rouge-n:n=1,text=1.5.5,stem=no,stop_words=no"
    assert localize("rouge-n|n:1", "ja") == "rouge-n|n:1"
    assert parse(localize("rouge-n:mode=rouge-score", "ja")).settings()["mode"] == "rouge-score"
    assert localize("bertscore", "ja") == "bertscore"
    assert localize("no-such-metric", "ja") == "no-such-metric"


def test_every_metric_of_words_reads_or_notes_japanese() -> None:
    reference, summary = HALF["ja"]
    for cls in registry.metrics():
        metric = cls()
        if metric.needs - {Need.REFERENCES, Need.DOCUMENTS, Need.CORPUS}:
            continue
        block = score_readable(metric, topic_of_texts([summary], [reference], [reference]), TOOLS)
        is_blind = not np.isfinite(block.values).all() or (cls.has_direction and not block.values.any())
        assert not is_blind or block.notes, cls.name
