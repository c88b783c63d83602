"""Resources provided to metrics while they prepare a topic."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from core.domain.study import Annotator, Text

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
    from core.retrieval.analysis import Analysis
    from core.retrieval.protocols import SearchIndex
    from core.text.tokenization import TokenizedText, TokenizerSettings
    from core.text.truncation import TextLimit

V = TypeVar("V")


class Resources(Protocol):
    """Resources shared by all metrics: cached tokenization and loaded models."""

    @property
    def device(self) -> str:
        """``cpu``, ``cuda``, ``cuda:1`` or ``mps``; never in a signature."""
        ...

    def sentences(self, content: str, own: Sequence[str] | None) -> tuple[str, ...]:
        """Return the sentences of a text: the given ones, otherwise those of a sentence splitter."""
        ...

    def words(self, text: Text, cut: TokenizerSettings, extent: TextLimit = ...) -> TokenizedText:
        """Return the tokens of a text; each text is tokenized once.

        cut: tokenizer settings. extent: part of the text that is used, and its sentence boundaries.
        """
        ...

    def words_of(
        self, texts: tuple[Text, ...], cut: TokenizerSettings, extent: TextLimit = ...
    ) -> tuple[TokenizedText, ...]:
        """Return the tokens of several texts."""
        ...

    def encoder(self, model: str, dtype: str = "float32") -> Encoder:
        """Return an encoder by name, path or catalogue key, loaded once.

        Raises MissingResource with a remedy.
        """
        ...

    def model_hash(self, model: str) -> str:
        """Return the SHA-256 of a model's weights, hexadecimal, without loading it.

        Raises MissingResource.
        """
        ...

    def word_vectors(self, name: str) -> WordVectors:
        """Return word vectors by their file or an encoder's name, opened once. Raises MissingResource."""
        ...

    def text_encoder(self, name: str) -> TextEncoder:
        """Return an encoder of whole texts, for example ``elmo-max:FOLDER``, loaded once.

        Raises MissingResource.
        """
        ...

    def parser(self, name: str) -> Parser:
        """Return a parser by its folder or package, loaded once. Raises MissingResource with a remedy."""
        ...

    def masked_lm(self, model: str, dtype: str = "float32", *, is_trained: bool = False) -> MaskedLM:
        """Return a masked language model by name, path or catalogue key.

        is_trained: copies of it will be trained.
        Raises MissingResource.
        """
        ...

    def answerer(self, model: str, dtype: str = "float32") -> QuestionAnswerer:
        """Return a question answering model, located and loaded like an encoder. Raises MissingResource."""
        ...

    def entity_finder(self, name: str) -> EntityFinder:
        """Return a finder of names, numbers and dates: rules, or a pipeline loaded once.

        Raises MissingResource.
        """
        ...

    def phrase_finder(self, name: str) -> PhraseFinder:
        """Return a finder of noun phrases: rules, or a pipeline loaded once. Raises MissingResource."""
        ...

    def entailment(self, model: str, dtype: str = "float32") -> PairClassifier:
        """Return a classifier of pairs, such as an entailment model, located and loaded like an encoder.

        Raises MissingResource.
        """
        ...

    def comet(self, model: str, dtype: str = "float32") -> Comet:
        """Return a checkpoint of COMET, located and loaded like an encoder. Raises MissingResource."""
        ...

    def likelihood(self, model: str, dtype: str = "float32") -> LikelihoodModel:
        """Return a language model that scores texts, located and loaded like an encoder.

        Raises MissingResource, InputError if it generates no text.
        """
        ...

    def generator(self, model: str, dtype: str = "float32") -> TextGenerator:
        """Return a language model that writes texts, located and loaded like an encoder.

        Raises MissingResource, InputError if it generates no text.
        """
        ...

    def chat(self, model: str, server: str = "", dtype: str = "float32") -> ChatModel:
        """Return a language model that answers prompts, loaded once; server: its address, empty = here.

        Raises MissingResource with a remedy.
        """
        ...

    def kept_answers(self, key: str) -> str:
        """Return the stored answers of a judge on a topic, as JSON; empty = none. key: of the setting."""
        ...

    def files_hash(self, files: Sequence[Path]) -> str:
        """Return one SHA-256 for the files of a model, hexadecimal, cached."""
        ...

    def study_references(self) -> Sequence[str]:
        """Return every included reference of the study, in topic order: the corpus for idf weights."""
        ...

    def study_summaries(self) -> Sequence[str]:
        """Return every summary of the study, in topic order."""
        ...

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        """Return the included references of each topic, in topic order; topics without any are skipped."""
        ...

    def once(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return the result of `make`, computed once for all topics.

        key: of everything that the result depends on, except the references.
        """
        ...

    def annotators(self) -> Sequence[Annotator]:
        """Return all annotators of the study."""
        ...

    def annotations(self, topic_id: str) -> Sequence[TopicAnnotation]:
        """Return every pyramid of a topic with its matches, in their current state."""
        ...

    def learned_model(self, name: str) -> LearnedModel:
        """Return a model stored in the study, in its current state.

        Raises MissingResource with the names of the available models.
        """
        ...

    def index(self, name: str, analysis: Analysis) -> SearchIndex:
        """Return an index of the study's documents, analyzed as requested, or another index.

        Raises MissingResource.
        """
        ...

    def with_references_by(self, authors: tuple[str, ...]) -> Resources:
        """Return the same resources restricted to references by these authors, empty = all."""
        ...
