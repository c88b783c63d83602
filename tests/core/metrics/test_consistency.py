"""Metrics of consistency against a plain computation with the same network.

Each test writes the published formula out, one pair of texts at a time. The authors' programs gave the same
values to 1e-5 on random networks of these kinds and fifteen pairs of texts of up to sixty sentences: SummaC
(commit c1f3da9, with its released layer) in every granularity, for a BERT, a RoBERTa and an ALBERT;
AlignScore in every mode; FactCC; MiniCheck (RoBERTa, DeBERTa and Flan-T5).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.domain.study import TopicTexts
from core.errors import InputError, MissingResource
from core.metrics.consistency.summac import read_layer
from core.metrics.consistency.text_units import units_of
from core.metrics.registry import parse
from core.models.catalogue.entries import Role
from core.models.catalogue.lookup import find_model
from core.models.catalogue.user_models import user_models
from core.models.library.add_model import add_model
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_sentences, topic_of_texts
from tests.core.metrics.test_lite_pyramid import _classifier, loaded

Make = Callable[..., Path]
Row = Sequence[float]

DOCUMENTS = (
    ("the court ruled on the mat .", "a new dog ran .", "no .", "the cat sat on the dog ."),
    ("a dog sat on the court .",),
)
SUMMARIES = (
    ("the dog ran on the mat .", "the court ruled .", "no ."),
    ("the cat sat on the dog .",),
    ("no .",),
)
NAMED = {0: "contradiction", 1: "entailment", 2: "neutral"}


@pytest.fixture
def topic() -> TopicTexts:
    return topic_of_sentences(SUMMARIES, DOCUMENTS)


@pytest.fixture
def nli(make_model: Make) -> Path:
    return _classifier(make_model, NAMED)


@pytest.fixture
def layer(tmp_path: Path) -> Path:
    """A layer of SummaC-Conv with random weights, as PyTorch saves it."""
    torch.manual_seed(2)
    shapes = {"mlp.weight": (1, 23), "mlp.bias": (1,), "layer_final.weight": (2, 3), "layer_final.bias": (2,)}
    file = tmp_path / "released.bin"
    torch.save({name: torch.randn(shape) for name, shape in shapes.items()}, file)
    return file


def _logits(folder: Path, premise: str, hypothesis: str | None, **cut: Any) -> list[float]:
    """One pair through the network alone."""
    tokenizer, network = loaded(folder)
    made = tokenizer(
        premise, hypothesis, return_tensors="pt", **{"truncation": True, "max_length": 64, **cut}
    )
    with torch.no_grad():
        row: list[float] = network(**made).logits[0].double().tolist()
    return row


def _softmax(row: Row) -> list[float]:
    powers = [math.exp(one - max(row)) for one in row]
    return [one / sum(powers) for one in powers]


def _values(spec: str, topic: TopicTexts, resources: StudyResources) -> np.ndarray:
    """The scores, after a check that every tree evaluates to its score and marks both sides of each pair."""
    metric = parse(spec)
    prepared = metric.prepare(topic, resources)
    values = metric.score(prepared).values
    for system, row in enumerate(values):
        trees = metric.explain(prepared, system)
        np.testing.assert_allclose([trees[name].evaluate() for name in metric.measures()], row, atol=1e-12)
    return values


def _image(folder: Path, units: Sequence[str], claims: Sequence[str]) -> np.ndarray:
    """Probabilities of entailment and contradiction, shape (2, units, claims)."""
    every = [[_softmax(_logits(folder, unit, claim)) for claim in claims] for unit in units]
    return np.array([[[row[label] for row in rows] for rows in every] for label in (1, 0)])


def _long(sentences: Sequence[str]) -> list[str]:
    return [one for one in sentences if len(one) > 10]


UNITS = [one for document in DOCUMENTS for one in _long(document)]
COUNTED = {"both": lambda e, c: e - c, "entailment": lambda e, c: e, "contradiction": lambda e, c: 1 - c}


@pytest.mark.parametrize("counted", COUNTED)
@pytest.mark.parametrize(("within", "across"), [("max", "mean"), ("mean", "min"), ("min", "max")])
def test_summac_pools_what_a_plain_computation_pools(
    nli: Path, topic: TopicTexts, resources: StudyResources, counted: str, within: str, across: str
) -> None:
    spec = f"summac:nli={nli},counted={counted},within={within},across={across}"
    values = _values(spec, topic, resources)
    for text, row in zip(SUMMARIES[:2], values, strict=False):
        image = _image(nli, UNITS, _long(text))
        entailed, contradicted = getattr(image, within)(axis=1)
        expected = getattr(COUNTED[counted](entailed, contradicted), across)()
        np.testing.assert_allclose(row, [expected], atol=1e-5)
    nothing = math.nan if counted == "contradiction" else 0.0  # as the authors' program prints
    np.testing.assert_equal(values[2, 0], nothing)


def test_summac_conv_reads_bins_by_the_layer(
    nli: Path, topic: TopicTexts, resources: StudyResources, layer: Path
) -> None:
    numbers = {key: value.double().numpy() for key, value in torch.load(layer).items()}
    edges = [0, *(n / 100 for n in (1, 2, 3, 4, 7, 13, 37, 90, 91, 92, 93, 94, 95, 95.5, 96, 96.5, 97))]
    edges += [0.975, 0.98, 0.985, 0.99, 0.995, 1]
    values = _values(f"summac:mode=conv,nli={nli},layer={layer}", topic, resources)
    for text, row in zip(SUMMARIES[:2], values, strict=False):
        image = _image(nli, UNITS, _long(text))[0]
        counts = [np.histogram(column, bins=edges)[0] for column in image.T]
        mean = np.mean([numbers["mlp.weight"][0] @ one + numbers["mlp.bias"][0] for one in counts])
        logits = numbers["layer_final.weight"].sum(axis=1) * mean + numbers["layer_final.bias"]
        np.testing.assert_allclose(row, [_softmax(logits)[1]], atol=1e-5)
    assert np.isnan(values[2]).all()


def test_a_unit_of_a_summary_beyond_the_tenth_is_not_read_by_the_layer(
    nli: Path, resources: StudyResources, layer: Path
) -> None:
    many = [f"the court ruled on {'a ' * n}mat ." for n in range(12)]
    spec = f"summac:mode=conv,nli={nli},layer={layer}"
    first, all_of_them = _values(spec, topic_of_sentences([many[:10], many], DOCUMENTS), resources)
    assert first == all_of_them


def test_only_the_first_units_of_a_document_are_used(
    nli: Path, topic: TopicTexts, resources: StudyResources
) -> None:
    few = topic_of_sentences(SUMMARIES, [document[:1] for document in DOCUMENTS])
    np.testing.assert_array_equal(
        _values(f"summac:nli={nli},most_units=1", topic, resources),
        _values(f"summac:nli={nli}", few, resources),
    )


TEXT = "The court ruled on it.\nYes. A dog ran to the mat.\n\nThe cat sat there.\n"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("sentence", ["The court ruled on it.", "A dog ran to the mat.", "The cat sat there."]),
        (
            "two-sentences",
            [
                "The court ruled on it. A dog ran to the mat.",
                "A dog ran to the mat. The cat sat there.",
                "The cat sat there.",
            ],
        ),
        ("paragraph", ["The court ruled on it.\nYes. A dog ran to the mat.", "The cat sat there."]),
        ("document", [TEXT]),
    ],
)
def test_texts_are_divided_as_by_the_authors(kind: str, expected: list[str]) -> None:
    (text,) = topic_of_texts([TEXT]).summaries
    units = units_of(text, kind, 11)
    assert [unit.content for unit in units] == expected
    for unit in units:
        start, end = unit.span
        assert TEXT[start:end] == TEXT[start:end].strip()
        assert TEXT[start:end].split()[-1] == unit.content.split()[-1]
    assert units_of(topic_of_texts([" \n "]).summaries[0], kind) == []


def test_lines_are_paragraphs_where_no_line_is_blank() -> None:
    (text,) = topic_of_texts(["one two\r\n three \n\t\nfour"]).summaries
    assert [unit.content for unit in units_of(text, "paragraph")] == ["one two", "three", "four"]


def test_a_released_layer_is_added_as_safetensors(
    nli: Path, topic: TopicTexts, resources: StudyResources, layer: Path, tmp_path: Path
) -> None:
    spec = f"summac:mode=conv,nli={nli},layer="
    with pytest.raises(MissingResource, match="Then run: pyramidion models add FILE --name summac"):
        parse(f"{spec}summac-conv").check(resources)
    user_models().use_folder(tmp_path / "settings")
    file = layer.rename(tmp_path / "summac_conv_vitc_sent_perc_e.bin")
    added = add_model(file, copies=tmp_path / "models")
    assert (added.name, added.roles, added.place.suffix) == ("summac-conv", (Role.SUMMAC,), ".safetensors")
    by_name = _values(f"{spec}summac-conv", topic, resources)
    np.testing.assert_array_equal(by_name, _values(f"{spec}{file}", topic, resources))
    assert "|layer_hash:" in parse(f"{spec}summac-conv").signature(resources)


def test_a_file_that_is_no_layer_is_refused(tmp_path: Path) -> None:
    user_models().use_folder(tmp_path / "settings")
    file = tmp_path / "other.bin"
    torch.save({"mlp.weight": torch.ones(1)}, file)
    with pytest.raises(InputError, match="is not the layer of SummaC-Conv: it contains mlp"):
        add_model(file, copies=tmp_path / "models")
    torch.save({"mlp.weight": Path}, file)
    with pytest.raises(InputError, match="could run code when loaded"):
        add_model(file, copies=tmp_path / "models")
    shapes = {"mlp.weight": (1, 50), "mlp.bias": (1,), "layer_final.weight": (2, 3), "layer_final.bias": (2,)}
    torch.save({name: torch.ones(shape) for name, shape in shapes.items()}, file)
    with pytest.raises(
        InputError, match=r"has mlp\.weight as 1×50, but SummaC-Conv as released has it as 1×23"
    ):
        read_layer(file)
    shapes["mlp.weight"] = (1, 23)
    torch.save({name: torch.full(shape, torch.nan) for name, shape in shapes.items()}, file)
    with pytest.raises(InputError, match=r"mlp\.weight has values that are infinite or no numbers"):
        add_model(file, copies=tmp_path / "models")


HEADS = {"bin_layer": 2, "tri_layer": 3, "reg_layer": 1}
SAID = " ".join(one for text in (*DOCUMENTS, *SUMMARIES) for one in text)


def _write_byte_pairs(folder: Path) -> int:
    """Write a RoBERTa's tokenizer, whose first word differs after a blank, and return its size."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaTokenizerFast

    made = ByteLevelBPETokenizer()
    made.train_from_iterator([SAID] * 3, 320, special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    folder.mkdir(exist_ok=True)
    made.save_model(str(folder))
    tokenizer = RobertaTokenizerFast.from_pretrained(folder, model_max_length=64)
    tokenizer.save_pretrained(folder)
    return len(tokenizer)


def _roberta(words: int, **more: Any) -> Any:
    from transformers import RobertaConfig

    return RobertaConfig(
        vocab_size=words,
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=1,
        intermediate_size=32,
        max_position_embeddings=66,
        type_vocab_size=1,
        layer_norm_eps=1e-5,
        initializer_range=0.3,
        **more,
    )


@pytest.fixture
def checkpoint(tmp_path: Path) -> tuple[Path, Any, Any]:
    """A checkpoint as PyTorch Lightning writes it, its network, and its heads."""
    from transformers import RobertaModel

    folder = tmp_path / "released"
    torch.manual_seed(6)
    network = RobertaModel(_roberta(_write_byte_pairs(folder))).eval()
    heads = {name: torch.nn.Linear(64, width) for name, width in HEADS.items()}
    state = {f"base_model.{name}": tensor for name, tensor in network.state_dict().items()}
    state |= {
        f"{name}.{key}": value for name, head in heads.items() for key, value in head.state_dict().items()
    }
    state["mlm_head.bias"] = torch.zeros(3)
    file = folder / "AlignScore-tiny.ckpt"
    torch.save({"state_dict": state, "epoch": 2, "hyper_parameters": {"model": "roberta-base"}}, file)
    user_models().use_folder(tmp_path / "settings")
    return file, network, heads


@pytest.mark.parametrize("mode", ["nli_sp", "bin_sp", "reg_sp", "nli", "bin", "reg"])
def test_alignscore_reads_the_heads_of_a_converted_checkpoint(
    checkpoint: tuple[Path, Any, Any], topic: TopicTexts, resources: StudyResources, mode: str, tmp_path: Path
) -> None:
    from transformers import AutoTokenizer

    file, network, heads = checkpoint
    added = add_model(file, copies=tmp_path / "models")
    assert (added.name, Role.ALIGNMENT in added.roles) == ("AlignScore-tiny", True)
    tokenizer = AutoTokenizer.from_pretrained(file.parent)

    def aligned(premise: str, hypothesis: str) -> float:
        cut = tokenizer(premise, hypothesis, truncation="only_first", max_length=40, return_tensors="pt")
        with torch.no_grad():
            pooled = network(**cut).pooler_output
            scores = {name: head(pooled)[0].double().tolist() for name, head in heads.items()}
        nli, binary = _softmax(scores["tri_layer"])[0], _softmax(scores["bin_layer"])[1]
        return {"nli": nli, "bin": binary, "reg": scores["reg_layer"][0]}[mode.removesuffix("_sp")]

    spec = f"alignscore:nli=AlignScore-tiny,mode={mode},pieces=40"
    if mode.endswith("_sp"):  # 21 words in 21 // 15 + 1 chunks, of 4 // 2 sentences each
        spec += ",words=15"
        first, second, third, fourth = DOCUMENTS[0]
        chunks = [f"{first} {second}", f"{third} {fourth}", *DOCUMENTS[1]]
        claims: Sequence[Sequence[str]] = SUMMARIES
    else:
        chunks = [text.content for text in topic.documents]
        claims = [[text.content] for text in topic.summaries]
    expected = [[np.mean([max(aligned(c, one) for c in chunks) for one in own])] for own in claims]
    np.testing.assert_allclose(_values(spec, topic, resources), expected, atol=1e-5)


def test_a_checkpoint_of_another_kind_is_refused(
    checkpoint: tuple[Path, Any, Any], nli: Path, resources: StudyResources, tmp_path: Path
) -> None:
    file, *_ = checkpoint
    assert "is not AlignScore" in parse(f"alignscore:nli={nli}").unavailable(resources)
    alone = file.rename(tmp_path / file.name)
    with pytest.raises(
        MissingResource, match=r"comes without its tokenizer\. Put tokenizer\.json of roberta-large"
    ):
        add_model(alone, copies=tmp_path / "models")
    for content, why in (
        (
            {"state_dict": {"x": torch.ones(1)}},
            r"no checkpoint of AlignScore with RoBERTa: it has no 'base_model",
        ),
        ({"weights": 1}, "it has no state_dict"),
        ({"state_dict": {"x": Path}}, "it has no state_dict"),
    ):
        torch.save(content, alone)
        with pytest.raises(InputError, match=why):
            add_model(alone, copies=tmp_path / "models")
    assert not list((tmp_path / "models").glob("[!.]*"))


def test_a_classifier_reads_the_first_word_as_it_is_written(
    tmp_path: Path, resources: StudyResources
) -> None:
    from transformers import RobertaForSequenceClassification

    folder = tmp_path / "nli"
    torch.manual_seed(3)
    config = _roberta(_write_byte_pairs(folder), num_labels=3, id2label=NAMED)
    RobertaForSequenceClassification(config).save_pretrained(folder)
    pair = "the cat sat", "a dog ran"
    (row,) = resources.entailment(str(folder)).logits([pair]).values
    np.testing.assert_allclose(row, _logits(folder, *pair), atol=1e-5)
    assert not np.allclose(row, _logits(folder, " the cat sat", " a dog ran"), atol=1e-3)


def _of_claims(supports: Sequence[Row]) -> list[float]:
    """Mean, least and share above one half of the best unit's probability for each claim."""
    best = [max(row) for row in supports]
    return [np.mean(best), min(best), np.mean([one > 0.5 for one in best])]


@pytest.mark.parametrize("claims", ["sentence", "document"])
def test_factcc_judges_claims_by_whole_documents(
    make_model: Make, topic: TopicTexts, resources: StudyResources, claims: str
) -> None:
    folder = _classifier(make_model, {0: "CORRECT", 1: "INCORRECT"})
    values = _values(f"factcc:nli={folder},claims={claims},pieces=32", topic, resources)
    for text, row in zip(topic.summaries, values, strict=True):
        parts = [text.content] if claims == "document" else text.stored_sentences() or ()
        supports = [
            [_softmax(_logits(folder, d.content, part, max_length=32))[0] for d in topic.documents]
            for part in parts
        ]
        np.testing.assert_allclose(row, _of_claims(supports), atol=1e-5)


def test_minicheck_judges_sentences_by_chunks_written_as_one_text(
    make_model: Make, topic: TopicTexts, resources: StudyResources
) -> None:
    folder = _classifier(make_model, {0: "0", 1: "1"})
    named = folder.rename(folder.with_name("MiniCheck-mine"))
    first, second, third, fourth = DOCUMENTS[0]
    chunks = [f"{first}\n{second}", f"{third}\n{fourth}", *DOCUMENTS[1]]  # of 13, 10 and 7 pieces
    values = _values(f"minicheck:nli={named},chunk=13,pieces=24", topic, resources)
    for text, row in zip(SUMMARIES, values, strict=True):
        supports = [
            [_softmax(_logits(named, f"{chunk}[SEP]{part}", None, max_length=24))[1] for chunk in chunks]
            for part in text
        ]
        np.testing.assert_allclose(row, _of_claims(supports), atol=1e-5)


@pytest.fixture
def flan(make_model: Make) -> Path:
    """A random T5 with the two pieces by which MiniCheck answers."""
    from transformers import T5Config, T5ForConditionalGeneration

    folder = make_model("minicheck-t5")
    sizes = {"vocab_size": 220, "d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
    torch.manual_seed(5)
    T5ForConditionalGeneration(T5Config(**sizes, decoder_start_token_id=0)).save_pretrained(folder)
    return folder


def test_minicheck_reads_the_first_piece_of_an_answer(
    flan: Path, topic: TopicTexts, resources: StudyResources, tmp_path: Path
) -> None:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokenizer, network = (
        AutoTokenizer.from_pretrained(flan),
        AutoModelForSeq2SeqLM.from_pretrained(flan).eval(),
    )

    def supported(chunk: str, claim: str) -> float:
        cut = tokenizer(f"predict: {chunk}[SEP]{claim}", return_tensors="pt")
        del cut["token_type_ids"]
        with torch.no_grad():
            first = network(**cut, decoder_input_ids=torch.zeros((1, 1), dtype=torch.long)).logits[0, 0]
        return _softmax(first[[3, 209]].double().tolist())[1]

    first, second, third, fourth = DOCUMENTS[0]
    chunks = [f"{first}\n{second}\n{third}", fourth, *DOCUMENTS[1]]  # of 14, 7 and 7 words
    values = _values(f"minicheck:nli={flan},chunk=15", topic, resources)
    for text, row in zip(SUMMARIES, values, strict=True):
        expected = _of_claims([[supported(chunk, part) for chunk in chunks] for part in text])
        np.testing.assert_allclose(row, expected, atol=1e-5)
    user_models().use_folder(tmp_path / "settings")
    assert Role.NLI in add_model(flan).roles
    assert "not a natural language inference model" in parse(f"factcc:nli={flan}").unavailable(resources)
    assert Role.NLI not in add_model(flan.rename(tmp_path / "t5")).roles
    refusal = parse(f"minicheck:nli={tmp_path / 't5'}").unavailable(resources)
    assert "is a T5 that nothing identifies as MiniCheck" in refusal
    assert Role.NLI in add_model(tmp_path / "t5", name="my minicheck").roles


@pytest.mark.parametrize("gamma", [0, 2, 10])
def test_facts_are_clauses_that_a_sentence_entails(nli: Path, resources: StudyResources, gamma: int) -> None:
    texts = ["A dog ran on the mat, and the cat sat on it.", "The court ruled on the mat.", "Yes, so."]
    facts = [["A dog ran on the mat", "and the cat sat on it"], ["The court ruled on the mat"]]
    documents = ["The court ruled. The dog sat on the mat.", "A new cat ran on the mat, the dog sat."]
    topic = topic_of_texts(texts, documents=documents)
    values = _values(f"fact-precision:nli={nli},gamma={gamma}", topic, resources)
    units = ["The court ruled.", "The dog sat on the mat.", documents[1]]
    shares = []
    for own, row in zip(facts, values, strict=False):
        best = [max(_softmax(_logits(nli, unit, fact))[1] for unit in units) for fact in own]
        shares.append(np.mean([one > 0.5 for one in best]))
        penalty = 1.0 if len(own) >= gamma else math.exp(1 - gamma / len(own))
        np.testing.assert_allclose(row, [shares[-1], shares[-1] * penalty], atol=1e-12)
    assert any(shares), "else no penalty is tested"
    assert np.isnan(values[2]).all()


def test_a_network_of_distances_reads_texts_of_any_length(flan: Path, nli: Path) -> None:
    assert find_model(str(flan)).limit == 0
    assert find_model(str(nli)).limit == 64


def test_claims_that_rounding_may_turn_are_counted(
    nli: Path, topic: TopicTexts, resources: StudyResources
) -> None:
    from safetensors.torch import load_file, save_file

    file = nli / "model.safetensors"
    weights = {
        key: value * 0 if key.startswith("classifier.") else value for key, value in load_file(file).items()
    }
    weights["classifier.bias"] = torch.tensor([0.0, math.log(2), 0.0])  # entailment has one half
    save_file(weights, file, {"format": "pt"})
    metric = parse(f"factcc:nli={nli}")
    scores = metric.score(metric.prepare(topic, resources))
    np.testing.assert_allclose(scores.values[:, :2], 0.5, atol=1e-6)
    assert scores.notes == {"undecided_answers": 5}


SPECS = ("summac:nli=NLI", "factcc:nli=NLI", "minicheck:nli=NLI", "fact-precision:nli=NLI")


@pytest.mark.parametrize("spec", SPECS)
def test_texts_without_anything_to_compare_have_no_score_and_a_reason(
    spec: str, nli: Path, resources: StudyResources
) -> None:
    metric, text = parse(spec.replace("NLI", str(nli))), "the court ruled on the mat ."
    for summaries, documents, empty in (
        (["", text, " \n"], [text, ""], [0, 2]),
        ([text], ["", " "], [0]),
        ([text, ""], [], [0, 1]),
        ([text], [text], []),
    ):
        topic = topic_of_texts(summaries, documents=documents)
        prepared = metric.prepare(topic, resources)
        scores = metric.score(prepared)
        nothing = 0.0 if metric.name == "summac" else math.nan
        for system, row in enumerate(scores.values):
            assert all(metric.explain(prepared, system)), "also where there is nothing"
            if system in empty:
                np.testing.assert_equal(row, [nothing] * len(row))
            else:
                assert np.isfinite(row).all()
        noted = "counted_as_zero" if metric.name == "summac" else "no_units"
        assert scores.notes.get(noted, 0) == len(empty)


@pytest.mark.parametrize("spec", SPECS)
def test_batches_order_and_other_texts_change_no_score(spec: str, nli: Path, topic: TopicTexts) -> None:
    metric = parse(spec.replace("NLI", str(nli)))
    found = []
    for tokens, summaries in (
        (64, topic.summaries),
        (100_000, topic.summaries[::-1]),
        (64, topic.summaries[:1]),
    ):
        resources = StudyResources(None, "cpu", batch_tokens=tokens)
        values = metric.score(metric.prepare(replace(topic, summaries=summaries), resources)).values
        found.append({text.name: row for text, row in zip(summaries, values, strict=True)})
    for other in found[1:]:
        for name, row in other.items():
            np.testing.assert_allclose(row, found[0][name], atol=1e-5)


@pytest.mark.parametrize("spec", SPECS)
def test_every_pair_of_a_topic_goes_through_the_network_once(
    spec: str, nli: Path, topic: TopicTexts, resources: StudyResources
) -> None:
    passes: list[int] = []
    classifier = resources.entailment(str(nli))
    classifier.module.register_forward_pre_hook(
        lambda _m, _a, inputs: passes.append(len(inputs["input_ids"])), with_kwargs=True
    )
    metric = parse(spec.replace("NLI", str(nli)))
    prepared = metric.prepare(topic, resources)
    metric.prepare(topic, resources)
    different = {(u.content, c.content) for own in prepared.claims for u in prepared.units for c in own}
    assert sum(passes) == len(different)
    assert len(passes) == 1, "in one batch"
