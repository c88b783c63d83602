"""Cosine of text vectors (Sun & Nenkova 2019): similarity of a summary to references or documents.

Of the paper's seven encoders, enc-2, enc-3, InferSent, ELMo-m and ELMo-a are settings of this metric; max
and avg are settings of `cosine-words`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts
from core.errors import BadSetting, InputError, PyramidionError
from core.metrics.base import Array, Explanation, Need, Resources, setting
from core.metrics.embedding.encoder_metric import EncoderMetric, dtype_setting
from core.metrics.embedding.text_vectors import (
    PreparedVectors,
    WholeTextMetric,
    WordVectorsWithSpans,
    against_setting,
    explain_by_words,
    pool_words,
    pooling_setting,
    unit_rows,
    words_setting,
)
from core.metrics.registry import register
from core.models.catalogue.lookup import RATES, find_model
from core.models.catalogue.model_folder import Model
from core.models.encoders.pooling import read_pooling
from core.models.encoders.precomputed_vectors import PrecomputedVectors
from core.models.encoders.text_encoders import (
    KINDS,
    EncoderFamily,
    EncoderSource,
    find_source,
    infer_kind,
    kind_of,
)
from core.models.encoders.text_encoding import EncodedText, TextEncoder
from core.text.sentences import sentence_spans_of
from core.text.truncation import TextLimit

if TYPE_CHECKING:
    from core.models.encoders.text_encoding import EncodeRequest


_PADDING = "padding"


def cut_text(text: Text, words: int) -> Text:
    """Truncate a text to its first words, with its sentence boundaries."""
    spans = tuple(TextLimit(words=words).limit(text.content, sentence_spans_of(text)))
    end = spans[-1][1] if spans else 0
    return text if end == len(text.content) else Text(text.id, text.name, text.content[:end], spans)


def encode_texts(
    source: EncoderSource, encoder: TextEncoder, texts: Sequence[Text]
) -> tuple[Array, list[EncodedText], Mapping[str, int]]:
    """Return unit vectors, shape (texts, dimension), zeros for empty texts; encoded texts; and notes."""
    encodings = encoder.read(texts)
    vectors = np.stack([pool_words(_rows(source, encoded), source.kind.joining) for encoded in encodings])
    unknown = sum(encoded.has_unknown for encoded in encodings)
    return unit_rows(vectors), encodings, {"unknown_words": unknown} if unknown else {}


def placed_words(source: EncoderSource, encoded: EncodedText) -> WordVectorsWithSpans:
    """Return a text's words for explanations; padding and markers have empty spans."""
    rows, names, spans = _rows(source, encoded), encoded.names, encoded.spans
    if len(rows) > len(names):
        names, spans = (*names, _PADDING), (*spans, (0, 0))
    return WordVectorsWithSpans(spans, rows, names)


def source_signature(source: EncoderSource, resources: Resources) -> dict[str, str]:
    """Return the parts of a signature that identify an encoder: name, file hash, tokenization."""
    extras = {"model": source.name, "hash": resources.files_hash(source.files)[:12]}
    if source.kind.family in (EncoderFamily.ELMO, EncoderFamily.INFERSENT):
        extras["joined"] = source.kind.joining
    if source.words is not None:
        extras |= {"word-vectors": source.words.name, "word-hash": resources.files_hash([source.words])[:12]}
    if source.kind.family is EncoderFamily.ELMO:
        extras |= {"tokenizer": "treebank", "context": "sentence", "layers": "all"}
    elif source.kind.family is EncoderFamily.INFERSENT:
        extras |= {"tokenizer": "moses" if source.kind.version == 2 else "treebank", "context": "text"}
        extras["padding"] = "zeros" if source.kind.has_padding else "masked"
    return extras


def source_seconds(source: EncoderSource, device: str) -> float:
    """Estimate the seconds for a text of 100 words: each word passes once through every weight."""
    match source.kind.family:
        case EncoderFamily.ELMO | EncoderFamily.INFERSENT:
            operations = 2 * source.files[-1].stat().st_size / 4 * 100
            return operations / RATES.get(device.partition(":")[0], RATES["cpu"])
        case EncoderFamily.USE:
            return 0.01
        case EncoderFamily.VECTORS:
            return 1e-5


def _rows(source: EncoderSource, encoded: EncodedText) -> Array:
    rows = encoded.rows.astype(np.float64)
    if source.kind.has_padding and len(rows):
        return np.concatenate([rows, np.zeros((1, rows.shape[1]))])
    return rows


def text_encoder_setting() -> Any:
    kinds = ", ".join(kind for kind in KINDS if kind != "vectors")
    description = (
        "The encoder: minilm (installed with the program), a model's name, or its folder; for other encoders "
        f"of the paper, kind and folder, for example elmo-max:FOLDER ({kinds}); vectors:FILE for precomputed "
        "vectors."
    )
    return setting("minilm", description, title="Encoder")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedEncodings(PreparedVectors):
    """Vectors of a topic's texts, and the encoded summaries with their word vectors."""

    source: EncoderSource
    encodings: tuple[EncodedText, ...]


@register
@dataclass(frozen=True)
class Cosine(WholeTextMetric, EncoderMetric[PreparedVectors]):
    """Mean or maximum cosine of a summary with the references or documents.

    The statistic per reference is the cosine.

    Formula:
        cosine(u, v) = u · v / (|u| · |v|), u and v the vectors of the two texts
        score        = mean (or largest value) over references or documents

    Limits:
        Cosines of different encoders, layers or windows are not comparable, and neither are their absolute
        values: only the order of summaries is meaningful. Texts beyond the encoder's window are cut, which
        is counted and noted.
    """

    name: ClassVar[str] = "cosine"
    about: ClassVar[str] = "Cosine similarity of text vectors."
    model: ClassVar[Need] = Need.ENCODER
    added_settings: ClassVar[frozenset[str]] = frozenset({"words"})
    shorthands: ClassVar[Mapping[str, tuple[str, str]]] = {"vectors": ("encoder", "vectors:")}
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {
        "encoder": ("infersent1", "infersent2", "use-2", "use-3", "elmo")
    }

    encoder: str = text_encoder_setting()
    against: str = against_setting()
    pooling: str = pooling_setting()
    words: int = words_setting()
    dtype: str = dtype_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dtype != "float32" and kind_of(self.encoder):
            raise BadSetting(f"{self.name}: dtype={self.dtype} requires a transformer, not {self.encoder}.")

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.{self.pooling}",)

    def layers_read(self, model: Model) -> int:
        read_pooling(model)  # raises before a run if the pooling is not supported
        return model.layers

    def check(self, resources: Resources) -> None:
        if self._source() is None:
            super().check(resources)

    def seconds_per_text(self, resources: Resources) -> float:
        source = self._source()
        return (
            super().seconds_per_text(resources)
            if source is None
            else source_seconds(source, resources.device)
        )

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        source = self._source()
        if source is not None:
            return source_signature(source, resources)
        pooling = read_pooling(find_model(self.encoder))
        extras = {
            **super().signature_extras(resources),
            "vectors": str(pooling),
            "pieces": str(pooling.limit),
        }
        if pooling.layers:
            extras["layers-hash"] = resources.files_hash([layer.weights for layer in pooling.layers])[:12]
        return extras

    def missing_requirements(self, topic: TopicTexts, resources: Resources) -> str:
        if not self.encoder.startswith("vectors:"):
            return ""
        try:
            encoder = resources.text_encoder(self.encoder)
        except PyramidionError as error:  # a damaged file excludes all topics; other metrics still run
            return str(error).removesuffix(".")
        assert isinstance(encoder, PrecomputedVectors)
        return encoder.missing_requirements((*topic.summaries, *self._others(topic)))

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        if self._source() is None:
            return super().unknown_shares(texts, resources)
        return [encoded.unknown_share for encoded in resources.text_encoder(self.encoder).read(texts)]

    def to_encode(self, topic: TopicTexts, resources: Resources) -> Sequence[EncodeRequest]:
        if self._source() is not None:
            return ()
        model = find_model(self.encoder)
        pooling = read_pooling(model)
        texts = [text.content for text in (*topic.summaries, *self._others(topic))]
        return self.ahead(texts, (model.layers,), pooling.limit, lower=pooling.is_lower)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedVectors:
        others, count = self._others(topic), len(topic.summaries)
        texts = (*topic.summaries, *others)
        source = self._source()
        if source is None:
            vectors, notes = self._by_transformer(texts, resources)
            return PreparedVectors(topic, others, vectors[:count], vectors[count:], notes)
        vectors, encoded, notes = encode_texts(source, resources.text_encoder(self.encoder), texts)
        mine, theirs, encodings = vectors[:count], vectors[count:], tuple(encoded[:count])
        return PreparedEncodings(topic, others, mine, theirs, notes, source=source, encodings=encodings)

    def cosine_trees(self, prepared: PreparedVectors, system: int) -> list[Explanation]:
        if not isinstance(prepared, PreparedEncodings):
            return super().cosine_trees(prepared, system)
        words, summary = (
            placed_words(prepared.source, prepared.encodings[system]),
            prepared.topic.summaries[system],
        )
        joining = prepared.source.kind.joining
        return explain_by_words(summary, words, joining, prepared.others, prepared.other_vectors)

    def _others(self, topic: TopicTexts) -> tuple[Text, ...]:
        others = topic.documents if self.against == "document" else topic.references
        return tuple(cut_text(text, self.words) for text in others) if self.words else others

    def _source(self) -> EncoderSource | None:
        """Return the encoder's source, or None for a transformer. Raises MissingResource, InputError."""
        if kind_of(self.encoder):
            return find_source(self.encoder)
        if kinds := infer_kind(self.encoder):
            raise InputError(f"{self.encoder} is not a transformer's folder. Write {kinds}.")
        return None

    def _by_transformer(self, texts: Sequence[Text], resources: Resources) -> tuple[Array, Mapping[str, int]]:
        """Return unit vectors, shape (texts, dimension), zeros for an empty text; and the notes."""
        encoded = resources.encoder(self.encoder, self.dtype).text_vectors([text.content for text in texts])
        vectors = encoded.vectors.astype(np.float64)
        vectors[[not text.content.strip() for text in texts]] = 0.0
        truncated = int(encoded.is_truncated.sum())
        return unit_rows(vectors), {"truncated": truncated} if truncated else {}
