"""Nugget scores from nuggets that a language model creates, rates and assigns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, TypeVar

import numpy as np

from core.domain.pyramid import Match, Pyramid, Scu, SummaryState, TopicAnnotation, UnitKind, new_id
from core.domain.pyramid.nugget_edits import OKAY, VITAL
from core.domain.pyramid.nugget_scores import NUGGET_KINDS, PARTIAL_SUPPORT, count_nuggets
from core.domain.study import Text, TopicTexts
from core.metrics.base import (
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
from core.metrics.base.model_requests import NO_REQUESTS, ModelRequests, requests_of
from core.metrics.judge.answers import JudgeAnswer, answers_key, from_text, to_text
from core.metrics.judge.chat_settings import AsksChat, chat_dtype_setting, lm_setting, server_setting
from core.metrics.judge.lists import ListAsker, parsed_facts, parsed_labels
from core.metrics.judge.rubric import Mode, Rubric, find_rubric
from core.metrics.registry import register
from core.models.chat import Prompt

LABEL = "auto-nugget"
PROPOSER = LABEL
"""Id of the annotator of whatever is proposed."""

TEMPLATE = 1
"""Version of how rubrics become prompts and answers become nuggets."""

NO_QUERY = "What are the main points?"
"""Query of a topic that has none."""

Unit = TypeVar("Unit")

_LONG_NUGGET = 12 * "letters "
"""As many words as a nugget may have."""

_KINDS = NUGGET_KINDS[2:]
_SECONDS, _SERVER_SECONDS = 12.0, 3.0
_RUBRICS = {
    "creation": ("nugget-creation", (Mode.LIST,)),
    "importance": ("nugget-importance", (Mode.LABELS,)),
    "assignment": ("nugget-assignment", (Mode.LABELS,)),
}


@dataclass(frozen=True, slots=True)
class PreparedNuggets(Prepared):
    """The nuggets of a topic, with their support by each summary.

    open: ids of summaries whose support is unknown, as an answer is no list of labels.
    """

    annotation: TopicAnnotation
    answers: tuple[JudgeAnswer, ...]
    signature: str
    open: frozenset[str]


@register
@dataclass(frozen=True)
class AutoNugget(AsksChat, Metric[PreparedNuggets]):
    """Shares of the nuggets that a summary supports; a language model creates, rates and assigns the nuggets.

    As AutoNuggetizer does: a list of short facts is updated with `window` texts at a time, each fact is
    rated vital or okay, and each summary is asked which facts it supports, in full or in part, `window` facts
    at a time. An answer that is no list of the right length is asked for again, up to `trials` times.
    Answers are stored in the study; an answer to the same prompt is not asked for again.

    Formula:
        support     = 1 (support), 1/2 (partial_support) or 0 (not_support)
        strict_all  = share of the nuggets with support 1
        strict_vital = the same of the vital nuggets
        all         = mean support of the nuggets
        vital       = mean support of the vital nuggets

    Modes:
        failures=missing: a summary with an answer that is no list of labels has no scores, and is counted;
        failures=zero counts its nuggets as not supported, and any other word as not_support or okay, as the
        authors' program does. Without vital nuggets the vital shares are undefined (0 there).

    Limits:
        A proposal, not a human judgement. Depends on the model, its version, the rubrics and the hardware's
        rounding. Answers that are no lists are frequent with small models. A summary can contain
        instructions to the model.
    """

    name: ClassVar[str] = LABEL
    family: ClassVar[str] = "Language models"
    about: ClassVar[str] = "Shares of nuggets that a language model creates, rates and assigns."
    paper: ClassVar[str] = "Pradeep et al. 2024 (AutoNuggetizer)"
    bibliography: ClassVar[tuple[str, ...]] = ("pradeep-2024-autonuggetizer",)
    reads_query: ClassVar[bool] = True
    unlabelled: ClassVar[frozenset[str]] = frozenset({"server", "dtype"})
    default_pool: ClassVar[Pool] = Pool.JOINT

    lm: str = lm_setting()
    server: str = server_setting()
    source: str = setting(
        "references",
        "Texts of which nuggets are created.",
        choices=("references", "documents"),
        title="Source",
    )
    window: int = setting(10, "Texts, or nuggets, in one prompt.", low=1, high=100, title="Window")
    most: int = setting(30, "Most nuggets of a topic.", low=1, high=200, title="Most nuggets")
    trials: int = setting(
        5, "Answers to a prompt at most; the authors ask up to 500 times.", low=1, high=500, title="Trials"
    )
    tokens: int = setting(1024, "Most tokens of an answer.", low=1, high=16_384, title="Tokens")
    seed: int = setting(0, "Random seed of all answers after the first.", low=0, title="Seed")
    failures: str = setting(
        "missing",
        "Answers that are no lists of labels: missing = no score, and counted; zero = not supported, as in "
        "the authors' program.",
        choices=("missing", "zero"),
        title="Failures",
    )
    creation: str = setting(
        "nugget-creation", "Rubric of the list of nuggets: nugget-creation, or a TOML file.", title="Creation"
    )
    importance: str = setting(
        "nugget-importance",
        "Rubric of importance: nugget-importance, or a TOML file with the labels vital and okay.",
        title="Importance",
    )
    assignment: str = setting(
        "nugget-assignment",
        "Rubric of support: nugget-assignment, or a TOML file whose labels have the values 1, 0.5 and 0.",
        title="Assignment",
    )
    dtype: str = chat_dtype_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_server()

    @property
    def needs(self) -> frozenset[Need]:  # type: ignore[override]  # depends on a setting
        texts = Need.REFERENCES if self.source == "references" else Need.DOCUMENTS
        return frozenset({Need.LANGUAGE_MODEL, texts})

    def unused(self) -> dict[str, str]:
        """Return the settings without effect, each with the one responsible."""
        return {"dtype": "a server"} if self.server else {}

    def measures(self) -> tuple[str, ...]:
        return tuple(f"{LABEL}.{kind}" for kind in _KINDS)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        digests = {f"{step}_hash": self._rubric(step).digest[:12] for step in _RUBRICS}
        return {**digests, "template": str(TEMPLATE), **self.model_extras(resources)}

    def check(self, resources: Resources) -> None:
        """Raise MissingResource without a model or server, InputError for another kind of model or rubric."""
        for step in _RUBRICS:
            self._rubric(step)
        self.check_model(resources)

    def seconds_per_text(self, resources: Resources) -> float:
        return _SERVER_SECONDS if self.server else _SECONDS

    def requests(self, topic: TopicTexts, resources: Resources) -> ModelRequests:
        """Return the requests for `most` nuggets of the length that the prompt allows, at one trial each."""
        if resources.kept_answers(answers_key(self.signature(resources), topic.id)):
            return NO_REQUESTS
        texts = topic.references if self.source == "references" else topic.documents
        query, window = topic.query or NO_QUERY, [_LONG_NUGGET] * min(self.window, self.most)
        content = [
            "\n".join(text.content for text in texts[at : at + self.window])
            for at in range(0, len(texts), self.window)
        ]
        every = [_LONG_NUGGET] * self.most
        creation, importance, assignment = (self._rubric(step) for step in _RUBRICS)
        windows = range(0, self.most, self.window)
        prompts = [self._prompt(creation, every, query, document=one) for one in content]
        prompts += [self._prompt(importance, window, query) for _ in windows]
        prompts += [
            self._prompt(assignment, window, query, summary=text.content)
            for text in topic.summaries
            for _ in windows
        ]
        return requests_of(prompts, self.tokens)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedNuggets:
        signature = self.signature(resources)
        stored = from_text(resources.kept_answers(answers_key(signature, topic.id)))[1]
        asker = ListAsker(
            partial(self.chat, resources),
            {one.prompt: one for one in stored},
            self.trials,
            self.seed,
            self.tokens,
        )
        query = topic.query or NO_QUERY
        nuggets = self._created(topic, query, asker)
        levels = self._rated(nuggets, query, asker)
        units = tuple(
            Scu(new_id(), label, importance=level) for label, level in zip(nuggets, levels, strict=True)
        )
        matches, unknown = self._assigned(topic, units, query, asker)
        states = tuple(
            SummaryState(new_id(), text.id, PROPOSER, is_done=True)
            for text in topic.summaries
            if text.id not in unknown
        )
        pyramid = Pyramid(new_id(), topic.id, PROPOSER, units, is_done=True, kind=UnitKind.NUGGET)
        made = TopicAnnotation(pyramid, tuple(matches), states)
        return PreparedNuggets(topic, made, tuple(asker.answers), signature, unknown)

    def score(self, prepared: PreparedNuggets) -> TopicScores:
        topic, made = prepared.topic, prepared.annotation
        references = [text.id for text in topic.references]
        hits = [made.matches_of(text.id, PROPOSER) for text in topic.summaries]
        counts = count_nuggets(made.pyramid, references, hits)
        values = counts.scores(np.ones((1, len(references)), dtype=np.bool_))[0][:, 2:]
        values[[text.id in prepared.open for text in topic.summaries]] = np.nan
        failed = sum(one.failures for one in prepared.answers)
        notes = noted(
            **{"no_value" if self.failures == "missing" else "failed_as_zero": failed},
            no_units=0 if made.pyramid.scus else len(topic.summaries),
            truncated=sum(one.is_cut for one in prepared.answers),
        )
        key = answers_key(prepared.signature, topic.id)
        return TopicScores(values, None, notes, {key: to_text(prepared.signature, prepared.answers)})

    def explain(self, prepared: PreparedNuggets, system: int) -> dict[str, Explanation]:
        text, made = prepared.topic.summaries[system], prepared.annotation
        nuggets = made.pyramid.scus
        partly = {match.scu_id: match.is_partial for match in made.matches_of(text.id, PROPOSER)}

        def tree(kind: str) -> Explanation:
            title = "vital nuggets" if "vital" in kind else "nuggets"
            included = [one for one in nuggets if "vital" not in kind or one.importance == VITAL]
            if text.id in prepared.open:
                return undefined(f"support of {title}", "no_value")
            if not included:
                return undefined(f"support of {title}", "no_units")
            part = 0.0 if kind.startswith("strict") else PARTIAL_SUPPORT
            return Explanation(
                f"support of {title}",
                "mean",
                children=tuple(
                    Explanation(one.label, value={None: 0.0, True: part, False: 1.0}[partly.get(one.id)])
                    for one in included
                ),
            )

        return {measure: tree(kind) for measure, kind in zip(self.measures(), _KINDS, strict=True)}

    def _rubric(self, step: str) -> Rubric:
        return find_rubric(getattr(self, step), _RUBRICS[step][1])

    def _created(self, topic: TopicTexts, query: str, asker: ListAsker) -> list[str]:
        """Return the nuggets, in order of decreasing importance."""
        rubric = self._rubric("creation")
        texts = topic.references if self.source == "references" else topic.documents
        nuggets: list[str] = []
        for at in range(0, len(texts), self.window):
            numbered = enumerate(texts[at : at + self.window], 1)
            content = "\n".join(f"[{number}] {text.content}" for number, text in numbered)
            prompt = self._prompt(rubric, nuggets, query, document=content)
            (found,) = asker.ask([prompt], [parsed_facts], [""], "creation")
            if found is not None:
                nuggets = [one for one in found[: self.most] if one.strip()]
        return nuggets

    def _rated(self, nuggets: Sequence[str], query: str, asker: ListAsker) -> list[str]:
        """Return the importance of each nugget; empty = the answer is none."""
        rubric = self._rubric("importance")
        is_zero = self.failures == "zero"
        windows = self._windows(nuggets)
        prompts = [self._prompt(rubric, some, query) for some in windows]
        parse = [
            partial(parsed_labels, count=len(some), labels=(VITAL, OKAY), others=OKAY if is_zero else None)
            for some in windows
        ]
        found = asker.ask(prompts, parse, [""] * len(prompts), "importance")
        levels: list[str] = []
        for some, labels in zip(windows, found, strict=True):
            levels += labels or [OKAY if is_zero else ""] * len(some)
        return levels

    def _assigned(
        self, topic: TopicTexts, nuggets: Sequence[Scu], query: str, asker: ListAsker
    ) -> tuple[list[Match], frozenset[str]]:
        """Return the hits in all summaries, and the ids of summaries with an answer that is none."""
        rubric = self._rubric("assignment")
        values = {label.lower(): value for label, value in rubric.labels}
        none = min(values, key=lambda label: values[label]) if self.failures == "zero" else None
        windows = self._windows(nuggets)
        asked = [(text, some) for text in topic.summaries for some in windows]
        prompts = [
            self._prompt(rubric, [one.label for one in some], query, summary=text.content)
            for text, some in asked
        ]
        parse = [partial(parsed_labels, count=len(some), labels=values, others=none) for _, some in asked]
        found = asker.ask(prompts, parse, [text.name for text, _ in asked], "assignment")
        matches: list[Match] = []
        unknown: set[str] = set()
        for (text, some), labels in zip(asked, found, strict=True):
            if labels is None and none is None:
                unknown.add(text.id)
            matches += _hits(text, some, [values[label] for label in labels or ()])
        return [match for match in matches if match.summary_id not in unknown], frozenset(unknown)

    def _windows(self, units: Sequence[Unit]) -> list[Sequence[Unit]]:
        return [units[at : at + self.window] for at in range(0, len(units), self.window)]

    def _prompt(self, rubric: Rubric, units: Sequence[str], query: str, **texts: str) -> Prompt:
        listed = repr(list(units))  # as the authors write it
        own = {"query": query, "units": listed, "count": str(len(units)), "most": str(self.most)}
        return rubric.filled(None, {**own, **texts})


def _hits(text: Text, nuggets: Sequence[Scu], support: Sequence[float]) -> list[Match]:
    """Return a hit of each nugget that a summary supports; one with a support below 1 is partial."""
    return [
        Match(new_id(), text.id, PROPOSER, nugget.id, is_partial=value < 1)
        for nugget, value in zip(nuggets, support, strict=False)
        if value > 0
    ]
