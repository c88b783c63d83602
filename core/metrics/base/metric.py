"""The metric itself: a value that scores, explains itself, and knows what repeats it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar

from core.domain.study import Text, TopicTexts
from core.errors import PyramidionError
from core.metrics.base.explanation import Explanation
from core.metrics.base.needs import Need, Pool, Script
from core.metrics.base.scores import Array, Mask, Prepared, TopicScores
from core.metrics.base.tools import Resources
from core.settings import check_setting, format_setting

if TYPE_CHECKING:
    from core.models.encoders.encode_request import EncodeRequest


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

    @property
    def reads(self) -> Script:
        """Whose words it tells apart; texts in other scripts are noted."""
        return Script.ALL

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        """Catalogue keys of the models that the paper used, by the setting that names one."""
        return {}

    def measures(self) -> tuple[str, ...]:
        """Names of the numbers it gives, as ``rouge-2.recall``."""
        raise NotImplementedError

    def to_encode(self, topic: TopicTexts, tools: Resources) -> Sequence[EncodeRequest]:
        """What `prepare` will have encoded, so that topics and metrics can share an encoder's passes."""
        return ()

    def prepare(self, topic: TopicTexts, tools: Resources) -> Prepared:
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

    def signature_extras(self, tools: Resources) -> dict[str, str]:
        """What else repeats a run: model, hash, tokenizer, dtype. Raises MissingResource."""
        return {}

    def corpus_hash(self, tools: Resources) -> str:
        """A hash over what it reads beyond a topic's texts, as an idf corpus; empty = nothing."""
        return ""

    def topic_hash(self, topic: TopicTexts, tools: Resources) -> str:
        """A hash over what it reads of a topic beyond its texts, as annotations; empty = nothing."""
        return ""

    def lacking(self, topic: TopicTexts, tools: Resources) -> str:
        """What it needs of a topic beyond its texts and the topic does not have; empty = nothing."""
        return ""

    def unknown_shares(self, texts: Sequence[Text], tools: Resources) -> Sequence[float]:
        """Return of each text the share that its model does not know, in [0, 1]; empty = it reads none."""
        return ()

    def check(self, tools: Resources) -> None:
        """Find what it needs, loading nothing. Raises PyramidionError with the remedy where it cannot run."""

    def unavailable(self, tools: Resources) -> str:
        """Why it cannot run here, as `check` says; empty when it can."""
        try:
            self.check(tools)
        except PyramidionError as error:
            return str(error)
        return ""

    def seconds_per_text(self, tools: Resources) -> float:
        """A rough time for one text of 100 words on the device at hand, for estimates before a run."""
        return 1e-4

    def settings(self) -> dict[str, str]:
        """Every setting as text, defaults included."""
        return {f.name: format_setting(getattr(self, f.name)) for f in fields(self)}

    def signature(self, tools: Resources) -> str:
        """``name|setting:value|...|version:N``, enough to repeat the run."""
        parts = {**self.settings(), **self.signature_extras(tools), "version": str(self.version)}
        return "|".join((self.name, *(f"{key}:{value}" for key, value in parts.items())))


def missing_inputs(
    metric: Metric, topic: TopicTexts, tools: Resources, *, references_as_systems: bool = False
) -> str:
    """Return what a metric needs and a topic lacks; empty = nothing.

    references_as_systems: references are scored as systems too, each by the others.
    """
    if not topic.summaries:
        return "no summaries"
    if Need.REFERENCES in metric.needs and not topic.references:
        return "no references that count"
    if references_as_systems and len(topic.references) < 2:
        return "fewer than two references, so that none can be scored by others"
    if Need.DOCUMENTS in metric.needs and not topic.documents:
        return "no documents"
    return metric.lacking(topic, tools)
