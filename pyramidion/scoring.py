"""Scores of texts that are in no study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, overload

import numpy as np

from core.comparison.cautions import note_text
from core.comparison.stand_ins import stand_in_of
from core.domain.study import Text, TopicTexts
from core.errors import InputError, PyramidionError
from core.formatting.legible_text import legible_text
from core.formatting.numbers import format_score, pluralize
from core.matrix import ScoreMatrix
from core.metrics import registry
from core.metrics.names import main_measure, resolve_metric
from core.models.runtime.devices import check_name
from core.operations.score import requested_configs
from core.ports import ScoringStudy
from core.progress import run_to_completion
from core.scoring import engine
from core.scoring.memory_study import MemoryStudy
from core.scoring.plan import PlannedRun
from core.scoring.study_resources import StudyResources
from core.text.languages import check_language, detect_language
from pyramidion._process import set_up

if TYPE_CHECKING:
    from pandas import DataFrame

Texts = Sequence[str | Sequence[str]]
"""A text, or several, for each summary."""

_SYSTEM = "summaries"


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of summaries by one metric.

    metric: the configuration, as ``-m`` takes it. signature: reproduces the run.
    main: the measure that `value` is of. values: the system's value by measure: the mean of its summaries.
    per_summary: a row for each summary, in order, and a column for each measure; NaN = undefined.
    stand_in: the model used in place of the paper's, empty = none. notes: warnings, such as truncated texts.
    """

    metric: str
    signature: str
    main: str
    values: Mapping[str, float]
    per_summary: DataFrame
    stand_in: str = ""
    notes: tuple[str, ...] = ()

    @property
    def value(self) -> float:
        """The system's value of the main measure: F, else the score, else the first, or the one asked for."""
        return self.values[self.main]

    def __float__(self) -> float:
        return self.value

    def __getitem__(self, measure: str) -> float:
        """Return the system's value of a measure, as ``rouge-2.f`` or ``f``. Raises KeyError."""
        for name, value in self.values.items():
            if measure in (name, registry.split_label(name)[1]):
                return value
        raise KeyError(f"{self.metric} has no measure {measure!r}. It has: {', '.join(self.values)}.")

    def __repr__(self) -> str:
        listed = ", ".join(f"{name}={format_score(value, 4)}" for name, value in self.values.items())
        return f"Scores({listed}; {pluralize(len(self.per_summary), 'summary', 'summaries')})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(legible_text(name))}</th><td>{format_score(value, 4)}</td></tr>"
            for name, value in self.values.items()
        )
        lines = [f"<code>{escape(legible_text(self.signature))}</code>"]
        lines += [f"† {escape(self.stand_in)}."] if self.stand_in else []
        lines += [f"{escape(note)}." for note in self.notes]
        return f"<table>{rows}</table><p>{'<br>'.join(lines)}</p>"


@overload
def score(
    summaries: Sequence[str],
    references: Texts | None = None,
    metrics: str = ...,
    *,
    documents: Texts | None = None,
    queries: Sequence[str] | None = None,
    language: str | None = None,
    device: str = "auto",
) -> Scores: ...


@overload
def score(
    summaries: Sequence[str],
    references: Texts | None,
    metrics: list[str] | tuple[str, ...],
    *,
    documents: Texts | None = None,
    queries: Sequence[str] | None = None,
    language: str | None = None,
    device: str = "auto",
) -> dict[str, Scores]: ...


def score(
    summaries: Sequence[str],
    references: Texts | None = None,
    metrics: str | list[str] | tuple[str, ...] = "rouge-2",
    *,
    documents: Texts | None = None,
    queries: Sequence[str] | None = None,
    language: str | None = None,
    device: str = "auto",
) -> Scores | dict[str, Scores]:
    """Score the summaries of one system, by the engine of studies.

    references, documents: for each summary a text, or a list of several; None = none.
    metrics: as ``-m`` takes it (``rouge-n:n=2,stem=yes``, ``bertscore``), a signature, or the name in tables
        of a metric or measure (``rouge-2``, ``rouge-2.f``). A list of them gives a dictionary.
    queries: of the summaries' topics.
    language: code, as ``de``; None = detected from the texts, as on the first import into a study.
    device: of models: auto, cpu, cuda, cuda:1 or mps.

    The value of the system is the mean of its summaries. Several references count as the metric defines it.
    Raises InputError for texts that do not belong together, unknown metrics and wrong settings.
    Raises MissingResource, with the remedy, where a model is not on this computer.

    >>> import pyramidion
    >>> references = [["The old bridge is open.", "It opened."]]
    >>> scores = pyramidion.score(["The bridge is open."], references, "rouge-1")
    >>> scores
    Scores(rouge-1.recall=0.5714, rouge-1.precision=0.5000, rouge-1.f=0.5333; 1 summary)
    >>> scores.metric, scores.value, scores["recall"]
    ('rouge-n:n=1', 0.53333, 0.57143)
    >>> scores.signature.startswith("rouge-n|n:1|stem:no|")
    True
    >>> pyramidion.score(["A cat sat."], ["A cat sat."], ["rouge-2.f", "chrf"])["chrf"].value
    100.0
    """
    check_name(device)
    set_up()
    study, resources = _study_of(summaries, references, documents, queries, language, device)
    asked = [metrics] if isinstance(metrics, str) else list(metrics)
    found = {text: _score(text, study, resources) for text in asked}
    return found[metrics] if isinstance(metrics, str) else found


def _score(text: str, study: ScoringStudy, resources: StudyResources) -> Scores:
    spec, measure = resolve_metric(text)
    plan = engine.plan(study, requested_configs([spec], resources), resources)
    for refused in plan.refused:
        raise _refusal(text, refused.reason)
    (run,) = plan.runs
    if run.left_out:
        listed = "; ".join(
            f"{pluralize(n, 'summary', 'summaries')}: {why}" for why, n in run.left_out.items()
        )
        raise InputError(f"{text} cannot be computed. {listed}. Pass what the metric reads.")
    report = run_to_completion(engine.score(study, plan, resources))
    for reason in report.refusals.values():
        raise _refusal(text, reason)
    for failure in report.failures:
        raise PyramidionError(f"{text} failed on summary {failure.topic}: {failure.message}")
    return _scores_of(run, study, measure)


def _refusal(text: str, reason: str) -> PyramidionError:
    from core.errors import MissingResource

    return MissingResource(f"{text} was not computed: {reason}")


def _scores_of(run: PlannedRun, study: ScoringStudy, measure: str) -> Scores:
    from pandas import DataFrame

    stored = run.stored
    blocks = {block.topic_id: block for block in study.scores.blocks(stored.signature)}
    heads = study.texts.topics()
    rows = np.array([blocks[head.id].values[0] for head in heads])
    topics = tuple(head.name for head in heads)
    means = {
        name: float(ScoreMatrix(name, (_SYSTEM,), topics, rows[None, :, column]).system_means()[0])
        for column, name in enumerate(stored.measures)
    }
    counts: dict[str, int] = {}
    for block in blocks.values():
        for note, count in block.notes.items():
            counts[note] = counts.get(note, 0) + count
    return Scores(
        stored.spec,
        stored.signature,
        measure or main_measure(stored.measures),
        means,
        DataFrame(rows, columns=list(stored.measures)),
        stand_in_of(stored).removeprefix("stand-in: "),
        tuple(note_text(note, count) for note, count in counts.items() if count),
    )


def _study_of(
    summaries: Sequence[str],
    references: Texts | None,
    documents: Texts | None,
    queries: Sequence[str] | None,
    language: str | None,
    device: str,
) -> tuple[ScoringStudy, StudyResources]:
    one_each = _several("summaries", summaries)
    for place, texts in enumerate(one_each):
        if len(texts) != 1:
            raise InputError(
                f"summaries[{place}] is a list. Pass one text per summary, of one system at a time."
            )
    if not one_each:
        raise InputError("There are no summaries. Pass a list of texts.")
    others = {"references": references, "documents": documents, "queries": queries}
    lists = {name: _several(name, texts, len(one_each)) for name, texts in others.items()}
    if language is None:
        every = (text for each in (one_each, *lists.values()) for texts in each for text in texts)
        code = detect_language(list(every)).code
    else:
        code = check_language(language) if language else ""
    topics = [
        TopicTexts(
            str(place),
            str(place),
            query=next(iter(lists["queries"][place]), ""),
            documents=_named("document", lists["documents"][place], code),
            references=_named("reference", lists["references"][place], code),
            summaries=(Text(_SYSTEM, _SYSTEM, one_each[place][0], language=code),),
        )
        for place in range(len(one_each))
    ]
    study = MemoryStudy(topics, code)
    return study, StudyResources(study, device)


def _named(kind: str, texts: Sequence[str], language: str) -> tuple[Text, ...]:
    width = len(str(len(texts)))
    names = [f"{kind} {number:0{width}}" for number in range(1, len(texts) + 1)]
    return tuple(Text(name, name, text, language=language) for name, text in zip(names, texts, strict=True))


def _several(name: str, given: Iterable[object] | None, count: int | None = None) -> list[list[str]]:
    """Return the texts for each summary. Raises InputError, naming the place, for anything else."""
    if given is None:
        return [[] for _ in range(count or 0)]
    if isinstance(given, str):
        raise InputError(f"{name} is one text. Pass a list with a text for each summary.")
    listed = list(given)
    if count is not None and len(listed) != count:
        raise InputError(
            f"There are {pluralize(count, 'summary', 'summaries')}, but {name} has {len(listed)} entries. "
            "Pass one entry per summary, which may be a list of several texts."
        )
    found = []
    for place, entry in enumerate(listed):
        several = [entry] if isinstance(entry, str) or not isinstance(entry, Iterable) else list(entry)
        for text in several:
            if not isinstance(text, str):
                raise InputError(f"{name}[{place}] has a {type(text).__name__} instead of a text.")
        found.append([str(text) for text in several])
    return found
