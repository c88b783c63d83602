"""Likelihoods against the loss that transformers computes, and UniEval against its definition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import BadSetting, InputError
from core.metrics import registry
from core.metrics.base import Need, Resources
from core.models.heads import likelihood
from core.models.heads.likelihood import Passage, load_likelihood
from core.scoring.study_resources import StudyResources
from tests.core.language_models import make_language_model
from tests.core.metrics.made_topics import topic_of_sentences, topic_of_texts

DOCUMENTS = ["the court ruled on monday that a ban is void .", "the old bridge is void ."]
REFERENCES = ["the court ruled that the ban is void .", "a ban is void , and old ."]
SUMMARIES = ["the ban is void .", "a court ruled on the old bridge and the ban . the bridge is old ."]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {
        kind: make_language_model(tmp_path_factory.mktemp(kind), kind)
        for kind in ("sequence", "causal", "t5")
    }


@pytest.fixture(scope="module")
def resources() -> StudyResources:
    return StudyResources(None, "cpu")


@cache
def loaded(folder: Path) -> tuple[Any, Any]:
    import transformers

    is_causal = "causal" in folder.name
    kind = transformers.AutoModelForCausalLM if is_causal else transformers.AutoModelForSeq2SeqLM
    return transformers.AutoTokenizer.from_pretrained(folder), kind.from_pretrained(folder).eval()


def mean_likelihood(folder: Path, source: str, target: str, limit: int) -> float:
    """Return minus the loss of transformers for one pair, without batches."""
    import torch

    tokenizer, model = loaded(folder)
    if "causal" in folder.name:
        head, tail = tokenizer(source)["input_ids"], tokenizer(target)["input_ids"]
        ids, labels = [*head, *tail], [*(-100 for _ in head), *tail]
    else:
        cut = {"truncation": True, "max_length": limit}
        ids, labels = tokenizer(source, **cut)["input_ids"], tokenizer(target, **cut)["input_ids"]
    with torch.inference_mode():
        return -float(model(input_ids=torch.tensor([ids]), labels=torch.tensor([labels])).loss)


def scored(spec: str, resources: Resources, summaries: Sequence[str] = SUMMARIES, **texts: Any) -> Any:
    metric = registry.parse(spec)
    topic = topic_of_texts(summaries, texts.get("references", REFERENCES), texts.get("documents", DOCUMENTS))
    prepared = metric.prepare(topic, resources)
    scores = metric.score(prepared)
    for system in range(len(summaries)):
        (tree,) = metric.explain(prepared, system).values()
        assert tree.evaluate() == pytest.approx(scores.values[system, 0], abs=1e-6, nan_ok=True)
    return scores


@pytest.mark.parametrize("kind", ["sequence", "t5"])
def test_bartscore_is_the_loss_of_each_direction(kind, models, resources):
    folder, limit = models[kind], 16
    spec = f"bartscore:lm={folder},pieces={limit}"
    found = scored(spec, resources)
    joined = "\n".join(DOCUMENTS)
    expected = [mean_likelihood(folder, joined, summary, limit) for summary in SUMMARIES]
    assert found.values[:, 0] == pytest.approx(expected, abs=1e-5)
    assert found.notes == {"truncated": 2}  # 17 words, and an end or two
    there = np.array([[mean_likelihood(folder, r, s, limit) for r in REFERENCES] for s in SUMMARIES])
    back = np.array([[mean_likelihood(folder, s, r, limit) for r in REFERENCES] for s in SUMMARIES])
    for direction, each in (("ref-hypo", there), ("hypo-ref", back), ("f", (there + back) / 2)):
        found = scored(f"{spec},direction={direction}", resources)
        assert found.stats[:, :, 0] == pytest.approx(each, abs=1e-5)
        assert found.values[:, 0] == pytest.approx(each.mean(axis=1), abs=1e-5)
        best = scored(f"{spec},direction={direction},pooling=best", resources)
        assert best.values[:, 0] == pytest.approx(each.max(axis=1), abs=1e-5)


def test_prompts_of_bartscore(models, resources):
    spec = f"bartscore:lm={models['sequence']},direction=ref-hypo,prompt=In short"
    found = scored(spec, resources, references=REFERENCES[:1]).values[0, 0]
    (reference, *_), (summary, *_) = REFERENCES, SUMMARIES
    limit = 24
    expected = mean_likelihood(models["sequence"], f"{reference} In short,", summary, limit)
    assert found == pytest.approx(expected, abs=1e-5)
    found = scored(f"{spec},side=decoder", resources, references=REFERENCES[:1]).values[0, 0]
    expected = mean_likelihood(models["sequence"], reference, f"In short, {summary}", limit)
    assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("kind", ["causal", "sequence"])
def test_likelihood_after_an_instruction(kind, models, resources):
    (summary, *_), (document, *_) = SUMMARIES, DOCUMENTS
    spec = f"likelihood:lm={models[kind]},aspect=coherence"
    found = scored(spec, resources, [summary], documents=[document]).values[0, 0]
    prompt = f"Generate a coherent summary for the following text: {document}\n\nTl;dr\n"
    assert found == pytest.approx(mean_likelihood(models[kind], prompt, summary, 24), abs=1e-5)
    found = scored(
        rf"likelihood:lm={models[kind]},template=In short :\n{{text}} and", resources, [summary],
        documents=[document],
    ).values[0, 0]  # fmt: skip
    expected = mean_likelihood(models[kind], f"In short :\n{document} and ", summary, 24)
    assert found == pytest.approx(expected, abs=1e-5)


def test_a_causal_model_loses_the_end_of_the_source(models, resources):
    long = " ".join(["the old bridge is void"] * 20)
    spec = f"likelihood:lm={models['causal']},template=In short : {{text}} and"
    found = scored(spec, resources, SUMMARIES[:1], documents=[long])
    words = len(SUMMARIES[0].split())
    kept = " ".join(long.split()[: 40 - words - 4])  # In short : and
    expected = mean_likelihood(models["causal"], f"In short : {kept} and ", SUMMARIES[0], 40)
    assert found.values[0, 0] == pytest.approx(expected, abs=1e-5)
    assert found.notes == {"truncated": 1}
    whole = scored(spec, resources, [long], documents=["the ban"])
    assert np.isfinite(whole.values[0, 0])
    assert whole.notes == {"truncated": 1}
    with pytest.raises(InputError, match="prompt does not fit"):
        scored(f"likelihood:lm={models['causal']},template={'the ' * 50}{{text}}", resources, ["a"])


def test_batches_and_orders_change_nothing(models, resources):
    many = [" ".join(SUMMARIES[1].split()[:length]) for length in range(1, 17)]
    for kind, spec in (("sequence", "bartscore"), ("causal", "likelihood")):
        text = f"{spec}:lm={models[kind]},direction=ref-hypo"
        together = scored(text, StudyResources(None, "cpu", batch_tokens=64), many).values
        single = [
            scored(text, StudyResources(None, "cpu", batch_tokens=1), [one]).values[0] for one in many[::-1]
        ]
        assert together == pytest.approx(np.array(single[::-1]), abs=1e-5)


def test_a_source_with_several_targets_is_read_once(models, monkeypatch):
    monkeypatch.setattr(likelihood, "_SHARED", 8)
    passages = [
        Passage("In short : ", source, " and ", target)
        for source in (DOCUMENTS[0], f"{DOCUMENTS[0]} {DOCUMENTS[1]}", "a ban")
        for target in (*SUMMARIES, "the ban .", "old", "")
    ]
    read = []

    def record(module: Any, arguments: Any, named: Any) -> None:
        read.append(named["input_ids"].numel())

    found = {}
    for continues in (True, False):
        model = load_likelihood(str(models["causal"]), device="cpu", batch_tokens=64)
        assert model._continues
        vars(model)["_continues"] = continues
        handle = model.module.register_forward_pre_hook(record, with_kwargs=True)
        read.clear()
        found[continues] = [one.values for one in model.score(passages)], sum(read)
        handle.remove()
    for one, other in zip(found[True][0], found[False][0], strict=True):
        assert one == pytest.approx(other, abs=1e-5)
    assert found[True][1] < 0.7 * found[False][1]


def test_texts_without_words_have_no_likelihood(models, resources):
    for spec in (f"bartscore:lm={models['sequence']}", f"likelihood:lm={models['causal']}"):
        found = scored(spec, resources, ["", "ban", " \n"])
        assert np.isnan(found.values[[0, 2]]).all()
        assert np.isfinite(found.values[1]).all()
        assert found.notes["no_units"] == 2
        found = scored(f"{spec},direction=f", resources, ["ban"], references=["a", ""])
        assert np.isnan(found.values).all()
        assert found.notes["no_units"] == 1
    one = scored(f"likelihood:lm={models['causal']},template={{text}}", resources, ["zzz"])
    assert np.isfinite(one.values).all()


def yes(folder: Path, text: str) -> float:
    """Return P(Yes) / (P(Yes) + P(No)) of the first piece of the answer."""
    import torch

    tokenizer, model = loaded(folder)
    ids = torch.tensor([tokenizer(text)["input_ids"]])
    with torch.inference_mode():
        logits = model(input_ids=ids, decoder_input_ids=torch.tensor([[0]])).logits[0, 0]
    shares = torch.softmax(logits, dim=0)
    first, other = (float(shares[tokenizer(answer)["input_ids"][0]]) for answer in ("Yes", "No"))
    return first / (first + other)


def test_unieval_asks_its_questions(models, resources):
    folder, sentences = models["t5"], ["the court ruled .", "the ban is void ."]
    topic = topic_of_sentences([sentences], [[DOCUMENTS[0]]])
    topic = type(topic)(
        "t", "t", documents=topic.documents, summaries=topic.summaries,
        references=topic_of_texts([], REFERENCES).references,
    )  # fmt: skip
    summary, document = "\n".join(sentences), DOCUMENTS[0]
    asked = {
        "coherence": [
            f"question: Is this a coherent summary to the document? </s> summary: {summary} </s> "
            f"document: {document}"
        ],
        "consistency": [
            f"question: Is this claim consistent with the document? </s> claim: {one} </s> "
            f"document: {document}"
            for one in sentences
        ],
        "fluency": [f"question: Is this a fluent paragraph? </s> paragraph: {one}" for one in sentences],
        "relevance": [
            f"question: Is this summary relevant to the reference? </s> summary: {summary} </s> "
            f"reference: {one}"
            for one in REFERENCES
        ],
    }
    expected = {name: np.mean([yes(folder, text) for text in texts]) for name, texts in asked.items()}
    expected["overall"] = np.mean(list(expected.values()))
    for dimension, value in expected.items():
        metric = registry.parse(f"unieval:lm={folder},dimension={dimension}")
        prepared = metric.prepare(topic, resources)
        assert metric.score(prepared).values[0, 0] == pytest.approx(value, abs=1e-5)
        (tree,) = metric.explain(prepared, 0).values()
        assert tree.evaluate() == pytest.approx(value, abs=1e-5)
    nothing = scored(f"unieval:lm={folder},dimension=fluency", resources, ["", "the ban ."])
    assert np.isnan(nothing.values[0, 0])
    assert nothing.notes == {"no_units": 1}


def test_needs_follow_the_settings():
    assert registry.parse("bartscore").needs == {Need.DOCUMENTS, Need.LANGUAGE_MODEL}
    assert registry.parse("bartscore:direction=f").needs == {Need.REFERENCES, Need.LANGUAGE_MODEL}
    assert registry.parse("unieval:dimension=fluency").needs == {Need.LANGUAGE_MODEL}
    assert registry.parse("unieval:dimension=overall").needs == {
        *(Need.DOCUMENTS, Need.REFERENCES, Need.LANGUAGE_MODEL)
    }
    with pytest.raises(BadSetting, match="cannot be combined with an empty prompt"):
        registry.parse("bartscore:side=decoder")
    with pytest.raises(BadSetting, match=r"must contain \{text\} once"):
        registry.parse("likelihood:template=Summary")


def test_a_model_of_another_kind_is_refused(make_model, models, resources):
    with pytest.raises(InputError, match="generates no text"):
        registry.parse(f"likelihood:lm={make_model()}").check(resources)
    with pytest.raises(InputError, match="is not a sequence-to-sequence model"):
        registry.parse(f"bartscore:lm={models['causal']}").check(resources)
