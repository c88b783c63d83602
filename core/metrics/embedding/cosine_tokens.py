"""Cosine of texts by contextual vectors of word pieces (Sun & Nenkova 2019, who used ELMo).

Pieces are encoded in the context of their sentence, or of as many sentences as fit; vectors of several layers
are concatenated, as the paper did with ELMo. Special pieces are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from core.domain.study import Text, TopicTexts
from core.errors import BadSetting
from core.metrics.base import Explanation, Mask, Need, Resources, setting
from core.metrics.embedding.encoder_metric import EncoderMetric, dtype_setting, encoder_setting
from core.metrics.embedding.text_vectors import (
    PreparedVectors,
    WholeTextMetric,
    WordVectorsWithSpans,
    against_setting,
    explain_by_words,
    joining_setting,
    pooling_setting,
    unit_rows,
    words_setting,
)
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model
from core.models.catalogue.model_folder import Model
from core.models.runtime.word_pieces import WordPieces
from core.text.sentences import sentence_spans_of
from core.text.truncation import TextLimit

if TYPE_CHECKING:
    from core.models.encoders.sentence_passages import Sentence, SentencePassage
    from core.models.encoders.text_encoding import EncodeRequest


@dataclass(frozen=True, slots=True)
class PreparedPieces(PreparedVectors):
    """Vectors of a topic's texts, and the word pieces of each summary."""

    passages: tuple[SentencePassage, ...] = ()


@register
@dataclass(frozen=True)
class CosineOfTokens(WholeTextMetric[PreparedPieces], EncoderMetric[PreparedPieces]):
    """Cosine of vectors pooled from contextual word pieces; an empty text has the cosine 0.

    Formula:
        text   = mean (avg) or elementwise maximum (max) of its tokens' vectors in context
        score  = mean (or largest value) of the cosines with the references or documents

    Limits:
        Cosines of different encoders, layers or windows are not comparable, and neither are their absolute
        values: only the order of summaries is meaningful. By default each sentence is encoded alone.
    """

    name: ClassVar[str] = "cosine-tokens"
    about: ClassVar[str] = "Cosine similarity of pooled contextual word vectors."
    default_configs: ClassVar[tuple[str, ...]] = ("joining=avg", "joining=max")
    model: ClassVar[Need] = Need.ENCODER
    added_settings: ClassVar[frozenset[str]] = frozenset({"window"})
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {"encoder": ("elmo",)}

    encoder: str = encoder_setting()
    layers: str = setting(
        "last",
        "Layers whose vectors are concatenated: last, all, or numbers from 1 on, for example 4+5+6.",
        title="Layers",
    )
    joining: str = joining_setting()
    against: str = against_setting()
    pooling: str = pooling_setting()
    words: int = words_setting()
    dtype: str = dtype_setting()
    window: str = setting(
        "sentence",
        "Encoder input: single sentences, or as many sentences as fit (longest).",
        choices=("sentence", "longest"),
        title="Window",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.layers not in ("last", "all") and not _numbers(self.layers):
            raise BadSetting(
                f"{self.name}: layers={self.layers} is not valid. Write last, all, or numbers such as 4+5+6."
            )

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}-{self.joining}.{self.pooling}",)

    def chosen_layers(self, model: Model) -> tuple[int, ...]:
        """Return the model's layers chosen by the setting. Raises BadSetting beyond the last one."""
        if self.layers == "last":
            return (model.layers,)
        if self.layers == "all":
            return tuple(range(1, model.layers + 1))
        return tuple(model.layer(number) for number in _numbers(self.layers))

    def layers_read(self, model: Model) -> int:
        return max(self.chosen_layers(model))

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        layers = "+".join(map(str, self.chosen_layers(find_model(self.encoder))))
        return {"layers": layers, **super().signature_extras(resources)}

    def to_encode(self, topic: TopicTexts, resources: Resources) -> Sequence[EncodeRequest]:
        passages = self._passages(topic, resources)
        sentences = [text.content[a:b] for passage in passages for text, (a, b) in passage]
        return self.ahead(sentences, self.chosen_layers(find_model(self.encoder)))

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedPieces:
        from core.models.encoders.sentence_passages import concat_vectors, encode_passages  # imports torch

        others, sentences = self._others(topic), self._passages(topic, resources)
        encoder = resources.encoder(self.encoder, self.dtype)
        passages = encode_passages(encoder, sentences, _own, layers=self.chosen_layers(encoder.model))
        vectors = unit_rows(concat_vectors(passages, self.joining))
        truncated = len(frozenset[Text]().union(*(passage.truncated for passage in passages)))
        notes = {"truncated": truncated} if truncated else {}
        count = len(topic.summaries)
        return PreparedPieces(topic, others, vectors[:count], vectors[count:], notes, tuple(passages[:count]))

    def _others(self, topic: TopicTexts) -> tuple[Text, ...]:
        return topic.documents if self.against == "document" else topic.references

    def _passages(self, topic: TopicTexts, resources: Resources) -> list[list[Sentence]]:
        """Return what is encoded of each summary and of the texts that it is compared with."""
        others = [_sentences(text, self.words) for text in self._others(topic)]
        passages = [*map(_sentences, topic.summaries), *others]
        if self.window == "sentence":
            return passages
        from core.models.encoders.contextual_spans import packed_sentences  # imports torch

        encoder = resources.encoder(self.encoder, self.dtype)
        texts = [passage[0][0] if passage else None for passage in passages]
        return [
            [(text, span) for span in packed_sentences(encoder, text, [span for _, span in passage])]
            if text is not None
            else []
            for text, passage in zip(texts, passages, strict=True)
        ]

    def cosine_trees(self, prepared: PreparedPieces, system: int) -> list[Explanation]:
        passage, summary = prepared.passages[system], prepared.topic.summaries[system]
        words = WordVectorsWithSpans(tuple(span for _, span in passage.places), passage.as_array())
        return explain_by_words(summary, words, self.joining, prepared.others, prepared.other_vectors)


def _sentences(text: Text, words: int = 0) -> list[Sentence]:
    """Return the sentences of a text, or of its first words."""
    spans = sentence_spans_of(text)
    return [(text, span) for span in (TextLimit(words=words).limit(text.content, spans) if words else spans)]


def _own(sentence: str, pieces: WordPieces) -> Mask:
    own: Mask = ~pieces.is_special
    return own


def _numbers(text: str) -> tuple[int, ...]:
    """Return distinct layer numbers in order; empty if any is not a number from 1 on."""
    parts = text.split("+")
    numbers = sorted({int(part) for part in parts}) if all(p.isascii() and p.isdigit() for p in parts) else []
    return tuple(numbers) if numbers and numbers[0] > 0 else ()
