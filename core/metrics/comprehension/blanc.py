"""BLANC (Vasilyev et al. 2020): how much a summary helps a language model to fill in masked words.

Words of the documents are masked, and a masked language model predicts them: once from the sentence alone
and once with the help of the summary. This module contains what both variants share; `blanc_help` shows
the summary to the model, `blanc_tune` trains the model on it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts
from core.errors import BadSetting
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
from core.metrics.comprehension.blanc_documents import Answers, Place, TokenizedSentence, cut_sentences
from core.metrics.comprehension.blanc_masking import (
    Masking,
    MinimumPieceLengths,
    random_maskings,
    regular_masks,
)
from core.models.catalogue.lookup import find_model
from core.models.runtime.heads import Head, check_head

if TYPE_CHECKING:
    from core.models.heads.masked_lm import Ids, MaskedLM

TYPICAL_SENTENCES = 20
"""Sentences of a typical news document, for estimates of run time."""


@dataclass(frozen=True, slots=True)
class PreparedDocuments(Prepared):
    """Tokenized sentences of the documents, and the language model."""

    model: MaskedLM
    sentences: tuple[TokenizedSentence, ...]


@dataclass(frozen=True)
class Blanc(Metric[PreparedDocuments]):
    """Base class of both variants; settings have the names of the authors' program.

    Masked words of several documents are counted together. Documents without a word to mask give 0, as in
    that program.
    """

    family: ClassVar[str] = "Comprehension"
    version: ClassVar[int] = 2
    paper: ClassVar[str] = "Vasilyev, Dharnidharka & Bohannon 2020, Eval4NLP"
    bibliography: ClassVar[tuple[str, ...]] = ("vasilyev-2020-blanc",)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS, Need.MASKED_LM})
    default_configs: ClassVar[tuple[str, ...]] = ("", "gap=2")

    masked_lm: str = setting(
        "bert-base-uncased", "The masked language model: its name or its folder.", title="Language model"
    )
    measure: str = setting(
        "relative",
        "relative = (words gained − words lost) / masked words; improve = words gained / "
        "words that are right with the summary or wrong without it.",
        choices=("relative", "improve"),
        title="Measure",
    )
    gap: int = setting(
        6,
        "One in this many pieces is masked. 6 reproduces the paper; 2 is the current default "
        "of the authors' program, which agrees better with human judgements.",
        low=1,
        title="Gap",
    )
    gap_mask: int = setting(
        1, "Number of consecutive masked pieces.", low=1, title=("Consecutive masked pieces")
    )
    min_token_length_normal: int = setting(
        4, "Minimum length of a whole word that is masked, in letters.", low=0, title="Minimum word length"
    )
    min_token_length_lead: int = setting(
        2,
        "Minimum length of the first piece of a split word, in letters.",
        low=0,
        title=("Minimum first piece length"),
    )
    min_token_length_followup: int = setting(
        100,
        "Minimum length of later pieces of a word, in letters; 100 = never masked.",
        low=0,
        title=("Minimum later piece length"),
    )
    len_sent_allow_cut: int = setting(
        100,
        "If summary and sentence exceed the model's limit, the sentence is first cut to this many pieces.",
        low=1,
        title="Minimum sentence length",
    )
    inference_mask_evenly: bool = setting(
        True, "Mask at regular gaps; no = mask a random share of the pieces.", title="Mask evenly"
    )
    p_mask: float = setting(
        0.15, "Share of pieces that is masked at random.", low=0.0, high=1.0, title="Share masked"
    )
    trains: ClassVar[bool] = False
    """Whether copies of the model are trained."""
    default_pool: ClassVar[Pool] = Pool.JOINT
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {"masked_lm": ("bert-base-uncased",)}
    random_seed: int = setting(1, "Random seed.", low=1, title="Seed")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gap_mask > self.gap:
            raise BadSetting(
                f"{self.name}: gap_mask={self.gap_mask} exceeds gap={self.gap}. Reduce gap_mask."
            )

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        model = find_model(self.masked_lm)
        return {"model": model.name, "hash": resources.model_hash(self.masked_lm)[:12], "tokenizer": "fast"}

    def check(self, resources: Resources) -> None:
        check_head(find_model(self.masked_lm), Head.MASKED_LM)

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        return self._model(resources).unknown_shares([text.content for text in texts])

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedDocuments:
        model = self._model(resources)
        sentences = [sentence for text in topic.documents for sentence in cut_sentences(model, text)]
        return PreparedDocuments(topic, model, tuple(sentences))

    def score(self, prepared: PreparedDocuments) -> TopicScores:
        answers = self.answers(prepared, prepared.topic.summaries)
        values = np.array([[self._value(one)] for one in answers]).reshape(len(answers), 1)
        notes = noted(
            truncated=len(frozenset[Text]().union(*(one.truncated for one in answers))),
            undecided_answers=sum(one.undecided for one in answers),
            no_questions=bool(np.isnan(values).any()),
        )
        return TopicScores(values, notes=notes)

    def explain(self, prepared: PreparedDocuments, system: int) -> dict[str, Explanation]:
        (answers,) = self.answers(prepared, [prepared.topic.summaries[system]])
        return {self.measures()[0]: _tree(answers, prepared.model, is_relative=self.measure == "relative")}

    def _model(self, resources: Resources) -> MaskedLM:
        return resources.masked_lm(self.masked_lm, self.precision, is_trained=self.trains)

    @property
    def precision(self) -> str:
        """Return the numeric precision of the model."""
        return "float32"

    def answers(self, prepared: PreparedDocuments, summaries: Sequence[Text]) -> list[Answers]:
        """Return the model's predictions for masked words, without help and with the help of each summary."""
        raise NotImplementedError

    def maskings(self, pieces: Sequence[str]) -> list[Masking]:
        """Return the pieces of a sentence to be masked together, with a fixed random seed."""
        minimum = MinimumPieceLengths(
            self.min_token_length_normal, self.min_token_length_lead, self.min_token_length_followup
        )
        if self.inference_mask_evenly:
            return regular_masks(pieces, self.gap, self.gap_mask, minimum)
        return random_maskings(pieces, self.p_mask, minimum, random.Random(self.random_seed))

    def _value(self, answers: Answers) -> float:
        (neither, gained), (lost, both) = answers.counts().tolist()
        total = neither + gained + both + (lost if self.measure == "relative" else 0)
        return (gained - (lost if self.measure == "relative" else 0)) / total if total else math.nan


def _tree(answers: Answers, model: MaskedLM, *, is_relative: bool) -> Explanation:
    """Explain the score: words gained minus words lost, divided by all counted words."""
    was, became = answers.plain == answers.expected, answers.helped == answers.expected
    gained = _leaves(answers, model, np.flatnonzero(~was & became), 1.0)
    lost = _leaves(answers, model, np.flatnonzero(was & ~became), -1.0)
    parts = [Explanation("gained with the summary", "sum", children=gained)]
    if is_relative:
        parts.append(Explanation("lost with the summary", "sum", children=lost))
    (neither, added), (dropped, both) = answers.counts().tolist()
    if not neither + added + both + (dropped if is_relative else 0):
        return undefined("share of the masked words", "no_questions")
    counted = [("wrong without and with the summary", neither), ("right without and with the summary", both)]
    counted += [("right only with the summary", added)]
    counted += [("right only without the summary", dropped)] if is_relative else []
    leaves = tuple(Explanation(label, value=float(count)) for label, count in counted)
    name = "gained minus lost" if is_relative else "gained"
    top = Explanation(name, "sum", children=tuple(parts))
    total = Explanation("masked words", "sum", children=leaves)
    return Explanation("share of the masked words", "ratio", children=(top, total))


def _leaves(answers: Answers, model: MaskedLM, words: Ids, value: float) -> tuple[Explanation, ...]:
    """Return a leaf for each word: the original, and the predictions without and with the summary."""
    named = zip(
        words.tolist(), model.strings(answers.plain[words]), model.strings(answers.helped[words]), strict=True
    )
    return tuple(_leaf(answers.places[word], plain, helped, value) for word, plain, helped in named)


def _leaf(place: Place, plain: str, helped: str, value: float) -> Explanation:
    text, (start, end) = place
    label = f"{text.content[start:end]}: {plain} → {helped}"
    return Explanation(label, value=value, evidence=(Evidence("document", text.name, (start, end)),))
