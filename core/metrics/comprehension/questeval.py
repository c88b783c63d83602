"""QuestEval (Scialom et al. 2021): questions about a text, which another text should answer alike.

A language model writes a question for each name, number, date and noun phrase of a text; another one answers
it from the text that is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.domain.study import Span, Text, TopicTexts
from core.errors import InputError
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Need,
    Pool,
    Prepared,
    Resources,
    TopicScores,
    noted,
    setting,
)
from core.metrics.base.pooling import PooledMetric
from core.metrics.comprehension.squad_f1 import agreement_tree
from core.metrics.comprehension.summaqa import pipeline_extras
from core.metrics.embedding.greedy_matching import WeightedText, harmonic, uniform_weights, weighted_means
from core.metrics.likelihood.language_model_metric import Role, dtype_setting, joined, located
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model, seconds_per_text
from core.models.catalogue.model_folder import read_json
from core.models.nlp.entities import RULES, resolve_finder
from core.models.nlp.parser import find_pipeline
from core.models.runtime.heads import Head, check_head
from core.text.sentences import sentence_spans_of

if TYPE_CHECKING:
    from core.models.encoders.encoder import Encoder
    from core.models.heads.generation import GreedyText

_UNANSWERABLE = 73
"""T5's word piece for “unanswerable”."""

_WRITTEN = 19
"""Most word pieces of a question or an answer: the default of transformers."""

_END = "</s>"
_ASK = f"sv1 {_END} "
"""What the question generator was trained to read first, for questions like those of SQuAD 1."""

_QUESTIONS = 60
"""Questions that are written and answered for a summary and a news document, for estimates of run time."""

PARTS = ("score", "precision", "recall")


@dataclass(frozen=True, slots=True)
class _Question:
    """A question about a part of a text. span: of the expected answer. words: the question as it is written.

    is_cut, is_undecided: as in `GreedyText`.
    """

    span: Span
    answer: str
    words: str
    is_cut: bool
    is_undecided: bool


@dataclass(frozen=True, slots=True)
class _Reply:
    """The reply of another text to a question. bert: BERTScore with the expected answer, None = not used."""

    question: _Question
    found: GreedyText
    bert: float | None

    @property
    def values(self) -> list[float]:
        """Return what counts: that there is an answer, its BERTScore and its F, in [0, 1]."""
        bert = [] if self.bert is None else [self.bert]
        both = [1.0 - self.found.first, *bert, self._overlap().evaluate()]
        return [min(max(value, 0.0), 1.0) for value in both]

    def _overlap(self) -> Explanation:
        return agreement_tree(self.found.text, self.question.answer)

    def tree(self, evidence: tuple[Evidence, ...]) -> Explanation:
        """Return the mean of what counts. evidence: the place of the expected answer."""
        names = ["an answer is there", *(["BERTScore"] if self.bert is not None else [])]
        leaves = [Explanation(name, value=value) for name, value in zip(names, self.values[:-1], strict=True)]
        label = f"{self.question.words} {self.question.answer} → {self.found.text or 'no answer'}"
        return Explanation(label, "mean", children=(*leaves, self._overlap()), evidence=evidence)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Replies of the other text to the summary's questions, and of the summary to those of the other text."""

    precision: tuple[_Reply, ...]
    recall: tuple[_Reply, ...]


@dataclass(frozen=True, slots=True)
class PreparedReplies(Prepared):
    """The replies for each summary and other text, shape (summaries, others)."""

    others: tuple[Text, ...]
    compared: tuple[tuple[_Comparison, ...], ...]


@register
@dataclass(frozen=True)
class QuestEval(PooledMetric[PreparedReplies]):
    """How far a summary and its documents, or a reference, give the same answers to the same questions.

    All measures are in [0, 1]. A text that leaves nothing to ask about counts as 0, as in the authors'
    program.

    Formula:
        q         = mean of P(the question has an answer), BERTScore and F of the words of the answer
        precision = mean q over questions about the summary, answered from the documents or the reference
        recall    = mean q over questions about these, answered from the summary
        score     = (precision + recall) / 2; of several references the best one, by each measure

    Limits:
        Questions are about the first `sentences` of a text only. English only. Texts are read as far as
        512 word pieces, which is noted beyond; several documents are read one after the other. Without
        en_core_web_sm, the rules find other names and noun phrases than the authors' program. The weights of
        questions of the paper are not included: their model does not fit the authors' present program.
    """

    name: ClassVar[str] = "questeval"
    family: ClassVar[str] = "Comprehension"
    about: ClassVar[str] = "Whether generated questions are answered alike by the summary and its documents."
    paper: ClassVar[str] = "Scialom, Dray, Lamprier, Piwowarski, Staiano, Wang & Gallinari 2021, EMNLP"
    bibliography: ClassVar[tuple[str, ...]] = ("scialom-2021-questeval",)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS, Need.LANGUAGE_MODEL, Need.ENCODER})
    default_configs: ClassVar[tuple[str, ...]] = ("", "answers=f1")
    parts: ClassVar[tuple[str, ...]] = PARTS

    against: str = setting(
        "documents",
        "What a summary is compared with.",
        choices=("documents", "references"),
        title="Compared with",
    )
    qg: str = setting(
        "t5-qg-squad1", "The model that writes questions: name or folder.", title="Question generation"
    )
    qa: str = setting(
        "t5-qa-squad2neg", "The T5 that answers questions: name or folder.", title="Question answering"
    )
    answers: str = setting(
        "bertscore+f1",
        "How answers are compared: by BERTScore and by the F of their words, or by F alone.",
        choices=("bertscore+f1", "f1"),
        title="Answers",
    )
    encoder: str = setting(
        "bert-base-multilingual-cased", "The encoder of BERTScore: name or folder.", title="Encoder"
    )
    layer: int = setting(
        0, "Layer of the encoder; 0 = the recommended one, 9 for the default.", low=0, title="Layer"
    )
    phrases: str = setting(
        "auto",
        "Finder of names and noun phrases: name or folder of a spaCy pipeline; rules = by spelling; auto = "
        "en_core_web_sm if installed, otherwise the rules.",
        title="Phrases",
    )
    sentences: int = setting(
        5, "Sentences of a text, from its beginning, that are asked about.", low=1, title="Sentences"
    )
    pieces: int = setting(
        512, "Maximum number of word pieces that a model reads.", low=16, high=100_000, title="Pieces"
    )
    dtype: str = dtype_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "phrases", resolve_finder(self.phrases))  # the signature names the finder
        text = Need.DOCUMENTS if self._is_joint else Need.REFERENCES
        encoder = {Need.ENCODER} if self._has_encoder else set[Need]()
        object.__setattr__(self, "needs", frozenset({text, Need.LANGUAGE_MODEL, *encoder}))

    @property
    def _is_joint(self) -> bool:
        return self.against == "documents"

    @property
    def _has_encoder(self) -> bool:
        return self.answers != "f1"

    def unused(self) -> Mapping[str, str]:
        return {} if self._has_encoder else dict.fromkeys(("encoder", "layer"), "answers=f1")

    @property
    def pool(self) -> Pool:
        return Pool.JOINT if self._is_joint else Pool.MAX

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        encoder = {"encoder": ("bert-base-multilingual-cased",)} if self._has_encoder else {}
        return {"qg": ("t5-qg-squad1",), "qa": ("t5-qa-squad2neg",), **encoder}

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        models = {"qg": self.qg, "model": self.qa, **({"encoder": self.encoder} if self._has_encoder else {})}
        parts = {}
        for part, name in models.items():
            parts[f"{part}_model" if part != "model" else part] = find_model(name).name
            parts[f"{part}_hash" if part != "model" else "hash"] = resources.model_hash(name)[:12]
        layer = {"layer": str(find_model(self.encoder).layer(self.layer))} if self._has_encoder else {}
        return {**layer, **parts, "tokenizer": "fast", **pipeline_extras(self.phrases, resources)}

    def check(self, resources: Resources) -> None:
        for name in (self.qg, self.qa):
            check_head(find_model(name), Head.SEQUENCE)
        model = find_model(self.qa)
        if read_json(model.folder / "config.json").get("vocab_size", 0) <= _UNANSWERABLE:
            raise InputError(
                f"{model.name} in {model.folder} has no word piece {_UNANSWERABLE}, with which a T5 of "
                "QuestEval says that a question has no answer. Choose such a T5, as t5-qa-squad2neg."
            )
        if self._has_encoder:
            find_model(self.encoder).layer(self.layer)
        if self.phrases != RULES:
            find_pipeline(self.phrases)

    def seconds_per_text(self, resources: Resources) -> float:
        model = find_model(self.qa)
        return _QUESTIONS * 2 * seconds_per_text(model, model.layers, resources.device, words=250)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedReplies:
        others = (joined(topic.documents),) if self._is_joint else topic.references
        texts = {text.reading_key: text for text in (*topic.summaries, *others) if text.content.strip()}
        questions = dict(zip(texts, self._questions(list(texts.values()), resources), strict=True))
        pairs = [(one, other) for one in topic.summaries for other in others]
        asked = [
            [(question, there.content) for question in questions[here.reading_key]]
            if mine.reading_key in questions and theirs.reading_key in questions
            else []
            for mine, theirs in pairs
            for here, there in ((mine, theirs), (theirs, mine))
        ]
        flat = [one for own in asked for one in own]
        inputs = [f"{question.words} {_END} {content}" for question, content in flat]
        found = resources.generator(self.qa, self.dtype).greedy(inputs, _WRITTEN, self.pieces, _UNANSWERABLE)
        compared = [(question.answer, one.text) for (question, _), one in zip(flat, found, strict=True)]
        bert = self._bert_scores(compared, resources) if self._has_encoder else {}
        replies = iter(
            [
                _Reply(question, one, bert.get((question.answer, one.text)))
                for (question, _), one in zip(flat, found, strict=True)
            ]
        )
        parts = iter([tuple(next(replies) for _ in own) for own in asked])
        cells = iter([_Comparison(next(parts), next(parts)) for _ in pairs])
        rows = tuple(tuple(next(cells) for _ in others) for _ in topic.summaries)
        return PreparedReplies(topic, tuple(others), rows)

    def _questions(self, texts: Sequence[Text], resources: Resources) -> list[list[_Question]]:
        """Return the questions about each text: first those about names, then those about phrases."""
        begun = [self._beginning(text) for text in texts]
        finder = resources.entity_finder(self.phrases)
        phrases = resources.phrase_finder(self.phrases).phrases(begun)
        spans = [
            [*(entity.span for entity in finder.entities(text)), *(phrase.span for phrase in found)]
            for text, found in zip(begun, phrases, strict=True)
        ]
        inputs = [
            f"{_ASK}{text.content[slice(*span)]} {_END} {text.content}"
            for text, own in zip(texts, spans, strict=True)
            for span in own
        ]
        written = iter(resources.generator(self.qg, self.dtype).greedy(inputs, _WRITTEN, self.pieces, 0))
        return [
            [
                _Question(span, text.content[slice(*span)], one.text, one.is_cut, one.is_undecided)
                for span, one in zip(own, written, strict=False)
            ]
            for text, own in zip(texts, spans, strict=True)
        ]

    def _beginning(self, text: Text) -> Text:
        """Return the sentences that are asked about, as a text of its own."""
        used = [(a, b) for a, b in sentence_spans_of(text) if text.content[a:b].strip()][: self.sentences]
        content = text.content[: used[-1][1]] if used else ""
        return Text(text.id, text.name, content, language=text.language)

    def _bert_scores(
        self, pairs: Sequence[tuple[str, str]], resources: Resources
    ) -> dict[tuple[str, str], float]:
        """Return BERTScore's F of each expected answer and reply; 0 if one is empty."""
        encoder = resources.encoder(self.encoder, self.dtype)
        replies: dict[str, list[str]] = {}
        for answer, reply in dict.fromkeys(pairs):
            replies.setdefault(answer, []).append(reply)
        sides = _weighted(dict.fromkeys([text for pair in pairs for text in pair]), encoder, self.layer)
        found = {}
        for answer, own in replies.items():
            expected, given = sides[answer], [sides[reply] for reply in own]
            there, back = encoder.best_cosines([one.encoded for one in given], [expected.encoded])
            precision = weighted_means(there.cosines, given)[:, 0]
            recall = weighted_means(back.cosines, [expected])[0]
            for reply, side, f in zip(own, given, harmonic(precision, recall).tolist(), strict=True):
                found[answer, reply] = 0.0 if side.pieces.is_empty or expected.pieces.is_empty else f
        return found

    def per_reference(self, prepared: PreparedReplies) -> Array:
        rows = [[_measures(cell) for cell in row] for row in prepared.compared]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(prepared.others), len(PARTS))

    def notes(self, prepared: PreparedReplies) -> dict[str, int]:
        empty = truncated = undecided = 0
        for row in prepared.compared:
            replies = [reply for cell in row for reply in (*cell.precision, *cell.recall)]
            empty += any(not (cell.precision and cell.recall) for cell in row)
            truncated += any(reply.found.is_cut or reply.question.is_cut for reply in replies)
            undecided += sum(reply.found.is_undecided or reply.question.is_undecided for reply in replies)
        return noted(counted_as_zero=empty, truncated=truncated, undecided_answers=undecided)

    def score(self, prepared: PreparedReplies) -> TopicScores:
        if self._is_joint:
            return TopicScores(self.per_reference(prepared)[:, 0], notes=self.notes(prepared))
        return super().score(prepared)

    def trees(self, prepared: PreparedReplies, system: int) -> Iterator[Sequence[Explanation]]:
        topic = prepared.topic
        summary = topic.summaries[system]
        for other, cell in zip(prepared.others, prepared.compared[system], strict=True):
            precision = _tree(
                f"questions about the summary, asked of {other.name}", cell.precision, "summary", (summary,)
            )
            about = f"questions about {other.name}, asked of the summary"
            recall = (
                _tree(about, cell.recall, "document", topic.documents)
                if self._is_joint
                else _tree(about, cell.recall, "reference", (other,))
            )
            yield Explanation("mean of both", "mean", children=(precision, recall)), precision, recall

    def explain(self, prepared: PreparedReplies, system: int) -> dict[str, Explanation]:
        if self._is_joint:
            (trees,) = self.trees(prepared, system)
            return dict(zip(self.measures(), trees, strict=True))
        return super().explain(prepared, system)


def _weighted(texts: Mapping[str, None], encoder: Encoder, layer: int) -> dict[str, WeightedText]:
    encoded = encoder.encode(list(texts), (encoder.model.layer(layer),))
    return {
        text: WeightedText("summary", Text("", "", text), one, uniform_weights(one.pieces))
        for text, one in zip(texts, encoded, strict=True)
    }


def _measures(cell: _Comparison) -> tuple[float, float, float]:
    precision, recall = (
        float(np.mean([reply.values for reply in replies])) if replies else 0.0
        for replies in (cell.precision, cell.recall)
    )
    return (precision + recall) / 2, precision, recall


def _tree(label: str, replies: Sequence[_Reply], role: Role, texts: Sequence[Text]) -> Explanation:
    """Return the mean over questions. texts: joined by a line break, what the questions are about."""
    if not replies:
        return Explanation(f"{label}: nothing to ask about")
    children = []
    for reply in replies:
        text, at = located(texts, reply.question.span)
        children.append(reply.tree((Evidence(role, text.name, at),)))
    return Explanation(label, "mean", children=tuple(children))
