"""UniEval (Zhong et al. 2022): probability that T5 answers Yes to a question about a summary."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.domain.study import Span, Text, TopicTexts
from core.metrics.base import (
    Evidence,
    Explanation,
    Need,
    Pool,
    Prepared,
    Resources,
    TopicScores,
    noted,
    setting,
    undefined,
)
from core.metrics.consistency.support import shortened
from core.metrics.likelihood.language_model_metric import (
    LanguageModelMetric,
    dtype_setting,
    joined,
    model_setting,
    pieces_setting,
)
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model
from core.models.runtime.heads import Head, check_head
from core.text.sentences import sentence_spans_of

_QUESTIONS = {
    "coherence": ("Is this a coherent summary to the document?", "summary", "document"),
    "consistency": ("Is this claim consistent with the document?", "claim", "document"),
    "fluency": ("Is this a fluent paragraph?", "paragraph", ""),
    "relevance": ("Is this summary relevant to the reference?", "summary", "reference"),
}
"""The question of each dimension, what the summary's part is called, and the text beside it."""

_BY_SENTENCE = ("consistency", "fluency")
_NEEDS = {"document": Need.DOCUMENTS, "reference": Need.REFERENCES}
OVERALL = "overall"


@dataclass(frozen=True, slots=True)
class _Question:
    """A question about a part of a summary. beside: name of the other text. text: what the model reads."""

    dimension: str
    span: Span
    beside: str
    text: str


@dataclass(frozen=True, slots=True)
class _Answer:
    """The probability of Yes. is_cut: a part of the texts was left out."""

    question: _Question
    yes: float
    is_cut: bool


@dataclass(frozen=True, slots=True)
class PreparedAnswers(Prepared):
    """The answers about each summary."""

    answers: tuple[tuple[_Answer, ...], ...]


@register
@dataclass(frozen=True)
class UniEval(LanguageModelMetric[PreparedAnswers]):
    """Probability that the model answers Yes rather than No to a question about the summary, in [0, 1].

    NaN for a summary without sentences.

    Formula:
        score = P(Yes) / (P(Yes) + P(No)), as the first piece of the answer

    Modes:
        coherence and relevance ask about the whole summary, with the documents or a reference. consistency
        and fluency are the mean over its sentences, consistency with the documents. overall is the mean of
        the four.

    Limits:
        The checkpoint was trained on news (CNN/DailyMail). What exceeds 1,024 pieces, mostly the end of the
        documents, is not read; this is noted. Several documents are read one after the other; several
        references are averaged. Only numbers of one checkpoint are comparable.
    """

    name: ClassVar[str] = "unieval"
    family: ClassVar[str] = "Likelihood"
    about: ClassVar[str] = "Coherence, consistency, fluency or relevance, as a question that a T5 answers."
    paper: ClassVar[str] = "Zhong et al. 2022, Towards a unified multi-dimensional evaluator, EMNLP"
    bibliography: ClassVar[tuple[str, ...]] = ("zhong-2022-unieval",)
    default_configs: ClassVar[tuple[str, ...]] = tuple(f"dimension={one}" for one in _QUESTIONS)
    default_pool: ClassVar[Pool] = Pool.JOINT
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {"lm": ("unieval-sum",)}

    dimension: str = setting("coherence", "What is asked.", choices=(*_QUESTIONS, OVERALL), title="Dimension")
    lm: str = model_setting("unieval-sum", "The model")
    pieces: int = pieces_setting(1024)
    dtype: str = dtype_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        texts = {_NEEDS[beside] for name in self._asked if (beside := _QUESTIONS[name][2])}
        object.__setattr__(self, "needs", frozenset({*texts, Need.LANGUAGE_MODEL}))

    @property
    def _asked(self) -> tuple[str, ...]:
        return tuple(_QUESTIONS) if self.dimension == OVERALL else (self.dimension,)

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.{self.dimension}",)

    def check(self, resources: Resources) -> None:
        check_head(find_model(self.lm), Head.SEQUENCE)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedAnswers:
        from core.models.heads.likelihood import Passage  # imports torch

        questions = [self._questions(topic, summary) for summary in topic.summaries]
        flat = [one.text for own in questions for one in own]
        passages = [Passage("", text, "", answer) for text in flat for answer in ("Yes", "No")]
        found = resources.likelihood(self.lm, self.dtype).score(passages, self.pieces)
        pairs = iter(zip(found[::2], found[1::2], strict=True))
        rows = []
        for own in questions:
            answers = []
            for question in own:
                yes, no = next(pairs)
                odds = float(yes.values[0] - no.values[0])
                answers.append(_Answer(question, 0.5 + 0.5 * math.tanh(odds / 2), yes.is_cut))
            rows.append(tuple(answers))
        return PreparedAnswers(topic, tuple(rows))

    def _questions(self, topic: TopicTexts, summary: Text) -> list[_Question]:
        """Return all questions about a summary; none if a text that is read has no words."""
        sides = {"document": (joined(topic.documents),), "reference": topic.references, "": (None,)}
        sentences = [span for span in sentence_spans_of(summary) if summary.content[slice(*span)].strip()]
        asked = []
        for dimension in self._asked:
            question, part, side = _QUESTIONS[dimension]
            spans = (
                sentences if dimension in _BY_SENTENCE else [(0, len(summary.content))] if sentences else []
            )
            others = sides[side]
            if any(other is not None and not other.content.strip() for other in others):
                return []
            for span in spans:
                for other in others:
                    text = f"question: {question} </s> {part}: {summary.content[slice(*span)]}"
                    text += f" </s> {side}: {other.content}" if other is not None else ""
                    asked.append(_Question(dimension, span, other.name if other is not None else "", text))
        return asked

    def score(self, prepared: PreparedAnswers) -> TopicScores:
        values = [[self._value(own)] for own in prepared.answers]
        cut = sum(any(one.is_cut for one in own) for own in prepared.answers)
        empty = sum(not own for own in prepared.answers)
        scores = np.array(values, dtype=np.float64).reshape(len(values), 1)
        return TopicScores(scores, notes=noted(no_units=empty, truncated=cut))

    def _value(self, answers: Sequence[_Answer]) -> float:
        means = [
            np.mean([one.yes for one in answers if one.question.dimension == dimension])
            for dimension in (self._asked if answers else ())
        ]
        return float(np.mean(means)) if means else math.nan

    def explain(self, prepared: PreparedAnswers, system: int) -> dict[str, Explanation]:
        (measure,), answers = self.measures(), prepared.answers[system]
        if not answers:
            return {measure: undefined(measure, "no_units")}
        summary = prepared.topic.summaries[system]
        trees = []
        for dimension in self._asked:
            leaves = []
            for one in answers:
                if one.question.dimension == dimension:
                    label = shortened(summary.content[slice(*one.question.span)])
                    place = Evidence("summary", summary.name, one.question.span, one.yes)
                    label += f" · {one.question.beside}" if dimension == "relevance" else ""
                    leaves.append(Explanation(label, value=one.yes, evidence=(place,)))
            trees.append(Explanation(dimension, "mean", children=tuple(leaves)))
        tree = (
            trees[0]
            if len(trees) == 1
            else Explanation("mean of the dimensions", "mean", children=tuple(trees))
        )
        return {measure: tree}
