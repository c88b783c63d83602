"""Fine-tuning of a copy of a masked language model on a few masked texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from copy import deepcopy
from dataclasses import dataclass

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR

from core.models.heads.masked_lm import Ids, MaskedLM
from core.models.runtime.network import padded
from core.progress import raise_if_cancelled

IGNORED_LABEL = -100
"""Label that torch's loss ignores."""

_NO_DECAY = ("bias", "LayerNorm.weight")


@dataclass(frozen=True, slots=True, eq=False)
class TuningExample:
    """A training text. ids: masked input. labels: original pieces, `IGNORED_LABEL` elsewhere."""

    ids: Ids
    labels: Ids


@dataclass(frozen=True, slots=True)
class TuningOptions:
    """Settings of AdamW (epsilon 1e-8, decay 0.01 except for biases and layer norms) with linear decay.

    freeze_below, freeze_above: number of first and last parameters that are not trained (-1 = none).
    seed: of the dropout.
    """

    epochs: int
    batch_size: int
    learning_rate: float
    warmup_steps: int
    freeze_below: int
    freeze_above: int
    seed: int


def fine_tune(model: MaskedLM, samples: Sequence[TuningExample], options: TuningOptions) -> MaskedLM:
    """Return a copy trained on the samples in order for all epochs; without samples, the model itself."""
    if not samples:
        return model
    module = deepcopy(model.module)
    if not _freeze(list(module.parameters()), options):
        return model
    batches = [samples[i : i + options.batch_size] for i in range(0, len(samples), options.batch_size)]
    optimizer = AdamW(_groups(module), lr=options.learning_rate, eps=1e-8, fused=_can_fuse(model.device))
    schedule = LambdaLR(optimizer, _linear(options.warmup_steps, options.epochs * len(batches)))
    with _repeatable(options.seed, model.device):
        module.train()
        for _ in range(options.epochs):
            for batch in batches:
                raise_if_cancelled()
                optimizer.zero_grad()
                _loss(module, batch, model).backward()  # type: ignore[no-untyped-call]
                optimizer.step()
                schedule.step()
    return model.with_module(module.eval())


def _loss(module: torch.nn.Module, batch: Sequence[TuningExample], model: MaskedLM) -> torch.Tensor:
    ids, mask = padded([sample.ids for sample in batch], model.padding)
    labels, _ = padded([sample.labels for sample in batch], IGNORED_LABEL)
    place = model.device
    loss: torch.Tensor = module(
        input_ids=ids.to(place), attention_mask=mask.to(place), labels=labels.to(place)
    ).loss
    return loss


def _freeze(parameters: Sequence[torch.nn.Parameter], options: TuningOptions) -> bool:
    """Freeze the first and last parameters; return whether any is left to train."""
    for place, parameter in enumerate(parameters):
        is_last = options.freeze_above > 0 and len(parameters) - place < options.freeze_above
        parameter.requires_grad = not (place < options.freeze_below or is_last)
    return any(parameter.requires_grad for parameter in parameters)


def _groups(module: torch.nn.Module) -> list[dict[str, object]]:
    decayed: list[torch.nn.Parameter] = []
    others: list[torch.nn.Parameter] = []
    for name, parameter in module.named_parameters():
        (others if any(part in name for part in _NO_DECAY) else decayed).append(parameter)
    return [{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]


def _can_fuse(device: str) -> bool:
    """Return whether AdamW can update all weights in one fused step: nine times as fast on a CPU."""
    return device == "cpu" or device.startswith("cuda")


def _linear(warmup: int, steps: int) -> Callable[[int], float]:
    """Return the share of the learning rate at each step: linear warm-up, then linear decay to 0."""

    def share(step: int) -> float:
        if step < warmup:
            return step / max(1, warmup)
        return max(0.0, (steps - step) / max(1, steps - warmup))

    return share


@contextmanager
def _repeatable(seed: int, device: str) -> Iterator[None]:
    """Seed torch and make training deterministic; restores the random state at the end."""
    kind = device.partition(":")[0]
    ours = [torch.device(device)] if kind == "cuda" else []
    apples = torch.mps.get_rng_state() if kind == "mps" else None
    # a GPU's fast attention sums gradients in any order; a CPU's does not
    plain = nullcontext() if kind == "cpu" else sdpa_kernel(SDPBackend.MATH)
    with torch.random.fork_rng(devices=ours), plain:
        torch.manual_seed(seed)
        try:
            yield
        finally:
            if apples is not None:
                torch.mps.set_rng_state(apples)
