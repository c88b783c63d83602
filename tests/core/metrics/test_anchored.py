"""Anchored ROUGE: cases by hand, comparison with a program without matrices, and properties."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from core.domain.study import Text, TopicTexts
from core.errors import BadSetting
from core.metrics.anchored.ancr import AnchoredRouge, collect_candidates, find_anchors, grams, pairs
from core.metrics.base import Need, Pool
from core.metrics.registry import metric, parse
from core.models.encoders.encoder import Encoder, load_encoder
from core.models.encoders.nearest_neighbours import k_nearest
from core.scoring.study_resources import StudyResources
from core.text.sentences import sentence_spans_of
from core.text.stemming import morph_stem
from core.text.tokenization import Tokenizer, TokenizerSettings
from tests.core.metrics.made_topics import topic_of_texts
from tests.core.metrics.scored import tools_for

DOCUMENTS = (
    "On Monday a federal judge struck down the state's ban. Critics of the ban had sued twice.",
    "The state will appeal the ruling. Rain is expected. The bans were never enforced, the judge said.",
)
REFERENCES = (
    "The court ruled that the ban was void. The state appeals.",
    "A ban was struck down by a judge.",
)
SUMMARIES = ("A judge struck the banned bans down. The ban is void.", "Rain is expected tomorrow.", "", "Ban")


def topic_of(
    summaries: Sequence[str] = SUMMARIES,
    references: Sequence[str] = REFERENCES,
    documents: Sequence[str] = DOCUMENTS,
) -> TopicTexts:
    return topic_of_texts(summaries, references, documents)


TOPIC = topic_of()


@pytest.fixture
def resources(minilm: Encoder) -> StudyResources:
    return tools_for(TOPIC, minilm=minilm)


def values(chosen: AnchoredRouge, resources: StudyResources, topic: TopicTexts = TOPIC) -> np.ndarray:
    return chosen.score(chosen.prepare(topic, resources)).values


def test_support_and_its_overlap_are_those_worked_by_hand() -> None:
    cut = Tokenizer(TokenizerSettings())
    documents = [grams(cut.words("a b c"), 1)]
    sources = collect_candidates(documents, [np.array([[1, 0], [0, 1], [-1, 0]], np.float32)], "occurrence")
    mine = [grams(cut.words(text), 1) for text in ("x x y", "z")]
    vectors = [np.array([[3, 4], [3, 4], [0, 2]], np.float32), np.array([[4, 3]], np.float32)]
    sets = find_anchors(mine, vectors, sources, 2, "cpu")
    # x twice: 0.6 to a, 0.8 to b; y: 0 to a (the first of equals), 1 to b; z: 0.8 to a, 0.6 to b; none to c
    assert sets.sources.tolist() == [0, 1]
    np.testing.assert_allclose(sets.support, [[1.2, 2.6], [0.8, 0.6]], atol=1e-6)


def test_recall_and_precision_are_sums_over_references(resources: StudyResources) -> None:
    chosen = AnchoredRouge()
    result = chosen.score(chosen.prepare(TOPIC, resources))
    assert result.stats is not None
    matched, expected, offered = result.stats.sum(axis=1)[0]
    precision, recall = matched / offered, matched / expected
    f = 2 * precision * recall / (precision + recall)
    np.testing.assert_allclose(result.values[0], [recall, precision, f], atol=1e-9)


@pytest.mark.parametrize(
    "spec",
    [
        "ancr",
        "ancr:n=2",
        "ancr:units=pairs,gap=1",
        "ancr:units=pairs,gap=-1,k=3",
        "ancr:anchor=type",
        "ancr:n=2,anchor=type,k=2",
        "ancr:layers=2,stem=no",
        "ancr:k=900",
    ],
)
def test_it_gives_what_a_plain_program_gives(resources: StudyResources, minilm: Encoder, spec: str) -> None:
    chosen = parse(spec)
    assert isinstance(chosen, AnchoredRouge)
    actual = values(chosen, resources)
    for system, summary in enumerate(TOPIC.summaries):
        recall, precision = plain(chosen, minilm, TOPIC.documents, TOPIC.references, summary)
        assert actual[system, 0] == pytest.approx(recall, abs=1e-5)
        assert actual[system, 1] == pytest.approx(precision, abs=1e-5)


@pytest.mark.parametrize("spec", ["ancr", "ancr:n=2,anchor=type", "ancr:units=pairs,window=longest"])
def test_a_reference_against_itself_has_one(resources: StudyResources, spec: str) -> None:
    topic = topic_of(summaries=REFERENCES[:1], references=REFERENCES[:1])
    np.testing.assert_allclose(values(parse(spec), resources, topic), 1.0, atol=1e-9)


def test_nothing_moves_with_batches_or_the_order_of_texts(minilm: Encoder) -> None:
    chosen = AnchoredRouge(k=2)
    expected = values(chosen, tools_for(TOPIC, minilm=minilm))
    backwards = topic_of(SUMMARIES[::-1], REFERENCES[::-1])
    for batch_tokens in (1, 64 * 512):
        fresh = tools_for(TOPIC, minilm=load_encoder("minilm", device="cpu", batch_tokens=batch_tokens))
        np.testing.assert_allclose(values(chosen, fresh, backwards)[::-1], expected, atol=1e-5)


@pytest.mark.parametrize("spec", ["ancr", "ancr:pooling=best", "ancr:n=2,anchor=type"])
def test_a_subset_of_references_needs_no_text(resources: StudyResources, spec: str) -> None:
    chosen = parse(spec)
    stats = chosen.score(chosen.prepare(TOPIC, resources)).stats
    assert stats is not None
    alone = values(chosen, resources, topic_of(references=REFERENCES[:1]))
    np.testing.assert_allclose(chosen.combine(stats, np.array([True, False])), alone, atol=1e-6)


@pytest.mark.parametrize("spec", ["ancr", "ancr:units=pairs", "ancr:anchor=type,pooling=best"])
def test_the_explanation_evaluates_to_the_score_and_shows_all_three_texts(
    resources: StudyResources, spec: str
) -> None:
    chosen = parse(spec)
    prepared = chosen.prepare(TOPIC, resources)
    result = chosen.score(prepared).values
    for system in range(len(SUMMARIES)):
        trees = chosen.explain(prepared, system)
        assert [tree.evaluate() for tree in trees.values()] == pytest.approx(result[system], abs=1e-9)
    recall = chosen.explain(prepared, 0)[chosen.measures()[0]]
    first = recall.children[0].children[0].children[0]
    assert {evidence.role for evidence in first.evidence} == {"summary", "reference", "document"}
    by_name = {text.name: text for text in (*TOPIC.summaries, *TOPIC.references, *TOPIC.documents)}
    for evidence in first.evidence:
        start, end = evidence.span
        assert re.fullmatch(r"[A-Za-z]+( [A-Za-z]+)*", by_name[evidence.name].content[start:end])


def test_an_anchor_may_be_a_place_or_all_places_of_its_words() -> None:
    vocabulary = Tokenizer(TokenizerSettings(stem=True))
    documents = [grams(vocabulary.words(text), 1) for text in ("the ban", "bans the")]
    vectors = [np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32)]
    assert len(collect_candidates(documents, vectors, "occurrence").vectors) == 4
    types = collect_candidates(documents, vectors, "type")
    np.testing.assert_allclose(types.vectors, [[0.5, 0.5], [0.5, 0.5]])
    assert list(types.places(1)) == [(0, ((4, 7),)), (1, ((0, 4),))]


def test_particles_stay_in_their_sentence() -> None:
    content = "one two three. four five."
    words = Tokenizer(TokenizerSettings()).words(content, ((0, 14), (15, 25)))
    assert grams(words, 2).members.tolist() == [[0, 1], [1, 2], [3, 4]]
    assert grams(words, 4).members.shape == (0, 4)
    assert pairs(words, -1).members.tolist() == [[0, 1], [0, 2], [1, 2], [3, 4]]
    assert pairs(words, 0).members.tolist() == [[0, 1], [1, 2], [3, 4]]
    assert [pairs(words, 1).places(i) for i in (0, 1)] == [((0, 7),), ((0, 3), (8, 13))]


def test_of_equally_near_vectors_the_first_are_taken_whatever_the_tiles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(5)
    mine, theirs = random.normal(size=(40, 6)), random.normal(size=(15, 6))
    mine, theirs = mine.astype(np.float32), np.tile(theirs, (3, 1)).astype(np.float32)
    units = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in (mine, theirs)]
    cosines = (units[0].astype(float) @ units[1].astype(float).T).round(6)
    for most in (1, 100, 1 << 20):
        monkeypatch.setattr("core.models.encoders.nearest_neighbours._MOST_COSINES", most)
        neighbours = k_nearest(mine, theirs, 7, "cpu")
        for row, places in zip(cosines, neighbours.places.tolist(), strict=True):
            assert places == sorted(np.lexsort((np.arange(45), -row))[:7].tolist())
        np.testing.assert_allclose(
            neighbours.cosines, np.take_along_axis(cosines, neighbours.places, 1), atol=1e-5
        )


def test_texts_and_documents_without_words_score_nothing(resources: StudyResources) -> None:
    assert not values(AnchoredRouge(), resources)[2].any()
    assert not values(AnchoredRouge(), resources, topic_of(documents=("…",))).any()
    assert not values(AnchoredRouge(n=9), resources, topic_of(summaries=("One.",))).any()


def test_the_longest_window_reads_sentences_together(make_model: Callable[..., Path]) -> None:
    encoder = load_encoder(str(make_model(max_position_embeddings=64)), device="cpu")
    topic = topic_of(("The cat sat.",), ("A dog ran on the mat.",), ("The cat sat. A dog ran on the mat.",))
    apart, together = (
        values(AnchoredRouge(layers=2, k=1, window=window), tools_for(TOPIC, minilm=encoder), topic)
        for window in ("sentence", "longest")
    )
    assert abs(apart - together).max() > 1e-6


def test_letters_that_words_lack_are_noted(resources: StudyResources) -> None:
    chosen = AnchoredRouge()
    topic = topic_of(summaries=("Ein Gericht kippt das Verbot für immer.",))
    assert chosen.score(chosen.prepare(topic, resources)).notes == {"dropped_characters": 1}


def test_the_signature_contains_only_used_settings(resources: StudyResources) -> None:
    signature = AnchoredRouge().signature(resources)
    assert signature == (
        "ancr|encoder:minilm|n:1|units:n-grams|k:5|anchor:occurrence|layers:4|window:sentence|text:1.5.5"
        "|stem:yes|stop_words:no|pooling:sum|alpha:0.5|dtype:float32"
        "|model:all-MiniLM-L6-v2|hash:53aa51172d14|tokenizer:fast|version:2"
    )
    assert parse(signature).signature(resources) == signature
    assert "|n:" not in parse("ancr:units=pairs").signature(resources)


def test_settings_without_effect_are_refused(resources: StudyResources) -> None:
    with pytest.raises(BadSetting, match="n=2 cannot be combined with units=pairs"):
        parse("ancr:n=2,units=pairs")
    with pytest.raises(BadSetting, match="gap=2 cannot be combined with units=n-grams"):
        parse("ancr:gap=2")
    assert "has 6 layers; choose no more" in metric("ancr", layers=7).unavailable(resources)
    assert metric("ancr").unavailable(resources) == ""


def test_it_needs_documents_and_sums_over_references() -> None:
    assert parse("ancr").needs == {Need.REFERENCES, Need.DOCUMENTS, Need.ENCODER}
    assert (parse("ancr").pool, parse("ancr:pooling=best").pool) == (Pool.SUM, Pool.MAX)
    assert parse("ancr:n=2").measures() == ("ancr-2.recall", "ancr-2.precision", "ancr-2.f")
    assert parse("ancr:units=pairs").measures()[0] == "ancr-s4.recall"
    assert parse("ancr:units=pairs,gap=-1").measures()[0] == "ancr-s*.recall"


Particle = tuple[tuple[str, ...], np.ndarray]


def plain(
    chosen: AnchoredRouge,
    encoder: Encoder,
    documents: Sequence[Text],
    references: Sequence[Text],
    summary: Text,
) -> tuple[float, float]:
    """Recall and precision of one summary, particle by particle, without a matrix."""
    sources = [particle for text in documents for particle in plain_particles(chosen, encoder, text)]
    if chosen.anchor == "type":
        sources = plain_types(sources)
    mine = plain_support(chosen, plain_particles(chosen, encoder, summary), sources)
    matched = expected = offered = 0.0
    for reference in references:
        theirs = plain_support(chosen, plain_particles(chosen, encoder, reference), sources)
        matched += sum(min(mine[source], support) for source, support in theirs.items())
        expected += sum(theirs.values())
        offered += sum(mine.values())
    return matched / expected if expected else 0.0, matched / offered if offered else 0.0


def plain_support(
    chosen: AnchoredRouge, particles: Sequence[Particle], sources: Sequence[Particle]
) -> Counter[int]:
    counts = Counter(form for form, _ in particles)
    support: Counter[int] = Counter()
    for form, vector in plain_types(particles):
        near = [(cosine(vector, other), -place) for place, (_, other) in enumerate(sources)]
        for strength, place in sorted(near, reverse=True)[: chosen.k]:
            support[-place] += counts[form] * max(strength, 0.0)
    return support


def plain_types(particles: Sequence[Particle]) -> list[Particle]:
    types: dict[tuple[str, ...], list[np.ndarray]] = {}
    for form, vector in particles:
        types.setdefault(form, []).append(vector)
    return [(form, sum(vectors) / len(vectors)) for form, vectors in types.items()]


def plain_particles(chosen: AnchoredRouge, encoder: Encoder, text: Text) -> list[Particle]:
    particles = []
    for start, end in sentence_spans_of(text):
        words = plain_words(chosen, encoder, text.content[start:end])
        for chain in plain_chains(chosen, len(words)):
            form, vectors = zip(*(words[i] for i in chain), strict=True)
            particles.append((form, sum(vectors) / len(vectors)))
    return particles


def plain_chains(chosen: AnchoredRouge, words: int) -> list[tuple[int, ...]]:
    if chosen.units == "n-grams":
        return [tuple(range(i, i + chosen.n)) for i in range(words - chosen.n + 1)]
    reach = chosen.gap + 1 if chosen.gap >= 0 else words
    return [pair for pair in combinations(range(words), 2) if pair[1] - pair[0] <= reach]


def plain_words(chosen: AnchoredRouge, encoder: Encoder, sentence: str) -> list[tuple[str, np.ndarray]]:
    last = encoder.model.layers
    (encoded,) = encoder.encode([sentence], range(last - chosen.layers + 1, last + 1))
    states = encoded.vectors.double().cpu().numpy()
    tokens = []
    for word in re.finditer("[A-Za-z0-9]+", sentence):
        pieces = [
            i
            for i, (start, end) in enumerate(encoded.pieces.spans)
            if start < word.end() and end > word.start()
        ]
        vector = sum(states[layer, i] for layer in range(chosen.layers) for i in pieces) / len(pieces)
        form = word.group().lower()
        tokens.append((morph_stem(form) if chosen.stem else form, vector))
    return tokens


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other) / math.sqrt(float(one @ one) * float(other @ other))
