"""Mean of the cosines of several encoders (enc-avg of Sun & Nenkova 2019)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts
from core.errors import BadSetting, InputError, MissingResource
from core.metrics.base import Explanation, Mask, Need, Resources, setting
from core.metrics.embedding.cosine import Cosine
from core.metrics.embedding.cosine_tokens import CosineOfTokens
from core.metrics.embedding.cosine_words import CosineOfWords
from core.metrics.embedding.text_vectors import (
    PreparedVectors,
    WholeTextMetric,
    against_setting,
    pooling_setting,
    words_setting,
)
from core.metrics.registry import parse, register

if TYPE_CHECKING:
    from core.models.encoders.text_encoding import EncodeRequest

MEMBERS = (Cosine, CosineOfWords, CosineOfTokens)
_OWN = ("against", "pooling", "words")
_NAMES = ("encoder", "vectors")
"""Settings that name a model; the signature identifies the model by a hash."""

_DEFAULT = "cosine; cosine-words:joining=avg; cosine-words:joining=max; cosine-tokens:joining=max"


@dataclass(frozen=True, slots=True)
class PreparedMembers(PreparedVectors):
    """A topic prepared by each encoder; vectors are concatenated, so that the cosine is the mean cosine."""

    members: tuple[PreparedVectors, ...] = ()

    def are_defined(self) -> tuple[Mask, Mask]:
        """Return which summaries and which other texts have a vector of every encoder."""
        mine, theirs = zip(*(one.are_defined() for one in self.members), strict=True)
        return np.logical_and.reduce(mine), np.logical_and.reduce(theirs)


@register
@dataclass(frozen=True)
class MeanOfEncoders(WholeTextMetric[PreparedMembers]):
    """Mean of the cosines of several encoders for each reference or document, then pooled over these.

    Formula:
        score = mean over encoders of their cosines, then mean or maximum over references or documents

    Limits:
        Cosines of different encoders, layers or windows are not comparable, and neither are their absolute
        values: only the order of summaries is meaningful. The paper used seven encoders; what ran is in the
        signature.
    """

    name: ClassVar[str] = "enc-avg"
    family: ClassVar[str] = "Embeddings"
    about: ClassVar[str] = "Mean of the cosine similarities of several encoders."
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.ENCODER})
    model: ClassVar[Need] = Need.ENCODER

    of: str = setting(
        _DEFAULT,
        "The encoders, separated by semicolons: settings of cosine, cosine-words and "
        "cosine-tokens as used with -m, all different; the paper used seven.",
        title="Encoders",
    )
    against: str = against_setting()
    pooling: str = pooling_setting()
    words: int = words_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.members) < 2:
            raise BadSetting(f"{self.name}: of={self.of} names one encoder; use at least two.")

    @cached_property
    def members(self) -> tuple[WholeTextMetric[Any], ...]:
        """Return the encoders with the shared settings. Raises BadSetting if one is not a cosine metric."""
        return tuple(self._member(text) for text in self._texts)

    @property
    def _texts(self) -> tuple[str, ...]:
        """Return the configuration of each encoder."""
        return tuple(part.strip() for part in self.of.split(";") if part.strip())

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.{self.pooling}",)

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        """Return the paper's models if only the packaged model is set."""
        named = {value for one in self.members for key, value in one.settings().items() if key in _NAMES}
        return {"of": ("use-2", "use-3", "infersent1", "infersent2", "elmo")} if named == {"minilm"} else {}

    def check(self, resources: Resources) -> None:
        for text, member in zip(self._texts, self.members, strict=True):
            if why := member.unavailable(resources):
                raise MissingResource(f"{text}: {why}")
        self._check_different(resources)

    def missing_requirements(self, topic: TopicTexts, resources: Resources) -> str:
        return next((why for one in self.members if (why := one.missing_requirements(topic, resources))), "")

    def seconds_per_text(self, resources: Resources) -> float:
        return sum(one.seconds_per_text(resources) for one in self.members)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        """Return the models, and a hash over the signatures of all encoders."""
        extras = [one.signature_extras(resources) for one in self.members]
        models = "+".join(dict.fromkeys(one["model"] for one in extras))
        listed = json.dumps([sorted(one.items()) for one in extras])
        return {"model": models, "hash": hashlib.sha256(listed.encode()).hexdigest()[:12]}

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        return [
            max(shares)
            for shares in zip(*(one.unknown_shares(texts, resources) for one in self.members), strict=True)
        ]

    def to_encode(self, topic: TopicTexts, resources: Resources) -> Sequence[EncodeRequest]:
        return [request for one in self.members for request in one.to_encode(topic, resources)]

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedMembers:
        members = tuple(one.prepare(topic, resources) for one in self.members)
        share = 1 / np.sqrt(len(members))
        mine = np.hstack([one.summary_vectors for one in members]) * share
        theirs = np.hstack([one.other_vectors for one in members]) * share
        notes = {key: max(one.notes.get(key, 0) for one in members) for one in members for key in one.notes}
        return PreparedMembers(topic, members[0].others, mine, theirs, notes, members)

    def cosine_trees(self, prepared: PreparedMembers, system: int) -> list[Explanation]:
        trees = [
            [replace(tree, label=text) for tree in member.cosine_trees(own, system)]
            for text, member, own in zip(self._texts, self.members, prepared.members, strict=True)
        ]
        return [
            Explanation(other.name, "mean", children=tuple(children))
            for other, *children in zip(prepared.others, *trees, strict=True)
        ]

    def _member(self, text: str) -> WholeTextMetric[Any]:
        member = parse(text)
        if not isinstance(member, MEMBERS):
            listed = ", ".join(cls.name for cls in MEMBERS)
            raise BadSetting(f"{self.name}: {text} is not a cosine metric. Choose one of: {listed}.")
        own = {f.name: getattr(member, f.name) for f in fields(member) if f.name in _OWN}
        if changed := [key for key, value in own.items() if value != getattr(type(member)(), key)]:
            raise BadSetting(
                f"{self.name}: {text} sets {changed[0]}, which all encoders share. Set it outside `of`."
            )
        return replace(member, **{key: getattr(self, key) for key in own})

    def _check_different(self, resources: Resources) -> None:
        """Raise InputError if two encoders compute the same vectors, even under different names."""
        seen: dict[str, str] = {}
        for text, member in zip(self._texts, self.members, strict=True):
            settings = {key: value for key, value in member.settings().items() if key not in _NAMES}
            extras = {
                key: value for key, value in member.signature_extras(resources).items() if key != "model"
            }
            key = json.dumps([member.name, sorted(settings.items()), sorted(extras.items())])
            if key in seen:
                raise InputError(f"{seen[key]} and {text} are the same encoder. Remove one of them.")
            seen[key] = text
