"""Ratings of unbabel-comet for small random checkpoints of each kind, loaded as that program loads its own.

To run in an environment of its own, with unbabel-comet 2.2.7, transformers 4.49.0 and lightning 2.6.6:

    python tests/reference/comet/make.py

Writes tokenizer.json, model.safetensors (one encoder, and what lies upon it by kind) and cases.json.
"""

from __future__ import annotations

import json
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

import torch
import yaml
from comet import load_from_checkpoint
from comet.models import str2model
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import XLMRobertaConfig, XLMRobertaModel, XLMRobertaTokenizerFast

HERE = Path(__file__).parent
LONG = "the dog ran on the mat and a judge decided on Monday that the law is void"
TEXTS = (
    "The court ruled on Monday.",
    "Über 30 ﬁnde  Hunde\nsaßen dort ½ ",
    LONG,
    f"{LONG} , {LONG} .",
    "no 日本 ☃",
)
MARKS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
SPARSE = {"layer_transformation": "sparsemax", "layer_norm": False}
KINDS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "wmt20-da": ("regression_metric", {"layer_transformation": "softmax", "layer_norm": True}, {}),
    "wmt22-da": ("regression_metric", {**SPARSE, "final_activation": None}, {}),
    "wmt20-qe": ("referenceless_regression_metric", {**SPARSE, "final_activation": "Sigmoid"}, {}),
    "kiwi": ("unified_metric", {**SPARSE, "input_segments": ["mt", "src"]}, {}),
    "kiwi-patched": (
        "unified_metric",
        {**SPARSE, "input_segments": ["mt", "src"]},
        {"layer_transformation": "sparsemax_patch"},
    ),
}
"""Kind, hyperparameters, and what hparams.yaml has instead."""


def encoder(folder: Path) -> None:
    made = Tokenizer(models.Unigram())
    made.normalizer = normalizers.NFKC()
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=60, special_tokens=MARKS, unk_token="<unk>")
    made.train_from_iterator(list(TEXTS[:4]) * 5, trainer)
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    XLMRobertaTokenizerFast(tokenizer_object=made).save_pretrained(folder)
    config = XLMRobertaConfig(
        vocab_size=made.get_vocab_size(),
        hidden_size=16,
        num_hidden_layers=3,
        num_attention_heads=1,
        intermediate_size=20,
        max_position_embeddings=40,
        type_vocab_size=1,
        layer_norm_eps=1e-5,
        initializer_range=0.4,
        pad_token_id=1,
    )
    XLMRobertaModel(config, add_pooling_layer=False).save_pretrained(folder)


def main() -> None:
    torch.manual_seed(11)
    rows = [
        dict(zip(("src", "mt", "ref"), three, strict=True)) for three in product(TEXTS, TEXTS, TEXTS[1:4])
    ]
    cases: dict[str, Any] = {"rows": rows}
    weights: dict[str, torch.Tensor] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        encoder(folder / "xlmr")
        (HERE / "tokenizer.json").write_bytes((folder / "xlmr" / "tokenizer.json").read_bytes())
        for kind, (identifier, changed, written) in KINDS.items():
            network = str2model[identifier](
                encoder_model="XLM-RoBERTa",
                pretrained_model=str(folder / "xlmr"),
                hidden_sizes=[12, 8],
                local_files_only=True,
                **changed,
            ).eval()
            network.layerwise_attention.gamma.data += 0.3
            for scalar in network.layerwise_attention.scalar_parameters:
                scalar.data = 0.6 * torch.randn(1)
            for one in network.estimator.parameters():
                one.data *= 4  # else all texts are rated alike
            place = folder / kind / "checkpoints" / "model.ckpt"
            place.parent.mkdir(parents=True)
            parameters = dict(network.hparams)
            state = network.state_dict()
            torch.save(
                {"state_dict": state, "hyper_parameters": parameters, "pytorch-lightning_version": "2.6.6"},
                place,
            )
            (folder / kind / "hparams.yaml").write_text(yaml.safe_dump({**parameters, **written}))
            loaded = load_from_checkpoint(str(place), local_files_only=True).eval()
            with torch.no_grad():
                inputs = loaded.prepare_sample(rows, stage="predict")
                inputs = inputs[0] if isinstance(inputs, tuple) else inputs
                ratings = loaded(**inputs).score.tolist()
            del parameters["pretrained_model"]
            cases[kind] = {"parameters": parameters, "written": {"class_identifier": identifier, **written}}
            cases[kind]["ratings"] = ratings
            shared = {key: one for key, one in state.items() if key.startswith("encoder.")}
            weights |= shared | {f"{kind}/{key}": one for key, one in state.items() if key not in shared}
    save_file({key: one.contiguous() for key, one in weights.items()}, HERE / "model.safetensors")
    (HERE / "cases.json").write_text(json.dumps(cases, ensure_ascii=False, indent=0), encoding="utf-8")


if __name__ == "__main__":
    main()
