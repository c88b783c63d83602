"""SummaQA against cases by hand and a reimplementation of both programs."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.metrics.base import Need, Pool
from core.metrics.comprehension.squad_f1 import answer_f
from core.metrics.comprehension.summaqa import PreparedQuestions
from core.metrics.registry import parse
from core.models.heads.question_answering import _shortened
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_sentences as topic
from tests.core.metrics.scored import values as scores

Make = Callable[..., Path]

DOCUMENTS = (
    ("the court ruled on Monday , new dogs ran .", "A cat sat on Mat 3 ."),
    ("In 2014 the dog ran .",),
)
ASKED = [
    ("the court ruled on MASKED , new dogs ran .", "Monday"),
    ("A cat sat on MASKED 3 .", "Mat"),
    ("A cat sat on Mat MASKED .", "3"),
    ("In MASKED the dog ran .", "2014"),
]
SUMMARIES = (("the court ruled on mat .", "a new cat ."), ("dogs ran on a mat ,",), ())


@pytest.fixture
def resources() -> StudyResources:
    return StudyResources(None, "cpu")


@pytest.fixture
def answering(make_model: Make) -> str:
    """A random model that answers questions of up to 48 pieces, question and text."""
    sizes = {"max_position_embeddings": 48, "initializer_range": 0.6}
    return str(make_model("answering", "BertForQuestionAnswering", **sizes))


@pytest.mark.parametrize(
    ("answer", "expected", "f1"),
    [
        ("The Denver Broncos!", "denver broncos", 1.0),
        ("denver broncos team", "denver broncos", 0.8),  # 2/3 and 1
        ("den ##ver", "denver", 0.0),
        ("", "denver", 0.0),
        ("the", "a", 0.0),
        ("new new york", "new york", 0.8),
    ],
)
def test_answers_are_compared_by_the_words_they_share(answer: str, expected: str, f1: float) -> None:
    assert answer_f(answer, expected) == pytest.approx(f1)


@given(st.text(alphabet="ab the.", max_size=20), st.text(alphabet="ab the.", max_size=20))
def test_the_overlap_of_answers_is_symmetric_and_a_share(a: str, b: str) -> None:
    assert answer_f(a, b) == pytest.approx(answer_f(b, a))
    assert 0 <= answer_f(a, b) <= 1 + 1e-12


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 50))
def test_the_longer_part_loses_its_end_piece_by_piece(question: int, text: int, room: int) -> None:
    lengths = [question, text]
    while sum(lengths) > room:
        lengths[0 if lengths[0] > lengths[1] else 1] -= 1
    assert _shortened(question, text, room) == tuple(lengths)


def test_each_entity_makes_a_question(answering: str, resources: StudyResources) -> None:
    chosen = parse(f"summaqa:qa={answering},entities=rules")
    prepared = chosen.prepare(topic(SUMMARIES, DOCUMENTS), resources)
    assert isinstance(prepared, PreparedQuestions)
    assert [question.answer for question in prepared.questions] == [answer for _, answer in ASKED]


@cache
def loaded(folder: str) -> tuple[Any, Any]:
    """A model's tokenizer and network, by transformers itself."""
    from transformers import AutoTokenizer, BertForQuestionAnswering

    network = BertForQuestionAnswering.from_pretrained(folder).eval()
    return AutoTokenizer.from_pretrained(folder), network


def plain_answer(folder: str, question: str, summary: str, mode: str) -> tuple[str, float]:
    """An answer and its probability, as the programs get them, one question at a time."""
    tokenizer, network = loaded(folder)
    question_ids = tokenizer(question, add_special_tokens=False)["input_ids"]
    read = tokenizer(summary, add_special_tokens=False)["input_ids"]
    while len(question_ids) + len(read) + 3 > 48:
        (question_ids if len(question_ids) > len(read) else read).pop()
    ids = [2, *question_ids, 3, *read, 3]
    segments = [int(place > ids.index(3)) for place in range(len(ids))]
    mask = [1] * len(ids)
    if mode == "toolkit":  # filled up to what the small model takes
        more = 48 - len(ids)
        ids, segments, mask = (row + [0] * more for row in (ids, segments, mask))
    token_types = segments if mode == "toolkit" else [0] * len(ids)
    with torch.no_grad():
        out = network(
            input_ids=torch.tensor([ids]),
            token_type_ids=torch.tensor([token_types]),
            attention_mask=torch.tensor([mask]),
        )
    start, end = (
        torch.softmax(logits[0], -1) * torch.tensor(segments) for logits in (out.start_logits, out.end_logits)
    )
    pieces = tokenizer.convert_ids_to_tokens(ids)
    answer_text = " ".join(pieces[int(start.argmax()) : int(end.argmax()) + 1])
    return answer_text, float(start.max() * end.max())


def plain_f(answer: str, expected: str) -> float:
    def words(text: str) -> list[str]:
        bare = "".join(sign for sign in text.lower() if sign not in string.punctuation)
        return re.sub(r"\b(a|an|the)\b", " ", bare).split()

    a, b = words(answer), words(expected)
    same = sum((Counter(a) & Counter(b)).values())
    return 0.0 if not same else 2 * (same / len(a)) * (same / len(b)) / (same / len(a) + same / len(b))


@pytest.mark.parametrize("mode", ["reference", "toolkit"])
def test_it_agrees_with_a_plain_restatement(mode: str, answering: str, resources: StudyResources) -> None:
    long = ("the dog ran on a mat . " * 8, "the court ruled .")
    one = topic([*SUMMARIES, long], DOCUMENTS)
    expected = []
    for summary in one.summaries:
        answers = [plain_answer(answering, question, summary.content, mode) for question, _ in ASKED]
        fs = [
            plain_f(answer_text, answer) for (answer_text, _), (_, answer) in zip(answers, ASKED, strict=True)
        ]
        expected.append((np.mean([sure for _, sure in answers]), np.mean(fs)))
    spec = f"summaqa:qa={answering},entities=rules,mode={mode}"
    np.testing.assert_allclose(scores(spec, one, resources), expected, atol=1e-6)
    chosen = parse(spec)
    assert chosen.score(chosen.prepare(one, resources)).notes["truncated"] == 1


def test_the_two_programs_differ(answering: str, resources: StudyResources) -> None:
    one = topic(SUMMARIES, DOCUMENTS)
    spec = f"summaqa:qa={answering},entities=rules"
    assert not np.allclose(
        scores(spec, one, resources), scores(f"{spec},mode=toolkit", one, resources), atol=1e-4
    )


def test_neither_batches_nor_order_change_a_number(answering: str) -> None:
    spec = f"summaqa:qa={answering},entities=rules"
    alone = scores(spec, topic(SUMMARIES, DOCUMENTS), StudyResources(None, "cpu", batch_tokens=1))
    together = StudyResources(None, "cpu", batch_tokens=100_000)
    turned = scores(spec, topic(SUMMARIES[::-1], DOCUMENTS[::-1]), together)
    np.testing.assert_allclose(alone, turned[::-1], atol=1e-5)


def test_a_tree_shows_each_question_and_its_answer(answering: str, resources: StudyResources) -> None:
    one, chosen = topic(SUMMARIES, DOCUMENTS), parse(f"summaqa:qa={answering},entities=rules")
    prepared = chosen.prepare(one, resources)
    values = chosen.score(prepared).values
    for system, summary in enumerate(one.summaries):
        trees = chosen.explain(prepared, system)
        assert [tree.evaluate() for tree in trees.values()] == pytest.approx(
            values[system].tolist(), abs=1e-6
        )
        for tree in trees.values():
            questions = [leaf.evidence[0] for leaf in tree.children]
            texts = {text.name: text.content for text in one.documents}
            assert [texts[each.name][slice(*each.span)] for each in questions] == [a for _, a in ASKED]
            for leaf in tree.children:
                for answer in leaf.evidence[1:]:
                    answer_text = leaf.label.partition(" → ")[2].removesuffix(" [SEP]").replace(" ##", "")
                    assert " ".join(summary.content[slice(*answer.span)].split()) == answer_text


def test_documents_without_a_question_give_no_score(answering: str, resources: StudyResources) -> None:
    one, chosen = topic(SUMMARIES, [["nothing is asked ."]]), parse(f"summaqa:qa={answering},entities=rules")
    prepared = chosen.prepare(one, resources)
    scores = chosen.score(prepared)
    assert np.isnan(scores.values).all()
    assert scores.notes == {"no_questions": 1}
    assert all(np.isnan(tree.evaluate()) for tree in chosen.explain(prepared, 0).values())


def test_questions_of_the_published_examples_are_made(
    answering: str, resources: StudyResources, shared_data: Path
) -> None:
    import json

    file = shared_data / "multiling" / "summaqa-examples.json"
    inputs = json.loads(file.read_text(encoding="utf-8"))["inputs"]
    source = inputs[0]["sources"][0]
    one = TopicTexts("t", "t", documents=(Text("d", "d", source),))
    prepared = parse(f"summaqa:qa={answering},entities=rules").prepare(one, resources)
    assert isinstance(prepared, PreparedQuestions)
    answers = {question.answer for question in prepared.questions}
    assert {"Super Bowl", "2015", "Denver Broncos", "February 7, 2016", "Santa Clara", "NFL"} <= answers


def test_the_entity_finder_is_in_the_signature(answering: str, resources: StudyResources) -> None:
    chosen = parse(f"summaqa:qa={answering},entities=rules")
    signature = chosen.signature(resources)
    assert "|entities:rules|mode:reference|" in signature
    assert parse(signature) == chosen
    assert "entities:auto" not in parse(f"summaqa:qa={answering}").signature(resources)
    assert (chosen.needs, chosen.pool) == ({Need.DOCUMENTS, Need.QA}, Pool.JOINT)


def test_a_pipeline_asks_for_what_it_finds_and_is_named(
    answering: str, resources: StudyResources, tmp_path: Path
) -> None:
    made = spacy.blank("en")
    made.add_pipe("entity_ruler").add_patterns([{"label": "ANIMAL", "pattern": "new dogs"}])
    made.to_disk(tmp_path / "pipeline")
    chosen = parse(f"summaqa:qa={answering},entities={tmp_path / 'pipeline'}")
    assert chosen.unavailable(resources) == ""
    prepared = chosen.prepare(topic(SUMMARIES, DOCUMENTS), resources)
    assert isinstance(prepared, PreparedQuestions)
    (question,) = prepared.questions
    assert question.answer == "new dogs"
    parts = r"\|pipeline:en_pipeline-0\.0\.0\|pipeline_hash:[0-9a-f]{12}\|spacy:3\."
    assert re.search(parts, chosen.signature(resources))


def test_missing_models_are_reported_before_a_run(
    resources: StudyResources, make_model: Make, answering: str
) -> None:
    assert (
        parse("summaqa")
        .unavailable(resources)
        .startswith("The model 'bert-large-squad' is not on this machine.")
    )
    assert "is not a question answering model" in parse("summaqa:qa=minilm").unavailable(resources)
    with pytest.raises(InputError, match="ends in ForQuestionAnswering"):
        resources.answerer(str(make_model()))
    metric = parse(f"summaqa:qa={answering},entities=/nowhere")
    assert "config.cfg" in metric.unavailable(resources)
    assert parse(f"summaqa:qa={answering},entities=rules").unavailable(resources) == ""
