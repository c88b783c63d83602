"""Lite Pyramid (Zhang & Bansal 2021): share of a pyramid's SCUs that a summary entails.

The premise is the summary, the hypothesis the label of an SCU. No manual matching is needed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.domain.annotator_filter import resolve_annotators
from core.domain.pyramid import Pyramid, Scu
from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.matrix import nanmean_first_axis
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Mask,
    Metric,
    Need,
    Prepared,
    Resources,
    TopicScores,
    noted,
    setting,
)
from core.metrics.embedding.encoder_metric import dtype_setting
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model, seconds_per_text
from core.models.heads.nli_labels import entailment_of

EVERYBODY = "all"
KINDS = ("p2c", "l2c", "p3c", "l3c")
_USUAL_SCUS = 15
"""Number of SCUs in a typical pyramid, for estimates of run time."""


@dataclass(frozen=True, slots=True)
class PreparedPresence(Prepared):
    """Pyramids of a topic, their annotators, and the SCUs that each summary entails.

    by: names of the annotators.
    presence: per pyramid, shape (texts, SCUs, kinds).
    truncated: number of truncated summaries.
    undecided: number of SCUs whose label rounding could change.
    """

    pyramids: tuple[Pyramid, ...]
    by: tuple[str, ...]
    presence: tuple[Array, ...]
    truncated: int
    undecided: int


@register
@dataclass(frozen=True)
class LitePyramid(Metric[PreparedPresence]):
    """Share of a pyramid's SCUs that a summary entails, plain and weighted, averaged over pyramids.

    Statistics per reference, pyramid by pyramid: for each SCU and kind 1 + the presence in the summary (0 if
    this reference does not express the SCU), then -1, which ends the pyramid.

    Formula:
        presence(u) = p3c, p2c: probability that the summary entails the SCU u
                      l3c, l2c: 1 if that is the most likely answer, else 0
        score       = Σ presence(u) / number of SCUs
        weighted    = Σ weight(u) · presence(u) / Σ weight(u)

    Limits:
        As good as the entailment model: SCUs that need inference over sentences are missed. Reads the same
        SCUs as the pyramid judgement, so their agreement is no independent evidence. Summaries longer than
        `pieces` are cut.
    """

    name: ClassVar[str] = "lite-pyramid"
    family: ClassVar[str] = "Pyramid"
    version: ClassVar[int] = 2
    about: ClassVar[str] = (
        "Share of a pyramid's SCUs that the summary entails, judged by an entailment model."
    )
    paper: ClassVar[str] = "Zhang & Bansal 2021, Finding a Balanced Degree of Automation, EMNLP"
    bibliography: ClassVar[tuple[str, ...]] = ("zhang-bansal-2021-lite",)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.PYRAMIDS, Need.NLI})
    topic_input: ClassVar[str] = "pyramids"
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {
        "nli": ("roberta-large-tac08", "roberta-large-nli")
    }

    nli: str = setting(
        "roberta-large-tac08",
        "Entailment model: roberta-large-tac08 (fine-tuned on TAC 2008), roberta-large-nli "
        "(not fine-tuned; use its l3c), a model name, or a folder.",
        title="Model",
    )
    annotator: str = setting(
        EVERYBODY,
        "Annotator whose pyramids are used, by name or group; all = average of all annotators.",
        title="Annotator",
    )
    pieces: int = setting(
        400,
        "Maximum number of word pieces of a summary and an SCU together.",
        low=16,
        high=100_000,
        title="Pieces",
    )
    dtype: str = dtype_setting()

    def measures(self) -> tuple[str, ...]:
        return tuple(f"{self.name}{weighing}.{kind}" for weighing in ("", "-weighted") for kind in KINDS)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        model = find_model(self.nli)
        digest = resources.model_hash(self.nli)[:12]
        return {"model": model.name, "hash": digest, "label": str(entailment_of(model)), "tokenizer": "fast"}

    def check(self, resources: Resources) -> None:
        self._chosen_annotators(resources)
        entailment_of(find_model(self.nli))

    def missing_requirements(self, topic: TopicTexts, resources: Resources) -> str:
        return "" if self._pyramids(topic, resources) else "no pyramid with SCUs"

    def seconds_per_text(self, resources: Resources) -> float:
        model = find_model(self.nli)
        return _USUAL_SCUS * seconds_per_text(model, model.layers, resources.device)

    def topic_hash(self, topic: TopicTexts, resources: Resources) -> str:
        try:
            pyramids = self._pyramids(topic, resources)
        except InputError:  # an annotator who was removed
            pyramids = ()
        content = [
            [p.id, [[scu.id, scu.label, [c.reference_id for c in scu.contributors]] for scu in p.scus]]
            for p in pyramids
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        return resources.entailment(self.nli, self.dtype).unknown_shares([text.content for text in texts])

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedPresence:
        pyramids = self._pyramids(topic, resources)
        people = {person.id: person.name for person in resources.annotators()}
        labels = [scu.label for pyramid in pyramids for scu in pyramid.scus]
        pairs = [(text.content, label) for text in topic.summaries for label in labels]
        verdicts = resources.entailment(self.nli, self.dtype).judge(pairs, self.pieces)
        shape = len(topic.summaries), len(labels)
        is_cut = verdicts.is_truncated.reshape(shape).any(axis=1) if labels else np.zeros(0)
        ends = np.cumsum([len(pyramid.scus) for pyramid in pyramids])[:-1]
        presence = np.split(verdicts.presence.reshape(*shape, len(KINDS)), ends, axis=1)
        by = tuple(people.get(pyramid.annotator_id, "unknown") for pyramid in pyramids)
        counts = int(is_cut.sum()), int(verdicts.is_undecided.sum())
        return PreparedPresence(topic, pyramids, by, tuple(presence) if pyramids else (), *counts)

    def score(self, prepared: PreparedPresence) -> TopicScores:
        texts, references = prepared.topic.summaries, prepared.topic.references
        empty = np.zeros((len(texts), len(references), 0))  # if no pyramid has SCUs any more
        ids = [reference.id for reference in references]
        pairs = zip(prepared.pyramids, prepared.presence, strict=True)
        stats = np.concatenate([empty, *(_section(p, presence, ids) for p, presence in pairs)], axis=2)
        notes = noted(truncated=prepared.truncated, undecided_answers=prepared.undecided)
        return self.combine_all(stats, notes)

    def combine(self, stats: Array, references: Mask) -> Array:
        width = 2 * len(KINDS)
        scores = [_shares(section[:, references]) for section in _read_sections(stats)]
        return nanmean_first_axis(np.array(scores).reshape(-1, len(stats), width))

    def explain(self, prepared: PreparedPresence, system: int) -> dict[str, Explanation]:
        return {
            measure: _over_pyramids(prepared, system, at % len(KINDS), is_weighted=at >= len(KINDS))
            for at, measure in enumerate(self.measures())
        }

    def _pyramids(self, topic: TopicTexts, resources: Resources) -> tuple[Pyramid, ...]:
        """Return the pyramids with SCUs by the chosen annotators."""
        chosen = self._chosen_annotators(resources)
        people = {person.id: person.name for person in resources.annotators()}
        pyramids = (annotation.pyramid for annotation in resources.annotations(topic.id))
        return tuple(p for p in pyramids if p.scus and (chosen is None or people[p.annotator_id] in chosen))

    def _chosen_annotators(self, resources: Resources) -> set[str] | None:
        return resolve_annotators(
            [] if self.annotator == EVERYBODY else [self.annotator], resources.annotators(), is_stored=True
        )


def _section(pyramid: Pyramid, presence: Array, references: Sequence[str]) -> Array:
    """Return the statistics of one pyramid, shape (texts, references, SCUs · kinds + 1)."""
    expresses = np.array(
        [[any(c.reference_id == r for c in scu.contributors) for scu in pyramid.scus] for r in references],
        dtype=np.float64,
    ).reshape(1, len(references), len(pyramid.scus), 1)
    shared = (expresses * (1.0 + presence[:, None])).reshape(len(presence), len(references), -1)
    return np.concatenate([shared, np.full((*shared.shape[:2], 1), -1.0)], axis=2)


def _read_sections(stats: Array) -> list[Array]:
    """Return the statistics of each pyramid, shape (texts, references, SCUs, kinds)."""
    ends: NDArray[np.int64] = np.flatnonzero((stats < 0).any(axis=(0, 1)))
    starts = [0, *(ends[:-1] + 1)]
    return [
        stats[:, :, start:end].reshape(*stats.shape[:2], -1, len(KINDS))
        for start, end in zip(starts, ends, strict=False)
    ]


def _shares(section: Array) -> Array:
    """Return the share of entailed SCUs, plain then weighted, shape (texts, 2 · kinds); NaN without SCUs."""
    weights = np.any(section > 0, axis=(0, 3)).sum(axis=0).astype(np.float64)
    if not weights.any():
        return np.full((len(section), 2 * section.shape[3]), np.nan)
    presence = np.maximum(section.max(axis=1) - 1, 0.0)
    counts = weights > 0
    plain = np.einsum("tsk,s->tk", presence, counts.astype(np.float64)) / counts.sum()
    weighted = np.einsum("tsk,s->tk", presence, weights) / weights.sum()
    return np.concatenate([plain, weighted], axis=1)


def _over_pyramids(prepared: PreparedPresence, system: int, kind: int, *, is_weighted: bool) -> Explanation:
    """Explain one measure of a text for one pyramid, or the mean over several."""
    ids = {reference.id: reference.name for reference in prepared.topic.references}
    triples = zip(prepared.by, prepared.pyramids, prepared.presence, strict=True)
    trees = [
        (by, _of_pyramid(pyramid, presence[system, :, kind], ids, is_weighted=is_weighted))
        for by, pyramid, presence in triples
        if any(_weight(scu, ids) for scu in pyramid.scus)
    ]
    if not trees:
        return Explanation("no pyramid with SCUs of these references", value=float("nan"))
    if len(trees) == 1:
        return trees[0][1]
    children = tuple(Explanation(f"SCUs by {by}", "sum", children=(tree,)) for by, tree in trees)
    return Explanation("mean over pyramids", "mean", children=children)


def _of_pyramid(
    pyramid: Pyramid, presence: Array, references: dict[str, str], *, is_weighted: bool
) -> Explanation:
    leaves, total = [], 0
    for scu, share in zip(pyramid.scus, presence.tolist(), strict=True):
        weight = _weight(scu, references)
        if not weight:
            continue
        total += weight if is_weighted else 1
        leaf = Explanation(scu.label, value=share, evidence=_evidence(scu, references, share))
        weighted = Explanation(f"{scu.label}, weight {weight}", "product", children=(leaf, _number(weight)))
        leaves.append(weighted if is_weighted else leaf)
    label = "sum of the SCU weights" if is_weighted else "SCUs"
    children = (Explanation("entailed SCUs", "sum", children=tuple(leaves)), Explanation(label, value=total))
    return Explanation("share of entailed SCUs", "ratio", children=children)


def _number(weight: int) -> Explanation:
    return Explanation("weight", value=float(weight))


def _weight(scu: Scu, references: dict[str, str]) -> int:
    return len({c.reference_id for c in scu.contributors if c.reference_id in references})


def _evidence(scu: Scu, references: dict[str, str], share: float) -> tuple[Evidence, ...]:
    """Return the spans of the references that express an SCU."""
    return tuple(
        Evidence("reference", references[c.reference_id], part.span, share)
        for c in scu.contributors
        if c.reference_id in references
        for part in c.parts
    )
