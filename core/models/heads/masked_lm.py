"""Masked language model: the most likely word piece at each masked position of a text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
import torch
from numpy.typing import NDArray

from core.errors import InputError
from core.models.catalogue.model_folder import Model
from core.models.heads.head_model import HeadModel, is_near_tie
from core.models.runtime.heads import Head, LoadOptions, open_head
from core.models.runtime.network import padded
from core.models.runtime.word_pieces import WordPieces
from core.text.scripts import is_inside_word

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class MaskedSentence:
    """A masked sentence with preceding context; inputs share the arrays.

    ahead, sentence: word pieces, shape (pieces,), without special ones.
    places: positions of the masks in the sentence, shape (masks,).
    """

    ahead: Ids
    sentence: Ids
    places: Ids

    def __len__(self) -> int:
        return 2 + len(self.ahead) + len(self.sentence)


@dataclass(frozen=True, slots=True, eq=False)
class MaskPredictions:
    """Most likely piece at each masked position, and whether another is as likely; shape (masks,)."""

    ids: Ids
    is_undecided: NDArray[np.bool_]


def load_masked_lm(model: str, *, is_trained: bool = False, **options: Unpack[LoadOptions]) -> MaskedLM:
    """Load the masked language model of a catalogue key, folder or hub name.

    is_trained: `fine_tune` will train copies of it.
    Raises MissingResource with how to get it, InputError if it is damaged or not a masked language model.
    """
    return MaskedLM(*open_head(model, lambda _: Head.MASKED_LM, is_trained=is_trained, **options))


class MaskedLM(HeadModel):
    """A loaded masked language model. Not thread-safe."""

    def __init__(self, model: Model, module: Any, tokenizer: Any, device: str, batch_tokens: int) -> None:
        super().__init__(model, module, tokenizer, device, batch_tokens)
        self.padding = tokenizer.pad_token_id or 0
        self.mask = _special(model, tokenizer, "mask")
        self._ends = (_special(model, tokenizer, "cls"), _special(model, tokenizer, "sep"))
        self._has_marks = any(piece.startswith("##") for piece in tokenizer.get_vocab())

    @property
    def vocabulary(self) -> int:
        """Size of the vocabulary."""
        return len(self._tokenizer)

    def with_module(self, module: torch.nn.Module) -> MaskedLM:
        """Return a copy with another network, such as a fine-tuned one."""
        other = copy(self)
        other.module = module
        return other

    def cut(self, texts: Sequence[str]) -> list[WordPieces]:
        """Tokenize texts into word pieces without special ones, without truncation.

        Pieces that continue a word begin with ``##``, whatever notation the model uses.
        """
        cut = self._cutter.cut(texts)
        return [self._plain(text, pieces) for text, pieces in zip(texts, cut, strict=True)]

    def piece(self, string: str) -> int:
        """Return the id of a piece; unknown pieces have the id of the unknown piece."""
        return int(self._tokenizer.convert_tokens_to_ids(string))

    def strings(self, ids: Ids) -> list[str]:
        """Return pieces as written in the vocabulary."""
        return list(self._tokenizer.convert_ids_to_tokens(ids.tolist()))

    def closed(self, *parts: Ids) -> Ids:
        """Concatenate pieces between the special ones at the beginning and the end of a text."""
        first, last = self._ends
        return np.concatenate([[first], *parts, [last]]).astype(np.int64)

    def guess(self, inputs: Sequence[MaskedSentence]) -> list[MaskPredictions]:
        """Predict the masked pieces of every input; equal inputs are run once."""
        keys = [_key(one) for one in inputs]
        unique = list(dict(zip(keys, inputs, strict=True)).values())
        results = self._batches.run([len(one) for one in unique], lambda batch: self._step(unique, batch))
        known = dict(zip(dict.fromkeys(keys), results, strict=True))
        return [known[key] for key in keys]

    def _plain(self, text: str, pieces: WordPieces) -> WordPieces:
        own = pieces.without_special()
        if self._has_marks:
            return own
        return replace(own, strings=tuple(_marked(text, *span) for span in own.spans))

    def _step(self, inputs: Sequence[MaskedSentence], batch: Sequence[int]) -> list[MaskPredictions]:
        chosen = [inputs[place] for place in batch]
        rows = np.repeat(np.arange(len(chosen)), [len(one.places) for one in chosen])
        columns = np.concatenate([one.places + 1 + len(one.ahead) for one in chosen])
        ids, mask = padded([self.closed(one.ahead, one.sentence) for one in chosen], self.padding)
        places = torch.from_numpy(rows).to(self.device), torch.from_numpy(columns).to(self.device)
        with torch.inference_mode(), _only(self.module, places) as picked:
            out = self.module(input_ids=ids.to(self.device), attention_mask=mask.to(self.device))
            scores = out.logits[0] if picked else out.logits[places]
            best, near = scores.argmax(dim=-1).cpu().numpy(), is_near_tie(scores).cpu().numpy()
        ends = np.cumsum([len(one.places) for one in chosen])[:-1]
        pairs = zip(np.split(best, ends), np.split(near, ends), strict=True)
        return [MaskPredictions(ids, undecided) for ids, undecided in pairs]


@contextmanager
def _only(module: torch.nn.Module, places: tuple[torch.Tensor, torch.Tensor]) -> Iterator[bool]:
    """Apply a model's head only to the given positions, in one row; yields whether that is possible.

    The head, which scores the whole vocabulary, is most of the work of a small model.
    """
    base: Any = getattr(module, "base_model", module)
    if base is module:
        yield False
        return

    def pick(_module: Any, _inputs: Any, out: Any) -> Any:
        out.last_hidden_state = out.last_hidden_state[places].unsqueeze(0)
        return out

    hook = base.register_forward_hook(pick)
    try:
        yield True
    finally:
        hook.remove()


def _special(model: Model, tokenizer: Any, name: str) -> int:
    piece_id = getattr(tokenizer, f"{name}_token_id")
    if piece_id is None:
        raise InputError(
            f"The tokenizer of {model.name} has no {name} piece. Choose a model with BERT's special pieces."
        )
    return int(piece_id)


def _marked(text: str, start: int, end: int) -> str:
    """Return a piece in WordPiece notation: no leading space, ``##`` if it continues a word."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return f"##{piece.strip()}" if is_inside_word(text, start) else piece.strip()


def _key(one: MaskedSentence) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in (one.ahead, one.sentence, one.places):
        digest.update(len(part).to_bytes(4, "little") + part.tobytes())
    return digest.digest()
