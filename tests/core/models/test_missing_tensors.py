"""Every tensor of every kind of network, taken out of its file: an error, or the same numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.errors import InputError
from core.models.catalogue.model_folder import Model, read_model
from core.models.catalogue.user_models import user_models
from core.models.heads.comet import Comet
from core.models.library.add_model import add_model
from core.models.runtime.heads import Head, load_head, load_parts
from core.models.runtime.network import load_network
from tests.conftest import NIGHTLY
from tests.core.metrics.test_comet import released

Make = Callable[..., Path]
IDS = [2, 5, 7, 9, 3]
POOLER = {"pooler.dense.weight", "pooler.dense.bias"}
SIZES: dict[str, Any] = {
    "vocab_size": 20, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
    "intermediate_size": 16, "max_position_embeddings": 14, "initializer_range": 0.5,
}  # fmt: skip
BART: dict[str, Any] = {
    "vocab_size": 20, "d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2,
    "decoder_attention_heads": 2, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16, "init_std": 0.5,
    "max_position_embeddings": 14,
}  # fmt: skip
OTHERS: dict[str, dict[str, Any]] = {
    "Bart": BART,
    "Albert": {**SIZES, "embedding_size": 8, "classifier_dropout_prob": 0.0},
    "DebertaV2": {**SIZES, "type_vocab_size": 2, "relative_attention": True, "pos_att_type": ["p2c", "c2p"]},
    "DistilBert": {"vocab_size": 20, "dim": 16, "n_layers": 1, "n_heads": 2, "hidden_dim": 16},
    "GPT2": {"vocab_size": 20, "n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": 14},
    "T5": {
        "vocab_size": 20, "d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2,
        "decoder_start_token_id": 0, "tie_word_embeddings": False,
    },
}  # fmt: skip
NETWORKS: dict[str, tuple[Head | None, set[str]]] = {
    "BertModel": (None, POOLER),
    "RobertaModel": (None, POOLER),
    "AlbertModel": (None, {"pooler.weight", "pooler.bias"}),
    "DistilBertModel": (None, set()),
    "DebertaV2Model": (None, set()),
    "BartModel": (None, {"decoder"}),
    "T5Model": (None, {"decoder"}),
    "GPT2Model": (None, set()),
    "BertForMaskedLM": (Head.MASKED_LM, set()),
    "RobertaForMaskedLM": (Head.MASKED_LM, set()),
    "BertForQuestionAnswering": (Head.ANSWERS, set()),
    "ElectraForQuestionAnswering": (Head.ANSWERS, set()),
    "DistilBertForQuestionAnswering": (Head.ANSWERS, set()),
    "BertForSequenceClassification": (Head.ENTAILMENT, set()),
    "AlbertForSequenceClassification": (Head.ENTAILMENT, set()),
    "RobertaForSequenceClassification": (Head.ENTAILMENT, set()),
    "RemBertForSequenceClassification": (Head.ENTAILMENT, set()),
    "DebertaV2ForSequenceClassification": (Head.ENTAILMENT, set()),
    "BartForSequenceClassification": (Head.ENTAILMENT, set()),
    "BartForConditionalGeneration": (Head.SEQUENCE, {"final_logits_bias"}),
    "T5ForConditionalGeneration": (Head.SEQUENCE, set()),
    "GPT2LMHeadModel": (Head.CAUSAL_LM, set()),
    "Comet": (Head.COMET, set()),
}
"""Networks, their heads, and the tensors that their numbers do not depend on, by name or first part."""


def _saved(kind: str, make_model: Make, folder: Path) -> Model:
    if kind == "Comet":
        user_models().use_folder(folder / "settings")
        return read_model(
            kind, add_model(released(folder / "wmt22-da", "wmt22-da"), copies=folder / "models").place
        )
    import transformers

    user_models().use_folder(folder / "settings")
    place = make_model(kind)
    family = kind.partition("For")[0].removesuffix("LMHeadModel").removesuffix("Model")
    labels = {"id2label": {0: "entailment", 1: "other"}} if "Classification" in kind else {}
    sizes = {**OTHERS.get(family, SIZES), **labels}
    configuration = getattr(transformers, f"{family}Config")(**sizes, pad_token_id=0)
    torch.manual_seed(5)
    network = getattr(transformers, kind)(configuration)
    with torch.no_grad():
        for parameter in network.parameters():  # transformers begins with biases of zero and norms of one
            parameter.normal_(std=0.5)
    network.save_pretrained(place)
    return read_model(kind, place)


def _numbers(model: Model, head: Head | None) -> torch.Tensor:
    if head is None:
        network, _ = load_network(model, "cpu", "float32")
        return network.hidden([IDS], (1, model.layers))[0]
    module, tokenizer = load_head(model, head, "cpu", "float32", is_trained=True)
    if head is Head.COMET:
        rater = Comet(model, module, tokenizer, "cpu", 100)
        return torch.from_numpy(rater.rate([("court ruled", "the court", "a dog")]).values)
    given = {"decoder_input_ids": torch.tensor([[0, 4]])} if head is Head.SEQUENCE else {}
    with torch.inference_mode():
        out = module(input_ids=torch.tensor([IDS]), **given)
    return torch.stack([out.start_logits, out.end_logits]) if head is Head.ANSWERS else out.logits


def _taken_out(kind: str, names: list[str]) -> list[str]:
    """Return the names of tensors to leave out: at night all, otherwise some of each kind of network."""
    if NIGHTLY:
        return names
    own = [next(name for name in names if name.startswith(unused)) for unused in NETWORKS[kind][1]]
    return [*own, *names[list(NETWORKS).index(kind) % 4 :: 4]]


@pytest.mark.parametrize("kind", NETWORKS)
def test_a_missing_tensor_is_an_error_or_changes_no_number(
    kind: str, make_model: Make, tmp_path: Path
) -> None:
    head, expected = NETWORKS[kind]
    model = _saved(kind, make_model, tmp_path)
    whole, numbers = load_file(model.weights[0]), _numbers(model, head)
    unused, refusals = set(), []
    for name in _taken_out(kind, list(whole)):
        rest = {other: tensor for other, tensor in whole.items() if other != name}
        save_file(rest, model.weights[0], {"format": "pt"})
        try:
            again = _numbers(model, head)
        except InputError as error:
            refusals.append(str(error))
            if len(refusals) % 5 == 1:
                with pytest.raises(InputError, match=re.escape(refusals[-1].partition(" do not ")[2])):
                    add_model(model.folder, name=model.name)
        else:
            add_model(model.folder, name=model.name)
            torch.testing.assert_close(again, numbers, atol=1e-5, rtol=1e-5)
            unused.add(name)
    said = re.compile(rf"The weights of {model.name} in .* do not contain .*\. Copy the model's folder again")
    assert refusals
    assert all(said.match(one) for one in refusals)
    assert {name if name in expected else name.partition(".")[0] for name in unused} == expected


@pytest.mark.parametrize("kind", NETWORKS)
def test_tensors_of_other_names_or_shapes_are_not_replaced(
    kind: str, make_model: Make, tmp_path: Path
) -> None:
    head, _ = NETWORKS[kind]
    model = _saved(kind, make_model, tmp_path)
    whole = load_file(model.weights[0])
    renamed = {f"network.of.others.{name}": tensor for name, tensor in whole.items()}
    save_file(renamed, model.weights[0], {"format": "pt"})
    for use in (partial(_numbers, model, head), partial(add_model, model.folder)):
        with pytest.raises(InputError, match=r"and \d+ more, .*contain others instead, such as network\.of"):
            use()
    name = next(name for name in whole if "embeddings.word" in name or "shared" in name or "wte" in name)
    rows, width = whole[name].shape
    save_file({**whole, name: whole[name][:-1].clone()}, model.weights[0], {"format": "pt"})
    for use in (partial(_numbers, model, head), partial(add_model, model.folder)):
        with pytest.raises(InputError, match=rf"weight as {rows}×{width} \(but as {rows - 1}×{width}\)"):
            use()


@pytest.mark.parametrize("kind", NETWORKS)
def test_no_number_comes_from_weights_that_are_none(kind: str, make_model: Make, tmp_path: Path) -> None:
    head, unused = NETWORKS[kind]
    model = _saved(kind, make_model, tmp_path)
    whole = load_file(model.weights[0])
    used = [name for name in whole if not {name, name.partition(".")[0]} & unused]
    for name in (used[0], used[len(used) // 2], used[-1]):
        tensor = whole[name].clone()
        tensor.view(-1)[-1] = float("nan") if name == used[0] else float("inf")
        save_file({**whole, name: tensor}, model.weights[0], {"format": "pt"})
        for use in (partial(_numbers, model, head), partial(add_model, model.folder)):
            with pytest.raises(InputError, match=f"{name} has values that are infinite or no numbers"):
                use()


@pytest.mark.parametrize("changed", [{"num_attention_heads": "x"}, {"layer_norm_eps": "a"}])
def test_a_configuration_that_no_network_has_is_named(make_model: Make, changed: dict[str, Any]) -> None:
    folder = make_model()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, **changed}), encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        load_network(read_model("model", folder), "cpu", "float32")


@pytest.mark.parametrize("kind", NETWORKS)
def test_no_number_comes_from_a_network_whose_values_overflow(
    kind: str, make_model: Make, tmp_path: Path
) -> None:
    """Weights whose products exceed the numbers of their type, as those of large models in float16."""
    head, unused = NETWORKS[kind]
    model = _saved(kind, make_model, tmp_path)
    whole = load_file(model.weights[0])
    used = [name for name in whole if not {name, name.partition(".")[0]} & unused]
    save_file(
        {name: whole[name] * (1e30 if name in used else 1) for name in whole},
        model.weights[0],
        {"format": "pt"},
    )
    refusal = ""
    try:
        assert _numbers(model, head).isfinite().all()
    except InputError as error:
        refusal = str(error)
    # the norms of T5 make zeros of what is infinite
    assert "computes values that are no numbers in float32. Copy" in refusal or kind.startswith("T5")


def test_weights_that_overflow_only_as_they_are_stored_are_added(make_model: Make, tmp_path: Path) -> None:
    model = _saved("GPT2Model", make_model, tmp_path)
    whole = load_file(model.weights[0])
    large = {name: tensor * (1e4 if "mlp" in name else 1) for name, tensor in whole.items()}
    save_file({name: one.half() for name, one in large.items()}, model.weights[0], {"format": "pt"})
    about = model.folder / "config.json"
    about.write_text(json.dumps({**json.loads(about.read_text()), "dtype": "float16"}))
    network, tokenizer = load_parts(model, None)
    with pytest.raises(InputError, match=r"in float16\. Choose dtype=float32"):
        network(torch.tensor([tokenizer("the")["input_ids"]]))
    assert add_model(model.folder).place == model.folder
