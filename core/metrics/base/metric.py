"""The base class of metrics: scoring, explanation and signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic

import numpy as np
from typing_extensions import TypeVar

from core.domain.study import Text, TopicTexts
from core.errors import PyramidionError
from core.metrics.base.explanation import Explanation
from core.metrics.base.model_requests import NO_REQUESTS, ModelRequests
from core.metrics.base.needs import Need, Pool, Script
from core.metrics.base.resources import Resources
from core.metrics.base.scores import Array, Mask, Prepared, TopicScores
from core.settings import Configurable

if TYPE_CHECKING:
    from core.models.encoders.text_encoding import EncodeRequest

P = TypeVar("P", bound=Prepared, default=Any)
"""What a metric prepares of a topic."""


@dataclass(frozen=True)
class Metric(Configurable, Generic[P]):
    """A way to score summaries. Metrics with equal settings are equal; fields are created by `setting`.

    family: the heading under which the metric is listed.
    about: a one-line description for users.
    paper: the source of the definition.
    higher_is_better: the direction used for ranks.
    """

    family: ClassVar[str]
    about: ClassVar[str]
    paper: ClassVar[str] = ""
    bibliography: ClassVar[tuple[str, ...]] = ()
    """Keys of its papers in resources/bibliography/references.bib."""
    version: ClassVar[int] = 1
    parts: ClassVar[tuple[str, ...]] = ("score",)
    """What follows the metric's name in the names of its measures."""
    default_pool: ClassVar[Pool] = Pool.SUM
    """How several references are combined, where no setting decides it."""
    default_seconds: ClassVar[float] = 1e-4
    """Rough time for a text of 100 words, where it does not depend on the device."""
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {}
    """Catalogue keys of the models used in the paper, by the setting, where no setting changes them."""
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES})
    higher_is_better: ClassVar[bool] = True
    has_direction: ClassVar[bool] = True
    """Whether one direction is better; a property of texts, such as length, is ranked by larger values."""
    default_configs: ClassVar[tuple[str, ...]] = ("",)
    """Common configurations, each as written after ``name:`` in -m."""
    is_in_summeval: ClassVar[bool] = False
    """Whether it is one of the metrics of the SummEval toolkit."""
    program_setting: ClassVar[str] = ""
    """The setting that names a program to run, which runs only where the user names it; empty = none."""
    unlabelled: ClassVar[frozenset[str]] = frozenset()
    """Settings that labels of measures leave out, as each configuration has its own name."""
    reads_query: ClassVar[bool] = False
    """Whether it reads the query of a topic."""
    corpus_input: ClassVar[str] = "inputs of the whole study"
    """Name of what `corpus_hash` covers, such as idf weights, in messages on stale scores."""
    topic_input: ClassVar[str] = "further inputs"
    """Name of what `topic_hash` covers, such as annotations, in messages on stale scores."""
    added_settings: ClassVar[frozenset[str]] = frozenset()
    """Settings that old signatures lack: part of one only with another value than the default."""
    shorthands: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Additional keys that -m accepts: the setting that each stands for, and a prefix of its value."""

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        """Return the default settings in studies of a language other than English, where they differ.

        They appear in a signature like any other setting, so that it means the same in every study.
        """
        return {}

    @property
    def is_usual(self) -> bool:
        """Return whether it runs where no metric is named.

        Annotation-based metrics yield judgements, properties measure no quality, programs run only if named.
        """
        return self.has_direction and self.needs.isdisjoint({Need.PYRAMIDS, Need.PROGRAM})

    @property
    def pool(self) -> Pool:
        """Return how several references are combined; may depend on a setting."""
        return self.default_pool

    @property
    def reads(self) -> Script:
        """Return which scripts the metric can tokenize; texts in other scripts are noted."""
        return Script.ALL

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        """Return the catalogue keys of the models used in the paper, by the setting that names a model."""
        return self.models_of_paper

    def substitutes(self) -> tuple[tuple[str, str], ...]:
        """Return pairs of what is used and what the paper used, besides models, as stand-ins."""
        return ()

    def measures(self) -> tuple[str, ...]:
        """Return the names of the measures, for example ``rouge-2.recall``."""
        return tuple(f"{self.name}.{part}" for part in self.parts)

    def to_encode(self, topic: TopicTexts, resources: Resources) -> Sequence[EncodeRequest]:
        """Return what `prepare` will encode, so that topics and metrics can share an encoder's batches."""
        return ()

    def prepare(self, topic: TopicTexts, resources: Resources) -> P:
        """Do the work that all systems of a topic share."""
        raise NotImplementedError

    def score(self, prepared: P) -> TopicScores:
        """Score every summary of a prepared topic."""
        raise NotImplementedError

    def combine_all(self, stats: Array, notes: Mapping[str, int]) -> TopicScores:
        """Return the scores by all references, from stats[systems, references, k]."""
        return TopicScores(self.combine(stats, _every(stats.shape[1])), stats, notes)

    def combine(self, stats: Array, references: Mask) -> Array:
        """Return values[systems, measures] for a subset of references, from stats[systems, references, k]."""
        raise NotImplementedError

    def explain(self, prepared: P, system: int) -> dict[str, Explanation]:
        """Return, for each measure, the tree that evaluates to a summary's score."""
        raise NotImplementedError

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        """Return further parts of the signature: model, hash, tokenizer, dtype. Raises MissingResource."""
        return {}

    def extras(self, resources: Resources) -> dict[str, str]:
        """Return every part of the signature other than settings and version. Raises MissingResource."""
        return {**self.signature_extras(resources), **({"package": self.package} if self.package else {})}

    def corpus_hash(self, resources: Resources) -> str:
        """Return a hash of the inputs other than a topic's texts, such as an idf corpus; empty = none."""
        return ""

    def topic_hash(self, topic: TopicTexts, resources: Resources) -> str:
        """Return a hash of a topic's inputs other than its texts, such as annotations; empty = none."""
        return ""

    def corpus_parts(self, resources: Resources, corpus_hash: str) -> Mapping[str, str]:
        """Return a hash of each input that `corpus_hash` covers, by name."""
        return {self.corpus_input: corpus_hash} if corpus_hash else {}

    def topic_parts(self, topic: TopicTexts, resources: Resources, topic_hash: str) -> Mapping[str, str]:
        """Return a hash of each input that `topic_hash` covers, by name."""
        return {self.topic_input: topic_hash} if topic_hash else {}

    def missing_requirements(self, topic: TopicTexts, resources: Resources) -> str:
        """Return a required input other than texts that a topic does not have; empty = nothing is missing."""
        return ""

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        """Return the share of each text that is unknown to the model, in [0, 1]; empty = no model is used."""
        return ()

    def score_ahead(self, topics: Sequence[TopicTexts], resources: Resources) -> None:
        """Do work for several topics at once, before each of them is prepared."""

    def check(self, resources: Resources) -> None:
        """Check that all required resources are available, without loading them.

        Raises PyramidionError with a remedy.
        """

    def unavailable(self, resources: Resources) -> str:
        """Return the message of `check` if the metric cannot run here; empty if it can."""
        try:
            self.check(resources)
        except PyramidionError as error:
            return str(error)
        return ""

    def requests(self, topic: TopicTexts, resources: Resources) -> ModelRequests:
        """Return what scoring a topic would ask a language model that no stored answer says."""
        return NO_REQUESTS

    def seconds_per_text(self, resources: Resources) -> float:
        """Return a rough time for a text of 100 words on the current device, for estimates before a run."""
        return self.default_seconds

    def settings(self) -> dict[str, str]:
        """Return every setting in use as text, including defaults, as in the signature."""
        hidden = self.unused().keys() | (self.added_settings - self.changed_settings().keys())
        return {key: text for key, text in super().settings().items() if key not in hidden}

    def signature(self, resources: Resources) -> str:
        """Return ``name|setting:value|...|version:N``, which reproduces the run."""
        parts = {**self.settings(), **self.extras(resources), "version": str(self.version)}
        return "|".join((self.name, *(f"{key}:{value}" for key, value in parts.items())))


@lru_cache(maxsize=64)
def _every(references: int) -> Mask:
    """Return the mask that includes all references. The array is shared: read only."""
    every = np.ones(references, dtype=np.bool_)
    every.flags.writeable = False
    return every


def missing_inputs(
    metric: Metric, topic: TopicTexts, resources: Resources, *, references_as_systems: bool = False
) -> str:
    """Return a required input that a topic does not have; empty = nothing is missing.

    references_as_systems: references are also scored as systems, each against the others.
    """
    if not topic.summaries:
        return "no summaries"
    if Need.REFERENCES in metric.needs and not topic.references:
        return "no references that count"
    if references_as_systems and len(topic.references) < 2:
        return "fewer than two references, so that none can be scored by others"
    if Need.DOCUMENTS in metric.needs and not topic.documents:
        return "no documents"
    return metric.missing_requirements(topic, resources)
