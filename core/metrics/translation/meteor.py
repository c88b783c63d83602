"""METEOR 1.5 (Denkowski & Lavie 2014): word alignment by form, stem and meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.domain.study import TopicTexts
from core.errors import MissingResource
from core.files.allowed_names import allowed_names
from core.metrics.base import Array, Evidence, Explanation, Pool, Prepared, Resources, Script, noted, setting
from core.metrics.base.pooling import PooledMetric
from core.metrics.base.word_setting import icu_signature
from core.metrics.kernels.alignment import AlignedTexts, Floats, Ints
from core.metrics.registry import register
from core.metrics.rouge.overlap import leaf
from core.metrics.translation.meteor_alignment import (
    MeteorText,
    WordAlignment,
    matched_words,
    number_texts,
    prepare_text,
)
from core.metrics.translation.paraphrases import PhraseTable, phrase_table
from core.metrics.translation.wordnet import find_wordnet, wordnet
from core.text.languages import UNSEGMENTED_LANGUAGES


@dataclass(frozen=True, slots=True)
class PreparedSides(Prepared):
    """The tokenized texts of a topic. aligned: of all of them, the summaries first."""

    summaries: tuple[MeteorText, ...]
    references: tuple[MeteorText, ...]
    aligned: AlignedTexts


@register
@dataclass(frozen=True)
class Meteor(PooledMetric[PreparedSides]):
    """F of aligned words with more weight on content words, times a fragmentation penalty.

    With several references the best one counts. The statistic per reference is the score against it.

    Formula:
        P, R    = weighted matches / words, weighted by delta (content words) and 1 − delta (function words)
        F       = P · R / (alpha · P + (1 − alpha) · R)
        penalty = gamma · (chunks / matched words)^beta
        score   = (1 − penalty) · F

    Limits:
        English only, except for exact matches and stems of other languages' defaults. Without WordNet and a
        paraphrase table fewer words match than in published scores; the signature says so. NLTK's METEOR is
        another formula.
    """

    name: ClassVar[str] = "meteor"
    family: ClassVar[str] = "Translation"
    about: ClassVar[str] = (
        "Alignment of words by form, stem and meaning, with a penalty for a different order."
    )
    paper: ClassVar[str] = "Denkowski & Lavie 2014, Meteor Universal; METEOR 1.5"
    bibliography: ClassVar[tuple[str, ...]] = ("denkowski-lavie-2014-meteor",)
    is_in_summeval: ClassVar[bool] = True
    version: ClassVar[int] = 2
    default_pool: ClassVar[Pool] = Pool.MAX

    tok: str = setting(
        "13a",
        "Tokenizer: 13a = mteval, norm = METEOR's own for English, intl = Unicode classes, icu = intl with "
        "word segmentation for scripts without spaces, none = split at spaces.",
        choices=("13a", "norm", "intl", "icu", "none"),
        title="Words",
    )
    stem: bool = setting(
        True, "Match words with the same English stem (Snowball), with weight 0.6.", title="Stems"
    )
    synonyms: str = setting(
        "auto",
        "Match WordNet synonyms, with weight 0.8: auto = if a WordNet is installed, none, a folder, or "
        "meteor-1.5.jar with its own.",
        title="WordNet",
    )
    paraphrases: str = setting(
        "none",
        "Match phrases of a METEOR 1.5 paraphrase table, with weight 0.6: none, or a file.",
        title="Paraphrases",
    )
    alpha: float = setting(0.85, "Weight of recall in F.", low=0.0, high=1.0, title="Alpha")
    beta: float = setting(0.2, "Exponent of the fragmentation penalty.", low=0.0, title="Beta")
    gamma: float = setting(0.6, "Maximum fragmentation penalty.", low=0.0, high=1.0, title="Gamma")
    delta: float = setting(0.75, "Weight of content words relative to function words.", low=0.0, high=1.0)

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        tok = "icu" if language in UNSEGMENTED_LANGUAGES else "intl"
        return {"tok": tok, "stem": "no", "synonyms": "none"}

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        folder = self._wordnet()
        modules = ["exact", *(["stem"] if self.stem else [])]
        modules += ["synonym"] if folder else []
        modules += ["paraphrase"] if self.paraphrases != "none" else []
        used = {"modules": "+".join(modules), "sacrebleu": version("sacrebleu")}
        used |= icu_signature(self.tok)
        if folder:
            used["wordnet"] = _digest(folder if folder.is_file() else folder / "index.noun", resources)[:12]
        if self.paraphrases != "none":
            used["table"] = _digest(allowed_names().place(self.paraphrases), resources)[:12]
        return used

    @property
    def reads(self) -> Script:
        return Script.ALL if self.tok == "icu" else Script.SPACED

    def check(self, resources: Resources) -> None:
        self.signature_extras(resources)

    def seconds_per_text(self, resources: Resources) -> float:
        return 1e-3 if self.paraphrases != "none" else 6e-4

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedSides:
        sides = [prepare_text(text, self.tok) for text in (*topic.summaries, *topic.references)]
        count, database = len(topic.summaries), self._wordnet()
        aligned = number_texts(
            sides,
            stems=self.stem,
            synonyms=wordnet(database) if database else None,
            phrases=self._phrases(resources),
        )
        return PreparedSides(topic, tuple(sides[:count]), tuple(sides[count:]), aligned)

    def per_reference(self, prepared: PreparedSides) -> Array:
        sums = self._sums(prepared)
        scores = [self._score(one) for row in self._alignments(prepared, sums) for one in row]
        return np.array(scores, dtype=np.float64).reshape(*sums.shape[:2], 1)

    def notes(self, prepared: PreparedSides) -> dict[str, int]:
        sides = (*prepared.summaries, *prepared.references)
        return noted(counted_as_zero=sum(not side.words for side in sides))

    def trees(self, prepared: PreparedSides, system: int) -> Iterator[Sequence[Explanation]]:
        count = len(prepared.summaries)
        for at, one in enumerate(self._alignments(prepared, self._sums(prepared))[system]):
            yield (self._tree(one, prepared.aligned.matches(system, count + at)),)

    def _alignments(self, prepared: PreparedSides, sums: Floats) -> list[list[WordAlignment]]:
        """Return the alignment of each summary with each reference."""
        summaries, references = (
            [(side, float(side.weights(self.delta).sum())) for side in sides]
            for sides in (prepared.summaries, prepared.references)
        )
        return [
            [
                WordAlignment(summary, reference, here, there, *one)
                for (reference, there), one in zip(references, row, strict=True)
            ]
            for (summary, here), row in zip(summaries, sums.tolist(), strict=True)
        ]

    def _sums(self, prepared: PreparedSides) -> Floats:
        sides = (*prepared.summaries, *prepared.references)
        weights = np.concatenate([np.zeros(0), *(side.weights(self.delta) for side in sides)])
        return prepared.aligned.sums(len(prepared.summaries), weights)

    def _score(self, aligned: WordAlignment) -> float:
        if not aligned.here or not aligned.there:
            return 0.0
        precision, recall = aligned.here / aligned.weight_here, aligned.there / aligned.weight_there
        mean = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
        return max(0.0, float(mean * (1 - self._penalty(aligned))))

    def _penalty(self, aligned: WordAlignment) -> float:
        """Return the fragmentation penalty, gamma × (chunks ÷ matched words)^beta."""
        fragmentation = aligned.chunks / aligned.words
        return float(self.gamma * fragmentation**self.beta) if fragmentation or self.beta == 0 else 0.0

    def _tree(self, aligned: WordAlignment, matches: Ints) -> Explanation:
        name = aligned.reference.text.name
        if not self._score(aligned):
            return Explanation(f"against {name}: no words are aligned")
        here = matched_words("summary", aligned.summary, matches[:, 0], matches[:, 2])
        there = matched_words("reference", aligned.reference, matches[:, 1], matches[:, 3])
        precision = _ratio("precision", aligned.here, aligned.weight_here, here)
        recall = _ratio("recall", aligned.there, aligned.weight_there, there)
        top = Explanation("precision × recall", "product", children=(precision, recall))
        bottom = Explanation(
            "weighted sum",
            "sum",
            children=(
                Explanation("alpha × precision", "product", children=(leaf("alpha", self.alpha), precision)),
                Explanation(
                    "(1 − alpha) × recall", "product", children=(leaf("1 − alpha", 1 - self.alpha), recall)
                ),
            ),
        )
        mean = Explanation("F", "ratio", children=(top, bottom))
        factor = leaf(
            f"1 − penalty for {aligned.chunks} chunks of {aligned.words:g} words", 1 - self._penalty(aligned)
        )
        return Explanation(f"against {name}", "product", children=(mean, factor))

    def _phrases(self, resources: Resources) -> PhraseTable | None:
        if self.paraphrases == "none":
            return None
        path = allowed_names().place(self.paraphrases)
        return phrase_table(path, _digest(path, resources))

    def _wordnet(self) -> Path | None:
        return None if self.synonyms == "none" else find_wordnet(self.synonyms)


def _digest(path: Path, resources: Resources) -> str:
    try:
        return resources.files_hash([path])
    except OSError as error:
        raise MissingResource(
            f"{path} cannot be read ({error}). Set a METEOR 1.5 paraphrase table, such as paraphrase-en.gz."
        ) from error


def _ratio(label: str, top: float, bottom: float, evidence: tuple[Evidence, ...]) -> Explanation:
    matched = Explanation("matched, weighted", value=top, evidence=evidence)
    return Explanation(label, "ratio", children=(matched, leaf("words, weighted", bottom)))
