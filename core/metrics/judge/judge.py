"""Ratings of summaries by a language model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts
from core.errors import InputError, MissingResource
from core.matrix import row_means
from core.metrics.base import (
    Array,
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
from core.metrics.base.model_requests import ModelRequests, requests_of
from core.metrics.judge.answers import (
    JudgeAnswer,
    answers_key,
    expected_value,
    from_text,
    parsed_value,
    prompt_hash,
    to_text,
)
from core.metrics.judge.chat_settings import AsksChat, chat_dtype_setting, lm_setting, server_setting
from core.metrics.judge.rubric import Criterion, Mode, Rubric, find_rubric
from core.metrics.registry import register
from core.models.chat import ChatRequest, Prompt

LABEL = "judge"
TEMPLATE = 1
"""Version of how rubrics become prompts and answers become values."""

_SECONDS, _SERVER_SECONDS = 4.0, 1.0


@dataclass(frozen=True, slots=True)
class _Question:
    """A prompt, the summaries that it is about, by place, and its criterion. other: -1 = none."""

    prompt: Prompt
    system: int
    criterion: int
    other: int = -1


@dataclass(frozen=True, slots=True)
class PreparedAnswers(Prepared):
    """The questions on a topic, and the answer to each."""

    questions: tuple[_Question, ...]
    answers: tuple[JudgeAnswer, ...]
    signature: str


@register
@dataclass(frozen=True)
class Judge(AsksChat, Metric[PreparedAnswers]):
    """Ratings by a language model on this machine or behind a server, after a rubric.

    A rubric (``summeval``, ``pairwise``, ``checklist``, or a TOML file) has a prompt and criteria. *rating*
    asks for a number on a scale, *checklist* for yes or no, *pairwise* for the better of two summaries, of
    every pair of a topic in both orders. Answers are stored in the study; an answer to the same prompt is
    not asked for again.

    Formula:
        judge.CRITERION = Σ p(v) v ÷ Σ p(v) over the values v of the scale, p = probability of the next token
        with samples=n  : mean of the n drawn answers that have a value
        judge.checklist = mean over questions of the probability of yes among yes and no
        judge.wins      = mean probability that the summary is chosen, over the others and both orders
        judge.first     = mean probability that the first of the two is chosen; 0.5 = no position bias
        judge.consistent = share of the others for which both orders choose the same summary

    Modes:
        failures=missing: an answer without a value of the scale is left out and counted; failures=zero
        counts it as 0, as the published code of G-Eval does.

    Limits:
        Values depend on the model, its version, the rubric and the hardware's rounding. A summary can
        contain instructions to the judge. Compare a judge with people (`pyramidion judges`) before use.
        Long documents are cut at the model's limit; a server may cut them unseen.
    """

    name: ClassVar[str] = LABEL
    family: ClassVar[str] = "Language models"
    about: ClassVar[str] = "Ratings by a language model after a rubric."
    paper: ClassVar[str] = "Liu et al. 2023 (G-Eval)"
    bibliography: ClassVar[tuple[str, ...]] = ("liu-2023-g-eval",)
    reads_query: ClassVar[bool] = True
    unlabelled: ClassVar[frozenset[str]] = frozenset({"server", "dtype"})
    default_pool: ClassVar[Pool] = Pool.JOINT

    lm: str = lm_setting()
    server: str = server_setting()
    rubric: str = setting(
        "summeval", "Rubric: summeval, pairwise, checklist, or a TOML file.", title="Rubric"
    )
    samples: int = setting(
        0,
        "Answers that are drawn for each prompt; 0 = expected value over the next token's probabilities.",
        low=0,
        high=100,
        title="Samples",
    )
    temperature: float = setting(1.0, "Temperature of drawn answers.", low=0.0, high=2.0, title="Temperature")
    seed: int = setting(0, "Random seed of drawn answers.", low=0, title="Seed")
    tokens: int = setting(16, "Most tokens of a drawn answer.", low=1, high=4096, title="Tokens")
    least: float = setting(
        0.5,
        "Least probability of all values of the scale together; with less, the answer has no value.",
        low=0.0,
        high=1.0,
        title="Least probability",
    )
    failures: str = setting(
        "missing",
        "Answers without a value: missing = left out and counted; zero = counted as 0, as in G-Eval's code.",
        choices=("missing", "zero"),
        title="Failures",
    )
    dtype: str = chat_dtype_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_server()

    def unused(self) -> dict[str, str]:
        """Return the settings without effect, each with the one responsible."""
        without = ("least",) if self.samples else ("temperature", "seed", "tokens")
        return {
            **dict.fromkeys(without, f"samples={self.samples}"),
            **({"dtype": "a server"} if self.server else {}),
        }

    @property
    def needs(self) -> frozenset[Need]:  # type: ignore[override]  # depends on a setting
        """Return what the rubric's prompt contains; of a rubric that cannot be read, the document."""
        try:
            places = self._rubric.places
        except (InputError, MissingResource):
            places = frozenset({"document"})
        texts = {"document": Need.DOCUMENTS, "reference": Need.REFERENCES}
        return frozenset({Need.LANGUAGE_MODEL, *(need for place, need in texts.items() if place in places)})

    @property
    def _rubric(self) -> Rubric:
        return find_rubric(self.rubric)

    def measures(self) -> tuple[str, ...]:
        try:
            rubric = self._rubric
        except (InputError, MissingResource):
            return (f"{LABEL}.value",)
        match rubric.mode:
            case Mode.PAIRWISE:
                return (f"{LABEL}.wins", f"{LABEL}.first", f"{LABEL}.consistent")
            case Mode.CHECKLIST:
                return (f"{LABEL}.checklist",)
        return tuple(f"{LABEL}.{one.name}" for one in rubric.criteria)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        rubric = self._rubric
        parts = {
            "rubric_version": str(rubric.version),
            "rubric_hash": rubric.digest[:12],
            "template": str(TEMPLATE),
        }
        return {**parts, **self.model_extras(resources)}

    def check(self, resources: Resources) -> None:
        """Raise MissingResource without a model or server, InputError for another kind of model or rubric."""
        _ = self._rubric
        self.check_model(resources)

    def seconds_per_text(self, resources: Resources) -> float:
        each = _SERVER_SECONDS if self.server else _SECONDS
        return each * max(len(self._rubric.criteria), 1) * max(self.samples, 1)

    def requests(self, topic: TopicTexts, resources: Resources) -> ModelRequests:
        rubric = self._rubric
        kept = self._kept(topic, self.signature(resources), rubric, resources)
        prompts = (one.prompt for one in self._questions(topic, rubric))
        due = (prompt for prompt in prompts if prompt_hash(prompt) not in kept)
        return requests_of(due, self.samples * self.tokens or 1)

    def _kept(
        self, topic: TopicTexts, signature: str, rubric: Rubric, resources: Resources
    ) -> dict[str, JudgeAnswer]:
        """Return the stored answers on a topic by the hash of their prompt."""
        stored = from_text(resources.kept_answers(answers_key(signature, topic.id)))[1]
        return {one.prompt: one for one in stored if self._fits(one, rubric)}

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedAnswers:
        rubric = self._rubric
        questions = tuple(self._questions(topic, rubric))
        signature = self.signature(resources)
        kept = self._kept(topic, signature, rubric, resources)
        open_places = [place for place, one in enumerate(questions) if prompt_hash(one.prompt) not in kept]
        new = self._ask([questions[place] for place in open_places], topic, rubric, resources)
        asked = dict(zip(open_places, new, strict=True))
        names = [text.name for text in topic.summaries]
        answers = tuple(
            asked[place]
            if place in asked
            else replace(
                kept[prompt_hash(one.prompt)],  # of another system, if both summaries are the same
                system=names[one.system],
                other=names[one.other] if one.other >= 0 else "",
            )
            for place, one in enumerate(questions)
        )
        return PreparedAnswers(topic, questions, answers, signature)

    def score(self, prepared: PreparedAnswers) -> TopicScores:
        rubric = self._rubric
        by_question = np.array([self._value(one) for one in prepared.answers], dtype=np.float64)
        systems = len(prepared.topic.summaries)
        values = (
            _pairwise(prepared.questions, by_question, systems)
            if rubric.mode is Mode.PAIRWISE
            else _by_criterion(prepared.questions, by_question, systems, len(rubric.criteria))
        )
        if rubric.mode is Mode.CHECKLIST:
            values = values.mean(axis=1, keepdims=True)
        failed = sum(one.failures for one in prepared.answers)
        note = "no_value" if self.failures == "missing" else "failed_as_zero"
        notes = noted(**{note: failed, "truncated": sum(one.is_cut for one in prepared.answers)})
        key = answers_key(prepared.signature, prepared.topic.id)
        return TopicScores(values, None, notes, {key: to_text(prepared.signature, prepared.answers)})

    def explain(self, prepared: PreparedAnswers, system: int) -> dict[str, Explanation]:
        """Return what the model answered. Raises InputError for pairs, which need all summaries."""
        rubric = self._rubric
        if rubric.mode is Mode.PAIRWISE:
            raise InputError(
                "judge compared this summary with all others of its topic. `pyramidion export --what "
                "answers` writes what it answered on each pair."
            )
        trees = [
            self._tree(rubric.criteria[question.criterion], answer)
            for question, answer in zip(prepared.questions, prepared.answers, strict=True)
            if question.system == system
        ]
        if rubric.mode is Mode.CHECKLIST:
            return {f"{LABEL}.checklist": Explanation("mean of the questions", "mean", children=tuple(trees))}
        return dict(zip(self.measures(), trees, strict=True))

    def _fits(self, answer: JudgeAnswer, rubric: Rubric) -> bool:
        """Return whether a stored answer is one that this metric could have been given."""
        criterion = next((one for one in rubric.criteria if one.name == answer.criterion), None)
        if criterion is None:
            return False
        values = rubric.values(criterion)
        expected = 0 if self.samples else len(values)
        is_on_scale = math.isnan(answer.value) or 0 <= answer.value <= max(values.values())
        numbers = (*answer.probabilities, answer.failures)
        are_finite = all(math.isfinite(one) and one >= 0 for one in numbers)
        return len(answer.probabilities) == expected and is_on_scale and are_finite

    def _tree(self, criterion: Criterion, answer: JudgeAnswer) -> Explanation:
        values = self._rubric.values(criterion)
        failed = [f"“{text}”" for text in answer.texts if math.isnan(parsed_value(text, values))]
        said = criterion.name
        if failed and not answer.probabilities:
            said += f" (without a value: {', '.join(failed)})"
        if math.isnan(self._value(answer)):
            return undefined(said, "no_value")
        if answer.probabilities and not math.isnan(answer.value):
            total = math.fsum(answer.probabilities)
            parts = tuple(
                Explanation(
                    f"answer {label}",
                    "product",
                    children=(Explanation("probability", value=p / total), Explanation("value", value=value)),
                )
                for (label, value), p in zip(values.items(), answer.probabilities, strict=True)
            )
            return Explanation(said, "sum", children=parts)
        parts = tuple(
            Explanation(f"answer “{text}”", value=value)
            for text in answer.texts
            if not math.isnan(value := self._parsed(text, values))
        )
        return Explanation(said, "mean", children=parts) if parts else Explanation(said, value=0.0)

    def _parsed(self, text: str, values: dict[str, float]) -> float:
        value = parsed_value(text, values)
        return 0.0 if math.isnan(value) and self.failures == "zero" else value

    def _value(self, answer: JudgeAnswer) -> float:
        return 0.0 if math.isnan(answer.value) and self.failures == "zero" else answer.value

    def _questions(self, topic: TopicTexts, rubric: Rubric) -> list[_Question]:
        shared = {
            "document": "\n\n".join(text.content for text in topic.documents),
            "reference": "\n\n".join(text.content for text in topic.references),
            "query": topic.query,
        }

        def prompt(criterion: Criterion, summary: Text, other: Text | None = None) -> Prompt:
            texts = {**shared, "summary": summary.content, "other": other.content if other else ""}
            return rubric.filled(criterion, texts)

        if rubric.mode is Mode.PAIRWISE:
            (criterion,) = rubric.criteria
            every = list(enumerate(topic.summaries))
            return [_Question(prompt(criterion, a, b), i, 0, j) for (i, a), (j, b) in permutations(every, 2)]
        return [
            _Question(prompt(criterion, summary), system, place)
            for system, summary in enumerate(topic.summaries)
            for place, criterion in enumerate(rubric.criteria)
        ]

    def _ask(
        self, questions: Sequence[_Question], topic: TopicTexts, rubric: Rubric, resources: Resources
    ) -> list[JudgeAnswer]:
        """Return the answers to questions, in order; those of one scale are asked together."""
        found: dict[int, JudgeAnswer] = {}
        for place, criterion in enumerate(rubric.criteria):
            mine = [at for at, one in enumerate(questions) if one.criterion == place]
            if not mine:
                continue
            values = rubric.values(criterion)
            request = ChatRequest(
                () if self.samples else tuple(values),
                max(self.samples, 1),
                self.temperature,
                self.seed,
                self.tokens,
            )
            answers = self.chat(resources).answers([questions[at].prompt for at in mine], request)
            for at, one in zip(mine, answers, strict=True):
                question = questions[at]
                if self.samples:
                    drawn = [self._parsed(text, values) for text in one.texts]
                    defined = [value for value in drawn if not math.isnan(value)]
                    value = math.fsum(defined) / len(defined) if defined else math.nan
                    failed = sum(math.isnan(parsed_value(text, values)) for text in one.texts)
                else:
                    value = expected_value(one.probabilities, list(values.values()), self.least)
                    failed = int(math.isnan(value))
                found[at] = JudgeAnswer(
                    prompt_hash(question.prompt),
                    topic.summaries[question.system].name,
                    criterion.name,
                    one.texts,
                    one.probabilities,
                    value,
                    failed,
                    one.is_cut,
                    topic.summaries[question.other].name if question.other >= 0 else "",
                )
        return [found[at] for at in range(len(questions))]


def _by_criterion(questions: Sequence[_Question], values: Array, systems: int, criteria: int) -> Array:
    found = np.full((systems, criteria), np.nan)
    for question, value in zip(questions, values, strict=True):
        found[question.system, question.criterion] = value
    return found


def _pairwise(questions: Sequence[_Question], values: Array, systems: int) -> Array:
    """Return wins, share of the first place, and consistency of each system, shape (systems, 3)."""
    first = np.full((systems, systems), np.nan)  # probability that the row, which comes first, is chosen
    for question, value in zip(questions, values, strict=True):
        first[question.system, question.other] = value
    wins = (first + (1 - first.T)) / 2
    both = np.stack([first, first.T])
    same = np.where(np.isfinite(wins), (first > 0.5) == (1 - first.T > 0.5), np.nan)
    columns = [row_means(wins), row_means(both.transpose(1, 0, 2).reshape(systems, -1)), row_means(same)]
    return np.array(columns).T
