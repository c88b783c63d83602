"""SUPERT against cases by hand and a direct computation with the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from core.domain.study import Text, TopicTexts
from core.metrics.base import Need, Pool
from core.metrics.embedding.supert import PARTS, _counted, _stop_words
from core.metrics.registry import metric, parse
from core.models.encoders.encoder import Encoder
from core.models.runtime.word_pieces import WordPieces
from core.scoring.study_resources import StudyResources
from core.text.sentences import sentence_spans
from tests.core.metrics.made_topics import topic_of_sentences as topic
from tests.core.metrics.scored import tools_for
from tests.core.metrics.scored import values as scores

Make = Callable[..., Path]
AddEncoder = Callable[[StudyResources], str]

LONG = tuple(f"On day {n} the court of town {n} heard what a bridge costs." for n in range(9))
DOCUMENTS = (
    ("A federal judge struck the ban down on Monday.", "The governor didn't agree.", *LONG),
    ("Rain is expected in the north.", "Roads won't be closed; 🌉 bridges may be.", *LONG[:4]),
)
SUMMARIES = (
    ("The ban was struck down by a judge.", "The governor disagreed."),
    ("It will rain, and the bridges in the north may close 😀.",),
    ("The court heard of the bridge's costs.",),
)


@pytest.fixture
def resources(minilm: Encoder) -> StudyResources:
    return tools_for(minilm=minilm)


def f_of(p: float, r: float) -> float:
    return 2 * p * r / (p + r)


def test_a_case_worked_by_hand(by_table: AddEncoder) -> None:
    resources = StudyResources(None, "cpu")
    one = topic([["the cat", "on a dog"]], [["the cat", "mat", "dog dog"]])
    p, r = (1.0 + 0.8) / 2, (1.0 + 0.6) / 2
    values = scores(f"supert:encoder={by_table(resources)},top=2", one, resources)
    np.testing.assert_allclose(values, [[p, r, f_of(p, r)]], atol=1e-6)


def test_stop_words_count_on_request(by_table: AddEncoder) -> None:
    resources = StudyResources(None, "cpu")
    one = topic([["the cat"]], [["cat mat"]])
    folder = by_table(resources)
    assert scores(f"supert:encoder={folder}", one, resources)[0, 0] == pytest.approx(1.0)
    values = scores(f"supert:encoder={folder},stop_words=no", one, resources)
    np.testing.assert_allclose(values, [[0.5, 0.5, 0.5]], atol=1e-6)  # "the" lies across cat and mat


def test_documents_are_compared_each_or_together(by_table: AddEncoder) -> None:
    resources = StudyResources(None, "cpu")
    one = topic([["cat"]], [["cat"], ["mat", "dog"]])
    folder = by_table(resources)
    p, r = (1.0 + 0.8) / 2, (1.0 + 0.4) / 2
    each = scores(f"supert:encoder={folder},documents=each", one, resources)
    np.testing.assert_allclose(each, [[p, r, (1.0 + f_of(0.8, 0.4)) / 2]], atol=1e-6)
    r = (1.0 + 0.0 + 0.8) / 3
    for spec in (f"supert:encoder={folder},documents=together", f"supert:encoder={folder}"):
        np.testing.assert_allclose(scores(spec, one, resources), [[1.0, r, f_of(1.0, r)]], atol=1e-6)


def test_from_fifteen_sentences_on_each_document_is_compared_by_itself(by_table: AddEncoder) -> None:
    resources = StudyResources(None, "cpu")
    spec = f"supert:encoder={by_table(resources)}"
    for many, way in ((13, "together"), (14, "each")):
        one = topic([["cat"]], [["cat"], ["mat"] * many])
        values = scores(spec, one, resources)
        np.testing.assert_array_equal(values, scores(f"{spec},documents={way}", one, resources))
    assert values[0, 1] == pytest.approx((1.0 + 0.0) / 2)


def plain_vectors(encoder: Encoder, sentences: Sequence[str]) -> np.ndarray:
    """Unit vectors of pieces that are no stop words, by the model itself, one sentence at a time."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(encoder.model.folder)
    module = AutoModel.from_pretrained(encoder.model.folder).eval()
    rows = []
    for sentence in sentences:
        fed = tokenizer(sentence, return_tensors="pt", truncation=True, max_length=130)
        with torch.no_grad():
            states = module(**fed).last_hidden_state[0].numpy()
        names = tokenizer.convert_ids_to_tokens(fed["input_ids"][0])
        dropped = {"[CLS]", "[SEP]", *_stop_words()}
        rows += [
            row / np.linalg.norm(row) for name, row in zip(names, states, strict=True) if name not in dropped
        ]
    return np.array(rows)


def test_it_agrees_with_a_plain_computation(resources: StudyResources, minilm: Encoder) -> None:
    summaries = [plain_vectors(minilm, summary) for summary in SUMMARIES]
    pseudo = [plain_vectors(minilm, document[:8]) for document in DOCUMENTS]
    expected = []
    for summary in summaries:
        cosines = [summary @ document.T for document in pseudo]
        p = np.array([c.max(axis=1).mean() for c in cosines])
        r = np.array([c.max(axis=0).mean() for c in cosines])
        expected.append([p.mean(), r.mean(), (2 * p * r / (p + r)).mean()])
    values = scores("supert:top=8,documents=each", topic(SUMMARIES, DOCUMENTS), resources)
    np.testing.assert_allclose(values, expected, atol=1e-5)


@pytest.mark.parametrize("batch_tokens", [1, 4096])
def test_batches_and_order_change_nothing(resources: StudyResources, batch_tokens: int) -> None:
    there = scores("supert", topic(SUMMARIES, DOCUMENTS), resources)
    other = StudyResources(None, "cpu", batch_tokens=batch_tokens)
    back = scores("supert", topic(SUMMARIES[::-1], DOCUMENTS[::-1]), other)
    np.testing.assert_allclose(there, back[::-1], atol=1e-5)


def test_a_summary_of_the_first_sentences_scores_one(resources: StudyResources) -> None:
    values = scores("supert:top=2", topic([DOCUMENTS[0][:2]], [DOCUMENTS[0]]), resources)
    np.testing.assert_allclose(values, 1.0, atol=1e-5)


def test_sentences_are_split_where_none_are_given(resources: StudyResources) -> None:
    content = " ".join(DOCUMENTS[0])
    assert len(sentence_spans(content)) == len(DOCUMENTS[0])
    one = topic(SUMMARIES, DOCUMENTS[:1])
    whole = TopicTexts("t", "t", documents=(Text("d", "d", content),), summaries=one.summaries)
    np.testing.assert_allclose(
        scores("supert", one, resources), scores("supert", whole, resources), atol=1e-5
    )


def test_a_summary_without_words_scores_nothing(resources: StudyResources) -> None:
    values = scores("supert", topic([[], [""], ["the of"], ["ban"]], [["A ban."]]), resources)
    assert not values[:3].any()
    assert values[3].all()


@pytest.mark.parametrize("documents", [[[""]], [["the of"], []]])
def test_documents_without_words_leave_scores_undefined(
    resources: StudyResources, documents: Sequence[Sequence[str]]
) -> None:
    assert np.isnan(scores("supert", topic([["A ban."]], documents), resources)).all()


def test_an_empty_document_counts_for_nothing(resources: StudyResources) -> None:
    spec = "supert:documents=each"
    with_it = scores(spec, topic(SUMMARIES, [*DOCUMENTS, [" "]]), resources)
    np.testing.assert_allclose(with_it, scores(spec, topic(SUMMARIES, DOCUMENTS), resources), atol=1e-6)


def pieces_of(strings: Sequence[str], spans: Sequence[tuple[int, int]]) -> WordPieces:
    return WordPieces(
        np.arange(len(strings)), tuple(strings), tuple(spans), np.zeros(len(strings), dtype=bool)
    )


@pytest.mark.parametrize(
    ("strings", "spans", "counted"),
    [
        (("The", "cat", "##s", "'", "s"), ((0, 3), (4, 7), (7, 8), (8, 9), (9, 10)), "01110"),
        (("ĠThe", "Ġcat", "s", "'", "s"), ((0, 3), (4, 7), (7, 8), (8, 9), (9, 10)), "01110"),
        (("▁The", "▁cat", "s", "'", "s"), ((0, 3), (3, 7), (7, 8), (8, 9), (9, 10)), "01110"),
    ],
)
def test_a_continuation_is_not_a_stop_word(
    strings: Sequence[str], spans: Sequence[tuple[int, int]], counted: str
) -> None:
    actual = _counted("The cats's", pieces_of(strings, spans), _stop_words())
    assert "".join(map(str, actual.astype(int))) == counted


@pytest.mark.parametrize("spec", ["supert", "supert:documents=together,stop_words=no"])
def test_the_explanation_evaluates_to_the_score(resources: StudyResources, spec: str) -> None:
    one = topic([*SUMMARIES, [""]], DOCUMENTS)
    chosen = parse(spec)
    prepared = chosen.prepare(one, resources)
    values = chosen.score(prepared).values
    for system in range(len(one.summaries)):
        trees = chosen.explain(prepared, system)
        assert list(trees) == [f"supert.{part}" for part in PARTS]
        np.testing.assert_allclose([t.evaluate() for t in trees.values()], values[system], atol=1e-6)


def test_the_explanation_shows_the_matched_words(resources: StudyResources) -> None:
    one = topic(SUMMARIES, DOCUMENTS)
    contents = {text.name: text.content for text in (*one.documents, *one.summaries)}
    chosen = parse("supert")
    trees = chosen.explain(chosen.prepare(one, resources), 1)
    for part, (first, second) in (
        ("precision", ("summary", "document")),
        ("recall", ("document", "summary")),
    ):
        for pair in trees[f"supert.{part}"].children:
            for leaf in pair.children:
                mine, theirs = leaf.evidence
                assert (mine.role, theirs.role) == (first, second)
                sides = [contents[side.name][slice(*side.span)] for side in leaf.evidence]
                assert leaf.label == " → ".join(sides)
                assert leaf.label.split()[0].lower() not in _stop_words()


def test_truncated_texts_are_counted(make_model: Make) -> None:
    long = "cat dog mat ran " * 4
    one = topic([["cat"], [long, long]], [["dog"], [long]])
    chosen = metric("supert", encoder=str(make_model()))
    assert chosen.score(chosen.prepare(one, StudyResources(None, "cpu"))).notes == {"truncated": 2}


def test_a_sentence_is_read_up_to_128_pieces(resources: StudyResources) -> None:
    one = topic([["cat " * 128], ["cat " * 129]], [["cat"]])
    chosen = parse("supert")
    prepared = chosen.prepare(one, resources)
    assert [len(summary.places) for summary in prepared.summaries] == [128, 128]
    assert chosen.score(prepared).notes == {"truncated": 1}


def test_the_signature_repeats_the_run(resources: StudyResources) -> None:
    signature = parse("supert").signature(resources)
    assert signature == (
        "supert|encoder:minilm|top:15|documents:auto|stop_words:yes|dtype:float32"
        "|model:all-MiniLM-L6-v2|hash:53aa51172d14|tokenizer:fast|version:2"
    )
    assert parse(signature).signature(resources) == signature


def test_it_needs_documents_and_no_references() -> None:
    assert parse("supert").needs == {Need.DOCUMENTS, Need.ENCODER}
    assert parse("supert").pool is Pool.JOINT


def test_an_unavailable_metric_gives_the_reason(resources: StudyResources, tmp_path: Path) -> None:
    assert parse("supert").unavailable(resources) == ""
    assert "There is no model in" in metric("supert", encoder=str(tmp_path / "x")).unavailable(resources)
