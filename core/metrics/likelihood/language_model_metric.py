"""Base classes of metrics that read probabilities of a language model."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from core.domain.study import Span, Text, TopicTexts
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Metric,
    Need,
    Pool,
    Prepared,
    Resources,
    TopicScores,
    noted,
    setting,
    undefined,
)
from core.metrics.base.metric import P
from core.metrics.base.pooling import PooledMetric
from core.models.catalogue.lookup import find_model, seconds_per_text
from core.models.runtime.heads import generation_head

if TYPE_CHECKING:
    from core.models.heads.likelihood import Passage, TargetLikelihood

SOURCE, TO_HYPOTHESIS, TO_REFERENCE, BOTH = "src-hypo", "ref-hypo", "hypo-ref", "f"
DIRECTIONS = (SOURCE, TO_HYPOTHESIS, TO_REFERENCE, BOTH)

Role = Literal["summary", "reference", "document"]

_WORDS = 500
"""Words of a typical source, for estimates of run time."""


def model_setting(default: str, about: str) -> Any:
    return setting(default, f"{about}: {default}, a model's name, or its folder.", title="Language model")


def direction_setting() -> Any:
    explained = (
        "Which text is scored given which: src-hypo = the summary given the documents; ref-hypo = the "
        "summary given a reference; hypo-ref = a reference given the summary; f = the mean of the last two."
    )
    return setting(SOURCE, explained, choices=DIRECTIONS, title="Direction")


def pooling_setting() -> Any:
    explained = "Several references: mean = their mean; best = the largest value."
    return setting("mean", explained, choices=("mean", "best"), title="Several references")


def pieces_setting(default: int) -> Any:
    explained = (
        "Maximum number of pieces that the model reads at once, 0 = its own limit; the end of a longer "
        "source is left out."
    )
    return setting(default, explained, low=0, high=1_000_000, title="Pieces")


def dtype_setting() -> Any:
    explained = "Numeric precision of the model; bfloat16 is faster on a GPU but less exact."
    return setting("float32", explained, choices=("float32", "bfloat16"), title="Numeric precision")


class LanguageModelMetric(Metric[P]):
    """A metric with a language model. Subclasses declare `lm`, `pieces` and `dtype`."""

    family: ClassVar[str] = "Likelihood"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS, Need.LANGUAGE_MODEL})
    lm: str
    pieces: int
    dtype: str

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        model = find_model(self.lm)
        return {"model": model.name, "hash": resources.model_hash(self.lm)[:12], "tokenizer": "fast"}

    def check(self, resources: Resources) -> None:
        generation_head(find_model(self.lm))

    def seconds_per_text(self, resources: Resources) -> float:
        model = find_model(self.lm)
        return seconds_per_text(model, model.layers, resources.device, _WORDS)

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        return resources.likelihood(self.lm, self.dtype).unknown_shares([text.content for text in texts])


@dataclass(frozen=True, slots=True)
class ScoredText:
    """The likelihood of a text. role, text: of the scored text. start: of its content in the target."""

    role: Role
    text: Text
    start: int
    found: TargetLikelihood

    @property
    def value(self) -> float:
        """Mean log-probability of a piece; NaN = it has none."""
        return float(self.found.values.mean()) if len(self.found.values) else float("nan")

    def tree(self, label: str) -> Explanation:
        """Return the mean over the pieces, each with its place in the text."""
        leaves = []
        for value, (begin, end) in zip(self.found.values.tolist(), self.found.spans, strict=True):
            begin, end = max(begin - self.start, 0), end - self.start
            piece = self.text.content[begin:end] if end > begin else ""
            place = (Evidence(self.role, self.text.name, (begin, end), value),) if piece.strip() else ()
            leaves.append(Explanation(piece.strip() or "(mark)", value=value, evidence=place))
        return Explanation(label, "mean", children=tuple(leaves))


@dataclass(frozen=True, slots=True)
class PreparedLikelihood(Prepared):
    """What was scored for each summary and source: one text or, for `f`, both; none if one has no text.

    scored: shape (summaries, sources). sources: names of the references, or one of all documents.
    """

    scored: tuple[tuple[tuple[ScoredText, ...], ...], ...]
    sources: tuple[str, ...]


class DirectedLikelihood(LanguageModelMetric[PreparedLikelihood], PooledMetric[PreparedLikelihood]):
    """Mean log-probability of a text's pieces, given another text.

    The documents of a topic are read as one text. Subclasses declare `direction` and `pooling`.
    """

    direction: str
    pooling: str

    def __post_init__(self) -> None:
        super().__post_init__()
        needed = Need.DOCUMENTS if self.direction == SOURCE else Need.REFERENCES
        object.__setattr__(self, "needs", frozenset({needed, Need.LANGUAGE_MODEL}))

    def unused(self) -> Mapping[str, str]:
        return {"pooling": f"direction={SOURCE}"} if self.direction == SOURCE else {}

    @property
    def pool(self) -> Pool:
        if self.direction == SOURCE:
            return Pool.JOINT
        return Pool.MAX if self.pooling == "best" else Pool.MEAN

    def passage(self, source: str, target: str) -> tuple[Passage, int]:
        """Return what the model reads and scores, and where the target's own text starts in its target."""
        raise NotImplementedError

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedLikelihood:
        sources = topic.references if self.direction != SOURCE else (joined(topic.documents),)
        role: Role = "reference"
        asked: list[tuple[Role, Text, Passage, int]] = []
        counts = []
        for summary in topic.summaries:
            for other in sources:
                before = len(asked)
                if summary.content.strip() and other.content.strip():
                    if self.direction != TO_REFERENCE:
                        asked.append(("summary", summary, *self.passage(other.content, summary.content)))
                    if self.direction in (TO_REFERENCE, BOTH):
                        asked.append((role, other, *self.passage(summary.content, other.content)))
                counts.append(len(asked) - before)
        model = resources.likelihood(self.lm, self.dtype)
        found = iter(model.score([passage for _, _, passage, _ in asked], self.pieces))
        made = iter([ScoredText(kind, text, start, next(found)) for kind, text, _, start in asked])
        cells = iter([tuple(next(made) for _ in range(count)) for count in counts])
        rows = tuple(tuple(next(cells) for _ in sources) for _ in topic.summaries)
        return PreparedLikelihood(topic, rows, tuple(other.name for other in sources))

    def per_reference(self, prepared: PreparedLikelihood) -> Array:
        rows = [[_value(cell) for cell in row] for row in prepared.scored]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(prepared.sources), 1)

    def notes(self, prepared: PreparedLikelihood) -> dict[str, int]:
        empty = sum(not all(row) for row in prepared.scored)
        cut = sum(any(one.found.is_cut for cell in row for one in cell) for row in prepared.scored)
        return noted(no_units=empty, truncated=cut)

    def score(self, prepared: PreparedLikelihood) -> TopicScores:
        if self.direction == SOURCE:
            return TopicScores(self.per_reference(prepared)[:, 0], notes=self.notes(prepared))
        return super().score(prepared)

    def trees(self, prepared: PreparedLikelihood, system: int) -> Iterator[Sequence[Explanation]]:
        for name, cell in zip(prepared.sources, prepared.scored[system], strict=True):
            if not cell:
                yield (undefined(name, "no_units"),)
                continue
            parts = [one.tree(_given(name, one.role, self.direction)) for one in cell]
            yield (parts[0] if len(parts) == 1 else Explanation(name, "mean", children=tuple(parts)),)

    def explain(self, prepared: PreparedLikelihood, system: int) -> dict[str, Explanation]:
        if self.direction == SOURCE:
            ((tree,),) = self.trees(prepared, system)
            return {self.measures()[0]: tree}
        return super().explain(prepared, system)


def _given(name: str, role: Role, direction: str) -> str:
    if direction == SOURCE:
        return "summary given the documents"
    return f"summary given {name}" if role == "summary" else f"{name} given the summary"


def _value(cell: Sequence[ScoredText]) -> float:
    return float(np.mean([one.value for one in cell])) if cell else float("nan")


def joined(documents: Sequence[Text]) -> Text:
    """Return the documents as one text, line by line."""
    if len(documents) == 1:
        return documents[0]
    return Text("documents", "documents", "\n".join(text.content for text in documents))


def located(texts: Sequence[Text], span: Span) -> tuple[Text, Span]:
    """Return the text in which a span of the joined texts begins, and the span there, up to its end."""
    starts = [0, *accumulate(len(text.content) + 1 for text in texts)]
    place = bisect_right(starts, span[0]) - 1
    text, start = texts[place], starts[place]
    return text, (span[0] - start, min(span[1] - start, len(text.content)))
