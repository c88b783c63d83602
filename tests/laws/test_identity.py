"""A text against itself has the metric's maximum, or no score and a reason that is shown.

Tried to be broken by every metric that needs no model of the user's, in its usual configurations and modes,
on texts in 22 scripts and on odd ones: decomposed letters, combining marks, vowel signs, digits only, codes,
emoji, one word, one character, stop words only, nothing, punctuation only, line breaks, joiners only; with
one topic, one reference, equal references, and an empty text among others. It first failed for sms (words
with marks, digits), moverscore, bertscore and CIDEr (idf of one reference or topic), cosines (texts without a
vector), enc-avg (.5 for punctuation against itself), js (no reason), CIDEr of short texts, and ROUGE of short
texts in 24 languages.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.domain.study import TopicTexts
from core.metrics import registry
from core.metrics.base import NOTES, REASONS, Explanation, Need, TopicScores
from core.metrics.base.unknown_tokens import score_readable
from core.metrics.embedding.greedy_matching import outside_range
from core.metrics.registry import localize, parse
from core.scoring.study_resources import StudyResources
from core.text.languages import detect_language
from tests.core.metrics.made_topics import topic_of_texts
from tests.core.metrics.scored import tools_for

pytestmark = pytest.mark.slow

FORMS = {
    "latin": "The court ruled on the ban on Monday. Two bridges stay closed.",
    "decomposed": unicodedata.normalize("NFD", "Déjà vu à l'été, les élèves étaient gênés."),
    "combining marks": "a\u0301\u0323b\u0304 c\u0327\u0301d x\u0361y",
    "Hindi": "हिन्दी दिवस की शुभकामनाएँ",
    "Bengali": "বাংলাদেশের রাজধানী ঢাকা শহরে বৃষ্টি।",
    "Tamil": "தமிழ்நாட்டின் தலைநகரம் சென்னை ஆகும்.",
    "Sinhala": "ශ්‍රී ලංකාවේ අගනුවර කොළඹයි.",
    "Tibetan": "བོད་ཀྱི་རྒྱལ་ས་ལྷ་ས་ཡིན།",
    "vocalised Arabic": "مُحَمَّد يَقْرَأُ الكِتَابَ",
    "vocalised Hebrew": "שָׁלוֹם לְכֻלָּם הַיּוֹם",
    "Greek": "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας.",
    "Cyrillic": "В Москве прошёл сильный дождь.",
    "Georgian": "საქართველოს დედაქალაქი თბილისია.",
    "Armenian": "Հայաստանի մայրաքաղաքը Երևանն է։",
    "Amharic": "የኢትዮጵያ ዋና ከተማ አዲስ አበባ ናት።",
    "Thai": "แมวสีดำนั่งอยู่บนเสื่อในบ้านของเพื่อน",
    "Khmer": "ភ្នំពេញជារដ្ឋធានីនៃប្រទេសកម្ពុជា",
    "Burmese": "ရန်ကုန်မြို့သည် မြန်မာနိုင်ငံ၏ အကြီးဆုံးမြို့ဖြစ်သည်။",
    "Chinese": "政府宣布新計劃",
    "Japanese": "首相は昨日、新しい経済政策を発表しました。",
    "Korean": "대한민국의 수도는 서울이다.",
    "decomposed Korean": unicodedata.normalize("NFD", "대한민국의 수도는 서울이다."),
    "Devanagari digits": "१२३ ४५६ ७८९ १२ ३४",
    "digits": "2021 100 5 37 12",
    "codes": "w1 w2 w3 w4 w5",
    "emoji": "🙂 🌉 🎉 👩‍👩‍👧 🇩🇪",
    "one word": "bridge",
    "one character": "x",
    "stop words": "to be or not to be",
    "lines": "Bridge closed on Monday\r\nInspectors found cracks\n",
    "repeated": "ban ban ban ban ban",
    "empty": "",
    "blank": " \n ",
    "punctuation": "... !? —",
    "joiners": "\u200b\u200d",
}
MODES = {
    "ancr": ("anchor=type", "stop_words=yes"),
    "autosummeng": ("lmin=2,lmax=4,dwin=5",),
    "bertscore": ("idf=yes", "pooling=mean"),
    "chrf": ("nw=2",),
    "cider": ("text=unicode",),
    "cosine": ("against=document",),
    "cosine-tokens": ("layers=3+6",),
    "js": ("text=unicode",),
    "meteor": ("tok=intl",),
    "moverscore": ("mode=v2-1.0.3", "idf=no", "idf=sides", "n=2", "stop_words=yes"),
    "rouge-l": ("mode=rouge-score", "text=unicode", "split=text"),
    "rouge-n": ("mode=rouge-score", "n=1,text=icu", "stop_words=yes", "pooling=best", "n=4"),
    "sms": ("context=yes", "stop_words=no"),
    "supert": ("documents=together", "stop_words=no"),
    "widar": ("mode=paper",),
}
AVAILABLE = {Need.REFERENCES, Need.DOCUMENTS, Need.CORPUS, Need.ENCODER, Need.WORD_VECTORS}
TRIED_ELSEWHERE = {
    "alignscore", "auto-nugget", "bartscore", "be", "blanc-help", "blanc-tune", "bleurt",
    "comet", "external",
    "fact-precision", "factcc", "judge", "likelihood", "lite-pyramid", "minicheck", "pyramid",
    "qafacteval", "questeval", "s3", "sera", "summac", "summaqa", "unieval",
}  # fmt: skip
"""Metrics that need a model, an index, annotations or a program; their own tests try undefined scores."""

MOST = {"bleu": 100.0, "chrf": 100.0, "cider": 10.0, "js": 0.0, "novelty": 0.0, "divergence": 0.0}
WITHOUT_MAXIMUM = ("rouge-w", "rouge-we", "widar")
"""By their definitions, a text against itself has no fixed score: ROUGE-W weights recall twice, ROUGE-WE
averages similarities of all words, WIDAR's weights depend on the documents."""

PROPERTIES_OF_ONE_TEXT = ("density", "length", "readability", "repetition")
"""They depend on the text alone if it is its own document."""

OF_PROGRAMS = ("N-gram graphs", "ROUGE", "Translation", "WIDAR")
"""Families whose own programs print 0 for a text without words; BERTScore's does too."""

EXCUSES = {"counted_as_zero", "dropped_characters", "unread_script"}
SPECS = [
    f"{cls.name}:{settings}"
    for cls in registry.metrics()
    if cls.name not in TRIED_ELSEWHERE
    for settings in dict.fromkeys((*cls.default_configs, *MODES.get(cls.name, ())))
]
OTHER = topic_of_texts(["Quite other words about dogs."], ["Quite other words about dogs."])


@pytest.fixture(scope="module")
def loaded() -> StudyResources:
    """Tools whose models are loaded once."""
    resources = StudyResources(None, "cpu")
    resources.encoder("minilm")
    return resources


def identical(text: str, spec: str) -> tuple[Any, TopicTexts]:
    """Return a metric as a study in the text's language would use it, and a topic of this text alone."""
    language = detect_language([text]).code
    topic = topic_of_texts([text], [text], [text])
    sides = {
        side: tuple(replace(one, language=language) for one in getattr(topic, side))
        for side in ("summaries", "references", "documents")
    }
    return parse(localize(spec, language)), replace(topic, **sides)


def with_study(loaded: StudyResources, *topics: TopicTexts) -> StudyResources:
    return replace(loaded.with_fresh_caches(), study=tools_for(*topics).study)


def leaves(tree: Explanation) -> Iterator[Explanation]:
    yield tree
    for child in tree.children:
        yield from leaves(child)


def check_explained(metric: Any, topic: TopicTexts, resources: StudyResources, scores: TopicScores) -> None:
    """Check that undefined scores have a reason, and that the explanation has the score or the reason."""
    reasons = (REASONS.keys() & scores.notes.keys()) - {"undefined"}
    prepared = metric.prepare(topic, resources)
    for system, row in enumerate(scores.values.tolist()):
        assert reasons or not any(map(math.isnan, row)), dict(scores.notes)
        if "mostly_unknown" in reasons:
            continue  # refused before anything is explained
        for value, tree in zip(row, metric.explain(prepared, system).values(), strict=True):
            assert tree.evaluate() == pytest.approx(value, abs=1e-4, nan_ok=True)
            if math.isnan(value):
                labels = [leaf.label for leaf in leaves(tree)]
                assert any(REASONS[reason] in label for reason in reasons for label in labels), labels


def test_every_metric_is_tried_or_named() -> None:
    for cls in registry.metrics():
        assert (cls().needs <= AVAILABLE) == (cls.name not in TRIED_ELSEWHERE), cls.name
    assert {name for name in MODES if f"{name}:{MODES[name][0]}" not in SPECS} == set()
    assert REASONS.keys() <= NOTES.keys()


@pytest.mark.parametrize("spec", SPECS)
def test_a_text_against_itself_has_the_maximum_or_a_reason(spec: str, loaded: StudyResources) -> None:
    for form, text in FORMS.items():
        metric, topic = identical(text, spec)
        resources = with_study(loaded, topic, OTHER)
        scores = score_readable(metric, topic, resources)
        check_explained(metric, topic, resources, scores)
        for value in scores.values[0].tolist():
            if math.isnan(value) or value == pytest.approx(MOST.get(metric.name, 1.0), abs=2e-3):
                continue
            if metric.name in PROPERTIES_OF_ONE_TEXT or (metric.name in WITHOUT_MAXIMUM and value > 0):
                continue
            assert EXCUSES & scores.notes.keys(), form
            assert metric.family in OF_PROGRAMS or metric.name == "bertscore", form


@pytest.mark.parametrize("spec", ["moverscore", "moverscore:idf=sides", "bertscore:idf=yes", "cider"])
@pytest.mark.parametrize("topics", [1, 3])
def test_without_any_weight_there_is_no_score(spec: str, topics: int, loaded: StudyResources) -> None:
    metric = parse(spec)
    topic = topic_of_texts(["The court ruled on the ban."], ["The court ruled on the ban."])
    resources = with_study(loaded, *[topic] * topics)
    scores = score_readable(metric, topic, resources)
    assert np.isnan(scores.values).all()
    assert scores.notes["zero_weights"]
    check_explained(metric, topic, resources, scores)


@pytest.mark.parametrize("spec", SPECS)
def test_an_empty_text_among_others_is_noted(spec: str, loaded: StudyResources) -> None:
    text = FORMS["latin"]
    one = topic_of_texts([text, "", "The court ruled."], [text, "\n"], [text])
    metric, resources = parse(spec), with_study(loaded, one, OTHER)
    scores = score_readable(metric, one, resources)
    assert {"no_units", "counted_as_zero"} & scores.notes.keys()
    check_explained(metric, one, resources, scores)


def test_a_metric_without_reasons_gets_one() -> None:
    class Undecided(registry.metric("js").__class__):  # type: ignore[misc]
        name = "undecided"

        def score(self, prepared: Any) -> TopicScores:
            return TopicScores(np.array([[math.nan], [0.5]]))

    topic = topic_of_texts(["a b", "c"], ["a b"])
    assert score_readable(Undecided(), topic, tools_for(topic)).notes == {"undefined": 1}


def test_the_reason_is_in_the_interface() -> None:
    import pyramidion

    reason = NOTES["zero_weights"][1]
    scores = pyramidion.score(["The court ruled."], [["The court ruled."]], "cider")
    assert math.isnan(scores.value)
    assert reason in scores.notes[0]
    assert reason in scores._repr_html_()


@pytest.mark.parametrize("spec", ["bleu", "chrf", "meteor", "rouge-n:text=unicode", "js"])
def test_texts_in_two_forms_of_unicode_are_noted(spec: str) -> None:
    forms = [unicodedata.normalize(form, "Déjà été, 서울이다.") for form in ("NFC", "NFD")]
    for summary, reference, count in ((*forms, 1), (*forms[::-1], 1), (forms[0],) * 2 + (0,)):
        topic = topic_of_texts([summary, "ascii"], [reference])
        notes = score_readable(parse(spec), topic, tools_for(topic)).notes
        assert notes.get("mixed_forms", 0) == count


def test_an_f_outside_of_precision_and_recall_is_noted() -> None:
    rows = np.array(
        [[0.026, -0.023, -0.346], [0.5, 0.7, 0.6], [0.017, -0.022, 0.137], [np.nan] * 3, [0, 0, 0]]
    )
    assert outside_range(rows) == 2
