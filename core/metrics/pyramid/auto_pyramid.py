"""Pyramid scores from proposed SCUs and matches, without an annotator."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from core.domain.pyramid import TopicAnnotation
from core.domain.study import Span, Text, TopicTexts
from core.metrics.base import Explanation, Need, Resources, TopicScores, noted, setting, undefined
from core.metrics.base.model_requests import NO_REQUESTS, ModelRequests, requests_of
from core.metrics.embedding.encoder_metric import EncoderMetric, dtype_setting, encoder_setting
from core.metrics.judge.answers import JudgeAnswer, answers_key, from_text, to_text
from core.metrics.judge.chat_settings import AsksChat, server_setting
from core.metrics.judge.lists import ListAsker, parsed_labels
from core.metrics.judge.rubric import Mode, find_rubric
from core.metrics.pyramid.pyramid import AnnotatedPyramid, PreparedPyramids, PyramidScores
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model
from core.models.catalogue.model_folder import Model
from core.models.chat import ChatModel
from core.models.encoders.text_encoding import EncodeRequest
from core.models.heads.nli_labels import entailment_of
from core.suggestions.candidate_spans import uncovered_clauses
from core.suggestions.encoding import EncodedTexts
from core.suggestions.new_scus import MIN_COSINE
from core.suggestions.proposal import PROPOSER, Flags, propose_annotation

COSINE = "none"


_WINDOW, _TRIALS, _TOKENS = 20, 3, 1024
"""SCUs in one prompt of a language model, answers to it, and tokens of an answer, at most."""

_EXPRESSED = 0.5
"""Least value of a label of an SCU that a summary expresses."""


@dataclass(frozen=True, slots=True)
class PreparedProposal(PreparedPyramids):
    """A proposed pyramid, with what a language model answered."""

    answers: tuple[JudgeAnswer, ...]
    signature: str


@register
@dataclass(frozen=True)
class AutoPyramid(AsksChat, PyramidScores, EncoderMetric[PreparedPyramids]):
    """Four pyramid scores from a pyramid and matches that an encoder proposes, as *Suggestions* does.

    SCUs are groups of similar clauses, at most one of each reference; a clause like no other is an SCU of
    weight 1. A clause of a summary expresses the SCU nearest to it, or is outside the pyramid. Clauses of
    fewer than three words that are not conjunctions do not count. Statistics per reference are those of
    `pyramid`.

    Formula:
        cosine(a, b)  = cosine of the mean vectors of the words of two clauses within their sentences
        SCU           = clauses of different references, any two with cosine >= least
        expressed     = argmax over SCUs of cosine(clause, mean of the SCU's clauses), if that is >= least
        D, best, original, modified, comprehensive, presence as `pyramid` has them

    Modes:
        nli=MODEL: a summary expresses the SCUs whose labels it entails, each by its nearest clause.
        lm=MODEL: a language model, here or behind a server, says which SCUs of a list a summary expresses,
        after the rubric `matching`. Answers are stored in the study. A summary whose answer is no list of
        labels has no score.

    Limits:
        A proposal, not a human judgement. Clauses are found at punctuation and English conjunctions: an SCU
        within a clause is missed, and a clause with two facts is one SCU. Negation and numbers hardly change
        a cosine; `nli` notices them.
    """

    name: ClassVar[str] = "auto-pyramid"
    version: ClassVar[int] = 2
    family: ClassVar[str] = "Pyramid"
    about: ClassVar[str] = (
        "Pyramid scores from SCUs and matches that an encoder proposes; needs no annotation."
    )
    paper: ClassVar[str] = "scores: Nenkova et al. 2007; the proposals are this program's own"
    bibliography: ClassVar[tuple[str, ...]] = ("nenkova-2007-pyramid",)
    added_settings: ClassVar[frozenset[str]] = frozenset({"lm", "server", "matching"})
    unlabelled: ClassVar[frozenset[str]] = frozenset({"server"})
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.ENCODER})

    encoder: str = encoder_setting()
    least: float = setting(
        MIN_COSINE,
        "Smallest cosine of two clauses that express the same SCU.",
        low=0.0,
        high=1.0,
        title="Smallest cosine",
    )
    nli: str = setting(
        COSINE,
        "Model that decides whether a summary entails an SCU's label: none = the cosine decides; "
        "roberta-large-nli, a model's name, or its folder.",
        title="Entailment model",
    )
    dtype: str = dtype_setting()
    lm: str = setting(
        "",
        "Language model that matches SCUs: a folder, an installed model, or a model's name on the server. "
        "Empty = none.",
        title="Language model",
    )
    server: str = server_setting()
    matching: str = setting(
        "scu-matching",
        "Rubric of matches: scu-matching, or a TOML file whose labels have the values 1 and 0.",
        title="Matching",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_server()

    def unused(self) -> dict[str, str]:
        """Return the settings without effect, each with the one responsible."""
        return {"nli": f"lm={self.lm}"} if self.lm else dict.fromkeys(("server", "matching"), "lm=")

    def layers_read(self, model: Model) -> int:
        return model.layers

    def check(self, resources: Resources) -> None:
        super().check(resources)
        if self.lm:
            find_rubric(self.matching, (Mode.LABELS,))
            self.check_model(resources)
        elif self.nli != COSINE:
            entailment_of(find_model(self.nli))

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        extras = super().signature_extras(resources)
        if self.lm:
            digest = find_rubric(self.matching, (Mode.LABELS,)).digest[:12]
            extras |= {"matching_hash": digest, **_of_language_model(self.model_extras(resources))}
        elif self.nli != COSINE:
            model = find_model(self.nli)
            extras |= {"nli_hash": resources.model_hash(self.nli)[:12], "label": str(entailment_of(model))}
        return extras

    def to_encode(self, topic: TopicTexts, resources: Resources) -> Sequence[EncodeRequest]:
        from core.models.encoders.contextual_spans import encoding_windows  # imports torch

        encoder = resources.encoder(self.encoder, self.dtype)
        return self.ahead(encoding_windows(encoder, _texts(topic)), (encoder.model.layers,))

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedPyramids:
        from core.models.encoders.contextual_spans import encode_in_context  # imports torch

        encoder, texts = resources.encoder(self.encoder, self.dtype), _texts(topic)
        read = dict(zip((text.reading_key for text in texts), encode_in_context(encoder, texts), strict=True))
        encoded = EncodedTexts(encoder.model.name, encoder.model.dimension, read)

        signature = self.signature(resources) if self.lm else ""
        stored = from_text(resources.kept_answers(answers_key(signature, topic.id)))[1] if self.lm else ()
        asker = ListAsker(
            partial(self.chat, resources), {one.prompt: one for one in stored}, _TRIALS, 0, _TOKENS
        )
        unknown: set[str] = set()

        def expresses(summaries: Sequence[Text], labels: Sequence[str]) -> Flags:
            flags, read = self._matched(summaries, labels, asker)
            unknown.update(text.id for text, is_read in zip(summaries, read, strict=True) if not is_read)
            return flags

        def entails(summaries: Sequence[Text], labels: Sequence[str]) -> Flags:
            pairs = [(text.content, label) for text in summaries for label in labels]
            presence = resources.entailment(self.nli, self.dtype).judge(pairs).presence
            flags: Flags = presence[:, _LIKELIEST].reshape(len(summaries), len(labels)) > 0
            return flags

        decides = expresses if self.lm else None if self.nli == COSINE else entails
        made = _without_summaries(propose_annotation(topic, encoded, self.least, decides), unknown)
        done = frozenset(text.id for text in topic.summaries if text.id not in unknown)
        pyramids = (AnnotatedPyramid(made, PROPOSER, self.name, done),)
        return PreparedProposal(topic, pyramids, tuple(asker.answers), signature)

    def requests(self, topic: TopicTexts, resources: Resources) -> ModelRequests:
        """Return the requests if every clause of a reference is an SCU of its own."""
        key = answers_key(self.signature(resources), topic.id) if self.lm else ""
        if not self.lm or resources.kept_answers(key):
            return NO_REQUESTS
        units = [content[start:end] for content, (start, end) in _clauses(topic.references)]
        rubric = find_rubric(self.matching, (Mode.LABELS,))
        prompts = [
            rubric.filled(None, {"summary": text.content, "units": repr(units[at : at + _WINDOW])})
            for text in topic.summaries
            for at in range(0, len(units), _WINDOW)
        ]
        return requests_of(prompts, _TOKENS)

    def chat(self, resources: Resources) -> ChatModel:
        return resources.chat(self.lm, self.server, "float32" if self.dtype == "int8" else self.dtype)

    def score(self, prepared: PreparedPyramids) -> TopicScores:
        scores = self._scored(prepared)
        if not isinstance(prepared, PreparedProposal) or not self.lm:
            return scores
        failed = sum(one.failures for one in prepared.answers)
        notes = {**scores.notes, **noted(no_value=failed)}
        key = answers_key(prepared.signature, prepared.topic.id)
        return replace(scores, notes=notes, answers={key: to_text(prepared.signature, prepared.answers)})

    def _matched(
        self, summaries: Sequence[Text], labels: Sequence[str], asker: ListAsker
    ) -> tuple[Flags, list[bool]]:
        """Return whether summaries express SCUs, and whether the answers on each summary could be read."""
        rubric = find_rubric(self.matching, (Mode.LABELS,))
        values = {label.lower(): value for label, value in rubric.labels}
        flags = np.zeros((len(summaries), len(labels)), np.bool_)
        starts = range(0, len(labels), _WINDOW)
        asked = [(row, start) for row in range(len(summaries)) for start in starts]
        prompts, parse = [], []
        for row, start in asked:
            some = list(labels[start : start + _WINDOW])
            texts = {"summary": summaries[row].content, "units": repr(some), "count": str(len(some))}
            prompts.append(rubric.filled(None, texts))
            parse.append(partial(parsed_labels, count=len(some), labels=values))
        read = [True] * len(summaries)
        found = asker.ask(prompts, parse, [summaries[row].name for row, _ in asked], "matching")
        for (row, start), said in zip(asked, found, strict=True):
            if said is None:
                read[row] = False
            else:
                flags[row, start : start + len(said)] = [values[label] >= _EXPRESSED for label in said]
        return flags, read

    def _scored(self, prepared: PreparedPyramids) -> TopicScores:
        scores, made = super().score(prepared), prepared.pyramids[0].annotation
        if not made.pyramid.scus:
            nothing = np.full_like(scores.values, np.nan)
            return TopicScores(nothing, notes=noted(no_units=len(scores.values)))
        holding = {match.summary_id for match in made.matches}
        holding |= {text.id for text in prepared.topic.summaries} - prepared.pyramids[0].done
        holding |= {c.reference_id for scu in made.pyramid.scus for c in scu.contributors}
        empty = sum(text.id not in holding for text in _texts(prepared.topic))
        return replace(scores, notes=noted(counted_as_zero=empty))

    def explain(self, prepared: PreparedPyramids, system: int) -> dict[str, Explanation]:
        if not prepared.pyramids[0].annotation.pyramid.scus:
            return dict.fromkeys(self.measures(), undefined("SCUs of the references", "no_units"))
        return super().explain(prepared, system)


_LIKELIEST = 3
"""The column of a judgement that is 1 where entailment is the most likely label."""


def _without_summaries(made: TopicAnnotation, ids: Collection[str]) -> TopicAnnotation:
    """Return an annotation without the matches and states of some summaries."""
    return replace(
        made,
        matches=tuple(match for match in made.matches if match.summary_id not in ids),
        states=tuple(state for state in made.states if state.summary_id not in ids),
    )


def _of_language_model(extras: Mapping[str, str]) -> dict[str, str]:
    """Return parts of a signature under names that those of the encoder do not have."""
    return {f"lm_{key}": value for key, value in extras.items()}


def _clauses(references: Sequence[Text]) -> Iterator[tuple[str, Span]]:
    """Yield the text of each reference with each of its clauses."""
    for text in references:
        yield from ((text.content, span) for span in uncovered_clauses(text, ()))


def _texts(topic: TopicTexts) -> list[Text]:
    humans = frozenset(topic.humans)
    return [*topic.references, *(text for text in topic.summaries if text.id not in humans)]
