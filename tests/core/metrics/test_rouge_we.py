"""ROUGE-WE: cases by hand, comparison with direct implementations, and properties."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSetting
from core.metrics.registry import parse
from core.scoring.study_resources import StudyResources
from tests.core.metrics.scored import write_vectors

# "cat" and "kitten" are at cosine 0.96, "cat" and "sad" at right angles; "glad" is opposite to "sad".
VECTORS = {
    "cat": (3.0, 4.0, 0.0),
    "kitten": (4.0, 3.0, 0.0),
    "dog": (4.0, 4.0, 1.0),
    "sat": (0.0, 1.0, 2.0),
    "sad": (0.0, 0.0, 2.0),
    "glad": (0.0, 0.0, -1.0),
    "the": (1.0, 1.0, 1.0),
}
KNOWN = sorted(VECTORS)
WORDS = st.lists(st.sampled_from([*KNOWN, "unheard"]), max_size=8).map(" ".join)
ANY = ["n=1", "n=2", "units=su4", "units=s4", "n=1,pooling=best", "n=1,mode=s3", "n=2,mode=s3,threshold=0.9"]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    return write_vectors(tmp_path_factory.mktemp("vectors"), VECTORS)


@pytest.fixture(scope="module")
def resources():
    return StudyResources(None)


@pytest.fixture(scope="module")
def scored(vectors, resources, make_topic):
    def score(settings, references, summaries):
        metric = parse(f"rouge-we:vectors={vectors},{settings}")
        topic = make_topic(_named(references), _named(summaries))
        prepared = metric.prepare(topic, resources)
        return metric, prepared, metric.score(prepared)

    return score


def _named(texts):
    return {str(i): text for i, text in enumerate([texts] if isinstance(texts, str) else texts)}


def cosine(one, other):
    return np.dot(one, other) / math.sqrt(np.dot(one, one) * np.dot(other, other))


# By hand --------------------------------------------------------------------------------------------------


def test_ng2015_adds_half_the_exact_matches_and_half_the_cosines_of_the_first_visited(scored):
    # One exact match (cat). Of the reference's cat and sad only the first by the alphabet is visited: cosines
    # of cat with cat and kitten, 1 + 24/25. Matched 0.5 + 0.98 of 2.
    _, _, scores = scored("n=1", "sad cat", "cat kitten")
    assert scores.values[0].tolist() == [0.74, 0.74, 0.74]


def test_ng2015_visits_a_second_word_only_if_the_reference_has_it_twice(scored):
    # cat once, then sad twice: both count. Summary: glad; cos(cat, glad) = 0, cos(sad, glad) = -1.
    _, _, scores = scored("n=1", "sad cat sad", "glad")
    assert scores.values[0].tolist() == [round(-0.5 / 3, 5), -0.5, 0.0]  # there is no F of such


def test_ng2015_multiplies_the_vectors_of_a_bigram_element_by_element(scored):
    # the cat = (3, 4, 0), the kitten = (4, 3, 0): cosine 24/25; nothing exact; one bigram each.
    _, _, scores = scored("n=2", "the cat", "the kitten")
    assert scores.values[0].tolist() == [0.48, 0.48, 0.48]


def test_s3_takes_what_is_near_enough_once(scored):
    # cat meets kitten at 0.96 and uses it up; sat is near nothing. One of two words.
    _, _, scores = scored("n=1,mode=s3,threshold=0.95", "kitten dog", "cat cat sat")
    assert scores.values[0].tolist() == [1 / 2, 1 / 3, pytest.approx(2 / 5)]


def test_s3_adds_the_vectors_of_a_bigram(scored):
    # cat sat and sat cat have one sum; exact bigrams there are none.
    assert scored("n=2,mode=s3", "sat cat", "cat sat")[2].values[0, 0] == 1.0
    assert scored("n=2", "sat cat", "cat sat")[2].values[0, 0] == 0.5


def test_words_without_a_vector_match_exactly_and_are_near_nothing(scored):
    for mode in ("s3", "ng2015"):
        _, _, scores = scored(f"n=1,mode={mode}", "unheard", "unheard cat")
        assert scores.values[0, 0] == (1.0 if mode == "s3" else 0.5)
        assert scores.notes == {"unknown_words": 2}


def test_several_references_are_pooled_by_their_sums(scored):
    _, _, scores = scored("n=1,mode=s3", ["cat sad", "glad"], "kitten")
    assert scores.values[0, :2].tolist() == [1 / 3, 1 / 2]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("mode=s3,bytes=75", "bytes=75 cannot be combined with mode=s3"),
        ("threshold=0.9", r"threshold=0\.9 cannot be combined with mode=ng2015"),
        ("n=2,units=su4", "n=2 cannot be combined with units=su4"),
    ],
)
def test_settings_without_effect_are_refused(settings, sentence):
    with pytest.raises(BadSetting, match=sentence):
        parse(f"rouge-we:{settings}")


# The vectors ----------------------------------------------------------------------------------------------


def test_the_packaged_encoder_is_the_default_and_in_the_signature(make_topic, resources):
    metric = parse("rouge-we:n=1,mode=s3,threshold=0.5")
    topic = make_topic({"A": "automobile crashed"}, {"s": "car crashed", "t": "poem"})
    values = metric.score(metric.prepare(topic, resources)).values
    assert values[0, 0] == 1.0  # car is near automobile
    assert values[1, 0] == 0.0
    assert "|source:input-embeddings|model:all-MiniLM-L6-v2|hash:53aa51172d14|" in metric.signature(resources)


def test_a_signature_holds_the_files_name_and_hash_and_is_read_again(vectors, resources):
    metric = parse(f"rouge-we:n=2,vectors={vectors}")
    signature = metric.signature(resources)
    assert re.search(r"\|source:file\|model:small\.txt\|hash:[0-9a-f]{12}\|version:1$", signature)
    assert parse(signature) == metric
    assert "threshold" not in signature


def test_missing_vectors_are_reported_before_a_run(resources):
    assert "no word vectors in gone.bin" in parse("rouge-we:vectors=gone.bin").unavailable(resources)


# Properties -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", ANY)
@given(references=st.lists(WORDS, min_size=1, max_size=3), summary=WORDS)
def test_every_explanation_evaluates_to_its_score(scored, settings, references, summary):
    metric, prepared, scores = scored(settings, references, summary)
    explained = metric.explain(prepared, 0)
    assert tuple(explained) == metric.measures()
    values = [tree.evaluate() for tree in explained.values()]
    assert values == pytest.approx(scores.values[0].tolist(), abs=1.1e-5)


@pytest.mark.parametrize("settings", ANY)
@given(references=st.lists(WORDS, min_size=1, max_size=3), summaries=st.lists(WORDS, min_size=1, max_size=2))
def test_combining_any_references_is_scoring_with_these_alone(scored, settings, references, summaries):
    metric, _, scores = scored(settings, references, summaries)
    first = np.arange(len(references)) == 0
    _, _, alone = scored(settings, references[:1], summaries)
    assert metric.combine(scores.stats, first) == pytest.approx(alone.values, abs=1e-9)


@given(one=WORDS, other=WORDS)
def test_s3_scores_lie_between_0_and_1_and_a_text_matches_itself(scored, one, other):
    recall, precision, _ = scored("n=1,mode=s3", one, other)[2].values[0]
    assert 0 <= recall <= 1
    assert 0 <= precision <= 1
    assert scored("n=1,mode=s3", one, one)[2].values[0, 0] == (1.0 if one else 0.0)


@given(one=WORDS, other=WORDS)
def test_s3_at_threshold_1_with_vectors_all_apart_is_rouge_n(
    one, other, tmp_path_factory, resources, make_topic
):
    file = tmp_path_factory.getbasetemp() / "apart.txt"
    words = [*KNOWN, "unheard"]
    if not file.exists():
        rows = np.eye(len(words))
        file.write_text("\n".join(" ".join([w, *map(str, row)]) for w, row in zip(words, rows, strict=True)))
    topic = make_topic({"A": one}, {"s": other})
    soft, plain = (
        parse(f"rouge-we:n=1,mode=s3,threshold=1,vectors={file}"),
        parse("rouge-n:n=1,rounding=none"),
    )
    assert soft.score(soft.prepare(topic, resources)).values == pytest.approx(
        plain.score(plain.prepare(topic, resources)).values
    )


# Independent ----------------------------------------------------------------------------------------------


def _bag(text, n):
    words = text.split()
    return Counter(" ".join(words[i : i + n]) for i in range(len(words) - n + 1))


def _pairs(text):
    words = text.split()
    bag = Counter(words[:-1])
    bag.update(
        f"{words[i]} {words[j]}" for i in range(len(words)) for j in range(i + 1, min(i + 6, len(words)))
    )
    return bag


def _joined(gram, join):
    rows = [VECTORS.get(word) for word in gram.split()]
    return None if None in rows else join(np.array(rows), axis=0)


def _near(one, other, join):
    first, second = _joined(one, join), _joined(other, join)
    if first is None or second is None or not first.any() or not second.any():
        return 0.0
    return cosine(first, second)


def _ng2015(model, peer):
    """Ng & Abrecht's arithmetic, counting how often each unit of the summary was seen."""
    hit, seen = 0.0, Counter()
    for unit in sorted(model):
        exact, soft = min(model[unit], peer[unit]), 0.0
        for other in peer:
            seen[other] += 1
            if seen[other] <= model[unit]:
                soft += _near(unit, other, np.prod)
        hit += 0.5 * exact + 0.5 * soft
    return hit


def _s3(model, peer, threshold):
    """S3's arithmetic: a ranking of all that is left for each n-gram of the summary."""
    left, result = Counter(model), 0
    for gram, count in peer.items():
        ranked = [(1.0 if gram == other else round(_near(gram, other, np.sum), 12), other) for other in left]
        best = max(ranked, key=lambda pair: pair[0], default=(0.0, ""))
        if best[0] < threshold:
            continue
        taken = min(left[best[1]], count)
        result += taken
        left[best[1]] -= taken
        left = +left
    return result


@given(one=WORDS, other=WORDS, n=st.integers(1, 3))
def test_ng2015_counts_as_a_plain_program_does(scored, one, other, n):
    counts = scored(f"n={n},rounding=none", one, other)[2].stats[0, 0]
    model, peer = _bag(one, n), _bag(other, n)
    assert counts == pytest.approx([_ng2015(model, peer), model.total(), peer.total()], abs=1e-9)


@given(one=WORDS, other=WORDS)
def test_ng2015_counts_pairs_as_a_plain_program_does(scored, one, other):
    counts = scored("units=su4,rounding=none", one, other)[2].stats[0, 0]
    model, peer = _pairs(one), _pairs(other)
    assert counts == pytest.approx([_ng2015(model, peer), model.total(), peer.total()], abs=1e-9)


@given(one=WORDS, other=WORDS, n=st.integers(1, 2), threshold=st.sampled_from([0.3, 0.8, 0.96, 1.0]))
def test_s3_counts_as_a_plain_program_does(scored, one, other, n, threshold):
    counts = scored(f"n={n},mode=s3,threshold={threshold}", one, other)[2].stats[0, 0]
    model, peer = _bag(one, n), _bag(other, n)
    assert counts == pytest.approx([_s3(model, peer, threshold), model.total(), peer.total()])


def test_evidence_covers_the_matched_words(scored):
    metric, prepared, _ = scored("n=2,mode=s3,threshold=0.999", "the cat sat", "Sat cat; sad, the cat.")
    leaves = metric.explain(prepared, 0)["rouge-we-2-s3.recall"].children[0].children[0].children
    summary = prepared.topic.summaries[0].content
    evidence = {
        leaf.label: [summary[slice(*e.span)] for e in leaf.evidence if e.role == "summary"] for leaf in leaves
    }
    assert evidence == {"sat cat → cat sat": ["Sat cat"], "the cat → the cat": ["the cat"]}
