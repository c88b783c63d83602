"""Text generation by a sequence-to-sequence or causal language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers import StoppingCriteria, StoppingCriteriaList

from core.errors import InputError
from core.models.catalogue.digests import DigestCache
from core.models.catalogue.lookup import find_model, verified_hash
from core.models.catalogue.model_folder import Model
from core.models.runtime.devices import choose_device
from core.models.runtime.heads import Head, generation_head, load_head
from core.progress import raise_if_cancelled


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """How text is generated; nothing is drawn at random.

    tokens, least_tokens: most and fewest tokens of a text. beams: of the beam search, 1 = greedy search.
    no_repeat: no sequence of this many tokens occurs twice, 0 = any may. length_penalty: exponent of the
    length by which scores of beams are divided. chat: use the model's chat template, if it has one.
    """

    tokens: int = 256
    least_tokens: int = 0
    beams: int = 4
    no_repeat: int = 3
    length_penalty: float = 1.0
    chat: bool = True


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """A generated text. is_cut: the end of the prompt's variable part was left out, for it was too long."""

    text: str
    is_cut: bool


def load_generator(
    model: str, *, device: str = "auto", dtype: str = "float32", digests: DigestCache | None = None
) -> TextGenerator:
    """Load the generator of a folder or hub name.

    Raises MissingResource with how to get it, InputError if it is damaged or generates no text.
    """
    installed = find_model(model)
    head = generation_head(installed)
    verified_hash(installed, digests or DigestCache())
    place = choose_device(device)
    raise_if_cancelled()
    module, tokenizer = load_head(installed, head, place, dtype)
    return TextGenerator(installed, module, tokenizer, place, is_causal=head is Head.CAUSAL_LM)


class TextGenerator:
    """A loaded model. Not thread-safe."""

    def __init__(
        self, model: Model, module: torch.nn.Module, tokenizer: Any, device: str, *, is_causal: bool
    ) -> None:
        self.model, self._tokenizer = model, tokenizer
        self._module: Any = module
        self._device, self._is_causal = device, is_causal
        if is_causal:
            tokenizer.padding_side = "left"
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token

    def generate(
        self, prompts: Sequence[tuple[str, str, str]], settings: GenerationSettings, batch: int = 1
    ) -> Iterator[GeneratedText]:
        """Yield a text per prompt, in order.

        prompts: the parts before, of and after the text that is cut where the whole is too long.
        batch: prompts per pass; rounding may differ between sizes.
        """
        for at in range(0, len(prompts), batch):
            raise_if_cancelled()
            fitted = [self._fitted(prompt, settings) for prompt in prompts[at : at + batch]]
            texts = self._pass([ids for ids, _ in fitted], settings)
            for text, (_, is_cut) in zip(texts, fitted, strict=True):
                yield GeneratedText(" ".join(text.split()), is_cut)

    def _fitted(self, prompt: tuple[str, str, str], settings: GenerationSettings) -> tuple[list[int], bool]:
        """Return the tokens of a prompt, with the end of its text left out if it is too long."""
        before, text, after = prompt
        whole = self._ids(before + text + after, settings)
        limit = self._limit(settings)
        if not limit or len(whole) <= limit:
            return whole, False
        spans = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        kept = len(spans) - (len(whole) - limit)
        while kept > 0:  # the parts may be divided otherwise where they meet
            ids = self._ids(before + text[: spans[kept - 1][1]].rstrip() + after, settings)
            if len(ids) <= limit:
                return ids, True
            kept -= max(len(ids) - limit, 1)
        raise InputError(
            f"The prompt does not fit in the {limit} tokens that {self.model.name} reads. Shorten the "
            "prompt, or reduce the length of the summaries."
        )

    def _limit(self, settings: GenerationSettings) -> int:
        """Return the most tokens of a prompt, 0 = no limit; a causal model also needs room for its answer."""
        limit = self.model.limit
        return max(limit - settings.tokens, 1) if limit and self._is_causal else limit

    def _ids(self, text: str, settings: GenerationSettings) -> list[int]:
        if self._is_causal and settings.chat and self._tokenizer.chat_template:
            text = self._tokenizer.apply_chat_template(
                [{"role": "user", "content": text}], tokenize=False, add_generation_prompt=True
            )
            return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])
        return list(self._tokenizer(text)["input_ids"])

    def _pass(self, rows: Sequence[Sequence[int]], settings: GenerationSettings) -> list[str]:
        padded = self._tokenizer.pad({"input_ids": [list(ids) for ids in rows]}, return_tensors="pt")
        ids, mask = padded["input_ids"].to(self._device), padded["attention_mask"].to(self._device)
        with torch.inference_mode():
            found = self._module.generate(
                input_ids=ids,
                attention_mask=mask,
                max_new_tokens=settings.tokens,
                min_new_tokens=settings.least_tokens or None,
                num_beams=settings.beams,
                do_sample=False,
                temperature=None,
                top_p=None,
                top_k=None,
                no_repeat_ngram_size=settings.no_repeat,
                length_penalty=settings.length_penalty if settings.beams > 1 else None,
                early_stopping=settings.beams > 1,
                pad_token_id=self._tokenizer.pad_token_id,
                stopping_criteria=StoppingCriteriaList([_StopIfCancelled()]),
            )
        if self._is_causal:
            found = found[:, ids.shape[1] :]
        texts: list[str] = self._tokenizer.batch_decode(found, skip_special_tokens=True)
        return texts


class _StopIfCancelled(StoppingCriteria):
    """Raises where the job was cancelled, after each token."""

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor, **_: Any) -> Any:
        raise_if_cancelled()
        return torch.zeros(len(input_ids), dtype=torch.bool, device=input_ids.device)
