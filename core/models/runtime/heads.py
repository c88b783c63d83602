"""Models with a head: one that fills in masked words, or one that answers questions by a span of a text."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from core.errors import InputError
from core.models.catalogue.model_folder import Model, read_json

if TYPE_CHECKING:
    import torch


class Head(Enum):
    """What stands on top of an encoder. Its value: what people call it, and how transformers names it."""

    MASKED_LM = ("masked language model", ("ForMaskedLM", "ForPreTraining"), "AutoModelForMaskedLM")
    ENTAILMENT = ("model of entailment", ("ForSequenceClassification",), "AutoModelForSequenceClassification")
    ANSWERS = ("question answering model", ("ForQuestionAnswering",), "AutoModelForQuestionAnswering")

    @property
    def title(self) -> str:
        title: str = self.value[0]
        return title


def check_head(model: Model, head: Head) -> None:
    """Raise InputError where a model's configuration says that it has no such head. Loads nothing."""
    named = read_json(model.folder / "config.json").get("architectures") or []
    _, endings, _ = head.value
    if not any(str(name).endswith(endings) for name in named):
        said = " and ".join(map(str, named)) or "nothing"
        raise InputError(
            f"{model.name} in {model.folder} is no {head.title} (its config.json names {said}); choose one "
            f"whose architecture ends in {endings[0]}."
        )


def load_head(model: Model, head: Head, device: str, dtype: str) -> tuple[torch.nn.Module, Any]:
    """A model with its head, ready to run on a device, and its tokenizer.

    Raises InputError where the head is absent or the files are damaged.
    """
    import transformers

    from core.models.runtime.network import (
        DTYPES,
        load_module,
        load_tokenizer,
        silence_transformers,
        stop_between_blocks,
    )

    check_head(model, head)
    if dtype not in DTYPES:
        raise InputError(f"No {head.title} computes in {dtype!r}; choose one of: {', '.join(DTYPES)}.")
    with silence_transformers():
        tokenizer = load_tokenizer(model)
        module: torch.nn.Module = load_module(model, DTYPES[dtype], getattr(transformers, head.value[2]))
    stop_between_blocks(module, model.layers)
    module.eval().to(device)
    if device == "cpu" and dtype == "float32" and head is not Head.MASKED_LM:  # which may be tuned yet
        pack_head(module, tokenizer)
    return module, tokenizer


def pack_head(module: torch.nn.Module, tokenizer: Any) -> None:
    """Pack a network's layers where that serves; it can learn nothing from then on."""
    import torch

    from core.models.runtime.network import SHORT
    from core.models.runtime.packed_linear import pack_linear

    ids = torch.tensor([tokenizer(SHORT)["input_ids"]])

    def probe() -> torch.Tensor:
        with torch.inference_mode():
            scores: torch.Tensor = module(input_ids=ids)[0]
        return scores

    pack_linear(module, probe)
