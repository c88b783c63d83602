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
    """A sentence in pieces. ids: shape (pieces,). strings: as WordPiece writes them. spans: in the text."""

    text: Text
    ids: Ids
    strings: tuple[str, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MaskedBlanks:
    """A sentence with some of its pieces masked. kept: of the sentence's pieces, the first so many."""

    sentence: TokenizedSentence
    kept: int
    masked: Ids
    places: Ids

    @property
    def expected(self) -> Ids:
        """What was masked, shape (masks,)."""
        return self.sentence.ids[self.places]

    def behind(self, ahead: Ids) -> MaskedSentence:
        """The masked sentence with these pieces ahead of it."""
        from core.models.heads.masked_lm import MaskedSentence  # imports torch

        return MaskedSentence(ahead, self.masked, self.places)


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What a model put for the masked words of the documents, without a summary's help and with it.

    places: of each word. expected, plain, helped: ids of pieces, shape (words,). undecided: answers that
    rounding may turn. truncated: texts of which not all was read.
    """

    places: tuple[Place, ...]
    expected: Ids
    plain: Ids
    helped: Ids
    undecided: int
    truncated: frozenset[Text]

    def counts(self) -> NDArray[np.int64]:
        """Words by whether they were right without help and with it; shape (2, 2), wrong first."""
        right = 2 * (self.plain == self.expected) + (self.helped == self.expected)
        return np.bincount(right, minlength=4).reshape(2, 2)


def cut_sentences(model: MaskedLM, text: Text) -> list[TokenizedSentence]:
    """A text's sentences in pieces, signs decomposed for compatibility (NFKD) as the authors have them."""
    spans = sentence_spans_of(text)
    written = [_decomposed(text.content[start:end]) for start, end in spans]
    cut = model.cut([sentence for sentence, _ in written])
    found = []
    for (start, _), (_, origins), pieces in zip(spans, written, cut, strict=True):
        places = tuple((start + origins[a], start + origins[b - 1] + 1) for a, b in pieces.spans)
        found.append(TokenizedSentence(text, pieces.ids, pieces.strings, places))
    return found


def mask_sentence(
    sentence: TokenizedSentence, kept: int, maskings: Sequence[Masking], mask: int
) -> list[MaskedBlanks]:
    """The sentence's first pieces with each masking in turn. mask: the id that stands for a masked piece."""
    found = []
    for masking in maskings:
        places = np.array(masking, dtype=np.int64)
        masked = sentence.ids[:kept].copy()
        masked[places] = mask
        found.append(MaskedBlanks(sentence, kept, masked, places))
    return found


def collect_answers(
    asked: Sequence[MaskedBlanks],
    plain: Sequence[MaskPredictions],
    helped: Sequence[MaskPredictions],
    truncated: frozenset[Text] = frozenset(),
) -> Answers:
    """All answers about some documents, in the order asked. truncated: texts that were cut beside those."""
    return Answers(
        places=tuple(_places(asked)),
        expected=_joined([one.expected for one in asked]),
        plain=_joined([guess.ids for guess in plain]),
        helped=_joined([guess.ids for guess in helped]),
        undecided=sum(int(guess.is_undecided.sum()) for guess in (*plain, *helped)),
        truncated=truncated | {one.sentence.text for one in asked if one.kept < len(one.sentence.ids)},
    )


def _places(asked: Sequence[MaskedBlanks]) -> Iterator[Place]:
    for one in asked:
        yield from ((one.sentence.text, one.sentence.spans[place]) for place in one.places.tolist())


def _joined(parts: Sequence[Ids]) -> Ids:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _decomposed(content: str) -> tuple[str, Sequence[int]]:
    """A text in compatibility decomposition, and for each of its signs the place that it came from."""
    written = unicodedata.normalize("NFKD", content)
    if written == content:
        return content, range(len(content))
    # marks may change their order within one letter, which moves no letter
    return written, [i for i, sign in enumerate(content) for _ in unicodedata.normalize("NFKD", sign)]
