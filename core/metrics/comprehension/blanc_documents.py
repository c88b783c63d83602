"""Masked sentences of documents, and the model's predictions with and without help."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text
from core.text.sentences import sentence_spans_of

if TYPE_CHECKING:
    from core.metrics.comprehension.blanc_masking import Masking
    from core.models.heads.masked_lm import Ids, MaskedLM, MaskedSentence, MaskPredictions

Place = tuple[Text, Span]


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedSentence:
    """A tokenized sentence. ids: shape (pieces,). strings: in WordPiece notation. spans: in the text."""

    text: Text
    ids: Ids
    strings: tuple[str, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MaskedBlanks:
    """A sentence with some masked pieces. length: number of its first pieces that are used."""

    sentence: TokenizedSentence
    length: int
    masked: Ids
    places: Ids

    @property
    def expected(self) -> Ids:
        """Return the original ids of the masked pieces, shape (masks,)."""
        return self.sentence.ids[self.places]

    def with_context(self, ahead: Ids) -> MaskedSentence:
        """Return the masked sentence with preceding pieces."""
        from core.models.heads.masked_lm import MaskedSentence  # imports torch

        return MaskedSentence(ahead, self.masked, self.places)


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """A model's predictions for the masked words of the documents, without and with a summary.

    places: of each word.
    expected, plain, helped: ids of pieces, shape (words,).
    undecided: number of predictions that rounding could change.
    truncated: texts that were truncated.
    """

    places: tuple[Place, ...]
    expected: Ids
    plain: Ids
    helped: Ids
    undecided: int
    truncated: frozenset[Text]

    def counts(self) -> NDArray[np.int64]:
        """Count words by correctness without help (rows) and with it (columns); shape (2, 2), wrong first."""
        right = 2 * (self.plain == self.expected) + (self.helped == self.expected)
        return np.bincount(right, minlength=4).reshape(2, 2)


def cut_sentences(model: MaskedLM, text: Text) -> list[TokenizedSentence]:
    """Tokenize a text's sentences after NFKD normalization, as the authors' program does."""
    spans = sentence_spans_of(text)
    normalized = [_normalize(text.content[start:end]) for start, end in spans]
    cut = model.cut([sentence for sentence, _ in normalized])
    sentences = []
    for (start, _), (_, origins), pieces in zip(spans, normalized, cut, strict=True):
        places = tuple((start + origins[a], start + origins[b - 1] + 1) for a, b in pieces.spans)
        sentences.append(TokenizedSentence(text, pieces.ids, pieces.strings, places))
    return sentences


def mask_sentence(
    sentence: TokenizedSentence, length: int, maskings: Sequence[Masking], mask: int
) -> list[MaskedBlanks]:
    """Return the sentence's first `length` pieces with each masking in turn. mask: id of the mask piece."""
    blanks = []
    for masking in maskings:
        places = np.array(masking, dtype=np.int64)
        masked = sentence.ids[:length].copy()
        masked[places] = mask
        blanks.append(MaskedBlanks(sentence, length, masked, places))
    return blanks


def collect_answers(
    blanks: Sequence[MaskedBlanks],
    plain: Sequence[MaskPredictions],
    helped: Sequence[MaskPredictions],
    truncated: frozenset[Text] = frozenset(),
) -> Answers:
    """Combine predictions for some documents, in order. truncated: texts truncated in addition to these."""
    return Answers(
        places=tuple(_places(blanks)),
        expected=_joined([one.expected for one in blanks]),
        plain=_joined([guess.ids for guess in plain]),
        helped=_joined([guess.ids for guess in helped]),
        undecided=sum(int(guess.is_undecided.sum()) for guess in (*plain, *helped)),
        truncated=truncated | {one.sentence.text for one in blanks if one.length < len(one.sentence.ids)},
    )


def _places(blanks: Sequence[MaskedBlanks]) -> Iterator[Place]:
    for one in blanks:
        yield from ((one.sentence.text, one.sentence.spans[place]) for place in one.places.tolist())


def _joined(parts: Sequence[Ids]) -> Ids:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _normalize(content: str) -> tuple[str, Sequence[int]]:
    """Return a text in NFKD form, and the original index of each of its characters."""
    normalized = unicodedata.normalize("NFKD", content)
    if normalized == content:
        return content, range(len(content))
    # combining marks may be reordered, but only within one letter
    origins = [i for i, character in enumerate(content) for _ in unicodedata.normalize("NFKD", character)]
    return normalized, origins
