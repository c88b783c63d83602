"""METEOR 1.5 (Denkowski & Lavie 2014): word alignment by form, stem and meaning."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.domain.study import TopicTexts
from core.errors import MissingResource
from core.files.allowed_names import allowed_names
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Pool,
    Prepared,
    Resources,
    Script,
    noted,
    setting,
)
from core.metrics.base.pooling import PooledMetric, compare_pairs
from core.metrics.base.word_setting import icu_signature
from core.metrics.kernels.alignment import Ints, Matches, align
from core.metrics.registry import register
from core.metrics.rouge.overlap_explanation import leaf
from core.metrics.translation.meteor_alignment import (
    EXACT,
    PARAPHRASE,
    STEM,
    SYNONYM,
    WEIGHTS,
    MeteorText,
    WordAlignment,
    prepare_text,
)
from core.metrics.translation.wordnet import find_wordnet, wordnet
from core.text.languages import UNSEGMENTED_LANGUAGES


@dataclass(frozen=True, slots=True)
class PreparedSides(Prepared):
    """The tokenized texts of a topic. wordnet: folder of the database, None = no synonyms."""

    summaries: tuple[MeteorText, ...]
    references: tuple[MeteorText, ...]
    wordnet: Path | None


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

    tok: str = setting(
        "13a",
        "Tokenizer: 13a = mteval, intl = Unicode classes, icu = intl with word segmentation "
        "for scripts without spaces, none = split at spaces.",
        choices=("13a", "intl", "icu", "none"),
        title="Words",
    )
    stem: bool = setting(
        True, "Match words with the same English stem (Snowball), with weight 0.6.", title="Stems"
    )
    synonyms: str = setting(
        "auto",
        "Match WordNet synonyms, with weight 0.8: auto = if a WordNet is installed, none, or a folder.",
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

    @property
    def pool(self) -> Pool:
        return Pool.MAX

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.score",)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        folder = self._wordnet()
        modules = ["exact", *(["stem"] if self.stem else [])]
        modules += ["synonym"] if folder else []
        modules += ["paraphrase"] if self.paraphrases != "none" else []
        used = {"modules": "+".join(modules), "sacrebleu": version("sacrebleu")}
        used |= icu_signature(self.tok)
        if folder:
            used["wordnet"] = _digest(folder / "index.noun", resources)
        if self.paraphrases != "none":
            used["table"] = _digest(allowed_names().place(self.paraphrases), resources)
        return used

    @property
    def reads(self) -> Script:
        return Script.ALL if self.tok == "icu" else Script.SPACED

    def check(self, resources: Resources) -> None:
        self.signature_extras(resources)

    def seconds_per_text(self, resources: Resources) -> float:
        return 2e-3

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedSides:
        sides = [prepare_text(text, self.tok) for text in (*topic.summaries, *topic.references)]
        count = len(topic.summaries)
        return PreparedSides(topic, tuple(sides[:count]), tuple(sides[count:]), self._wordnet())

    def per_reference(self, prepared: PreparedSides) -> Array:
        def score(summary: MeteorText, reference: MeteorText) -> float:
            return self._score(self._aligned(summary, reference, prepared.wordnet))

        return compare_pairs(prepared.summaries, prepared.references, score)

    def notes(self, prepared: PreparedSides) -> dict[str, int]:
        sides = (*prepared.summaries, *prepared.references)
        return noted(counted_as_zero=sum(not side.words for side in sides))

    def trees(self, prepared: PreparedSides, system: int) -> Iterator[Sequence[Explanation]]:
        summary = prepared.summaries[system]
        for reference in prepared.references:
            yield (self._tree(self._aligned(summary, reference, prepared.wordnet)),)

    def _aligned(self, summary: MeteorText, reference: MeteorText, folder: Path | None) -> WordAlignment:
        tables = [table for table in self._candidates(summary, reference, folder) if len(table[0])]
        tables = tables or [_matches(EXACT, *np.zeros((2, 0), dtype=np.int64))]
        there, here, long_there, long_here, module = map(np.concatenate, zip(*tables, strict=True))
        if len(tables) > 1:
            order = np.lexsort((module, there))  # stable: ties stay in the order of the modules
            there, here, long_there, long_here, module = (
                column[order] for column in (there, here, long_there, long_here, module)
            )
        first = np.searchsorted(there, np.arange(len(reference.words) + 1))
        matches = Matches(first, there, here, long_there, long_here, module)
        return WordAlignment(matches, align(matches, len(summary.words), WEIGHTS), summary, reference)

    def _candidates(
        self, summary: MeteorText, reference: MeteorText, folder: Path | None
    ) -> Iterator[Columns]:
        """Yield the possible matches of each module: first words there and here, their lengths, modules."""
        yield _matches(EXACT, *_equal_words(summary.words, reference.words))
        if summary.words == reference.words:
            return
        if self.stem:
            pairs = _equal_words(summary.stems, reference.stems)
            yield _matches(STEM, *_differently_written(summary, reference, *pairs))
        if folder is not None:
            synsets = wordnet(folder).synsets
            mine, theirs = [[*map(synsets, side.words)] for side in (summary, reference)]
            found = np.array(sorted(set(_common_keys(mine, theirs))), dtype=np.int64).reshape(-1, 2)
            yield _matches(SYNONYM, *_differently_written(summary, reference, found[:, 1], found[:, 0]))
        if self.paraphrases != "none":
            from core.metrics.translation.paraphrases import phrase_table

            table = phrase_table(allowed_names().place(self.paraphrases))
            rows = [
                (t, h, long_there, long_here)
                for (t, long_there), (h, long_here) in table.matches(reference.words, summary.words)
            ]
            rows += [
                (t, h, long_there, long_here)
                for (h, long_here), (t, long_there) in table.matches(summary.words, reference.words)
            ]
            yield _matches(PARAPHRASE, *np.array(rows, dtype=np.int64).reshape(-1, 4).T)

    def _score(self, aligned: WordAlignment) -> float:
        if not len(aligned.selected):
            return 0.0
        here, there = aligned.matched(self.delta)
        if not here or not there:
            return 0.0
        precision, recall = (
            here / aligned.summary.weight(self.delta),
            there / aligned.reference.weight(self.delta),
        )
        mean = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
        return max(0.0, float(mean * (1 - self._penalty(aligned))))

    def _penalty(self, aligned: WordAlignment) -> float:
        """Return the fragmentation penalty, gamma × (chunks ÷ matched words)^beta."""
        fragmentation = aligned.chunks / (sum(aligned.words) / 2)
        return float(self.gamma * fragmentation**self.beta) if fragmentation or self.beta == 0 else 0.0

    def _tree(self, aligned: WordAlignment) -> Explanation:
        name = aligned.reference.text.name
        if not self._score(aligned):
            return Explanation(f"against {name}: no words are aligned")
        here, there = aligned.matched(self.delta)
        precision = _ratio("precision", here, aligned.summary.weight(self.delta), aligned.evidence("summary"))
        recall = _ratio("recall", there, aligned.reference.weight(self.delta), aligned.evidence("reference"))
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
        words = sum(aligned.words) / 2
        factor = leaf(
            f"1 − penalty for {aligned.chunks} chunks of {words:g} words", 1 - self._penalty(aligned)
        )
        return Explanation(f"against {name}", "product", children=(mean, factor))

    def _wordnet(self) -> Path | None:
        return None if self.synonyms == "none" else find_wordnet(self.synonyms)


Columns = tuple[Ints, Ints, Ints, Ints, Ints]
"""Possible matches: first word there and here, number of words there and here, module."""


def _matches(
    module: int, there: Ints, here: Ints, long_there: Ints | None = None, long_here: Ints | None = None
) -> Columns:
    """Return the columns of matches of a module, of single words unless their lengths are given."""
    one = np.ones_like(there)
    return (
        there,
        here,
        one if long_there is None else long_there,
        one if long_here is None else long_here,
        np.full_like(there, module),
    )


def _numbered(here: Sequence[str], there: Sequence[str]) -> tuple[Ints, Ints]:
    """Return the words of two texts as numbers, equal for equal words."""
    numbers: dict[str, int] = {}
    mine, theirs = ([numbers.setdefault(word, len(numbers)) for word in words] for words in (here, there))
    return np.array(mine, dtype=np.int64), np.array(theirs, dtype=np.int64)


def _equal_words(here: Sequence[str], there: Sequence[str]) -> tuple[Ints, Ints]:
    """Return index pairs (there, here) of equal words, in the order of both texts."""
    mine, theirs = _numbered(here, there)
    places = np.argsort(mine, kind="stable")
    begins = np.searchsorted(mine[places], theirs)
    counts = np.searchsorted(mine[places], theirs, side="right") - begins
    shift = np.repeat(begins - np.cumsum(counts) + counts, counts)
    return np.repeat(np.arange(len(there)), counts), places[np.arange(len(shift)) + shift]


def _common_keys(
    here: Sequence[Iterable[Hashable]], there: Sequence[Iterable[Hashable]]
) -> Iterator[tuple[int, int]]:
    """Yield index pairs (here, there) of words with a common key, once for each key."""
    places: dict[Hashable, list[int]] = {}
    for at, keys in enumerate(here):
        for key in keys:
            places.setdefault(key, []).append(at)
    for t, keys in enumerate(there):
        yield from ((h, t) for key in keys for h in places.get(key, ()))


def _differently_written(
    summary: MeteorText, reference: MeteorText, there: Ints, here: Ints
) -> tuple[Ints, Ints]:
    """Return the pairs whose words are written differently."""
    mine, theirs = _numbered(summary.words, reference.words)
    differ = mine[here] != theirs[there]
    return there[differ], here[differ]


def _digest(path: Path, resources: Resources) -> str:
    try:
        return resources.files_hash([path])[:12]
    except OSError as error:
        raise MissingResource(
            f"{path} cannot be read ({error}). Set a METEOR 1.5 paraphrase table, such as paraphrase-en.gz."
        ) from error


def _ratio(label: str, top: float, bottom: float, evidence: tuple[Evidence, ...]) -> Explanation:
    matched = Explanation("matched, weighted", value=top, evidence=evidence)
    return Explanation(label, "ratio", children=(matched, leaf("words, weighted", bottom)))
