"""SummaQA (Scialom et al. 2019): question answering on the documents using only the summary.

Each name, number or date in a document gives a question: its sentence, with MASKED in place of the
entity. An extractive question answering model searches for the answer in the summary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.domain.study import Span, Text, TopicTexts
from core.metrics.base import (
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
from core.metrics.comprehension.squad_f1 import answer_f, overlap_tree
from core.metrics.embedding.encoder_metric import dtype_setting
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model, seconds_per_text
from core.models.nlp.entities import RULES, Entity, resolve_finder
from core.models.nlp.parser import find_pipeline, spacy_version
from core.models.runtime.heads import Head, check_head

if TYPE_CHECKING:
    from core.models.heads.question_answering import AnswerSpan, QaOptions, QuestionAnswerer
    from core.models.runtime.word_pieces import WordPieces

_MASKED = "MASKED"

_TOOLKIT = 384
"""Number of pieces to which SummEval truncates and pads question and summary."""

_QUESTIONS = 40
"""Questions about a typical news document, for estimates of run time."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question about a document. entity: the expected answer and its sentence."""

    document: Text
    entity: Entity
    pieces: WordPieces

    @property
    def answer(self) -> str:
        """Return the expected answer as written in the document."""
        return self.document.content[slice(*self.entity.span)]


@dataclass(frozen=True, slots=True)
class PreparedQuestions(Prepared):
    """A topic's questions, and the model that answers them."""

    model: QuestionAnswerer
    questions: tuple[Question, ...]


@register
@dataclass(frozen=True)
class SummaQA(Metric[PreparedQuestions]):
    """Mean over the questions of the model's confidence and of the token F1 of its answers.

    Questions of all documents have equal weight. NaN without a question, where the authors' program has 0.

    Formula:
        prob = mean over questions of p(start of the answer) · p(end of the answer)
        f    = mean over questions of the F of words that the answer shares with the hidden entity

    Limits:
        Questions are about names, numbers and dates only, and depend on the entity recognizer. English
        only. A summary that repeats sentences of the document with entities scores high.
    """

    name: ClassVar[str] = "summaqa"
    family: ClassVar[str] = "Comprehension"
    version: ClassVar[int] = 2
    about: ClassVar[str] = "How well questions about the documents can be answered from the summary."
    paper: ClassVar[str] = "Scialom, Lamprier, Piwowarski & Staiano 2019, Answers Unite!, EMNLP"
    bibliography: ClassVar[tuple[str, ...]] = ("scialom-2019-summaqa",)
    is_in_summeval: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS, Need.QA})
    default_configs: ClassVar[tuple[str, ...]] = ("", "mode=toolkit")
    default_pool: ClassVar[Pool] = Pool.JOINT
    parts: ClassVar[tuple[str, ...]] = ("prob", "f")
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {"qa": ("bert-large-squad",)}

    qa: str = setting(
        "bert-large-squad", "The question answering model: name or folder.", title="Question answering"
    )
    entities: str = setting(
        "auto",
        "Entity finder: name or folder of a spaCy pipeline; rules = by spelling; auto = "
        "en_core_web_sm if installed, otherwise the rules.",
        title="Entities",
    )
    mode: str = setting(
        "reference",
        "reference = the authors' program, which does not mark the end of the question; "
        "toolkit = SummEval's, which marks it, reads 384 pieces, and assigns part of the "
        "probability to padding.",
        choices=("reference", "toolkit"),
        title="Mode",
    )
    dtype: str = dtype_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "entities", resolve_finder(self.entities))  # the signature names the finder

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        model = find_model(self.qa)
        parts = {"model": model.name, "hash": resources.model_hash(self.qa)[:12], "tokenizer": "fast"}
        return {**parts, **pipeline_extras(self.entities, resources)}

    def check(self, resources: Resources) -> None:
        check_head(find_model(self.qa), Head.ANSWERS)
        if self.entities != RULES:
            find_pipeline(self.entities)

    def seconds_per_text(self, resources: Resources) -> float:
        model = find_model(self.qa)
        return _QUESTIONS * seconds_per_text(model, model.layers, resources.device, words=125)

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        return resources.answerer(self.qa, self.dtype).unknown_shares([text.content for text in texts])

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedQuestions:
        model = resources.answerer(self.qa, self.dtype)
        finder = resources.entity_finder(self.entities)
        entities = [(text, entity) for text in topic.documents for entity in finder.entities(text)]
        cut = model.cut([_masked(text.content, entity) for text, entity in entities])
        questions = (Question(*pair, pieces) for pair, pieces in zip(entities, cut, strict=True))
        return PreparedQuestions(topic, model, tuple(questions))

    def score(self, prepared: PreparedQuestions) -> TopicScores:
        count = len(prepared.questions)
        summaries = prepared.topic.summaries
        answers = self._answers(prepared, summaries)
        rows = [answers[i * count : (i + 1) * count] for i in range(len(summaries))]
        values = np.full((len(summaries), 2), np.nan)
        pieces = prepared.model.cut([summary.content for summary in summaries])
        if count:
            for i, (row, cut) in enumerate(zip(rows, pieces, strict=True)):
                texts = [_answer_text(prepared.model, cut, answer) for answer in row]
                fs = [answer_f(one, q.answer) for one, q in zip(texts, prepared.questions, strict=True)]
                values[i] = np.mean([answer.probability for answer in row]), np.mean(fs)
        return TopicScores(values, notes={**_notes(rows), **noted(no_questions=not count)})

    def explain(self, prepared: PreparedQuestions, system: int) -> dict[str, Explanation]:
        summary = prepared.topic.summaries[system]
        (cut,) = prepared.model.cut([summary.content])
        answered = list(zip(prepared.questions, self._answers(prepared, [summary]), strict=True))
        probabilities, fs = [], []
        for question, answer in answered:
            answer_text = _answer_text(prepared.model, cut, answer)
            evidence = _evidence(question, summary, cut, answer)
            label = f"{question.answer} → {answer_text or 'no answer'}"
            probabilities.append(Explanation(label, value=answer.probability, evidence=evidence))
            fs.append(overlap_tree(label, answer_text, question.answer, evidence))
        trees = (_mean("mean probability of the answers", probabilities), _mean("mean F of the answers", fs))
        return dict(zip(self.measures(), trees, strict=True))

    def _answers(self, prepared: PreparedQuestions, summaries: Sequence[Text]) -> list[AnswerSpan]:
        """Return the answer to every question from every summary, summary by summary."""
        from core.models.heads.question_answering import EncodedQuestion  # imports torch

        cut = prepared.model.cut([summary.content for summary in summaries])
        questions = [
            EncodedQuestion(question.pieces, pieces) for pieces in cut for question in prepared.questions
        ]
        return prepared.model.answer(questions, self._options())

    def _options(self) -> QaOptions:
        from core.models.heads.question_answering import QaOptions  # imports torch

        if self.mode == "reference":
            return QaOptions(has_segments=False)
        return QaOptions(limit=_TOOLKIT, padded=_TOOLKIT)


def pipeline_extras(name: str, resources: Resources) -> dict[str, str]:
    """Return the parts of a signature that name a finder's pipeline; none for the rules."""
    if name == RULES:
        return {}
    pipeline = find_pipeline(name)
    label = "-".join(part for part in (pipeline.name, pipeline.version) if part)
    digest = resources.files_hash(pipeline.files)[:12]
    return {"pipeline": label, "pipeline_hash": digest, "spacy": spacy_version()}


def _masked(content: str, entity: Entity) -> str:
    """Return the sentence of an entity with MASKED in its place."""
    (start, end), (a, b) = entity.sentence, entity.span
    return f"{content[start:a]}{_MASKED}{content[b:end]}"


def _answer_text(model: QuestionAnswerer, text: WordPieces, answer: AnswerSpan) -> str:
    """Return an answer's pieces joined by spaces, even within words, as in the authors' program."""
    return " ".join((*text.strings, model.end_piece)[answer.start : answer.end + 1])


def _notes(rows: Sequence[Sequence[AnswerSpan]]) -> Mapping[str, int]:
    return noted(
        truncated=sum(any(answer.is_truncated for answer in row) for row in rows),
        undecided_answers=sum(answer.is_undecided for row in rows for answer in row),
    )


def _evidence(question: Question, summary: Text, cut: WordPieces, answer: AnswerSpan) -> tuple[Evidence, ...]:
    """Return the span of the entity in the document, and of the answer in the summary."""
    expected = Evidence("document", question.document.name, question.entity.span)
    spans: Sequence[Span] = cut.spans[answer.start : answer.end + 1]
    if not spans:
        return (expected,)
    return expected, Evidence("summary", summary.name, (spans[0][0], spans[-1][1]), answer.probability)


def _mean(label: str, children: Sequence[Explanation]) -> Explanation:
    if not children:
        return undefined("the documents contain no names, numbers or dates", "no_questions")
    return Explanation(label, "mean", children=tuple(children))
