"""Models with a task head: masked language modelling, entailment or question answering."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, Unpack

from core.errors import InputError
from core.models.catalogue.digests import DigestCache
from core.models.catalogue.lookup import find_model, verified_hash
from core.models.catalogue.model_folder import Model, read_json
from core.progress import raise_if_cancelled

if TYPE_CHECKING:
    import torch


class Head(Enum):
    """Task head of an encoder. Value: display name, architecture suffixes, class in transformers."""

    MASKED_LM = ("masked language model", ("ForMaskedLM", "ForPreTraining"), "AutoModelForMaskedLM")
    ENTAILMENT = (
        "natural language inference model",
        ("ForSequenceClassification",),
        "AutoModelForSequenceClassification",
    )
    ANSWERS = ("question answering model", ("ForQuestionAnswering",), "AutoModelForQuestionAnswering")
    SEQUENCE = (
        "sequence-to-sequence model",
        ("ForConditionalGeneration", "MTModel"),
        "AutoModelForSeq2SeqLM",
    )
    COMET = ("checkpoint of COMET", ("Comet",), "AutoModel")
    CAUSAL_LM = ("causal language model", ("ForCausalLM", "LMHeadModel"), "AutoModelForCausalLM")

    @property
    def title(self) -> str:
        title: str = self.value[0]
        return title


def check_head(model: Model, head: Head) -> None:
    """Raise InputError if a model's configuration has no such head. Loads nothing."""
    named = read_json(model.folder / "config.json").get("architectures") or []
    _, endings, _ = head.value
    if not any(str(name).endswith(endings) for name in named):
        listed = " and ".join(map(str, named)) or "nothing"
        raise InputError(
            f"{model.name} in {model.folder} is not a {head.title}: config.json lists {listed}. Choose a "
            f"model whose architecture ends in {endings[0]}."
        )


def generation_head(model: Model) -> Head:
    """Return the head with which a model generates text. Raises InputError if it has none. Loads nothing."""
    named = [str(name) for name in read_json(model.folder / "config.json").get("architectures") or []]
    for head in (Head.SEQUENCE, Head.CAUSAL_LM):
        if any(name.endswith(head.value[1]) for name in named):
            return head
    listed = " and ".join(named) or "nothing"
    raise InputError(
        f"{model.name} in {model.folder} generates no text: config.json lists {listed}."
        " Choose a model whose architecture ends in ForConditionalGeneration or ForCausalLM."
    )


class LoadOptions(TypedDict, total=False):
    """How a model is loaded.

    device: auto (the fastest available), cpu, cuda, cuda:1 or mps. batch_tokens: pieces that it takes at
    once, None = the default of the device. digests: cache of weight hashes.
    """

    device: str
    dtype: str
    batch_tokens: int | None
    digests: DigestCache


class LoadedHead(NamedTuple):
    """A network with its head on a device, and its tokenizer."""

    model: Model
    module: Any
    tokenizer: Any
    device: str
    batch_tokens: int


def open_head(
    name: str, head_of: Callable[[Model], Head], *, is_trained: bool = False, **options: Unpack[LoadOptions]
) -> LoadedHead:
    """Load a model with a head by its catalogue key, folder or hub name.

    head_of: returns the head; raises InputError if the model has none.
    is_trained: the network, or a copy of it, will be trained.
    Raises MissingResource with how to get it, InputError if it is damaged or has no such head.
    """
    from core.models.runtime.devices import choose_device, default_batch_tokens  # imports torch

    model = find_model(name)
    head = head_of(model)
    verified_hash(model, options.get("digests") or DigestCache())
    device = choose_device(options.get("device", "auto"))
    raise_if_cancelled()
    dtype = options.get("dtype", "float32")
    module, tokenizer = load_head(model, head, device, dtype, is_trained=is_trained)
    limit = options.get("batch_tokens") or default_batch_tokens(device)
    return LoadedHead(model, module, tokenizer, device, limit)


_PACKED = (Head.ENTAILMENT, Head.ANSWERS, Head.MASKED_LM, Head.COMET)


def load_head(
    model: Model, head: Head, device: str, dtype: str, *, is_trained: bool = False
) -> tuple[torch.nn.Module, Any]:
    """Load a model with its head onto a device, and its tokenizer.

    is_trained: the network, or a copy of it, will be trained: its layers are not packed.
    Raises InputError if the head is missing or the files are damaged.
    """
    from core.models.runtime.network import DTYPES, INT8, check_dtype, stop_between_blocks
    from core.models.runtime.packed_linear import quantize_linear

    check_head(model, head)
    check_dtype(f"A {head.title}", dtype, device)
    module, tokenizer = load_parts(model, head, DTYPES[dtype])
    stop_between_blocks(module, model.layers)
    module.eval().to(device)
    if dtype == INT8:
        quantize_linear(module)
    if device == "cpu" and dtype == "float32" and head in _PACKED and not is_trained:
        pack_head(module, tokenizer)
    return module, tokenizer


def load_parts(
    model: Model, head: Head | None, dtype: torch.dtype | Literal["auto"] = "auto"
) -> tuple[torch.nn.Module, Any]:
    """Load a network and its tokenizer as they are. head: None = without one. dtype: auto = as stored.

    Raises InputError if the files are damaged, incomplete, or of different models.
    """
    import transformers

    from core.models.runtime import network

    with network.silence_transformers():
        # classifiers of pairs and causal models were trained on texts as they are
        tokenizer = network.load_tokenizer(model, is_prefixed=head not in (Head.ENTAILMENT, Head.CAUSAL_LM))
        kind = None if head is None else getattr(transformers, head.value[2])
        module: torch.nn.Module = network.load_module(model, dtype, kind)
    network.check_parts(model, tokenizer, module)
    network.refuse_undefined_outputs(model, module)
    return module, tokenizer


def pack_head(module: torch.nn.Module, tokenizer: Any) -> None:
    """Pack a network's linear layers if that helps; a packed network cannot be trained."""
    import torch

    from core.models.runtime.network import SHORT
    from core.models.runtime.packed_linear import pack_linear

    ids = torch.tensor([tokenizer(SHORT)["input_ids"]])

    def probe() -> torch.Tensor:
        with torch.inference_mode():
            scores: torch.Tensor = module(input_ids=ids)[0]
        return scores

    pack_linear(module, probe)
