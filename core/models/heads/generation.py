"""Text generation by a sequence-to-sequence or causal language model."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import torch
from transformers import LogitsProcessor, LogitsProcessorList, StoppingCriteria, StoppingCriteriaList

from core.errors import InputError
from core.models.catalogue.model_folder import position_limit, read_json
from core.models.heads.head_model import is_near_tie
from core.models.runtime.batches import Batcher
from core.models.runtime.heads import Head, LoadedHead, LoadOptions, generation_head, open_head
from core.progress import raise_if_cancelled


def beam_search(
    module: Any, inputs: Mapping[str, torch.Tensor], beams: int, tokens: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the most likely tokens for each input, and whether rounding could change any choice.

    inputs: of the encoder, shape (rows, pieces). tokens: most of a text; after its end, the end is repeated.
    A text's probability is the product over its tokens, whatever their number. Finished texts keep their
    place among the beams; transformers' own search sets them aside, and may so find another text.
    """
    config, mask = module.config, inputs["attention_mask"]
    rows = len(mask)
    encoded = module.get_encoder()(**inputs).last_hidden_state
    last = torch.full((rows, 1), config.decoder_start_token_id, device=mask.device)
    cache: Any = None
    totals = torch.zeros((rows, 1), device=mask.device)
    written = torch.zeros((rows, 1, 0), dtype=torch.long, device=mask.device)
    is_near = torch.zeros(rows, dtype=torch.bool, device=mask.device)
    for _ in range(tokens):
        raise_if_cancelled()
        out = module(
            encoder_outputs=(encoded,),
            attention_mask=mask,
            decoder_input_ids=last,
            past_key_values=cache,
            use_cache=True,
        )
        cache = out.past_key_values
        found = out.logits[:, -1].float().log_softmax(dim=-1).reshape(rows, totals.shape[1], -1)
        # a text may begin with the end mark, as the released BARTs do
        is_over = (last == config.eos_token_id).reshape(rows, -1, 1) & (written.shape[2] > 0)
        after = torch.full_like(found[:1, :1], -torch.inf)
        after[..., config.eos_token_id] = 0.0
        sums = (torch.where(is_over, after, found) + totals.unsqueeze(2)).flatten(1)
        is_near |= is_near_tie(sums.topk(beams + 1).values[:, -2:])
        totals, places = sums.topk(beams)
        parents = places // found.shape[2]
        kept = written.gather(1, parents.unsqueeze(2).expand(-1, -1, written.shape[2]))
        written = torch.cat([kept, (places % found.shape[2]).unsqueeze(2)], dim=2)
        if bool((written[..., -1] == config.eos_token_id).all()):
            break
        if len(mask) == rows and beams > 1:
            encoded, mask = (one.repeat_interleave(beams, dim=0) for one in (encoded, mask))
        first = torch.arange(rows, device=mask.device).unsqueeze(1) * found.shape[1]
        cache.reorder_cache((first + parents).flatten())
        last = written[..., -1].reshape(-1, 1)
    return written[:, 0], is_near | is_near_tie(totals)


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """How text is generated; nothing is drawn at random unless there is a temperature.

    tokens, least_tokens: most and fewest tokens of a text. beams: of the beam search, 1 = greedy search.
    no_repeat: no sequence of this many tokens occurs twice, 0 = any may. length_penalty: exponent of the
    length by which scores of beams are divided. chat: use the model's chat template, if it has one.
    temperature: of texts drawn at random, 0 = none is. samples: number of them for each prompt. seed: of
    those; the draws of a prompt depend on no other prompt.
    """

    tokens: int = 256
    least_tokens: int = 0
    beams: int = 4
    no_repeat: int = 3
    length_penalty: float = 1.0
    chat: bool = True
    temperature: float = 0.0
    samples: int = 1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class LabelProbabilities:
    """Probabilities of the next token after a prompt.

    values: of each label, summed over the tokens that write it, in [0, 1]. is_cut: as in `GeneratedText`.
    """

    values: tuple[float, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """A generated text. is_cut: the end of the prompt's variable part was left out, for it was too long."""

    text: str
    is_cut: bool


@dataclass(frozen=True, slots=True)
class GreedyText:
    """A text of the most likely tokens.

    first: probability of the watched token as the first one. is_cut: the end of the input was left out.
    is_undecided: a token was almost as likely as another one.
    """

    text: str
    first: float
    is_cut: bool
    is_undecided: bool


def load_generator(model: str, **options: Unpack[LoadOptions]) -> TextGenerator:
    """Load the generator of a folder or hub name.

    Raises MissingResource with how to get it, InputError if it is damaged or generates no text.
    """
    return TextGenerator(open_head(model, generation_head, **options))


class TextGenerator:
    """A loaded model. Not thread-safe."""

    def __init__(self, loaded: LoadedHead) -> None:
        self.model, self._module, tokenizer, self._device, batch_tokens = loaded
        self._tokenizer, self._batches = tokenizer, Batcher(self.model.name, self._device, batch_tokens)
        self._is_causal = generation_head(self.model) is Head.CAUSAL_LM
        if self._is_causal:
            tokenizer.padding_side = "left"

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

    def greedy(self, texts: Sequence[str], tokens: int, limit: int, watched: int) -> list[GreedyText]:
        """Return what a sequence-to-sequence model writes for each input; equal inputs are run once.

        tokens: most of a text. limit: tokens of an input, whose end is left out; a network without positions
        for so many reads fewer. watched: the token whose probability as the first one is returned.
        """
        positions = position_limit(read_json(self.model.folder / "config.json"))
        unique = list(dict.fromkeys(texts))
        rows, is_cut = self._shortened(unique, min(limit, positions or limit))
        settings = GenerationSettings(tokens, beams=1, no_repeat=0)

        def step(batch: Sequence[int]) -> list[GreedyText]:
            watch = _WatchTokens(watched, self._tokenizer.eos_token_id)
            ids = self._written([rows[place] for place in batch], settings, (watch,))
            written = self._tokenizer.batch_decode(
                ids, skip_special_tokens=True, clean_up_tokenization_spaces=True
            )
            found = zip(batch, written, watch.first, watch.is_undecided.tolist(), strict=True)
            return [GreedyText(text, first, is_cut[place], near) for place, text, first, near in found]

        made = dict(zip(unique, self._batches.run([len(ids) for ids in rows], step), strict=True))
        return [made[text] for text in texts]

    def likeliest(self, texts: Sequence[str], beams: int, tokens: int) -> list[GreedyText]:
        """Return the most likely text that a beam search finds for each input, as in `beam_search`.

        tokens: most of a text. Marks within a text are part of it; `first` is not known, 0.
        Equal inputs are run once.
        """
        unique = list(dict.fromkeys(texts))
        rows, is_cut = self._shortened(unique, position_limit(read_json(self.model.folder / "config.json")))
        end = self._module.config.eos_token_id

        def step(batch: Sequence[int]) -> list[GreedyText]:
            padded = self._tokenizer.pad({"input_ids": [rows[i] for i in batch]}, return_tensors="pt")
            with torch.inference_mode():
                inputs = {name: padded[name].to(self._device) for name in ("input_ids", "attention_mask")}
                ids, near = beam_search(self._module, inputs, beams, tokens)
            made = []
            for place, row, is_near in zip(batch, ids.tolist(), near.tolist(), strict=True):
                own = row[: row.index(end)] if end in row else row
                text = self._tokenizer.clean_up_tokenization(self._tokenizer.decode(own)).strip()
                made.append(GreedyText(text, 0.0, is_cut[place], is_near))
            return made

        made = dict(zip(unique, self._batches.run([beams * len(ids) for ids in rows], step), strict=True))
        return [made[text] for text in texts]

    def _shortened(self, texts: Sequence[str], limit: int) -> tuple[list[list[int]], list[bool]]:
        """Return the tokens of each text, at most `limit` (0 = any), and whether its end was left out."""
        rows = [list(ids) for ids in self._tokenizer(texts, verbose=False)["input_ids"]] if texts else []
        is_cut = [0 < limit < len(ids) for ids in rows]
        for place in (place for place, cut in enumerate(is_cut) if cut):
            cut = self._tokenizer(texts[place], truncation=True, max_length=limit)
            rows[place] = list(cut["input_ids"])
        return rows, is_cut

    def sample(
        self, prompts: Sequence[tuple[str, str, str]], settings: GenerationSettings
    ) -> Iterator[list[GeneratedText]]:
        """Yield several texts per prompt, drawn at the temperature; the same for the same seed and prompt."""
        for prompt in prompts:
            raise_if_cancelled()
            ids, is_cut = self._fitted(prompt, settings)
            content = f"{settings.seed} {''.join(prompt)}".encode()
            torch.manual_seed(int.from_bytes(hashlib.sha256(content).digest()[:8], "big") >> 1)
            yield [GeneratedText(" ".join(text.split()), is_cut) for text in self._pass([ids], settings)]

    def label_probabilities(
        self,
        prompts: Sequence[tuple[str, str, str]],
        labels: Sequence[str],
        settings: GenerationSettings,
        batch: int = 1,
    ) -> Iterator[LabelProbabilities]:
        """Yield the probabilities of labels as the beginning of the answer to each prompt, in order.

        Raises InputError for a label that is more than one token.
        """
        tokens = [self._tokens_of(label) for label in labels]
        for at in range(0, len(prompts), batch):
            raise_if_cancelled()
            fitted = [self._fitted(prompt, settings) for prompt in prompts[at : at + batch]]
            for row, (_, is_cut) in zip(self._next([ids for ids, _ in fitted]), fitted, strict=True):
                values = tuple(float(row[list(ids)].sum()) for ids in tokens)
                yield LabelProbabilities(values, is_cut)

    def _tokens_of(self, label: str) -> set[int]:
        """Return the tokens that write a label, with or without a blank before it and in either case."""
        found = set()
        for written in dict.fromkeys((label, label.capitalize(), label.upper())):
            for text in (written, f" {written}"):
                ids = self._tokenizer(text, add_special_tokens=False)["input_ids"]
                ids = [one for one in ids if self._tokenizer.decode([one]).strip()]
                if len(ids) == 1 and self._tokenizer.decode(ids).strip() == written:
                    found.add(int(ids[0]))
        if not found:
            raise InputError(
                f"{self.model.name} has no token for {label!r}, so that its probability is unknown. Draw "
                "answers instead (samples=20)."
            )
        return found

    def _next(self, rows: Sequence[Sequence[int]]) -> torch.Tensor:
        """Return the probabilities of the next token, shape (rows, tokens), on the CPU."""
        padded = self._tokenizer.pad({"input_ids": [list(ids) for ids in rows]}, return_tensors="pt")
        ids, mask = padded["input_ids"].to(self._device), padded["attention_mask"].to(self._device)
        with torch.inference_mode():
            if self._is_causal:
                places = (mask.cumsum(dim=1) - 1).clamp(min=0)  # padding is on the left
                given = {"position_ids": places} if self._takes_places else {}
                logits = self._module(input_ids=ids, attention_mask=mask, **given).logits[:, -1]
            else:
                start = self._module.config.decoder_start_token_id
                begun = torch.full((len(rows), 1), start, device=ids.device)
                logits = self._module(input_ids=ids, attention_mask=mask, decoder_input_ids=begun).logits[
                    :, -1
                ]
        probabilities: torch.Tensor = logits.float().softmax(dim=-1).cpu()
        return probabilities

    @property
    def _takes_places(self) -> bool:
        return "position_ids" in inspect.signature(self._module.forward).parameters

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
        found = self._written(rows, settings)
        texts: list[str] = self._tokenizer.batch_decode(found, skip_special_tokens=True)
        return texts

    def _written(
        self,
        rows: Sequence[Sequence[int]],
        settings: GenerationSettings,
        watchers: Sequence[LogitsProcessor] = (),
    ) -> Any:
        """Return the tokens that are written for each prompt."""
        padded = self._tokenizer.pad({"input_ids": [list(ids) for ids in rows]}, return_tensors="pt")
        ids, mask = padded["input_ids"].to(self._device), padded["attention_mask"].to(self._device)
        with torch.inference_mode():
            found = self._module.generate(
                input_ids=ids,
                attention_mask=mask,
                max_new_tokens=settings.tokens,
                min_new_tokens=settings.least_tokens or None,
                num_beams=settings.beams,
                do_sample=settings.temperature > 0,
                temperature=settings.temperature or None,
                top_p=1.0 if settings.temperature else None,
                top_k=0 if settings.temperature else None,
                num_return_sequences=settings.samples,
                no_repeat_ngram_size=settings.no_repeat,
                length_penalty=settings.length_penalty if settings.beams > 1 else None,
                early_stopping=settings.beams > 1,
                pad_token_id=self._tokenizer.pad_token_id,
                stopping_criteria=StoppingCriteriaList([_StopIfCancelled()]),
                logits_processor=LogitsProcessorList(watchers),
            )
        return found[:, ids.shape[1] :] if self._is_causal else found


class _WatchTokens(LogitsProcessor):
    """Notes the probability of a token as the first one, and whether a choice is a near tie.

    first: of each text, in [0, 1]. is_undecided: shape (texts,).
    """

    def __init__(self, token: int, end: int | None) -> None:
        self._token, self._end = token, -1 if end is None else end
        self.first: list[float] = []
        self.is_undecided = torch.zeros(0, dtype=torch.bool)

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        near = is_near_tie(scores.float())
        if not self.first:
            self.first = scores.float().softmax(dim=-1)[:, self._token].tolist()
            self.is_undecided = near
        else:
            self.is_undecided |= near & ~(input_ids[:, 1:] == self._end).any(dim=1)
        return scores


class _StopIfCancelled(StoppingCriteria):
    """Raises where the job was cancelled, after each token."""

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor, **_: Any) -> Any:
        raise_if_cancelled()
        return torch.zeros(len(input_ids), dtype=torch.bool, device=input_ids.device)
