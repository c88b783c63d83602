"""Representations of Sun & Nenkova 2019 and ROUGE: availability and scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

import numpy as np

from core.errors import InputError
from core.experiments.inputs.measure_inputs import MeasureSet, MeasureSpec, score_and_load
from core.formatting.tables import MARK
from core.matrix import ScoreMatrix, align_matrices
from core.metrics import registry
from core.metrics.base import Resources
from core.ports import Study
from core.progress import JobSteps
from core.settings import parse_settings

AVERAGE = "enc-avg"
"""Label of the mean of all representations' cosines."""

ROUGE = tuple(
    MeasureSpec(f"R{n}-{letter}", f"rouge-n:n={n},stem=yes", f"rouge-{n}.{part}")
    for n in (1, 2)
    for letter, part in (("R", "recall"), ("P", "precision"), ("F", "f"))
)


@dataclass(frozen=True, slots=True)
class Representation:
    """Text representation of the paper.

    own: spec with the paper's model.
    kind: prefix of the encoder in a study's own configuration, if it is a folder.
    spec: spec of the stand-in.
    """

    label: str
    own: str
    spec: str
    kind: str = ""

    def measure_spec(self, study: Study, against: str, words: int = 0) -> MeasureSpec:
        """Return the metric with or without the paper's model, against references or documents."""
        specs = (self.spec, self._stored(study) or self.own)
        spec, own = (_set(each, against=against, words=words) for each in specs)
        return MeasureSpec(self.label, spec, own=own)

    def _stored(self, study: Study) -> str:
        """Return the study's own configuration with an encoder of this kind from any folder."""
        for config in study.scores.configs() if self.kind else ():
            if config.metric == "cosine" and f"encoder={self.kind}:" in config.spec.replace(
                "encoder:", "encoder="
            ):
                return config.spec
        return ""


REPRESENTATIONS = (
    Representation("enc-2", "cosine:encoder=use-2", "cosine", "use-2"),
    Representation("enc-3", "cosine:encoder=use-3", "cosine", "use-3"),
    Representation("max", "cosine-words:joining=max,vectors=google-news", "cosine-words:joining=max"),
    Representation("avg", "cosine-words:joining=avg,vectors=google-news", "cosine-words:joining=avg"),
    Representation("InferSent", "cosine:encoder=infersent1", "cosine-tokens:joining=max", "infersent1"),
    Representation("ELMo-m", "cosine:encoder=elmo-max", "cosine-tokens:joining=max,layers=all", "elmo-max"),
    Representation("ELMo-a", "cosine:encoder=elmo-avg", "cosine-tokens:joining=avg,layers=all", "elmo-avg"),
)
SENSITIVE = tuple(each for each in REPRESENTATIONS if each.label in ("max", "avg", "InferSent"))
"""Representations that the paper found sensitive to document length."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Scores of ROUGE by name. reference, document: representations compared with each, their mean last."""

    rouge: Mapping[str, ScoreMatrix]
    reference: tuple[ScoreMatrix, ...]
    document: tuple[ScoreMatrix, ...]
    reading: MeasureSet

    @property
    def labels(self) -> list[str]:
        """Return the labels of all rows, ROUGE first."""
        rows = (*self.rouge.values(), *self.reference, *self.document)
        return list(dict.fromkeys(matrix.label for matrix in rows))


def compared(
    study: Study, resources: Resources, against: Sequence[str] = ("reference", "document")
) -> JobSteps[Compared]:
    """Score ROUGE with stemming and each representation if missing, and load the scores."""
    rouge = yield from score_and_load(study, resources, ROUGE)
    sides: dict[str, MeasureSet] = {}
    for side in against:
        wants = [each.measure_spec(study, side) for each in REPRESENTATIONS]
        sides[side] = yield from score_and_load(study, resources, wants)
    if not any(reading.measured for reading in sides.values()):
        raise InputError(
            "No representation could be scored here. " + " ".join(_all(sides.values(), "missing"))
        )
    first, second = (
        with_average(sides[side].matrices, is_marked=bool(sides[side].stand_ins)) if side in sides else ()
        for side in ("reference", "document")
    )
    metrics = MeasureSet(
        missing=_all((rouge, *sides.values()), "missing"),
        stand_ins=_all(sides.values(), "stand_ins"),
        warnings=_all((rouge, *sides.values()), "warnings"),
    )
    by_name = {want.label: one.scores for one in rouge.measured for want in one.requests}
    return Compared(by_name, first, second, metrics)


def with_average(matrices: Sequence[ScoreMatrix], *, is_marked: bool = False) -> tuple[ScoreMatrix, ...]:
    """Append the mean of all where each has a value. is_marked: some ran on a stand-in."""
    if len(matrices) < 2:
        return tuple(matrices)
    first = matrices[0]
    fitted = [
        first,
        *(align_matrices(first, other)[1].select(first.systems, first.topics) for other in matrices[1:]),
    ]
    mean = np.mean([one.values for one in fitted], axis=0)
    return (*matrices, ScoreMatrix(AVERAGE + MARK * is_marked, first.systems, first.topics, mean))


def _set(spec: str, *, against: str, words: int) -> str:
    metric = registry.parse(spec)
    texts = {"against": against, **({"words": str(words)} if words else {})}
    return replace(metric, **parse_settings(metric.name, type(metric), texts)).spec


def _all(
    readings: Iterable[MeasureSet], what: Literal["missing", "stand_ins", "warnings"]
) -> tuple[str, ...]:
    """Return the sentences of several measure sets, without duplicates."""
    sentences: list[tuple[str, ...]] = [getattr(reading, what) for reading in readings]
    return tuple(dict.fromkeys(chain.from_iterable(sentences)))
