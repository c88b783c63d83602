"""What the engine lends to metrics: words and sentences cut once, encoders loaded once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from core.domain.study import Annotator, Span, Text
from core.errors import MissingResource
from core.models.catalogue.digests import DigestCache, digest_cache
from core.models.catalogue.lookup import find_model, verified_hash
from core.models.encoders.text_encoders import find_source, load_source
from core.text.sentences import sentence_spans, sentence_spans_of
from core.text.tokenization import TokenizedText, Tokenizer, TokenizerSettings
from core.text.truncation import TextLimit, full_stop_spans, line_spans

if TYPE_CHECKING:
    from core.domain.pyramid import TopicAnnotation
    from core.metrics.learned.model import LearnedModel
    from core.models.encoders.encoder import Encoder
    from core.models.encoders.text_encoding import TextEncoder
    from core.models.encoders.word_vectors import WordVectors
    from core.models.heads.entailment import NliClassifier
    from core.models.heads.masked_lm import MaskedLM
    from core.models.heads.question_answering import QuestionAnswerer
    from core.models.nlp.entities import EntityFinder
    from core.models.nlp.noun_phrases import PhraseFinder
    from core.models.nlp.parser import Parser
    from core.ports import ScoringInputs
    from core.retrieval.analysis import Analysis
    from core.retrieval.protocols import SearchIndex

V = TypeVar("V")

WHOLE = TextLimit()

KEPT_TEXTS = 4096
"""Texts kept cut: many times what one topic holds, and scoring goes topic by topic."""


KEPT_VALUES = 16
"""Values kept that are made once for a study, as document frequencies."""


class LruCache(Generic[V]):
    """What was made last, by key; the oldest goes when there are too many."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._made: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of a key, made if it is not kept."""
        if key in self._made:
            self._made.move_to_end(key)
            return self._made[key]
        value = self._made[key] = make()
        if len(self._made) > self._limit:
            self._made.popitem(last=False)
        return value


@dataclass(eq=False)
class StudyResources:
    """Tools over one study.

    texts: None where there is no study, to ask what could run. wanted_device: auto (the quickest there is),
    cpu, cuda, cuda:1 or mps. batch_tokens: pieces that an encoder takes at once, None = what suits the
    device. digests: remembers weights' hashes. authors: whose references are in use, empty = everybody's.
    corpus: the study's references where there is no study, as in another process. encoding_cache: bytes of
    encodings kept between runs, None = as the environment says, 0 = none.
    """

    texts: ScoringInputs | None = None
    wanted_device: str = "auto"
    batch_tokens: int | None = None
    digests: DigestCache = field(default_factory=digest_cache)
    authors: tuple[str, ...] = ()
    corpus: tuple[tuple[Text, ...], ...] = ()
    encoding_cache: int | None = None
    _vocabularies: dict[TokenizerSettings, Tokenizer] = field(default_factory=dict)
    _words: LruCache[TokenizedText] = field(default_factory=lambda: LruCache(KEPT_TEXTS))
    _spans: LruCache[tuple[Span, ...]] = field(default_factory=lambda: LruCache(KEPT_TEXTS))
    _made: LruCache[Any] = field(default_factory=lambda: LruCache(KEPT_VALUES))
    _encoders: dict[tuple[str, str], Encoder] = field(default_factory=dict)
    _word_vectors: dict[str, WordVectors] = field(default_factory=dict)
    _text_encoders: dict[tuple[str, ...], TextEncoder] = field(default_factory=dict)
    _parsers: dict[str, Parser] = field(default_factory=dict)
    _masked_lms: dict[tuple[str, str], MaskedLM] = field(default_factory=dict)
    _entailments: dict[tuple[str, str], NliClassifier] = field(default_factory=dict)
    _answerers: dict[tuple[str, str], QuestionAnswerer] = field(default_factory=dict)
    _entity_finders: dict[str, EntityFinder] = field(default_factory=dict)
    _by_authors: dict[tuple[str, ...], StudyResources] = field(default_factory=dict)

    def with_fresh_caches(self) -> StudyResources:
        """The same tools, sharing what is loaded and cut, that read the study's references anew."""
        return replace(self, _made=LruCache(KEPT_VALUES), _by_authors={})

    def with_references_by(self, authors: tuple[str, ...]) -> StudyResources:
        """The same tools, sharing all that is kept, where only these authors' references are in use."""
        if authors == self.authors:
            return self
        if authors not in self._by_authors:
            self._by_authors[authors] = replace(self, authors=authors)
        return self._by_authors[authors]

    @cached_property
    def device(self) -> str:
        """The device at hand; asking for auto imports torch."""
        from core.models.runtime.devices import choose_device

        return choose_device(self.wanted_device)

    def sentences(self, content: str, given: Sequence[str] | None) -> tuple[str, ...]:
        """A text's sentences: the given ones, else a splitter's."""
        if given is not None:
            return tuple(given)
        return tuple(content[start:end] for start, end in sentence_spans(content))

    def words(self, text: Text, cut: TokenizerSettings, extent: TextLimit = WHOLE) -> TokenizedText:
        """A text's words, cut once however its sentences are divided."""
        return self._words.get((text.reading_key, cut, extent), lambda: self._cut(text, cut, extent))

    def _cut(self, text: Text, cut: TokenizerSettings, extent: TextLimit) -> TokenizedText:
        if cut not in self._vocabularies:
            self._vocabularies[cut] = Tokenizer(cut)
        vocabulary = self._vocabularies[cut]
        if extent == WHOLE:
            return vocabulary.words(text.content, text.sentence_spans)
        if extent.split == "text":
            return self.words(text, cut, replace(extent, split="given")).in_one()
        sentences = self._sentences_of(text, extent)
        if extent.is_limited:
            return vocabulary.words(text.content, extent.limit(text.content, sentences))
        return self.words(text, cut).divided(sentences) or vocabulary.words(text.content, sentences)

    def _sentences_of(self, text: Text, extent: TextLimit) -> tuple[Span, ...]:
        if extent.split in ("lines", "points"):
            return (line_spans if extent.split == "lines" else full_stop_spans)(text.content)
        return self._spans.get(text.reading_key, lambda: sentence_spans_of(text))

    def encoder(self, model: str, dtype: str = "float32") -> Encoder:
        """An encoder by name, path or catalogue key, loaded once."""
        key = (model, dtype)
        if key not in self._encoders:
            from core.models.encoders.encoder import load_encoder
            from core.models.runtime.disk_cache import open_disk_cache

            self._encoders[key] = load_encoder(
                model,
                device=self.wanted_device,
                dtype=dtype,
                batch_tokens=self.batch_tokens,
                disk=open_disk_cache(self.digests.folder, self.encoding_cache),
                digests=self.digests,
            )
        return self._encoders[key]

    def model_hash(self, model: str) -> str:
        """SHA-256 of a model's weights, hexadecimal, without loading it."""
        return verified_hash(find_model(model), self.digests)

    def word_vectors(self, name: str) -> WordVectors:
        """Vectors of words by their file or an encoder's name, opened once."""
        if name not in self._word_vectors:
            from core.models.encoders.word_vectors import load_word_vectors

            self._word_vectors[name] = load_word_vectors(name, self.digests.folder)
        return self._word_vectors[name]

    def text_encoder(self, name: str) -> TextEncoder:
        """A reader of whole texts as ``elmo-max:FOLDER``; kinds that read the same files share one."""
        source = find_source(name)
        if source.shared not in self._text_encoders:
            made = load_source(source, self.device, self.batch_tokens, self.word_vectors)
            self._text_encoders[source.shared] = made
        return self._text_encoders[source.shared]

    def parser(self, name: str) -> Parser:
        """A parser by its folder or package, loaded once."""
        if name not in self._parsers:
            from core.models.nlp.parser import load_parser

            self._parsers[name] = load_parser(name)
        return self._parsers[name]

    def masked_lm(self, model: str, dtype: str = "float32") -> MaskedLM:
        """A masked language model by name, path or catalogue key, loaded once."""
        if (model, dtype) not in self._masked_lms:
            from core.models.heads.masked_lm import load_masked_lm

            self._masked_lms[model, dtype] = load_masked_lm(model, **self._loading(dtype))
        return self._masked_lms[model, dtype]

    def answerer(self, model: str, dtype: str = "float32") -> QuestionAnswerer:
        """A model that answers questions, loaded once."""
        if (model, dtype) not in self._answerers:
            from core.models.heads.question_answering import load_answerer

            self._answerers[model, dtype] = load_answerer(model, **self._loading(dtype))
        return self._answerers[model, dtype]

    def entity_finder(self, name: str) -> EntityFinder:
        """What finds names, numbers and dates, loaded once."""
        if name not in self._entity_finders:
            from core.models.nlp.entities import load_entity_finder

            self._entity_finders[name] = load_entity_finder(name)
        return self._entity_finders[name]

    def phrase_finder(self, name: str) -> PhraseFinder:
        """What finds noun phrases, its pipeline loaded once."""
        from core.models.nlp.entities import RULES, resolve_finder
        from core.models.nlp.noun_phrases import RulePhraseFinder, SpacyPhraseFinder

        wanted = resolve_finder(name)
        return RulePhraseFinder() if wanted == RULES else SpacyPhraseFinder(self.parser(wanted))

    def entailment(self, model: str, dtype: str = "float32") -> NliClassifier:
        """A model that tells what follows from a text, loaded once."""
        if (model, dtype) not in self._entailments:
            from core.models.heads.entailment import load_entailment

            self._entailments[model, dtype] = load_entailment(model, **self._loading(dtype))
        return self._entailments[model, dtype]

    def _loading(self, dtype: str) -> dict[str, Any]:
        """How a model is loaded."""
        return {
            "device": self.wanted_device,
            "dtype": dtype,
            "batch_tokens": self.batch_tokens,
            "digests": self.digests,
        }

    def files_hash(self, files: Sequence[Path]) -> str:
        """One SHA-256 for a model's files, hexadecimal, remembered."""
        return self.digests.of(files)

    def annotators(self) -> Sequence[Annotator]:
        """Everybody who annotates in the study."""
        return self.texts.annotators() if self.texts else ()

    def annotations(self, topic_id: str) -> Sequence[TopicAnnotation]:
        """Every pyramid of a topic with its matches, as they are now."""
        return tuple(self.texts.annotations([topic_id])) if self.texts else ()

    def learned_model(self, name: str) -> LearnedModel:
        """A model that the study keeps, as it is now, read once while it stays the same."""
        from core.metrics.learned.model import read_model
        from core.metrics.learned.model_store import model_text

        if self.texts is None:
            raise MissingResource(f"The model {name} is kept in a study; open that.")
        text = model_text(self.texts, name)
        return self.once(("learned model", text), lambda: read_model(text))

    def index(self, name: str, analysis: Analysis) -> SearchIndex:
        """The study's documents, whose words are made as asked, or another index, opened once."""
        from core.retrieval.protocols import STUDY_INDEX

        key = ("index", name, analysis if name == STUDY_INDEX else None)
        opened: SearchIndex = self._made.get(key, lambda: self._opened(name, analysis))
        return opened

    def _opened(self, name: str, analysis: Analysis) -> SearchIndex:
        from core.retrieval.index_provider import index_provider
        from core.retrieval.protocols import STUDY_INDEX
        from core.retrieval.study_index import StudyIndex, study_documents

        if name == STUDY_INDEX:
            return StudyIndex(lambda: study_documents(self.texts), analysis)
        return index_provider().open(name)

    def study_references(self) -> Sequence[str]:
        """Every reference in use in the study, topics in order."""
        return tuple(text.content for texts in self.reference_sets() for text in texts)

    def study_summaries(self) -> Sequence[str]:
        """Every summary of the study, topics in order; none where there is no study."""
        return self._summaries

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        """Each topic's references in use, topics in order; those without any are left out."""
        return self._reference_sets

    def once(self, key: Hashable, make: Callable[[], V]) -> V:
        """What `make` gives, made once for all topics. key: of what it depends on beside the references."""
        value: V = self._made.get((key, self.authors), make)
        return value

    @cached_property
    def _summaries(self) -> tuple[str, ...]:
        topics = self.texts.texts() if self.texts else ()
        return tuple(text.content for topic in topics for text in topic.summaries)

    @cached_property
    def _reference_sets(self) -> tuple[tuple[Text, ...], ...]:
        sets = self.texts.reference_sets() if self.texts else self.corpus
        in_use = (tuple(t for t in texts if not self.authors or t.name in self.authors) for texts in sets)
        return tuple(texts for texts in in_use if texts)
