"""Likelihood of a summary under any language model, with an instruction (GPTScore, Fu et al. 2024)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from core.errors import BadSetting
from core.metrics.base import setting
from core.metrics.likelihood.language_model_metric import (
    DirectedLikelihood,
    direction_setting,
    dtype_setting,
    model_setting,
    pieces_setting,
    pooling_setting,
)
from core.metrics.registry import register

if TYPE_CHECKING:
    from core.models.heads.likelihood import Passage

_TEXT = "{text}"
_SUMMARIZE = "{text}\n\nTl;dr\n"
_INSTRUCTIONS = {
    "none": "",
    "coherence": "Generate a coherent summary for the following text: ",
    "consistency": "Generate factually consistent summary for the following text: ",
    "fluency": "Generate a fluent and grammatical summary for the following text: ",
    "relevance": "Generate a relevant summary with consistent details for the following text: ",
    "informativeness": "Generate an informative summary that captures the key points of the following text: ",
    "coverage": "Generate a summary with as much semantic coverage as possible for the following text: ",
    "factuality": "Generate a summary with consistent facts for the following text: ",
}
"""Instructions of the paper for each aspect of summaries."""


@register
@dataclass(frozen=True)
class Likelihood(DirectedLikelihood):
    """Mean log-probability of the pieces of a text after a prompt with the other text, at most 0.

    NaN for a text without letters or signs. Several references: the mean, or the best one. The statistic per
    reference is the value with that reference.

    Formula:
        score = 1/m · Σ ln P(y_t | y_<t, prompt), over the m pieces of the target y

    Modes:
        The prompt of an aspect is its instruction, the source, and *Tl;dr* on a line of its own. `template`
        replaces it: a text with {text} in the place of the source; \\n in it begins a new line.
        The target follows after a blank, or after that line.

    Limits:
        Values depend on the model, the prompt and the pieces of the tokenizer, so only those of one
        configuration are comparable. A piece that begins in the prompt and ends in the target belongs to the
        target. The authors' program takes the pieces of the target apart from its context, so that its first
        one may be another. Demonstrations are written into the template.
    """

    name: ClassVar[str] = "likelihood"
    about: ClassVar[str] = "Likelihood of the summary under any local language model, by an instruction."
    paper: ClassVar[str] = "Fu, Ng, Jiang & Liu 2024, GPTScore, NAACL"
    bibliography: ClassVar[tuple[str, ...]] = ("fu-2024-gptscore",)
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {"lm": ("gpt2-medium",)}

    lm: str = model_setting("gpt2-medium", "The causal or sequence-to-sequence model")
    aspect: str = setting(
        "none", "Aspect that the instruction names.", choices=tuple(_INSTRUCTIONS), title="Aspect"
    )
    template: str = setting(
        "",
        r"Prompt with {text} for the source, \n for a new line; empty = that of the aspect.",
        title="Template",
    )
    direction: str = direction_setting()
    pooling: str = pooling_setting()
    pieces: int = pieces_setting(0)
    dtype: str = dtype_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.template and self.template.count(_TEXT) != 1:
            raise BadSetting(f"{self.name}: template must contain {_TEXT} once, in the place of the source.")

    def unused(self) -> Mapping[str, str]:
        return {**super().unused(), **({"aspect": "a template"} if self.template else {})}

    def measures(self) -> tuple[str, ...]:
        aspect = f"-{self.aspect}" if self.aspect != "none" else ""
        return (f"{self.name}{aspect}.{self.direction}",)

    def passage(self, source: str, target: str) -> tuple[Passage, int]:
        from core.models.heads.likelihood import Passage  # imports torch

        template = self.template.replace(r"\n", "\n") or _INSTRUCTIONS[self.aspect] + _SUMMARIZE
        before, _, after = template.partition(_TEXT)
        return Passage(before, source, after if after.endswith("\n") else f"{after} ", target), 0
