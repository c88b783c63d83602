"""What the engine lends to a metric while it prepares a topic."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from core.domain.study import Annotator, Text

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
    from core.retrieval.analysis import Analysis
    from core.retrieval.protocols import SearchIndex
    from core.text.tokenization import TokenizedText, TokenizerSettings
    from core.text.truncation import TextLimit

V = TypeVar("V")


class Resources(Protocol):
    """What the engine lends to a metric: texts cut into words and sentences once, encoders loaded once."""

    @property
    def device(self) -> str:
        """``cpu``, ``cuda``, ``cuda:1`` or ``mps``; never in a signature."""
        ...

    def sentences(self, content: str, given: Sequence[str] | None) -> tuple[str, ...]:
        """A text's sentences: the given ones, else a splitter's."""
        ...

    def words(self, text: Text, cut: TokenizerSettings, extent: TextLimit = ...) -> TokenizedText:
        """A text's words, cut once; extent: what of it counts, and where its sentences lie."""
        ...

    def encoder(self, model: str, dtype: str = "float32") -> Encoder:
        """An encoder by name, path or catalogue key, loaded once. Raises MissingResource with the remedy."""
        ...

    def model_hash(self, model: str) -> str:
        """SHA-256 of a model's weights, hexadecimal, without loading it. Raises MissingResource."""
        ...

    def word_vectors(self, name: str) -> WordVectors:
        """Vectors of words by their file or an encoder's name, opened once. Raises MissingResource."""
        ...

    def text_encoder(self, name: str) -> TextEncoder:
        """A reader of whole texts as ``elmo-max:FOLDER``, loaded once. Raises MissingResource."""
        ...

    def parser(self, name: str) -> Parser:
        """A parser by its folder or package, loaded once. Raises MissingResource with the remedy."""
        ...

    def masked_lm(self, model: str, dtype: str = "float32") -> MaskedLM:
        """A masked language model by name, path or catalogue key, loaded once. Raises MissingResource."""
        ...

    def answerer(self, model: str, dtype: str = "float32") -> QuestionAnswerer:
        """A model that answers questions, found and loaded as an encoder is. Raises MissingResource."""
        ...

    def entity_finder(self, name: str) -> EntityFinder:
        """What finds names, numbers and dates: rules, or a pipeline loaded once. Raises MissingResource."""
        ...

    def phrase_finder(self, name: str) -> PhraseFinder:
        """What finds noun phrases: rules, or a pipeline loaded once. Raises MissingResource."""
        ...

    def entailment(self, model: str, dtype: str = "float32") -> NliClassifier:
        """A model that tells what follows from a text, found and loaded as an encoder is."""
        ...

    def files_hash(self, files: Sequence[Path]) -> str:
        """One SHA-256 for a model's files, hexadecimal, remembered."""
        ...

    def study_references(self) -> Sequence[str]:
        """Every reference in use in the study, topics in order: what an idf counts."""
        ...

    def study_summaries(self) -> Sequence[str]:
        """Every summary of the study, topics in order."""
        ...

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        """Each topic's references in use, topics in order; those without any are left out."""
        ...

    def once(self, key: Hashable, make: Callable[[], V]) -> V:
        """What `make` gives, made once for all topics. key: of what it depends on beside the references."""
        ...

    def annotators(self) -> Sequence[Annotator]:
        """Everybody who annotates in the study."""
        ...

    def annotations(self, topic_id: str) -> Sequence[TopicAnnotation]:
        """Every pyramid of a topic with its matches, as they are now."""
        ...

    def learned_model(self, name: str) -> LearnedModel:
        """A model that the study keeps, as it is now. Raises MissingResource with those that there are."""
        ...

    def index(self, name: str, analysis: Analysis) -> SearchIndex:
        """The study's documents, whose words are made as asked, or another index. Raises MissingResource."""
        ...

    def with_references_by(self, authors: tuple[str, ...]) -> Resources:
        """The same tools where only these authors' references are in use, empty = everybody's."""
        ...
