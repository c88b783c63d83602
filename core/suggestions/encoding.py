"""Texts read by an encoder for suggestions: each once, kept while there is room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from core.domain.pyramid import Scu, TopicAnnotation
from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.metrics.base.unknown_tokens import REFUSED
from core.models.runtime.encoding_cache import BoundedCache
from core.progress import JobSteps, Progress
from core.scoring.engine_tools import StudyResources

if TYPE_CHECKING:
    from core.models.encoders.contextual_spans import ContextualText
    from core.models.encoders.encoder import Encoder

DEFAULT_ENCODER = "minilm"
_BATCH_LETTERS = 4000  # a second on a slow machine: so soon can it be cancelled


@dataclass(frozen=True, slots=True, eq=False)
class EncodedTexts:
    """Texts as an encoder read them, by `Text.reading_key`. model, dimension: the encoder's."""

    model: str
    dimension: int
    by_key: Mapping[str, ContextualText]

    def of(self, text: Text) -> ContextualText:
        """A text as it was read. Raises KeyError where it was not."""
        return self.by_key[text.reading_key]


class TextEncoderCache:
    """Reads texts with one encoder, which is loaded when the first text is read."""

    def __init__(self, tools: StudyResources, model: str = DEFAULT_ENCODER) -> None:
        self._tools, self._model = tools, model
        self._name, self._dimension = "", 0
        self._lock = Lock()  # a window asks what is known while a thread of its own reads
        self._kept: BoundedCache[ContextualText] = BoundedCache()

    def known(self, texts: Sequence[Text]) -> EncodedTexts | None:
        """These texts as read earlier, None = some were not, or were too long ago."""
        found, missing = self._sorted(texts)
        return None if missing else EncodedTexts(self._name, self._dimension, found)

    def reading(self, texts: Sequence[Text]) -> JobSteps[EncodedTexts]:
        """Read what is not known yet.

        Raises MissingResource, with how to get the encoder, and InputError where it does not know most of a
        text's tokens: spans of such a text are all alike to it.
        """
        yield Progress(0, len(texts), "loading the encoder")
        from core.models.encoders.contextual_spans import encode_in_context  # imports torch

        encoder = self._tools.encoder(self._model)
        self._name, self._dimension = encoder.model.name, encoder.model.dimension
        found, missing = self._sorted(texts)
        _check_known(encoder, missing)
        total = len(found) + len(missing)
        for batch in _batches(missing):
            yield Progress(len(found), total, f"{len(found)} of {total} texts read")
            made = encode_in_context(encoder, batch)
            with self._lock:
                for text, read in zip(batch, made, strict=True):
                    found[text.reading_key] = read
                    self._kept.keep(text.reading_key, read)
        return EncodedTexts(self._name, self._dimension, found)

    def _sorted(self, texts: Sequence[Text]) -> tuple[dict[str, ContextualText], list[Text]]:
        """What is read already, by `Text.reading_key`, and what is not, each text once."""
        wanted = {text.reading_key: text for text in texts}
        with self._lock:
            kept = {key: read for key in wanted if (read := self._kept.get(key)) is not None}
        return kept, [text for key, text in wanted.items() if key not in kept]


def _check_known(encoder: Encoder, texts: Sequence[Text]) -> None:
    for text, share in zip(texts, encoder.unknown_shares([text.content for text in texts]), strict=True):
        if text.id and share > REFUSED:
            raise InputError(
                f"There are no suggestions here: {encoder.model.name} does not know {share:.0%} of the text "
                f"of {text.name}, whose script it was not trained on. Mark its parts by hand."
            )


def _batches(texts: Sequence[Text]) -> Iterator[list[Text]]:
    """Texts of some thousand letters together: many labels, or one long reference."""
    batch: list[Text] = []
    for text in texts:
        if batch and sum(len(one.content) for one in (*batch, text)) > _BATCH_LETTERS:
            yield batch
            batch = []
        batch.append(text)
    if batch:
        yield batch


def label_text(scu: Scu) -> Text:
    """An SCU's label, to be read as a text."""
    return Text("", "label", scu.label)


def texts_to_encode(
    topic: TopicTexts, annotation: TopicAnnotation, summaries: Iterable[Text] = ()
) -> tuple[Text, ...]:
    """What suggestions on a topic rest on: its references, the labels of its SCUs, the summaries named."""
    return (*topic.references, *(label_text(scu) for scu in annotation.pyramid.scus), *summaries)
