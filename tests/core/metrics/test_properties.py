"""Properties of texts: by hand, by the authors' algorithm, by textbook values, and in corner cases."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.jit import COMPILE_THRESHOLD, Kernel
from core.metrics import registry
from core.metrics.kernels.fragments import fragments
from core.metrics.properties.readability import syllables
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_sentences, topic_of_texts
from tests.core.metrics.scored import values

DOCUMENT = "The court ruled on Monday that the ban must end, and the city agreed to end the ban at once."
SUMMARY = "On Monday the court ruled: that the ban must stop."
PROPERTIES = [kind for kind in registry.metrics() if not kind.has_direction]
TOOLS = StudyResources()


def value(spec: str, summary: str, *documents: str) -> float:
    return float(values(spec, topic_of_texts([summary], (), documents or (DOCUMENT,)), TOOLS)[0, 0])


def test_values_worked_by_hand() -> None:
    """on monday · the court ruled · that the ban must · stop is new; the document has 20 words."""
    assert value("coverage", SUMMARY) == pytest.approx(9 / 10)
    assert value("density", SUMMARY) == pytest.approx((4 + 9 + 16) / 10)
    assert value("compression", SUMMARY) == pytest.approx(20 / 10)
    assert value("novelty:n=1", SUMMARY) == pytest.approx(1 / 9)
    assert value("novelty", SUMMARY) == pytest.approx(3 / 9)  # monday the, ruled that, must stop
    assert value("repetition:n=1", SUMMARY) == pytest.approx(1 / 9)
    assert value("repetition:n=1,of=tokens", SUMMARY) == pytest.approx(1 / 10)
    assert [value(f"length:unit={unit}", SUMMARY) for unit in ("words", "sentences", "characters")] == [
        10,
        1,
        50,
    ]


def test_words_between_blanks_keep_their_punctuation() -> None:
    """on monday · the court · that the ban must; ruled: and stop. are new."""
    assert value("coverage:text=spaces", SUMMARY) == pytest.approx(8 / 10)


def authors_fragments(summary: list[Any], document: list[Any]) -> list[tuple[int, int, int]]:
    """Literal implementation of Grusky, Naaman & Artzi 2018, figure 3, with the places of each fragment."""
    found, i = [], 0
    while i < len(summary):
        best, j = (i, 0, 0), 0
        while j < len(document):
            if summary[i] == document[j]:
                a, b = i, j
                while a < len(summary) and b < len(document) and summary[a] == document[b]:
                    a, b = a + 1, b + 1
                best = (i, j, a - i) if a - i > best[2] else best
                j = b
            else:
                j += 1
        found += [best] if best[2] else []
        i += max(best[2], 1)
    return found


WORDS = st.lists(st.integers(0, 4), max_size=14)


@given(st.lists(WORDS, max_size=3), st.lists(WORDS, max_size=3))
def test_fragments_are_those_of_the_authors_algorithm(
    summaries: list[list[int]], documents: list[list[int]]
) -> None:
    joined = [word for document in documents for word in (*document, -2)]
    mine, theirs = ([np.array(words, dtype=np.int32) for words in side] for side in (summaries, documents))
    expected = [authors_fragments(summary, joined) for summary in summaries]
    for steps in (0, COMPILE_THRESHOLD):  # interpreted and compiled
        Kernel.interpreted_steps = steps
        assert [list(map(tuple, rows.tolist())) for rows in fragments(mine, theirs)] == expected


def test_no_fragment_spans_two_documents() -> None:
    assert value("density", "a b c d", "x a b", "c d y") == pytest.approx((4 + 4) / 4)
    assert value("novelty", "a b c d", "x a b", "c d y") == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("word", "count"),
    [
        *(("the", 1), ("table", 2), ("jumped", 1), ("wanted", 2), ("churches", 2), ("names", 1)),
        *(("player", 2), ("actual", 3), ("serious", 3), ("nation", 2), ("being", 2), ("lovely", 2)),
        *(("don't", 1), ("rhythm", 1), ("well-known", 2), ("2021", 1), ("Café", 2), ("socialism", 4)),
    ],
)
def test_syllables(word: str, count: int) -> None:
    assert syllables(word) == count


def test_readability_by_the_published_formulas() -> None:
    text = "The cat sat on the mat. Tall octopuses swim."
    words, sentences, letters, long = 9, 2, 34, 1
    counted = 6 + 1 + 4 + 1
    expected = {
        "flesch": 206.835 - 1.015 * words / sentences - 84.6 * counted / words,
        "flesch-kincaid": 0.39 * words / sentences + 11.8 * counted / words - 15.59,
        "ari": 4.71 * letters / words + 0.5 * words / sentences - 21.43,
        "lix": words / sentences + 100 * long / words,
    }
    assert {name: value(f"readability:formula={name}", text) for name in expected} == pytest.approx(expected)


def test_sentences_are_those_that_a_text_came_with() -> None:
    topic = topic_of_sentences([["One. Two", "three", "..."]], [["x"]])
    assert values("length:unit=sentences", topic, TOOLS)[0, 0] == 2
    assert values("readability:formula=lix", topic, TOOLS)[0, 0] == pytest.approx(3 / 2)


def test_undefined_values() -> None:
    for kind in PROPERTIES:
        for summary, document in (("", DOCUMENT), ("...", DOCUMENT), (SUMMARY, ""), (SUMMARY, "?")):
            topic = topic_of_texts([summary], (), [document])
            metric = kind()
            prepared = metric.prepare(topic, TOOLS)
            scores = metric.score(prepared)
            found = scores.values[0, 0]
            (tree,) = metric.explain(prepared, 0).values()
            assert tree.evaluate() == pytest.approx(found, nan_ok=True)
            if summary == SUMMARY and not metric.needs:
                assert np.isfinite(found)
            elif kind.name == "length":
                assert found == 0
                assert scores.notes == {"counted_as_zero": 1}
            else:
                assert math.isnan(found), kind.name
                assert scores.notes == {"no_units": 1}


@given(
    st.lists(st.sampled_from(["the", "court", "Ban.", "it's", "--", "ended"]), max_size=12),
    st.lists(st.sampled_from(["the", "court", "ban", "ended"]), min_size=1, max_size=12),
)
def test_every_property_is_explained(summary: list[str], document: list[str]) -> None:
    topic = topic_of_texts(["other", " ".join(summary)], (), [" ".join(document), "court"])
    for kind in PROPERTIES:
        for settings in ("", "of=tokens", "unit=sentences", "unit=characters", "formula=lix", "formula=ari"):
            if settings and not hasattr(kind, settings.partition("=")[0]):
                continue
            metric = registry.parse(f"{kind.name}:{settings}")
            prepared = metric.prepare(topic, TOOLS)
            (tree,) = metric.explain(prepared, 1).values()
            assert tree.evaluate() == pytest.approx(metric.score(prepared).values[1, 0], nan_ok=True)


def test_properties_have_no_direction_and_are_named_to_be_scored() -> None:
    from core.manual.reference import metric_page
    from core.operations.score import requested_configs

    assert {kind.name for kind in PROPERTIES} == {
        *("coverage", "density", "compression", "novelty", "repetition", "length", "readability")
    }
    for kind in PROPERTIES:
        assert "neither high nor low is better" in metric_page(kind).text
    usual = {config.metric.name for config in requested_configs([], TOOLS)}
    assert not usual & {kind.name for kind in PROPERTIES}
    assert requested_configs(["coverage"], TOOLS)[0].metric == registry.metric("coverage")
