"""Statistics of a data set: sizes, lengths, extractiveness, spread of judgements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.comparison.judgements import judgements
from core.domain.study import Text, TopicTexts
from core.experiments.common_settings import judgements_setting
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import automatic, load_judgements
from core.experiments.registry import register
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import ScoreMatrix
from core.metrics.base import Resources
from core.metrics.properties.extractiveness import compressions, copied
from core.metrics.properties.repetition import novelties
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.text.tokenization import TokenizerSettings

Array = NDArray[np.float64]
CUT = TokenizerSettings("unicode")
TITLES = {
    "words": "Words",
    "compression": "Compression",
    "coverage": "Coverage",
    "density": "Density",
    "novelty-1": "New words",
    "novelty-2": "New 2-grams",
    "novelty-3": "New 3-grams",
}


@register
@dataclass(frozen=True)
class DataSet(Experiment):
    """Compute the statistics of Sun & Nenkova 2019 (Table 2), and those of Grusky, Naaman & Artzi 2018.

    Formula:
        compression   = words of the documents / words of the summary
        coverage      = Σ |f| / words of the summary, over the fragments f that are copied from the documents
        density       = Σ |f|² / words of the summary
        novel n-grams = distinct n-grams of the summary that are not in the documents / its distinct n-grams

    Limits:
        Fragments are found greedily, the longest match first, so another division of a summary can copy
        more. Words are compared as they are written: paraphrases count as novel. Texts of topics without
        documents have their length only.
    """

    name: ClassVar[str] = "data-set"
    title: ClassVar[str] = "Data set"
    about: ClassVar[str] = (
        "Counts, lengths, compression, novelty, coverage and density, spread of judgements."
    )

    judgements: str = judgements_setting()

    def missing_requirements(self, study: Study) -> str:
        heads = study.texts.topics()
        return (
            "" if any(head.summaries for head in heads) else "This study has no summaries yet. Import some."
        )

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        heads, counted = study.texts.topics(), _Counted()
        for done, topic in enumerate(study.texts.load()):
            yield Progress(done, len(heads), topic.name)
            counted.add(topic, resources)
        people = load_judgements(study, self.judgements) if judgements(study) else {}
        tables = [_sizes(counted, len(automatic(study))), *_spreads(people), _by_system(counted)]
        return Result(self.title, tuple(tables), (), _POLICY)


_POLICY = (
    "Words of any script are counted, without punctuation.",
    "Compression: words in a topic's documents divided by words in the summary. Coverage: share of a "
    "summary's words in fragments copied from documents; density: mean length of a word's fragment (Grusky, "
    "Naaman & Artzi 2018). Novel n-grams: share of a summary's distinct n-grams absent from the documents.",
    "Statistics of judgements cover automatic systems and baselines, counted by the number of systems.",
)


@dataclass(slots=True)
class _Counted:
    """Accumulated statistics of each text. by_system: rows of `TITLES`."""

    words: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    per_topic: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    by_system: dict[str, list[list[float]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, topic: TopicTexts, resources: Resources) -> None:
        documents = [_ids(text, resources) for text in topic.documents]
        kinds = {"documents": topic.documents, "references": topic.references, "summaries": topic.summaries}
        for kind, texts in kinds.items():
            self.per_topic[kind].append(len(texts))
            self.words[kind] += [len(_ids(text, resources)) for text in texts]
        texts = (*topic.summaries, *topic.references)
        names = (*(text.name for text in topic.summaries), *(_REFERENCES for _ in topic.references))
        rows = _rows([_ids(text, resources) for text in texts], documents)
        for name, row in zip(names, rows.tolist(), strict=True):
            self.by_system[name].append(row)


_REFERENCES = "(references)"


def _ids(text: Text, resources: Resources) -> NDArray[np.int32]:
    return resources.words(text, CUT).ids


def _rows(texts: Sequence[NDArray[np.int32]], documents: Sequence[NDArray[np.int32]]) -> Array:
    """Return the statistics `TITLES` of each text, shape (texts, statistics); NaN without documents."""
    columns = [
        np.array([len(ids) for ids in texts], dtype=np.float64),
        compressions(texts, documents),
        *(copied(texts, documents, power) for power in (1, 2)),
        *(novelties(texts, documents, n) for n in (1, 2, 3)),
    ]
    return np.stack(columns, axis=1)


def _sizes(counted: _Counted, systems: int) -> Table:
    """Return counts and lengths."""
    columns = (
        Column("What", "what"),
        Column("Number", "number", CellKind.COUNT),
        Column("Per topic", "per_topic", CellKind.SCORE),
        Column("Words, mean", "words_mean", CellKind.SCORE),
        Column("Words, median", "words_median", CellKind.SCORE),
    )
    rows: list[tuple[Cell, ...]] = [
        ("Topics", len(counted.per_topic["summaries"]), None, None, None),
        ("Systems", systems, None, None, None),
    ]
    for kind, words in counted.words.items():
        per_topic = float(np.mean(counted.per_topic[kind]))
        lengths = (float(np.mean(words)), float(np.median(words))) if words else (None, None)
        rows.append((kind.capitalize(), len(words), per_topic, *lengths))
    return Table("Texts", columns, tuple(rows))


def _spreads(people: dict[str, ScoreMatrix]) -> list[Table]:
    """Return the spread of system means by each judgement."""
    if not people:
        return []
    heads = {
        "lowest": "Lowest system",
        "highest": "Highest system",
        "deviation": "SD of systems",
        "topics": "Judged topics per system",
    }
    columns = [Column(title, key, CellKind.SCORE) for key, title in heads.items()]
    rows = [(name, *_spread(judgement)) for name, judgement in people.items()]
    return [Table("Judgements", (Column("Judgement", "judgement", CellKind.CODE), *columns), tuple(rows))]


def _spread(judgement: ScoreMatrix) -> tuple[float, float, float, float]:
    means = judgement.system_means()
    means = means[np.isfinite(means)]
    if not len(means):
        return (float("nan"),) * 4
    judged_topics = np.isfinite(judgement.values).sum(axis=1)
    deviation = float(means.std(ddof=1)) if len(means) > 1 else float("nan")
    mean_topics = float(judged_topics[judged_topics > 0].mean())
    return float(means.min()), float(means.max()), deviation, mean_topics


def _by_system(counted: _Counted) -> Table:
    columns = [Column(title, key, CellKind.SCORE) for key, title in TITLES.items()]
    rows: list[tuple[Cell, ...]] = []
    for name in sorted(counted.by_system, key=lambda name: (name == _REFERENCES, name)):
        values = np.array(counted.by_system[name])
        there = np.isfinite(values)
        sums, counts = np.where(there, values, 0.0).sum(axis=0), there.sum(axis=0)
        means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        rows.append((name, len(values), *means.tolist()))
    heads = (Column("System", "system", CellKind.CODE), Column("Texts", "texts", CellKind.COUNT))
    return Table("Systems", (*heads, *columns), tuple(rows), "Means over a system's texts.")
