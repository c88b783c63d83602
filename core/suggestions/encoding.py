"""Text encodings for suggestions, each computed once and cached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from core.domain.pyramid import Scu, TopicAnnotation
from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.models.runtime.encoding_cache import BoundedCache
from core.progress import JobSteps, Progress
from core.text.scripts import REFUSAL_SHARE

if TYPE_CHECKING:
    from core.models.encoders.contextual_spans import ContextualText
    from core.models.encoders.encoder import Encoder

DEFAULT_ENCODER = "minilm"
_BATCH_LETTERS = 4000  # takes a second on a slow machine, the delay of a cancellation


@dataclass(frozen=True, slots=True, eq=False)
class EncodedTexts:
    """Encoded texts, by `Text.reading_key`. model, dimension: of the encoder."""

    model: str
    dimension: int
    by_key: Mapping[str, ContextualText]

    def of(self, text: Text) -> ContextualText:
        """Return an encoded text. Raises KeyError if it is missing."""
        return self.by_key[text.reading_key]


class Encoders(Protocol):
    """Encoders by name, each loaded once."""

    def encoder(self, model: str) -> Encoder:
        """Return an encoder. Raises MissingResource with how to get it."""
        ...


class TextEncoderCache:
    """Encoder of texts with a cache; the encoder is loaded when first needed."""

    def __init__(self, resources: Encoders, model: str = DEFAULT_ENCODER) -> None:
        self._tools, self._model = resources, model
        self._name, self._dimension = "", 0
        self._lock = Lock()  # the window queries the cache while another thread encodes
        self._cache: BoundedCache[ContextualText] = BoundedCache()

    def known(self, texts: Sequence[Text]) -> EncodedTexts | None:
        """Return the encoded texts, None if some are not in the cache."""
        encoded, missing = self._sorted(texts)
        return None if missing else EncodedTexts(self._name, self._dimension, encoded)

    def reading(self, texts: Sequence[Text]) -> JobSteps[EncodedTexts]:
        """Encode the texts that are not cached.

        Raises MissingResource, with how to get the encoder, and InputError if it does not know most of a
        text's tokens:
        it could not tell spans of such a text apart.
        """
        yield Progress(0, len(texts), "loading the encoder")
        from core.models.encoders.contextual_spans import encode_in_context  # imports torch

        encoder = self._tools.encoder(self._model)
        self._name, self._dimension = encoder.model.name, encoder.model.dimension
        known, missing = self._sorted(texts)
        _check_known(encoder, missing)
        total = len(known) + len(missing)
        for batch in _batches(missing):
            yield Progress(len(known), total, f"{len(known)} of {total} texts encoded")
            made = encode_in_context(encoder, batch)
            with self._lock:
                for text, read in zip(batch, made, strict=True):
                    known[text.reading_key] = read
                    self._cache.keep(text.reading_key, read)
        return EncodedTexts(self._name, self._dimension, known)

    def _sorted(self, texts: Sequence[Text]) -> tuple[dict[str, ContextualText], list[Text]]:
        """Return the cached texts, by `Text.reading_key`, and the missing ones, each once."""
        texts_by_key = {text.reading_key: text for text in texts}
        with self._lock:
            hits = {key: read for key in texts_by_key if (read := self._cache.get(key)) is not None}
        return hits, [text for key, text in texts_by_key.items() if key not in hits]


def _check_known(encoder: Encoder, texts: Sequence[Text]) -> None:
    for text, share in zip(texts, encoder.unknown_shares([text.content for text in texts]), strict=True):
        if text.id and share > REFUSAL_SHARE:
            raise InputError(
                f"No suggestions are available: {encoder.model.name} does not know {share:.0%} of the text "
                f"of {text.name}, whose script it was not trained on. Select spans manually."
            )


def _batches(texts: Sequence[Text]) -> Iterator[list[Text]]:
    """Yield texts in batches of some thousand letters: many labels, or one long reference."""
    batch: list[Text] = []
    for text in texts:
        if batch and sum(len(one.content) for one in (*batch, text)) > _BATCH_LETTERS:
            yield batch
            batch = []
        batch.append(text)
    if batch:
        yield batch


def label_text(scu: Scu) -> Text:
    """Return an SCU's label as a text."""
    return Text("", "label", scu.label)


def texts_to_encode(
    topic: TopicTexts, annotation: TopicAnnotation, summaries: Iterable[Text] = ()
) -> tuple[Text, ...]:
    """Return the texts that suggestions on a topic need: references, labels of SCUs, the given summaries."""
    return (*topic.references, *(label_text(scu) for scu in annotation.pyramid.scus), *summaries)
