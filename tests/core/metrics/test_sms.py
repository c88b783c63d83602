"""Sentence mover's similarity: cases by hand, comparison with a direct computation, and properties."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import linprog

from core.metrics.base import Need, Pool
from core.metrics.registry import parse
from core.scoring.study_resources import StudyResources
from tests.core.metrics.scored import write_vectors

VECTORS = {"cat": (0.3, 0.4), "kitten": (0.4, 0.3), "dog": (0.4, 0.8), "sat": (0.0, 0.1), "glad": (-0.1, 0.0)}
MODES = ("wms", "sms", "s+wms")
LONG = {
    "a": ["Cat sat, glad cat.", "The dog of a kitten sat.", "42!"],
    "b": ["Dog, dog and kitten."],
    "c": ["Glad unheard glad.", "Sat a cat."],
    "d": ["The of and."],
}


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    return write_vectors(tmp_path_factory.mktemp("vectors"), VECTORS)


@pytest.fixture(scope="module")
def resources():
    return StudyResources(None, "cpu")


@pytest.fixture(scope="module")
def scored(vectors, resources, make_topic):
    def score(settings, references, summaries, source=vectors):
        metric = parse(f"sms:vectors={source},{settings}")
        prepared = metric.prepare(make_topic(references, summaries), resources)
        return metric, prepared, metric.score(prepared)

    return score


def test_words_move_by_their_counts(scored):
    # Two thirds of the mass, the cats, lie 0.1 √2 from kitten; a third, sat, lies √(0.4² + 0.2²) from it.
    _, _, scores = scored("mode=wms", {"r": "kitten"}, {"s": "cat sat Cat"})
    cost = 2 / 3 * math.hypot(0.1, 0.1) + 1 / 3 * math.hypot(0.4, 0.2)
    assert scores.values[0, 0] == pytest.approx(math.exp(-cost), abs=1e-6)


def test_sentences_move_as_the_means_of_their_words(scored):
    # Sentences at (0.35, 0.35) of two words and at (0.4, 0.8) of one go to (0.3, 0.4).
    _, _, scores = scored("mode=sms", {"r": ["The cat."]}, {"s": ["Cat and kitten.", "A dog."]})
    cost = 2 / 3 * math.hypot(0.05, 0.05) + 1 / 3 * math.hypot(0.1, 0.4)
    assert scores.values[0, 0] == pytest.approx(math.exp(-cost), abs=1e-6)


def test_words_and_sentences_have_half_of_the_mass_each(scored):
    # Half of the mass is at the sentence (0.35, 0.35), a quarter at each word; all of it goes to the cat.
    _, _, scores = scored("mode=s+wms", {"r": ["Cat."]}, {"s": ["Cat, kitten."]})
    cost = 1 / 2 * math.hypot(0.05, 0.05) + 1 / 4 * math.hypot(0.1, 0.1)
    assert scores.values[0, 0] == pytest.approx(math.exp(-cost), abs=1e-6)


def test_a_word_without_a_vector_stays_at_the_origin_and_is_noted(scored):
    _, _, scores = scored("mode=wms", {"r": "cat"}, {"s": "unheard", "t": "cat"})
    np.testing.assert_allclose(scores.values[:, 0], [math.exp(-0.5), 1.0], atol=1e-6)
    assert scores.notes == {"unknown_words": 1}


def test_stop_words_count_if_they_are_not_removed(scored):
    texts = {"r": "cat"}, {"s": "the cat"}
    assert scored("mode=wms", *texts)[2].values[0, 0] == pytest.approx(1.0, abs=1e-6)
    values = scored("mode=wms,stop_words=no", *texts)[2].values[0, 0]
    assert values == pytest.approx(math.exp(-0.5 / 2), abs=1e-6)


def plain_masses(sentences, mode):
    """Points and weights of a text of known sentences, written out."""
    stops = {"the", "of", "a", "and"}
    split = [
        [w for w in "".join(c if c.isalpha() else " " for c in s.lower()).split() if w not in stops]
        for s in sentences
    ]
    counts = Counter(word for words in split for word in words)
    vector = {word: np.array(VECTORS.get(word, (0.0, 0.0))) for word in counts}
    words = [(vector[word], count) for word, count in counts.items()]
    whole = [(sum(vector[w] for w in words) / len(words), len(words)) for words in split if words]
    return {"wms": words, "sms": whole, "s+wms": words + whole}[mode]


def plain_similarity(mine, theirs):
    if not mine or not theirs:
        return math.nan
    costs = np.array([[np.linalg.norm(p - q) for q, _ in theirs] for p, _ in mine])
    rows, columns = costs.shape
    sums = np.concatenate([np.kron(np.eye(rows), np.ones(columns)), np.kron(np.ones(rows), np.eye(columns))])
    shares = [np.array([w for _, w in side]) / sum(w for _, w in side) for side in (mine, theirs)]
    return math.exp(-linprog(costs.ravel(), A_eq=sums, b_eq=np.concatenate(shares)).fun)


@pytest.mark.parametrize("mode", MODES)
def test_it_agrees_with_a_plain_computation(scored, mode):
    _, _, scores = scored(f"mode={mode}", LONG, LONG)
    expected = [
        [plain_similarity(plain_masses(s, mode), plain_masses(r, mode)) for r in LONG.values()]
        for s in LONG.values()
    ]
    np.testing.assert_allclose(scores.stats[:, :, 0], expected, atol=1e-6)
    np.testing.assert_allclose(scores.values[:, 0], np.mean(expected, axis=1), atol=1e-6)


REAL = {
    "a": "A federal judge struck the ban down. The governor vowed to appeal, and the judge left.",
    "b": "The court ruled that the ban was void.",
    "c": "Rain is expected; 😀 roads may be closed.",
    "empty": " ",
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("context", ["yes", "no"])
def test_a_text_against_itself_scores_1_and_sides_may_be_exchanged(scored, mode, context):
    _, _, scores = scored(f"mode={mode},context={context}", REAL, REAL, source="minilm")
    similarity = scores.stats[:, :, 0]
    np.testing.assert_allclose(np.diag(similarity), [1, 1, 1, math.nan], atol=1e-5)
    np.testing.assert_allclose(similarity, similarity.T, atol=1e-6)
    assert similarity[0, 1] > similarity[0, 2] > 0


def test_in_context_a_word_moves_where_its_sentence_is_another(scored):
    texts = {"r": "The bank of the river flooded."}, {"s": "The river bank flooded."}
    assert scored("mode=wms", *texts, source="minilm")[2].values[0, 0] == pytest.approx(1.0, abs=1e-6)
    assert scored("mode=wms,context=yes", *texts, source="minilm")[2].values[0, 0] < 0.999


@pytest.mark.parametrize("settings", [*(f"mode={mode}" for mode in MODES), "mode=s+wms,context=yes"])
def test_the_explanation_evaluates_to_the_score_and_shows_its_words(scored, settings):
    metric, prepared, scores = scored(settings, {"r": REAL["a"], "q": REAL["b"]}, REAL, source="minilm")
    for system, name in enumerate(REAL):
        tree = metric.explain(prepared, system)[metric.measures()[0]]
        assert tree.evaluate() == pytest.approx(scores.values[system, 0], abs=1e-7, nan_ok=True)
        spans = [
            e.span
            for pair in tree.children
            for leaf in pair.children
            for e in leaf.evidence
            if e.role == "summary"
        ]
        words = {REAL[name][slice(*span)].lower() for span in spans}
        assert "the" not in words
        assert (name != "b") or words == {"court", "ruled", "ban", "void"}


def test_the_explanation_names_no_move_of_nothing(scored):
    metric, prepared, _ = scored("mode=s+wms", LONG, LONG)
    trees = [metric.explain(prepared, system)["s+wms.score"] for system in range(len(LONG))]
    labels = [leaf.label for tree in trees for pair in tree.children for leaf in pair.children]
    assert labels
    assert not [label for label in labels if ": 0.0%" in label]


def test_any_subset_of_references_is_combined_without_the_texts(scored):
    metric, _, scores = scored("mode=s+wms", LONG, LONG)
    subset = metric.combine(scores.stats, np.array([True, False, True, False]))
    alone = scored("mode=s+wms", {name: LONG[name] for name in "ac"}, LONG)[2].values
    np.testing.assert_allclose(subset, alone, atol=1e-9)
    assert metric.pool is Pool.MEAN


def test_the_signature_repeats_the_run(resources, tmp_path):
    signature = parse("sms").signature(resources)
    assert signature.startswith(
        "sms|mode:sms|vectors:minilm|context:no|stop_words:yes|source:input-embeddings"
    )
    assert parse(signature).signature(resources) == signature
    in_context = parse("sms:mode=s+wms,context=yes")
    assert "|model:all-MiniLM-L6-v2|hash:53aa51172d14|tokenizer:fast|dtype:float32|" in in_context.signature(
        resources
    )
    assert parse(in_context.signature(resources)) == in_context
    assert (Need.ENCODER in in_context.needs, Need.WORD_VECTORS in parse("sms").needs) == (True, True)
    assert "There are no word vectors" in parse(f"sms:vectors={tmp_path / 'x.vec'}").unavailable(resources)
    assert "There is no model in" in parse(f"sms:context=yes,vectors={tmp_path / 'x'}").unavailable(resources)
