"""Resources of the scoring engine for metrics: cached tokenization and loaded models."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from core.domain.study import Annotator, Span, Text
from core.errors import MissingResource
from core.models.catalogue.digests import DigestCache, digest_cache
from core.models.catalogue.lookup import find_model, verified_hash
from core.models.catalogue.model_folder import TOKENIZER, has_own_rules
from core.models.encoders.text_encoders import find_source, load_source
from core.recent import Recent
from core.text.sentences import sentence_spans, sentence_spans_of
from core.text.tokenization import TokenizedText, Tokenizer, TokenizerSettings
from core.text.truncation import TextLimit, full_stop_spans, line_spans

if TYPE_CHECKING:
    from core.domain.pyramid import TopicAnnotation
    from core.metrics.base.learned_model import LearnedModel
    from core.models.chat import ChatModel
    from core.models.encoders.encoder import Encoder
    from core.models.encoders.text_encoding import TextEncoder
    from core.models.encoders.word_vectors import WordVectors
    from core.models.heads.comet import Comet
    from core.models.heads.generation import TextGenerator
    from core.models.heads.likelihood import LikelihoodModel
    from core.models.heads.masked_lm import MaskedLM
    from core.models.heads.pair_classifier import PairClassifier
    from core.models.heads.question_answering import QuestionAnswerer
    from core.models.nlp.entities import EntityFinder
    from core.models.nlp.noun_phrases import PhraseFinder
    from core.models.nlp.parser import Parser
    from core.ports import ScoringInputs
    from core.retrieval.analysis import Analysis
    from core.retrieval.protocols import SearchIndex

V = TypeVar("V")

WHOLE = TextLimit()

MAX_TOKENIZED_TEXTS = 4096
"""Tokenized texts in the cache of each way to tokenize; far more than a topic has: scoring goes by topics."""


MAX_SHARED_VALUES = 16
"""Values in the cache that depend on the whole study, such as document frequencies."""


class LruCache(Generic[V]):
    """A cache of the most recently created values; the oldest is dropped when it is full."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._made: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return the value of a key, creating it if it is not cached."""
        if key in self._made:
            self._made.move_to_end(key)
            return self._made[key]
        value = self._made[key] = make()
        if len(self._made) > self._limit:
            self._made.popitem(last=False)
        return value


@dataclass(eq=False)
class StudyResources:
    """Resources for one study.

    study: None = none is open, to ask what could run.
    requested_device: auto (the fastest available), cpu, cuda, cuda:1 or mps.
    batch_tokens: pieces that an encoder takes at once, None = the default of the device.
    digests: cache of weight hashes.
    authors: whose references are included, empty = all.
    corpus: the study's references if there is no study, as in another process.
    encoding_cache: bytes of encodings cached between runs, None = from the environment, 0 = none.
    """

    study: ScoringInputs | None = None
    requested_device: str = "auto"
    batch_tokens: int | None = None
    digests: DigestCache = field(default_factory=digest_cache)
    authors: tuple[str, ...] = ()
    corpus: tuple[tuple[Text, ...], ...] = ()
    encoding_cache: int | None = None
    _vocabularies: dict[TokenizerSettings, Tokenizer] = field(default_factory=dict)
    _words: dict[tuple[TokenizerSettings, TextLimit], LruCache[TokenizedText]] = field(default_factory=dict)
    _last_words: Recent[tuple[TokenizedText, ...]] = field(default_factory=lambda: Recent(16))
    _spans: LruCache[tuple[Span, ...]] = field(default_factory=lambda: LruCache(MAX_TOKENIZED_TEXTS))
    _made: LruCache[Any] = field(default_factory=lambda: LruCache(MAX_SHARED_VALUES))
    _encoders: dict[tuple[str, str], Encoder] = field(default_factory=dict)
    _word_vectors: dict[str, WordVectors] = field(default_factory=dict)
    _text_encoders: dict[tuple[str, ...], TextEncoder] = field(default_factory=dict)
    _parsers: dict[str, Parser] = field(default_factory=dict)
    _heads: dict[Hashable, Any] = field(default_factory=dict)
    _chats: dict[tuple[str, str, str], ChatModel] = field(default_factory=dict)
    _entity_finders: dict[str, EntityFinder] = field(default_factory=dict)
    _by_authors: dict[tuple[str, ...], StudyResources] = field(default_factory=dict)

    def with_fresh_caches(self) -> StudyResources:
        """Return the same resources with shared models and tokenization that read the references again."""
        return replace(self, _made=LruCache(MAX_SHARED_VALUES), _by_authors={})

    def with_references_by(self, authors: tuple[str, ...]) -> StudyResources:
        """Return the same resources with shared caches, restricted to references by these authors."""
        if authors == self.authors:
            return self
        if authors not in self._by_authors:
            self._by_authors[authors] = replace(self, authors=authors)
        return self._by_authors[authors]

    @cached_property
    def device(self) -> str:
        """Return the device in use; resolving auto imports torch."""
        from core.models.runtime.devices import choose_device

        return choose_device(self.requested_device)

    def sentences(self, content: str, own: Sequence[str] | None) -> tuple[str, ...]:
        """Return the sentences of a text: the given ones, otherwise those of a sentence splitter."""
        if own is not None:
            return tuple(own)
        return tuple(content[start:end] for start, end in sentence_spans(content))

    def words(self, text: Text, cut: TokenizerSettings, extent: TextLimit = WHOLE) -> TokenizedText:
        """Return the tokens of a text, tokenized once for every sentence division."""
        return self._words_of((text,), cut, extent)[0]

    def words_of(
        self, texts: tuple[Text, ...], cut: TokenizerSettings, extent: TextLimit = WHOLE
    ) -> tuple[TokenizedText, ...]:
        """Return the tokens of several texts, tokenized once for every sentence division."""
        return self._last_words.get("", (cut, extent, texts), lambda: self._words_of(texts, cut, extent))

    def _words_of(
        self, texts: Sequence[Text], cut: TokenizerSettings, extent: TextLimit
    ) -> tuple[TokenizedText, ...]:
        rules = cut, extent
        known = self._words.get(rules)
        if known is None:
            known = self._words[rules] = LruCache(MAX_TOKENIZED_TEXTS)
        return tuple([known.get(text.reading_key, partial(self._cut, text, *rules)) for text in texts])

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
        """Return an encoder by name, path or catalogue key, loaded once."""
        key = (model, dtype)
        if key not in self._encoders:
            from core.models.encoders.encoder import load_encoder
            from core.models.runtime.disk_cache import open_disk_cache

            self._encoders[key] = load_encoder(
                model,
                device=self.requested_device,
                dtype=dtype,
                batch_tokens=self.batch_tokens,
                disk=open_disk_cache(self.digests.folder, self.encoding_cache),
                digests=self.digests,
            )
        return self._encoders[key]

    def model_hash(self, model: str) -> str:
        """Return the SHA-256 of a model's weights, hexadecimal, without loading it.

        Together with its tokenizer.json where that has rules of its own.
        """
        found = find_model(model)
        digest = verified_hash(found, self.digests)
        return self.digests.of((*found.weights, found.folder / TOKENIZER)) if has_own_rules(found) else digest

    def word_vectors(self, name: str) -> WordVectors:
        """Return word vectors by their file or an encoder's name, opened once."""
        if name not in self._word_vectors:
            from core.models.encoders.word_vectors import load_word_vectors

            self._word_vectors[name] = load_word_vectors(name, self.digests.folder)
        return self._word_vectors[name]

    def text_encoder(self, name: str) -> TextEncoder:
        """Return an encoder of whole texts, ``elmo-max:FOLDER``; kinds that read the same files share one."""
        source = find_source(name)
        if source.shared not in self._text_encoders:
            made = load_source(source, self.device, self.batch_tokens, self.word_vectors)
            self._text_encoders[source.shared] = made
        return self._text_encoders[source.shared]

    def parser(self, name: str) -> Parser:
        """Return a parser by its folder or package, loaded once."""
        if name not in self._parsers:
            from core.models.nlp.parser import load_parser

            self._parsers[name] = load_parser(name)
        return self._parsers[name]

    def masked_lm(self, model: str, dtype: str = "float32", *, is_trained: bool = False) -> MaskedLM:
        """Return a masked language model by name, path or catalogue key, loaded once for either purpose."""
        from core.models.heads.masked_lm import load_masked_lm

        return self._head(load_masked_lm, model, dtype, is_trained=is_trained)

    def answerer(self, model: str, dtype: str = "float32") -> QuestionAnswerer:
        """Return a question answering model, loaded once."""
        from core.models.heads.question_answering import load_answerer

        return self._head(load_answerer, model, dtype)

    def entity_finder(self, name: str) -> EntityFinder:
        """Return a finder of names, numbers and dates, loaded once."""
        if name not in self._entity_finders:
            from core.models.nlp.entities import load_entity_finder

            self._entity_finders[name] = load_entity_finder(name)
        return self._entity_finders[name]

    def phrase_finder(self, name: str) -> PhraseFinder:
        """Return a finder of noun phrases, its pipeline loaded once."""
        from core.models.nlp.entities import RULES, resolve_finder
        from core.models.nlp.noun_phrases import RulePhraseFinder, SpacyPhraseFinder

        finder = resolve_finder(name)
        return RulePhraseFinder() if finder == RULES else SpacyPhraseFinder(self.parser(finder))

    def entailment(self, model: str, dtype: str = "float32") -> PairClassifier:
        """Return a classifier of pairs, such as an entailment model, loaded once."""
        from core.models.heads.pair_classifier import load_pair_classifier

        return self._head(load_pair_classifier, model, dtype)

    def comet(self, model: str, dtype: str = "float32") -> Comet:
        """Return a checkpoint of COMET, loaded once."""
        from core.models.heads.comet import load_comet

        return self._head(load_comet, model, dtype)

    def likelihood(self, model: str, dtype: str = "float32") -> LikelihoodModel:
        """Return a language model that scores texts, loaded once."""
        from core.models.heads.likelihood import load_likelihood

        return self._head(load_likelihood, model, dtype)

    def generator(self, model: str, dtype: str = "float32") -> TextGenerator:
        """Return a language model that writes texts, loaded once."""
        from core.models.heads.generation import load_generator

        return self._head(load_generator, model, dtype)

    def chat(self, model: str, server: str = "", dtype: str = "float32") -> ChatModel:
        """Return a language model that answers prompts, loaded once; server: its address, empty = here."""
        from core.models.chat import LocalChat
        from core.models.chat_server import ChatServer

        key = (model, server, dtype)
        if key not in self._chats:
            self._chats[key] = (
                ChatServer(server, model) if server else LocalChat(self.generator(model, dtype))
            )
        return self._chats[key]

    def kept_answers(self, key: str) -> str:
        """Return the stored answers of a judge on a topic, as JSON; empty = none."""
        return "" if self.study is None else self.study.settings.get(key)

    def _head(self, load: Callable[..., V], model: str, dtype: str, **more: bool) -> V:
        """Return a model with a head, loaded once."""
        key = (load, model, dtype, *more.items())
        if key not in self._heads:
            options = {"device": self.requested_device, "dtype": dtype, "batch_tokens": self.batch_tokens}
            self._heads[key] = load(model, digests=self.digests, **options, **more)
        found: V = self._heads[key]
        return found

    def files_hash(self, files: Sequence[Path]) -> str:
        """Return one SHA-256 for the files of a model, hexadecimal, cached."""
        return self.digests.of(files)

    def annotators(self) -> Sequence[Annotator]:
        """Return all annotators of the study."""
        return self.study.annotators.all() if self.study else ()

    def annotations(self, topic_id: str) -> Sequence[TopicAnnotation]:
        """Return every pyramid of a topic with its matches, in their current state."""
        return tuple(self.study.pyramids.annotations([topic_id])) if self.study else ()

    def learned_model(self, name: str) -> LearnedModel:
        """Return a model stored in the study, in its current state, parsed again only after a change."""
        from core.metrics.base.learned_model import read_model
        from core.metrics.learned.model_store import model_text

        if self.study is None:
            raise MissingResource(f"The model {name} is stored in a study; open that study.")
        text = model_text(self.study, name)
        return self.once(("learned model", text), lambda: read_model(text))

    def index(self, name: str, analysis: Analysis) -> SearchIndex:
        """Return an index of the study's documents, analyzed as requested, or another index, opened once."""
        from core.retrieval.protocols import STUDY_INDEX

        key = ("index", name, analysis if name == STUDY_INDEX else None)
        opened: SearchIndex = self._made.get(key, lambda: self._opened(name, analysis))
        return opened

    def _opened(self, name: str, analysis: Analysis) -> SearchIndex:
        from core.retrieval.index_provider import index_provider
        from core.retrieval.protocols import STUDY_INDEX
        from core.retrieval.study_index import StudyIndex, study_documents

        if name == STUDY_INDEX:
            return StudyIndex(lambda: study_documents(self.study), analysis)
        return index_provider().open(name)

    def study_references(self) -> Sequence[str]:
        """Return every included reference of the study, in topic order."""
        return tuple(text.content for texts in self.reference_sets() for text in texts)

    def study_summaries(self) -> Sequence[str]:
        """Return every summary of the study, in topic order; none without a study."""
        return self._summaries

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        """Return the included references of each topic, in topic order; topics without any are skipped."""
        return self._reference_sets

    def once(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return the result of `make`, computed once for all topics.

        key: of everything that the result depends on, except the references.
        """
        value: V = self._made.get((key, self.authors), make)
        return value

    @cached_property
    def _summaries(self) -> tuple[str, ...]:
        topics = self.study.texts.load() if self.study else ()
        return tuple(text.content for topic in topics for text in topic.summaries)

    @cached_property
    def _reference_sets(self) -> tuple[tuple[Text, ...], ...]:
        sets = self.study.texts.reference_sets() if self.study else self.corpus
        in_use = (tuple(t for t in texts if not self.authors or t.name in self.authors) for texts in sets)
        return tuple(texts for texts in in_use if texts)
