"""SUPERT (Gao et al. 2020): similarity of a summary to the first sentences of its documents.

References are not used: the first sentences of the documents serve as pseudo references. Each sentence is
encoded separately, word pieces of the last layer are matched greedily by cosine, and stop words and
special pieces are skipped. With several pseudo references, precision, recall and F are averaged
separately.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from core.domain.study import Text, TopicTexts
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Mask,
    Need,
    Pool,
    Prepared,
    Resources,
    TopicScores,
    noted,
    setting,
    undefined,
)
from core.metrics.base.pooling import PooledMetric
from core.metrics.embedding.encoder_metric import EncoderMetric, dtype_setting, encoder_setting
from core.metrics.embedding.greedy_matching import harmonic, outside_range
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model
from core.models.catalogue.model_folder import Model
from core.models.runtime.word_pieces import WordPieces
from core.text.scripts import is_inside_word
from core.text.sentences import sentence_spans_of
from core.text.word_lists import load_word_list

if TYPE_CHECKING:
    from core.models.encoders.greedy_matching import BestCosines
    from core.models.encoders.sentence_passages import Sentence, SentencePassage
    from core.models.encoders.text_encoding import EncodeRequest

Role = Literal["summary", "document"]

PARTS = ("precision", "recall", "f")

_LONGEST = 130
"""Maximum pieces of a sentence: 128 and two special ones."""

_ENOUGH = 15
"""Minimum number of sentences in total for which each document is a separate pseudo reference."""


@dataclass(frozen=True, slots=True)
class PreparedPassages(Prepared):
    """Summaries and non-empty pseudo references of a topic."""

    summaries: tuple[SentencePassage, ...]
    pseudo: tuple[SentencePassage, ...]
    truncated: int


@register
@dataclass(frozen=True)
class Supert(PooledMetric[PreparedPassages], EncoderMetric[PreparedPassages]):
    """Precision, recall and F of greedily matched word pieces against the documents' first sentences.

    A summary without content words scores 0; if the documents have none, all scores are NaN.

    Formula:
        recall    = mean over tokens of the pseudo-reference of the largest cosine with the summary's tokens
        precision = the same the other way round
        f         = 2 · P · R / (P + R), averaged over pseudo-references (first sentences of a document)

    Limits:
        Assumes that documents begin with what matters, as news do. Rewards lead sentences. English stop
        words only.
    """

    name: ClassVar[str] = "supert"
    version: ClassVar[int] = 2
    about: ClassVar[str] = "Contextual word matching with the documents' first sentences; uses no reference."
    paper: ClassVar[str] = "Gao, Zhao & Eger 2020, SUPERT, ACL"
    bibliography: ClassVar[tuple[str, ...]] = ("gao-2020-supert",)
    is_in_summeval: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS, Need.ENCODER})
    default_pool: ClassVar[Pool] = Pool.JOINT
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {"encoder": ("bert-large-nli-stsb",)}
    parts: ClassVar[tuple[str, ...]] = PARTS

    encoder: str = encoder_setting()
    top: int = setting(
        15,
        "Number of sentences from the beginning of each document; the authors recommend 30 "
        "for a single document.",
        low=1,
        title="First sentences",
    )
    documents: str = setting(
        "auto",
        "Several documents: each = compare with each one, then average; together = join them "
        "into one text; auto = each if at least 15 sentences are used in total, otherwise "
        "together, as published.",
        choices=("auto", "each", "together"),
        title="Documents",
    )
    stop_words: bool = setting(True, "Remove English stop words (NLTK's list).", title="Drop stop words")
    dtype: str = dtype_setting()

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        return {"stop_words": "no"}

    def layers_read(self, model: Model) -> int:
        return model.layers

    def to_encode(self, topic: TopicTexts, resources: Resources) -> Sequence[EncodeRequest]:
        sentences = [text.content[a:b] for passage in self._passages(topic) for text, (a, b) in passage]
        return self.ahead(sentences, (find_model(self.encoder).layers,), _LONGEST)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedPassages:
        from core.models.encoders.sentence_passages import encode_passages  # imports torch

        count, sentences = len(topic.summaries), self._passages(topic)
        select = partial(_counted, stop_words=_stop_words() if self.stop_words else frozenset())
        passages = encode_passages(resources.encoder(self.encoder, self.dtype), sentences, select, _LONGEST)
        truncated = frozenset[Text]().union(*(passage.truncated for passage in passages))
        pseudo = tuple(passage for passage in passages[count:] if passage.places)
        return PreparedPassages(topic, tuple(passages[:count]), pseudo, len(truncated))

    def _passages(self, topic: TopicTexts) -> list[list[Sentence]]:
        return [*map(_sentences, topic.summaries), *self._pseudo_references(topic)]

    def _pseudo_references(self, topic: TopicTexts) -> list[list[Sentence]]:
        taken = [_sentences(document)[: self.top] for document in topic.documents]
        is_each = self.documents == "each" or (self.documents == "auto" and sum(map(len, taken)) >= _ENOUGH)
        return taken if is_each else [[sentence for sentences in taken for sentence in sentences]]

    def score(self, prepared: PreparedPassages) -> TopicScores:
        compared = _compared(prepared.summaries, prepared.pseudo)
        empty = sum(not summary.places for summary in prepared.summaries)
        notes = noted(
            truncated=prepared.truncated,
            no_units=0 if prepared.pseudo else len(prepared.topic.documents),
            counted_as_zero=empty if prepared.pseudo else 0,
            outside_range=outside_range(compared),
        )
        return replace(self.combine_all(compared, notes), stats=None)

    def explain(self, prepared: PreparedPassages, system: int) -> dict[str, Explanation]:
        pairs = [_explain_pair(prepared.summaries[system], pseudo) for pseudo in prepared.pseudo]
        label = "mean of the documents' first sentences"
        if not pairs:
            return dict.fromkeys(self.measures(), undefined(label, "no_units"))
        return self.pool_trees(label, pairs)


def _sentences(text: Text) -> list[Sentence]:
    return [(text, (a, b)) for a, b in sentence_spans_of(text) if text.content[a:b].strip()]


def _counted(sentence: str, pieces: WordPieces, stop_words: frozenset[str]) -> Mask:
    """Return which pieces are neither special nor stop words; a continuation is never a stop word."""
    named = zip(pieces.strings, pieces.spans, strict=True)
    stopped = [_word(piece) in stop_words and not is_inside_word(sentence, span[0]) for piece, span in named]
    counted: Mask = ~(pieces.is_special | np.array(stopped, dtype=np.bool_))
    return counted


def _word(piece: str) -> str:
    return piece.lstrip("Ġ▁").lower()  # how RoBERTa and SentencePiece mark a blank before a piece


@cache
def _stop_words() -> frozenset[str]:
    """Return NLTK's 153 stop words; the 26 added later, such as *don't*, are not word pieces of any model."""
    return frozenset(load_word_list("stop_words_153.txt"))


def _compared(summaries: Sequence[SentencePassage], pseudo: Sequence[SentencePassage]) -> Array:
    """Return precision, recall and F, shape (summaries, pseudo references, 3); 0 for an empty summary."""
    from core.models.encoders.sentence_passages import nearest_passages  # imports torch

    values = np.zeros((len(summaries), len(pseudo), len(PARTS)))
    nonempty = [i for i, summary in enumerate(summaries) if summary.places]
    if not nonempty or not pseudo:
        return values
    there, back = nearest_passages([summaries[i] for i in nonempty], pseudo)
    precision = _means(there, [summaries[i] for i in nonempty])
    recall = _means(back, pseudo).T
    values[nonempty] = np.stack([precision, recall, harmonic(precision, recall)], axis=2)
    return values


def _means(best: BestCosines, passages: Sequence[SentencePassage]) -> Array:
    """Return the mean of each passage's best cosines, shape (passages, others)."""
    lengths = np.array([len(passage.places) for passage in passages])
    means: Array = best.cosines.sum(axis=2) / lengths[:, None]
    return means


def _explain_pair(summary: SentencePassage, pseudo: SentencePassage) -> tuple[Explanation, ...]:
    """Explain precision, recall and F against one pseudo reference."""
    from core.models.encoders.sentence_passages import nearest_passages  # imports torch

    name = " + ".join(dict.fromkeys(text.name for text, _ in pseudo.places))
    labels = (f"precision against {name}", f"recall of {name}", f"F against {name}")
    if not summary.places:
        return tuple(Explanation(f"{label}: the summary has no content words") for label in labels)
    there, back = nearest_passages([summary], [pseudo])
    precision = Explanation(labels[0], "mean", children=_matches(summary, pseudo, there, "summary"))
    recall = Explanation(labels[1], "mean", children=_matches(pseudo, summary, back, "document"))
    return precision, recall, Explanation(labels[2], "harmonic", children=(precision, recall))


def _matches(
    mine: SentencePassage, theirs: SentencePassage, best: BestCosines, role: Role
) -> tuple[Explanation, ...]:
    """Return a leaf for each piece of `mine` and the nearest of `theirs`. role: of `mine`."""
    other: Role = "document" if role == "summary" else "summary"
    leaves = []
    nearest = best.pieces[0, 0].tolist()
    for place, cosine, j in zip(mine.places, best.cosines[0, 0].tolist(), nearest, strict=True):
        sides = ((role, place), (other, theirs.places[j]))
        evidence = tuple(Evidence(side, text.name, span, cosine) for side, (text, span) in sides)
        label = " → ".join(text.content[slice(*span)] for _, (text, span) in sides)
        leaves.append(Explanation(label, value=cosine, evidence=evidence))
    return tuple(leaves)
