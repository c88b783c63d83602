"""QuestEval against a restatement, one question at a time, by transformers itself."""

from __future__ import annotations

import re
import shutil
import string
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.domain.study import Text
from core.metrics.base import Need, Pool
from core.metrics.comprehension.questeval import PreparedReplies
from core.metrics.registry import parse
from core.models.nlp.entities import RuleEntityFinder
from core.models.nlp.noun_phrases import RulePhraseFinder
from core.scoring.study_resources import StudyResources
from tests.core.language_models import make_language_model
from tests.core.metrics.made_topics import topic_of_texts
from tests.core.metrics.scored import values as scores

DOCUMENTS = [
    "the court ruled on Monday that a ban is void .",
    "the old bridge is void . In short , a dog ran .",
]
SUMMARIES = ["the ban is void . a dog ran .", "a cat sat on Monday , and on the old bridge ."]
REFERENCES = ["the court ruled that the ban is void .", "a dog ran on Monday ."]


@pytest.fixture(scope="module")
def t5s(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Path]]:
    """Pairs of random models that write questions and answers; the first says that some have no answer."""
    return [
        (
            make_language_model(tmp_path_factory.mktemp("asking"), "t5", seed, 80),
            make_language_model(tmp_path_factory.mktemp("answering"), "t5", seed + 1, 80),
        )
        for seed in (31, 5)
    ]


@pytest.fixture
def t5(t5s: list[tuple[Path, Path]]) -> tuple[Path, Path]:
    return t5s[0]


@pytest.fixture
def spec(t5: tuple[Path, Path]) -> str:
    return f"questeval:qg={t5[0]},qa={t5[1]},phrases=rules,answers=f1"


@pytest.fixture(scope="module")
def resources() -> StudyResources:
    return StudyResources(None, "cpu")


@cache
def loaded(folder: Path) -> tuple[Any, Any]:
    import transformers

    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    return transformers.AutoTokenizer.from_pretrained(folder), model


@cache
def written(folder: Path, text: str, limit: int) -> tuple[str, float]:
    """What a model writes, token by token, and the probability that its first one is not number 73."""
    import torch

    tokenizer, model = loaded(folder)
    read = tokenizer([text], truncation=True, max_length=limit, return_tensors="pt")["input_ids"]
    ids, first = [0], None
    with torch.inference_mode():
        while len(ids) < 20 and ids[-1] != 3:
            logits = model(input_ids=read, decoder_input_ids=torch.tensor([ids])).logits[0, -1]
            first = 1 - float(logits.softmax(-1)[73]) if first is None else first
            ids.append(int(logits.argmax()))
    assert first is not None
    return tokenizer.decode(ids, skip_special_tokens=True), first


def overlap(mine: str, theirs: str) -> float:
    def words(text: str) -> list[str]:
        bare = "".join(sign for sign in text.lower() if sign not in string.punctuation)
        return re.sub(r"\b(a|an|the)\b", " ", bare).split()

    a, b = words(mine), words(theirs)
    same = sum((Counter(a) & Counter(b)).values())
    if not a or not b:
        return float(a == b)
    return 0.0 if not same else 2 * (same / len(a)) * (same / len(b)) / (same / len(a) + same / len(b))


def asked(here: str, there: str, t5: tuple[Path, Path], sentences: int, limit: int) -> float:
    """The mean over questions about a text, asked of another one; 0 = nothing to ask about."""
    begun = Text("t", "t", " .".join(here.split(" .")[:sentences]) + " .")
    named, (phrases,) = RuleEntityFinder().entities(begun), RulePhraseFinder().phrases([begun])
    spans = [one.span for one in (*named, *phrases)]
    found = []
    for span in spans:
        answer = begun.content[slice(*span)]
        question, _ = written(t5[0], f"sv1 </s> {answer} </s> {here}", limit)
        reply, first = written(t5[1], f"{question} </s> {there}", limit)
        found += [first, overlap(reply, answer)]
    return float(np.mean(found)) if found else 0.0


@pytest.mark.parametrize(("sentences", "limit", "pair"), [(5, 512, 0), (1, 16, 0), (5, 512, 1)])
def test_it_agrees_with_a_plain_restatement(
    sentences: int, limit: int, pair: int, t5s: list[tuple[Path, Path]], resources: StudyResources
) -> None:
    t5 = t5s[pair]
    spec = f"questeval:qg={t5[0]},qa={t5[1]},phrases=rules,answers=f1"
    metric = parse(f"{spec},sentences={sentences},pieces={limit}")
    prepared = metric.prepare(topic_of_texts(SUMMARIES, documents=DOCUMENTS), resources)
    found = metric.score(prepared)
    source = "\n".join(DOCUMENTS)
    expected = []
    for one in SUMMARIES:
        precision = asked(one, source, t5, sentences, limit)
        recall = asked(source, one, t5, sentences, limit)
        expected.append(((precision + recall) / 2, precision, recall))
    np.testing.assert_allclose(found.values, expected, atol=1e-6)
    if pair:  # one in ten words is the expected one
        assert isinstance(prepared, PreparedReplies)
        assert any(reply.values[1] == 0.1 for cell in prepared.compared[0] for reply in cell.recall)
    else:
        assert np.ptp(found.values[:, 0]) > 1e-4
    assert ("truncated" in found.notes) == (limit == 16)


def test_answers_are_compared_by_bertscore_too(
    spec: str, make_model: Callable[..., Path], resources: StudyResources
) -> None:
    encoder = make_model(max_position_embeddings=64)
    both = spec.replace("answers=f1", f"encoder={encoder},layer=2")
    metric = parse(both)
    prepared = metric.prepare(topic_of_texts(SUMMARIES, documents=DOCUMENTS), resources)
    assert isinstance(prepared, PreparedReplies)
    (cell,) = prepared.compared[0]
    for reply in (*cell.precision, *cell.recall):
        pair = topic_of_texts([reply.found.text], [reply.question.answer])
        (_, _, f), *_ = scores(f"bertscore:encoder={encoder},layer=2", pair, resources)
        assert reply.bert == pytest.approx(f, abs=1e-6)
        assert reply.values[1] == pytest.approx(min(max(f, 0.0), 1.0), abs=1e-6)
        assert reply.values[::2] == pytest.approx(
            [1 - reply.found.first, overlap(reply.found.text, reply.question.answer)]
        )
    assert metric.needs == {Need.DOCUMENTS, Need.LANGUAGE_MODEL, Need.ENCODER}


def test_the_best_reference_counts_by_each_measure(spec: str, resources: StudyResources) -> None:
    metric = parse(f"{spec},against=references")
    found = metric.score(metric.prepare(topic_of_texts(SUMMARIES, REFERENCES), resources))
    each = [
        scores(f"{spec},against=references", topic_of_texts(SUMMARIES, [one]), resources)
        for one in REFERENCES
    ]
    np.testing.assert_allclose(found.values, np.maximum(*each), atol=1e-6)
    assert metric.pool is Pool.MAX
    as_document = scores(spec, topic_of_texts(SUMMARIES, documents=REFERENCES[:1]), resources)
    np.testing.assert_allclose(each[0], as_document, atol=1e-6)


@pytest.mark.parametrize(("summary", "precision"), [("", 0.0), (" \n", 0.0), ("of the , and to it .", 0.0)])
def test_a_text_that_leaves_nothing_to_ask_counts_as_zero(
    summary: str, precision: float, spec: str, resources: StudyResources
) -> None:
    metric = parse(spec)
    prepared = metric.prepare(topic_of_texts([summary], documents=DOCUMENTS), resources)
    found = metric.score(prepared)
    assert found.values[0, 1] == precision
    assert (found.values[0, 2] == 0.0) == (not summary.strip())
    assert found.notes["counted_as_zero"] == 1
    assert [tree.evaluate() for tree in metric.explain(prepared, 0).values()] == pytest.approx(
        found.values[0].tolist()
    )


@pytest.mark.parametrize("against", ["documents", "references"])
def test_a_tree_marks_what_each_question_is_about(against: str, spec: str, resources: StudyResources) -> None:
    metric, topic = parse(f"{spec},against={against}"), topic_of_texts(SUMMARIES, REFERENCES, DOCUMENTS)
    prepared = metric.prepare(topic, resources)
    values = metric.score(prepared).values
    texts = {text.name: text.content for text in (*topic.summaries, *topic.references, *topic.documents)}
    marked = set()
    for system in range(len(SUMMARIES)):
        trees = metric.explain(prepared, system)
        assert [tree.evaluate() for tree in trees.values()] == pytest.approx(
            values[system].tolist(), abs=1e-9
        )
        leaves = [trees["questeval.recall"]]
        while leaves:
            leaf = leaves.pop()
            leaves += leaf.children
            for one in leaf.evidence:
                assert texts[one.name][slice(*one.span)] in leaf.label
                marked.add(one.name)
    assert marked == {text.name for text in getattr(topic, against)}


def test_neither_batches_nor_order_change_a_number(spec: str) -> None:
    alone = StudyResources(None, "cpu", batch_tokens=1)
    plain = scores(spec, topic_of_texts(SUMMARIES, documents=DOCUMENTS), alone)
    together = StudyResources(None, "cpu", batch_tokens=100_000)
    turned = scores(spec, topic_of_texts(SUMMARIES[::-1], documents=DOCUMENTS), together)
    np.testing.assert_allclose(plain, turned[::-1], atol=1e-5)


def test_a_model_of_few_positions_reads_less_of_a_text(
    spec: str, tmp_path: Path, resources: StudyResources
) -> None:
    short = make_language_model(tmp_path / "short", "sequence")  # of 24 positions
    metric = parse(re.sub("qg=[^,]*", f"qg={short}", spec))
    found = metric.score(metric.prepare(topic_of_texts(SUMMARIES, documents=DOCUMENTS), resources))
    assert np.isfinite(found.values).all()
    assert found.notes["truncated"] == len(SUMMARIES)


def test_near_ties_are_noted(spec: str, t5: tuple[Path, Path], tmp_path: Path) -> None:
    import torch
    import transformers

    folder = tmp_path / "even"
    shutil.copytree(t5[1], folder)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder)
    with torch.no_grad():
        model.lm_head.weight[:] = model.lm_head.weight[:1]  # all word pieces are equally likely
    model.save_pretrained(folder)
    metric = parse(re.sub("qa=[^,]*", f"qa={folder}", spec))
    prepared = metric.prepare(topic_of_texts(SUMMARIES[:1], documents=DOCUMENTS), StudyResources(None, "cpu"))
    assert isinstance(prepared, PreparedReplies)
    (cell,) = prepared.compared[0]
    assert metric.score(prepared).notes["undecided_answers"] == len(cell.precision) + len(cell.recall)


def test_the_signature_names_every_model(
    spec: str, make_model: Callable[..., Path], resources: StudyResources
) -> None:
    encoder = make_model(max_position_embeddings=64)
    metric = parse(spec.replace("answers=f1", f"encoder={encoder},layer=2"))
    signature = metric.signature(resources)
    assert len(re.findall(r"\|(?:qg_|encoder_|)hash:[0-9a-f]{12}", signature)) == 3
    assert "|phrases:rules|" in signature
    assert parse(signature) == metric


def test_missing_and_other_models_are_reported_before_a_run(
    spec: str, t5: tuple[Path, Path], tmp_path: Path, resources: StudyResources
) -> None:
    assert (
        parse("questeval")
        .unavailable(resources)
        .startswith("The model 't5-qg-squad1' is not on this machine.")
    )
    assert parse(spec).unavailable(resources) == ""
    assert "is not a sequence-to-sequence model" in parse(
        f"{spec},qg=minilm".replace(f"qg={t5[0]},", "")
    ).unavailable(resources)
    small = make_language_model(tmp_path / "small", "t5")
    assert "has no word piece 73" in parse(re.sub("qa=[^,]*", f"qa={small}", spec)).unavailable(resources)
