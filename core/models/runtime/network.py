"""Transformers loaded from local folders: safetensors only, no network access, no custom code."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoTokenizer
from transformers.utils import logging as transformers_logging

from core.errors import InputError
from core.models.catalogue.conversion import check_numbers, check_safetensors, format_shape
from core.models.catalogue.model_folder import TOKENIZER, Model, read_json
from core.models.runtime.bert import load_bert
from core.models.runtime.packed_linear import pack_linear, quantize_linear
from core.models.runtime.word_pieces import read_tokenizer
from core.names import first_names
from core.progress import raise_if_cancelled

INT8 = "int8"
DTYPES = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
    INT8: torch.float32,  # its linear layers are quantized
}
_TYPES = frozenset({"F64", "F32", "F16", "BF16"})
"""Types of weights in a file that need no scales, unlike those of quantized weights."""
_PREFIXED = frozenset({"roberta", "gpt2"})
"""Model types that tokenize the first word as if a space preceded it, as bert-score does."""

SHORT = "the court ruled ."
"""Text for test runs."""


class Network:
    """A transformer that returns the output of any of its blocks and runs no further than necessary."""

    def __init__(self, module: torch.nn.Module, layers: int, padding: int, device: str) -> None:
        self._module = module
        self._layers = layers
        self._padding = padding
        self._device = device
        self._blocks = _find_blocks(module, layers)
        # whether a block's output is the same alone and together with others: no norm follows the last block
        self.is_plain = True
        stop_between_blocks(module, layers)

    def settle(self, ids: Sequence[int], *, is_packed: bool) -> None:
        """Pack the linear layers if that helps, and set `is_plain`. ids: word pieces of a short text."""
        last = self._layers
        if is_packed:
            pack_linear(self._module, lambda: self.hidden([ids], (last,))[0])
        if self._blocks is not None and last > 1:
            alone, together = (self.hidden([ids], layers)[0][0] for layers in ((1,), (1, last)))
            self.is_plain = torch.allclose(alone, together, atol=1e-4, rtol=1e-2)

    def hidden(self, ids: Sequence[Sequence[int]], layers: Sequence[int]) -> list[torch.Tensor]:
        """Return outputs of blocks (1 = the first), per text of shape (layers, pieces, dimension)."""
        inputs, mask = padded(ids, self._padding)
        with torch.inference_mode():
            states = self._run(inputs.to(self._device), mask.to(self._device), layers)
            # a clone, because a slice would hold the padding of the whole batch in memory
            return [states[:, row, : len(text)].clone() for row, text in enumerate(ids)]

    def _run(self, ids: torch.Tensor, mask: torch.Tensor, layers: Sequence[int]) -> torch.Tensor:
        last = max(layers)
        every = len(layers) > 1 or (self._blocks is None and last < self._layers)
        # transformers registers the blocks whose states it returns on the first such run: all must be there
        with self._only_first(self._layers if every else last):
            out = self._module(input_ids=ids, attention_mask=mask, output_hidden_states=every)
        states = [out.hidden_states[layer] for layer in layers] if every else [out.last_hidden_state]
        return torch.stack(states)

    @contextmanager
    def _only_first(self, count: int) -> Iterator[None]:
        """Remove the blocks after the `count`-th; a model that repeats one block runs completely."""
        if self._blocks is None or count == self._layers:
            yield
            return
        parent, name = self._blocks
        whole = getattr(parent, name)
        setattr(parent, name, whole[:count])
        try:
            yield
        finally:
            setattr(parent, name, whole)


def load_network(model: Model, device: str, dtype: str) -> tuple[Network, Any]:
    """Load a model's encoder and tokenizer. Raises InputError if its files are damaged or incomplete."""
    check_dtype("An encoder", dtype, device)
    with silence_transformers():
        tokenizer = load_tokenizer(model)
        module: Any = load_bert(model.folder, DTYPES[dtype]) or load_module(model, DTYPES[dtype])
    check_parts(model, tokenizer, module)
    encoder = module.get_encoder() if module.config.is_encoder_decoder else module
    refuse_undefined_outputs(model, encoder)
    if dtype == INT8:
        quantize_linear(encoder)
    padding = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else 0
    network = Network(encoder.eval().to(device), model.layers, padding, device)
    network.settle(tokenizer(SHORT)["input_ids"], is_packed=device == "cpu" and dtype == "float32")
    return network, tokenizer


def check_dtype(what: str, dtype: str, device: str) -> None:
    """Raise InputError unless a network can use a data type on a device. what: the network, in messages."""
    if dtype not in DTYPES:
        raise InputError(f"{what} cannot use the data type {dtype!r}. Choose one of: {', '.join(DTYPES)}.")
    if dtype == INT8 and device != "cpu":
        raise InputError(f"dtype=int8 is for the CPU, not {device}. Choose dtype=bfloat16, or --device cpu.")


def stop_between_blocks(module: torch.nn.Module, layers: int) -> None:
    """Check for cancellation before each block: a pass of a large model takes a second on a CPU."""
    blocks = _find_blocks(module, layers)
    for block in () if blocks is None else getattr(*blocks):
        block.register_forward_pre_hook(_stop_if_cancelled)


def _stop_if_cancelled(*_: object) -> None:
    raise_if_cancelled()


def load_tokenizer(model: Model, *, is_prefixed: bool = True) -> Any:
    """Load a model's tokenizer with character offsets. Raises InputError if it cannot be read.

    Texts are split as tokenizer.json says: transformers makes another one by the tokenizer's class, with the
    class's own normalizer and pre-tokenizer, of which only the special pieces are used here.
    is_prefixed: let RoBERTa and GPT-2 read the first word of a text as if a space preceded it.
    """
    is_prefixed = is_prefixed and read_json(model.folder / "config.json").get("model_type") in _PREFIXED
    options: dict[str, Any] = {"add_prefix_space": True} if is_prefixed else {}
    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(
            model.folder, local_files_only=True, trust_remote_code=False, **options
        )
    except Exception as error:  # of files of others, transformers raises anything
        raise _damaged(model, "tokenizer", error) from error
    if not tokenizer.is_fast:
        raise InputError(
            f"The model {model.name} in {model.folder} has no tokenizer.json, which is needed for character "
            "offsets. Get a version that has one."
        )
    if (model.folder / TOKENIZER).is_file():
        published = read_tokenizer(model, is_prefixed=is_prefixed)
        listed = {piece.content for piece in published.get_added_tokens_decoder().values()}
        named = [piece for _, piece in sorted(tokenizer.added_tokens_decoder.items())]
        published.add_tokens([piece for piece in named if piece.content not in listed])
        published.encode_special_tokens = tokenizer.split_special_tokens
        tokenizer._tokenizer = published
    try:
        tokenizer(f"{SHORT} \N{SNOWMAN}", verbose=False)
    except Exception as error:  # of a vocabulary without the pieces that the rules use
        raise _damaged(model, "tokenizer", error) from error
    return tokenizer


def check_parts(model: Model, tokenizer: Any, module: Any) -> None:
    """Raise InputError if weights are no finite numbers, or a tokenizer and its network do not fit.

    Pieces that were added to the tokenizer, and are in no input, are not looked at: some published models
    have no vector for that of masks. A tokenizer that names no piece for padding, or one that was added after
    the training, gets another one.
    """
    for file in model.weights:
        for name, kind in check_safetensors(file).items():
            if kind not in _TYPES and _is_parameter(name, module):
                raise InputError(
                    f"{file} has {name} in the type {kind}, which is for quantized weights. Get a version "
                    "with weights in float32, float16 or bfloat16."
                )
    check_numbers(module.state_dict(), model.folder)
    rows, named = module.get_input_embeddings().num_embeddings, getattr(module.config, "pad_token_id", None)
    if tokenizer.pad_token_id is None and named in range(rows):  # -1 stands for none
        tokenizer.pad_token = tokenizer.convert_ids_to_tokens(named)
    if (padding := tokenizer.pad_token_id) is None or padding >= rows:
        others = (tokenizer.eos_token, tokenizer.unk_token, tokenizer.convert_ids_to_tokens(0))
        tokenizer.pad_token = next(filter(None, others), None)
    marks = [getattr(tokenizer, f"{mark}_token_id") for mark in ("bos", "eos", "cls", "sep", "unk")]
    unused = {*tokenizer.added_tokens_decoder}.difference(marks)
    most = max((place for place in tokenizer.get_vocab().values() if place not in unused), default=-1)
    if most >= rows:
        raise InputError(
            f"The tokenizer of {model.name} in {model.folder} has word pieces up to number {most:,}, but the "
            f"network knows {rows:,}: they are of different models. Copy the model's folder again."
        )
    if 0 < model.limit <= tokenizer.num_special_tokens_to_add(pair=False):
        raise InputError(
            f"{model.name} in {model.folder} reads {model.limit} word pieces, special ones included, which "
            "leaves no room for a text. Copy the model's folder again."
        )


def _is_parameter(name: str, module: torch.nn.Module) -> bool:
    """Return whether a tensor is a parameter of a network, under whatever beginning of its name."""
    names = (f".{one}" for one, _ in module.named_parameters())
    return any(one.endswith(f".{name}") or f".{name}".endswith(one) for one in names)


def refuse_undefined_outputs(model: Model, module: torch.nn.Module) -> None:
    """Let a network raise InputError where its outputs are no numbers: choices among them would be scores."""

    def check(module: torch.nn.Module, _: object, named: dict[str, Any], out: Any) -> None:
        for tensor in (getattr(out, name, None) for name in _OUTPUTS):
            if tensor is None or bool(tensor.sum() < math.inf):  # not so of what is no number
                continue
            mask = named.get("attention_mask")  # at padding there may be anything
            own = tensor[mask.bool()] if mask is not None and mask.shape == tensor.shape[:2] else tensor
            if bool(own.isnan().any() | own.isposinf().any()):
                name = str(own.dtype).removeprefix("torch.")
                remedy = "Copy the model's folder again" if name == "float32" else "Choose dtype=float32"
                raise InputError(
                    f"The network of {model.name} in {model.folder} computes values that are no numbers in "
                    f"{name}. {remedy}, or choose another model."
                )

    module.register_forward_hook(check, with_kwargs=True)


_ATTENTION = ("attn_implementation", "_attn_implementation", "_attn_implementation_internal")
"""Keys of a config.json that may name a kernel on the hub."""
_OUTPUTS = ("logits", "start_logits", "end_logits", "last_hidden_state")


def load_module(model: Model, dtype: torch.dtype | Literal["auto"], kind: Any = None) -> Any:
    """Load a model's network. kind: one of transformers' auto classes with a head, None = AutoModel.

    dtype: auto = as stored, so that the weights stay on the disk until they are used.
    Of an AutoModel, only the hidden states of the encoder are read. Raises InputError if the weights are
    damaged, lack a tensor that is used, or have one of another shape: transformers would draw it at random.
    """
    from transformers import AutoModel  # slow to import

    kind = kind or AutoModel
    config = read_json(model.folder / "config.json")
    if foreign := [key for key in _ATTENTION if "/" in str(config.get(key))]:
        raise InputError(
            f"config.json of {model.name} in {model.folder} names code of others as {foreign[0]}, which is "
            "never run. Remove that line."
        )
    try:
        module, info = kind.from_pretrained(
            model.folder,
            dtype=dtype,
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=False,
            output_loading_info=True,
            ignore_mismatched_sizes=True,  # they are refused below, by their names
        )
    except Exception as error:  # as of the tokenizer, such as packages that config.json names
        raise _damaged(model, "weights", error) from error
    # (name, stored shape, shape in the network)
    others = {
        name: f"{name} as {format_shape(used)} (but as {format_shape(stored)})"
        for name, stored, used in info["mismatched_keys"]
    }
    missing = {name: others.get(name, name) for name in {*info["missing_keys"], *others}}
    if kind is AutoModel:
        part = module.get_encoder() if module.config.is_encoder_decoder else module
        read = [tensor for name, tensor in _tensors(part).items() if not name.startswith("pooler.")]
        of_name = _tensors(module)
        missing = {
            name: text for name, text in missing.items() if any(of_name.get(name, one) is one for one in read)
        }
    refuse_missing(model, missing.values(), info["unexpected_keys"])
    return module


def _tensors(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    return module.state_dict(keep_vars=True)  # the same objects for tied weights and for parts


def refuse_missing(model: Model, missing: Iterable[str], others: Iterable[str] = ()) -> None:
    """Raise InputError if a tensor that a network uses is missing: it would be random.

    others: names of tensors in the weights that are not used.
    """
    names, unused = sorted(missing), sorted(others)
    if names:
        instead = f" They contain others instead, such as {unused[0]}." if unused else ""
        raise InputError(
            f"The weights of {model.name} in {model.folder} do not contain {first_names(names)}, which the "
            f"network uses.{instead} Copy the model's folder again, or get a version in the format of "
            "transformers."
        )


def _damaged(model: Model, what: str, error: Exception) -> InputError:
    message = str(error).strip().partition("\n")[0]
    return InputError(
        f"The {what} of {model.name} in {model.folder} cannot be read ({message}). "
        "Copy the model's folder again."
    )


def _find_blocks(module: torch.nn.Module, layers: int) -> tuple[torch.nn.Module, str] | None:
    """Return the parent and name of the list of transformer blocks, or None (as for ALBERT)."""
    for parent in module.modules():
        for name, child in parent.named_children():
            if isinstance(child, torch.nn.ModuleList) and len(child) == layers:
                return parent, name
    return None


@contextmanager
def silence_transformers() -> Iterator[None]:
    """Suppress transformers' progress bars and reports."""
    verbosity = transformers_logging.get_verbosity()
    had_bars = transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity(logging.ERROR)
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        transformers_logging.set_verbosity(verbosity)
        if had_bars:
            transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def padded(
    rows: Sequence[Sequence[int] | NDArray[np.int64]], padding: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return rows padded on the right as one tensor, and its mask, both of shape (rows, longest)."""
    pieces = [torch.as_tensor(row, dtype=torch.long) for row in rows]
    ids = pad_sequence(pieces, batch_first=True, padding_value=padding)
    lengths = torch.tensor([len(row) for row in rows])
    return ids, (torch.arange(ids.shape[1]) < lengths[:, None]).long()
