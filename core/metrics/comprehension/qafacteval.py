"""QAFactEval (Fabbri et al. 2022): questions about a summary that its documents should answer alike.

A BART writes a question for each noun phrase of the summary, and an extractive model answers it. Questions
that this model does not answer from the summary itself are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.domain.study import Span, Text, TopicTexts
from core.errors import InputError
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
)
from core.metrics.comprehension.squad_f1 import agreement_tree, answer_words
from core.metrics.comprehension.summaqa import pipeline_extras
from core.metrics.likelihood.language_model_metric import dtype_setting, joined, located
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model, seconds_per_text
from core.models.catalogue.model_folder import TOKENIZER, read_json
from core.models.heads.nli_labels import is_regression
from core.models.nlp.entities import RULES, resolve_finder
from core.models.nlp.parser import find_pipeline
from core.models.runtime.heads import Head, check_head

if TYPE_CHECKING:
    from core.models.heads.answer_windows import Reply
    from core.models.heads.generation import GreedyText

_BEAMS, _TOKENS = 4, 100
"""Beams of the search for a question, and its most tokens."""

_SAME = 0.6
"""F of the words above which an answer from the summary is that which was asked about."""

_RATED = 512
"""Word pieces that LERC reads."""

_QUESTIONS = 12
"""Questions about a typical summary, for estimates of run time."""

RATING, OVERLAP = "lerc", ("f1", "em", "answered")


@dataclass(frozen=True, slots=True)
class _Question:
    """A question about a phrase of the summary. span: of the phrase. own: the answer from the summary."""

    span: Span
    phrase: str
    written: GreedyText
    own: Reply

    @property
    def is_consistent(self) -> bool:
        """Whether the summary answers the question by its phrase."""
        return self.own.is_answered and agreement_tree(self.own.text, self.phrase).evaluate() > _SAME

    def tree(self, summary: Text) -> Explanation:
        """Return what a question counts in a summary that answers none of its own."""
        own = self.own.text if self.own.is_answered else "no answer"
        label = f"left out: {self.written.text} {self.phrase} → {own} in the summary"
        return Explanation(label, value=0.0, evidence=(Evidence("summary", summary.name, self.span),))


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer of the documents. rating: by LERC, None = not rated. is_cut: it read part of them."""

    question: _Question
    reply: Reply
    rating: float | None = None
    is_cut: bool = False

    def tree(self, part: str, evidence: tuple[Evidence, ...]) -> Explanation:
        """Return what a question counts. part: of the measure's name."""
        text = self.reply.text if self.reply.is_answered else "no answer"
        label = f"{self.question.written.text} {self.question.phrase} → {text}"
        if not self.reply.is_answered:
            return Explanation(label, value=0.0, evidence=evidence)
        if part == "f1":
            return replace(
                agreement_tree(self.reply.text, self.question.phrase), label=label, evidence=evidence
            )
        is_same = answer_words(self.reply.text) == answer_words(self.question.phrase)
        values = {RATING: self.rating or 0.0, "em": float(is_same), "answered": 1.0}
        return Explanation(label, value=values[part], evidence=evidence)


@dataclass(frozen=True, slots=True)
class PreparedAnswers(Prepared):
    """The questions about each summary, and the answers to those that it answers itself."""

    questions: tuple[tuple[_Question, ...], ...]
    answers: tuple[tuple[_Answer, ...], ...]


@register
@dataclass(frozen=True)
class QAFactEval(Metric[PreparedAnswers]):
    """How far the documents give the answers that questions about a summary's noun phrases expect.

    A summary without a question that it answers itself counts as 0, as in the authors' program.

    Formula:
        asked    = questions about noun phrases that the summary answers by words with F > .6 with the phrase
        lerc     = mean over asked of LERC's rating of the documents' answer, 0 if no answer is more likely
        f1       = the same with the F of the words that both answers share
        em       = the same with 1 if the words are the same, else 0
        answered = share of asked that the documents answer

    Limits:
        English only. LERC was trained to rate from 1 to 5, but has no bounds; it reads the first 512 word
        pieces of a question and the documents, which is noted. Without en_core_web_sm, the rules find other
        noun phrases than the authors' program.
    """

    name: ClassVar[str] = "qafacteval"
    family: ClassVar[str] = "Comprehension"
    about: ClassVar[str] = "Whether the documents answer generated questions as the summary does."
    paper: ClassVar[str] = "Fabbri, Wu, Liu & Xiong 2022, QAFactEval, NAACL"
    bibliography: ClassVar[tuple[str, ...]] = ("fabbri-2022-qafacteval",)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS, Need.LANGUAGE_MODEL, Need.QA, Need.RATER})
    default_configs: ClassVar[tuple[str, ...]] = ("", "answers=words")
    default_pool: ClassVar[Pool] = Pool.JOINT

    qg: str = setting(
        "qafacteval-qg", "The BART that writes questions: name or folder.", title="Question generation"
    )
    qa: str = setting(
        "qafacteval-qa",
        "The question answering model that can say that there is no answer: name or folder.",
        title="Question answering",
    )
    answers: str = setting(
        "lerc+words",
        "How answers are compared: by LERC and by their words, or by their words alone.",
        choices=("lerc+words", "words"),
        title="Answers",
    )
    rater: str = setting("lerc-quip", "LERC, which rates answers: name or folder.", title="Model")
    phrases: str = setting(
        "auto",
        "Finder of noun phrases: name or folder of a spaCy pipeline; rules = by function words; auto = "
        "en_core_web_sm if installed, otherwise the rules.",
        title="Phrases",
    )
    dtype: str = dtype_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "phrases", resolve_finder(self.phrases))  # the signature names the finder
        rater = {Need.RATER} if self._is_rated else set[Need]()
        object.__setattr__(self, "needs", frozenset({Need.DOCUMENTS, Need.LANGUAGE_MODEL, Need.QA, *rater}))

    @property
    def _is_rated(self) -> bool:
        return self.answers != "words"

    @property
    def _parts(self) -> tuple[str, ...]:
        return (RATING, *OVERLAP) if self._is_rated else OVERLAP

    def unused(self) -> Mapping[str, str]:
        return {} if self._is_rated else {"rater": "answers=words"}

    def measures(self) -> tuple[str, ...]:
        return tuple(f"{self.name}.{part}" for part in self._parts)

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        return {one: (name,) for one, name in _PUBLISHED.items() if one != "rater" or self._is_rated}

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        parts: dict[str, str] = {}
        for part in self.paper_models():
            name = getattr(self, part)
            parts |= {f"{part}_model": find_model(name).name, f"{part}_hash": resources.model_hash(name)[:12]}
        return {**parts, "tokenizer": "fast", **pipeline_extras(self.phrases, resources)}

    def check(self, resources: Resources) -> None:
        asking = find_model(self.qg)
        check_head(asking, Head.SEQUENCE)
        added = read_json(asking.folder / TOKENIZER).get("added_tokens")
        rows = added if isinstance(added, list) else []
        if not {"<m>", "</m>"} <= {str(one.get("content")) for one in rows if isinstance(one, dict)}:
            raise InputError(
                f"The tokenizer of {asking.name} in {asking.folder} has no marks <m> and </m> around what a "
                "question is about. Choose the question generator of QAFactEval, qafacteval-qg."
            )
        check_head(find_model(self.qa), Head.ANSWERS)
        if self._is_rated:
            rater = find_model(self.rater)
            check_head(rater, Head.ENTAILMENT)
            if not is_regression(read_json(rater.folder / "config.json")):
                raise InputError(
                    f"{rater.name} in {rater.folder} is a classifier, but LERC has one output, the rating. "
                    "Choose LERC, such as lerc-quip."
                )
        if self.phrases != RULES:
            find_pipeline(self.phrases)

    def seconds_per_text(self, resources: Resources) -> float:
        models = [(find_model(self.qa), 800)]  # summary and documents, both in windows of 384 pieces
        models += [(find_model(self.rater), 400)] if self._is_rated else []
        return _QUESTIONS * sum(
            seconds_per_text(model, model.layers, resources.device, words) for model, words in models
        )

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedAnswers:
        source = joined(topic.documents)
        questions = self._questions(topic.summaries, resources)
        is_blank = not source.content.strip()
        rows = [[one for one in own if one.is_consistent and not is_blank] for own in questions]
        asked = [question for own in rows for question in own]
        found = resources.answerer(self.qa, self.dtype).replies(
            [(question.written.text, source.content) for question in asked]
        )
        answers = [_Answer(question, reply) for question, reply in zip(asked, found, strict=True)]
        rated = iter(self._rated(answers, source, resources) if self._is_rated else answers)
        return PreparedAnswers(topic, questions, tuple(tuple(next(rated) for _ in own) for own in rows))

    def _questions(
        self, summaries: Sequence[Text], resources: Resources
    ) -> tuple[tuple[_Question, ...], ...]:
        """Return a question about each noun phrase of each summary."""
        phrases = resources.phrase_finder(self.phrases).phrases(summaries)
        places = [(text, phrase) for text, own in zip(summaries, phrases, strict=True) for phrase in own]
        marked = [_marked(text.content, phrase.sentence, phrase.span) for text, phrase in places]
        written = resources.generator(self.qg, self.dtype).likeliest(marked, _BEAMS, _TOKENS)
        replies = resources.answerer(self.qa, self.dtype).replies(
            [(one.text, text.content) for one, (text, _) in zip(written, places, strict=True)]
        )
        made = iter(
            [
                _Question(phrase.span, text.content[slice(*phrase.span)], one, own)
                for (text, phrase), one, own in zip(places, written, replies, strict=True)
            ]
        )
        return tuple(tuple(next(made) for _ in own) for own in phrases)

    def _rated(self, answers: Sequence[_Answer], source: Text, resources: Resources) -> list[_Answer]:
        """Return the answers with LERC's ratings of those that are more likely than none."""
        from core.models.heads.pair_classifier import PairLayout  # imports torch

        given = [
            f"{one.question.written.text} <q> {one.question.phrase} <r> {one.reply.text}"
            for one in answers
            if one.reply.is_answered
        ]
        layout = PairLayout(_RATED, is_joined=True, mark=" <c> ")
        found = resources.entailment(self.rater, self.dtype).logits(
            [(one, source.content) for one in given], layout
        )
        ratings = zip(found.values[:, 0].tolist(), found.is_truncated.tolist(), strict=True)
        return [
            replace(one, **dict(zip(("rating", "is_cut"), next(ratings), strict=True)))
            if one.reply.is_answered
            else one
            for one in answers
        ]

    def score(self, prepared: PreparedAnswers) -> TopicScores:
        values = np.array(
            [
                [
                    np.mean([one.tree(part, ()).evaluate() for one in own]) if own else 0.0
                    for part in self._parts
                ]
                for own in prepared.answers
            ],
            dtype=np.float64,
        )
        near = [
            question.written.is_undecided or question.own.is_undecided
            for own in prepared.questions
            for question in own
        ]
        near += [one.reply.is_undecided for own in prepared.answers for one in own]
        truncated = sum(
            any(question.written.is_cut for question in questions) or any(one.is_cut for one in answers)
            for questions, answers in zip(prepared.questions, prepared.answers, strict=True)
        )
        notes = noted(
            counted_as_zero=sum(not own for own in prepared.answers),
            truncated=truncated,
            undecided_answers=sum(near),
        )
        return TopicScores(values.reshape(len(prepared.answers), len(self._parts)), notes=notes)

    def explain(self, prepared: PreparedAnswers, system: int) -> dict[str, Explanation]:
        topic, answers = prepared.topic, prepared.answers[system]
        summary = topic.summaries[system]
        left_out = len(prepared.questions[system]) - len(answers)
        has_documents = any(text.content.strip() for text in topic.documents)
        label = f"{len(answers)} questions, {left_out} left out"
        label += " that the summary does not answer" if has_documents else ""
        nothing = Explanation(label, value=0.0)
        if not answers and (left := [one.tree(summary) for one in prepared.questions[system]]):
            nothing = Explanation(label, "mean", children=tuple(left))
        trees = {}
        for part, measure in zip(self._parts, self.measures(), strict=True):
            children = tuple(one.tree(part, _evidence(one, summary, topic.documents)) for one in answers)
            trees[measure] = Explanation(label, "mean", children=children) if children else nothing
        return trees


_PUBLISHED = {"qg": "qafacteval-qg", "qa": "qafacteval-qa", "rater": "lerc-quip"}


def _marked(content: str, sentence: Span, span: Span) -> str:
    """Return a sentence with marks around the phrase that is asked about."""
    (begin, close), (start, end) = sentence, span
    return f"{content[begin:start]}<m> {content[start:end]} </m>{content[end:close]}"


def _evidence(answer: _Answer, summary: Text, documents: Sequence[Text]) -> tuple[Evidence, ...]:
    """Return the phrase in the summary, and the answer in the documents."""
    phrase = Evidence("summary", summary.name, answer.question.span)
    if answer.reply.span is None or not answer.reply.is_answered:
        return (phrase,)
    text, span = located(documents, answer.reply.span)
    return phrase, Evidence("document", text.name, span)
