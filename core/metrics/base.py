"""What a metric is: a value whose fields are its settings, and functions from texts to numbers.

A metric keeps no state while it scores. `prepare` does once per topic what all its systems share, `score`
gives values and, where references can be told apart, the statistics per reference from which `combine` makes
the values for any subset of references without another look at a text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Annotator, Span, Text, TopicTexts
from core.errors import BadSetting

if TYPE_CHECKING:
    from core.domain.pyramid import TopicAnnotation
    from core.extents import Extent
    from core.learned.model import LearnedModel
    from core.models.ahead import ToEncode
    from core.models.answering import Answerer
    from core.models.encoder import Encoder
    from core.models.entailment import Entailment
    from core.models.entities import EntityFinder
    from core.models.masked import MaskedLM
    from core.models.parser import Parser
    from core.models.readings import TextEncoder
    from core.models.word_vectors import WordVectors
    from core.tokens import Cut, Words

V = TypeVar("V")

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
"""Which references count, shape (references,)."""


class Pool(StrEnum):
    """How several references combine."""

    SUM = "sum"  # statistics are added, then turned into a score
    MEAN = "mean"  # scores against each reference are averaged
    MAX = "max"  # the best reference counts, measure by measure
    JOINT = "joint"  # needs the texts again for another set of references


class Need(StrEnum):
    """What a metric cannot run without."""

    REFERENCES = "references"
    DOCUMENTS = "documents"
    CORPUS = "all references of the study"
    ENCODER = "encoder"
    WORD_VECTORS = "word vectors"
    PARSER = "parser"
    MASKED_LM = "masked language model"
    QA = "question answering model"
    PYRAMIDS = "pyramids"
    NLI = "entailment model"
    LEARNED = "a trained model"


MODELS = frozenset(
    {Need.ENCODER, Need.WORD_VECTORS, Need.PARSER, Need.MASKED_LM, Need.QA, Need.NLI, Need.LEARNED}
)
"""What is a model, of which a machine may have none."""


class Tools(Protocol):
    """What the engine lends to a metric: texts cut into words and sentences once, encoders loaded once."""

    @property
    def device(self) -> str:
        """``cpu``, ``cuda``, ``cuda:1`` or ``mps``; never in a signature."""
        ...

    def sentences(self, content: str, given: Sequence[str] | None) -> tuple[str, ...]:
        """A text's sentences: the given ones, else a splitter's."""
        ...

    def words(self, text: Text, cut: Cut, extent: Extent = ...) -> Words:
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

    def answerer(self, model: str, dtype: str = "float32") -> Answerer:
        """A model that answers questions, found and loaded as an encoder is. Raises MissingResource."""
        ...

    def entity_finder(self, name: str) -> EntityFinder:
        """What finds names, numbers and dates: rules, or a pipeline loaded once. Raises MissingResource."""
        ...

    def entailment(self, model: str, dtype: str = "float32") -> Entailment:
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

    def with_references_by(self, authors: tuple[str, ...]) -> Tools:
        """The same tools where only these authors' references are in use, empty = everybody's."""
        ...


@dataclass(frozen=True, slots=True)
class Prepared:
    """What one topic's scoring needs; metrics subclass it with what they precompute."""

    topic: TopicTexts


@dataclass(frozen=True, slots=True)
class TopicScores:
    """One topic's numbers.

    values: shape (systems, measures), NaN = undefined. stats: shape (systems, references, statistics), None
    for joint metrics and those without references. notes: what users should know, as ``{"truncated": 3}``.
    """

    values: Array
    stats: Array | None = None
    notes: Mapping[str, int] = field(default_factory=dict)


NOTES: Mapping[str, str] = {
    "truncated": "texts cut at the model's limit",
    "unknown_words": "texts with words that have no vector",
    "dropped_characters": "texts whose letters outside ASCII were left out",
    "undecided_answers": "answers with another as likely, which another batch or device may give",
}
"""What metrics note, in words; each note counts texts, unless it says what."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span of a text that moved a score. role: ``summary``, ``reference`` or ``document``; name: whose."""

    role: Literal["summary", "reference", "document"]
    name: str
    span: Span
    weight: float = 1.0


Operator = Literal[
    "value", "sum", "mean", "max", "ratio", "product", "harmonic", "geometric", "power", "rounded"
]


@dataclass(frozen=True, slots=True)
class Explanation:
    """An expression tree that evaluates to the score: a leaf has a value, a node an operator.

    value: a leaf's number; of ``power`` the exponent; of ``rounded``, how many decimals are kept.
    """

    label: str
    operator: Operator = "value"
    value: float = 0.0
    children: tuple[Explanation, ...] = ()
    evidence: tuple[Evidence, ...] = ()

    def evaluate(self) -> float:
        """The number that the tree stands for; 0/0 counts as 0."""
        values = [child.evaluate() for child in self.children]
        match self.operator:
            case "value":
                return self.value
            case "sum":
                return math.fsum(values)
            case "mean":
                return math.fsum(values) / len(values) if values else math.nan
            case "max":
                return max(values, default=math.nan)
            case "ratio":
                return values[0] / values[1] if values[1] else 0.0
            case "product":
                return math.prod(values)
            case "harmonic":
                total = values[0] + values[1]
                return 2 * values[0] * values[1] / total if total else 0.0
            case "geometric":
                return _geometric_mean(values)
            case "power":
                return math.pow(values[0], self.value)
            case "rounded":
                return round(values[0], int(self.value))


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values)) if values and all(values) else 0.0


def setting(
    default: Any,
    explained: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[str] = (),
    title: str = "",
) -> Any:
    """A metric's setting: its default, one line of help, its range or its choices."""
    metadata = {"help": explained, "low": low, "high": high, "choices": tuple(choices), "title": title}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Metric:
    """One way to score summaries. Equal settings make equal metrics; fields are made by `setting`.

    name: what -m calls it. family: the heading it stands under. about: one line for people.
    paper: the source of its definition. higher_is_better: for ranks.
    """

    name: ClassVar[str]
    family: ClassVar[str]
    about: ClassVar[str]
    paper: ClassVar[str] = ""
    version: ClassVar[int] = 1
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES})
    higher_is_better: ClassVar[bool] = True
    usual: ClassVar[tuple[str, ...]] = ("",)
    """What most studies run it with, each as it follows ``name:`` in -m."""
    shorthands: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Keys that -m takes beside settings: the setting that each stands for, and how its value begins."""

    def __post_init__(self) -> None:
        for f in fields(self):
            check_setting(self.name, f, getattr(self, f.name))

    @property
    def pool(self) -> Pool:
        """How several references combine; a setting may decide."""
        return Pool.SUM

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        """Catalogue keys of the models that the paper used, by the setting that names one."""
        return {}

    def measures(self) -> tuple[str, ...]:
        """Names of the numbers it gives, as ``rouge-2.recall``."""
        raise NotImplementedError

    def to_encode(self, topic: TopicTexts, tools: Tools) -> Sequence[ToEncode]:
        """What `prepare` will have encoded, so that topics and metrics can share an encoder's passes."""
        return ()

    def prepare(self, topic: TopicTexts, tools: Tools) -> Prepared:
        """Do once per topic what all systems share."""
        raise NotImplementedError

    def score(self, prepared: Prepared) -> TopicScores:
        """Score every summary of a prepared topic."""
        raise NotImplementedError

    def combine(self, stats: Array, references: Mask) -> Array:
        """Values[systems, measures] for a subset of references, from stats[systems, references, k]."""
        raise NotImplementedError

    def explain(self, prepared: Prepared, system: int) -> dict[str, Explanation]:
        """For each measure the tree that evaluates to one summary's score."""
        raise NotImplementedError

    def extras(self, tools: Tools) -> dict[str, str]:
        """What else repeats a run: model, hash, tokenizer, dtype. Raises MissingResource."""
        return {}

    def other_inputs(self, tools: Tools) -> str:
        """A hash over what it reads beyond a topic's texts, as an idf corpus; empty = nothing."""
        return ""

    def topic_inputs(self, topic: TopicTexts, tools: Tools) -> str:
        """A hash over what it reads of a topic beyond its texts, as annotations; empty = nothing."""
        return ""

    def lacking(self, topic: TopicTexts, tools: Tools) -> str:
        """What it needs of a topic beyond its texts and the topic does not have; empty = nothing."""
        return ""

    def unavailable(self, tools: Tools) -> str:
        """Why it cannot run here, with the remedy; empty when it can. Loads nothing."""
        return ""

    def seconds_per_text(self, tools: Tools) -> float:
        """A rough time for one text of 100 words on the device at hand, for estimates before a run."""
        return 1e-4

    def settings(self) -> dict[str, str]:
        """Every setting as text, defaults included."""
        return {f.name: as_text(getattr(self, f.name)) for f in fields(self)}

    def signature(self, tools: Tools) -> str:
        """``name|setting:value|...|version:N``, enough to repeat the run."""
        parts = {**self.settings(), **self.extras(tools), "version": str(self.version)}
        return "|".join((self.name, *(f"{key}:{value}" for key, value in parts.items())))


def as_text(value: object) -> str:
    """A setting's value as it stands in signatures and on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(value)
    return str(value)


def default_of(f: Field[Any]) -> Any:
    """A setting's default."""
    if f.default is MISSING:
        raise ValueError(f"setting {f.name!r} has no default")
    return f.default


def check_setting(metric: str, f: Field[Any], value: Any) -> None:
    """Raise BadSetting unless a value has its setting's type and lies in its range."""
    place = f"{metric}: {f.name}={as_text(value)}"
    kind = type(default_of(f))
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise BadSetting(f"{place} is not a {_KINDS.get(kind, kind.__name__)}.")
    if isinstance(value, float) and not math.isfinite(value):
        raise BadSetting(f"{place} is not a number that can be reckoned with.")
    low, high = f.metadata.get("low"), f.metadata.get("high")
    if low is not None and value < low:
        raise BadSetting(f"{place} is below {low}, the smallest that makes sense.")
    if high is not None and value > high:
        raise BadSetting(f"{place} is above {high}, the largest that makes sense.")
    choices = f.metadata.get("choices")
    if choices and value not in choices:
        raise BadSetting(f"{place} is none of: {', '.join(choices)}.")
    if isinstance(value, str) and any(sign in value for sign in "|\n"):
        raise BadSetting(f"{place} holds a sign that signatures use; choose another name.")


_KINDS = {bool: "yes or no", int: "whole number", float: "number", str: "text"}
