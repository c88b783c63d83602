"""METEOR 1.5 (Denkowski & Lavie 2014): word alignment by form, stem and meaning."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.domain.study import TopicTexts
from core.errors import MissingResource
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Mask,
    Metric,
    Pool,
    Prepared,
    Resources,
    Script,
    TopicScores,
    noted,
    setting,
)
from core.metrics.base.pooling import pool_references
from core.metrics.base.word_setting import icu_signature
from core.metrics.kernels.alignment import Matches, align
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


@dataclass(frozen=True, slots=True)
class PreparedSides(Prepared):
    """The tokenized texts of a topic. wordnet: folder of the database, None = no synonyms."""

    summaries: tuple[MeteorText, ...]
    references: tuple[MeteorText, ...]
    wordnet: Path | None


@register
@dataclass(frozen=True)
class Meteor(Metric):
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

    @property
    def pool(self) -> Pool:
        return Pool.MAX

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.score",)

    def signature_extras(self, tools: Resources) -> dict[str, str]:
        folder = self._wordnet()
        modules = ["exact", *(["stem"] if self.stem else [])]
        modules += ["synonym"] if folder else []
        modules += ["paraphrase"] if self.paraphrases != "none" else []
        used = {"modules": "+".join(modules), "sacrebleu": version("sacrebleu")}
        used |= icu_signature(self.tok)
        if folder:
            used["wordnet"] = _digest(folder / "index.noun", tools)
        if self.paraphrases != "none":
            used["table"] = _digest(Path(self.paraphrases).expanduser(), tools)
        return used

    @property
    def reads(self) -> Script:
        return Script.ALL if self.tok == "icu" else Script.SPACED

    def check(self, tools: Resources) -> None:
        self.signature_extras(tools)

    def seconds_per_text(self, tools: Resources) -> float:
        return 2e-3

    def prepare(self, topic: TopicTexts, tools: Resources) -> PreparedSides:
        sides = [prepare_text(text, self.tok) for text in (*topic.summaries, *topic.references)]
        count = len(topic.summaries)
        return PreparedSides(topic, tuple(sides[:count]), tuple(sides[count:]), self._wordnet())

    def score(self, prepared: Prepared) -> TopicScores:
        assert isinstance(prepared, PreparedSides)
        shape = (len(prepared.summaries), len(prepared.references), 1)
        pairs = product(prepared.summaries, prepared.references)
        stats = np.array([self._score(self._aligned(*pair, prepared.wordnet)) for pair in pairs]).reshape(
            shape
        )
        blank = sum(not side.words for side in (*prepared.summaries, *prepared.references))
        values = self.combine(stats, np.ones(shape[1], dtype=np.bool_))
        return TopicScores(values, stats, noted(counted_as_zero=blank))

    def combine(self, stats: Array, references: Mask) -> Array:
        return pool_references(stats, references, best=True)

    def explain(self, prepared: Prepared, system: int) -> dict[str, Explanation]:
        assert isinstance(prepared, PreparedSides)
        summary = prepared.summaries[system]
        trees = tuple(
            self._tree(self._aligned(summary, reference, prepared.wordnet))
            for reference in prepared.references
        )
        return {self.measures()[0]: Explanation("best reference", "max", children=trees)}

    def _aligned(self, summary: MeteorText, reference: MeteorText, folder: Path | None) -> WordAlignment:
        rows = sorted(
            self._candidates(summary, reference, folder), key=itemgetter(0, 1)
        )  # stable: ties stay in the order of the modules
        table = np.array(rows, dtype=np.int64).reshape(-1, 5)
        there, module, here, long_there, long_here = np.ascontiguousarray(table.T)
        first = np.searchsorted(there, np.arange(len(reference.words) + 1))
        matches = Matches(first, there, here, long_there, long_here, module)
        return WordAlignment(matches, align(matches, len(summary.words), WEIGHTS), summary, reference)

    def _candidates(
        self, summary: MeteorText, reference: MeteorText, folder: Path | None
    ) -> Iterator[tuple[int, int, int, int, int]]:
        """Yield possible matches: first word there, module, first word here, words there, words here."""
        yield from ((t, EXACT, h, 1, 1) for h, t in _equal_words(summary.words, reference.words))
        if summary.words == reference.words:
            return
        if self.stem:
            yield from _differently_written(
                summary, reference, STEM, _equal_words(summary.stems, reference.stems)
            )
        if folder is not None:
            synsets = wordnet(folder).synsets
            mine, theirs = [[*map(synsets, side.words)] for side in (summary, reference)]
            yield from _differently_written(
                summary, reference, SYNONYM, sorted(set(_common_keys(mine, theirs)))
            )
        if self.paraphrases != "none":
            from core.metrics.translation.paraphrases import phrase_table

            table = phrase_table(Path(self.paraphrases).expanduser())
            for (t, long_there), (h, long_here) in table.matches(reference.words, summary.words):
                yield t, PARAPHRASE, h, long_there, long_here
            for (h, long_here), (t, long_there) in table.matches(summary.words, reference.words):
                yield t, PARAPHRASE, h, long_there, long_here

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


def _equal_words(here: Sequence[str], there: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield index pairs (here, there) of equal words."""
    return _common_keys([(word,) for word in here], [(word,) for word in there])


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
    summary: MeteorText, reference: MeteorText, module: int, places: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int, int, int, int]]:
    """Return the pairs whose words are written differently, as matches of a module."""
    return ((t, module, h, 1, 1) for h, t in places if summary.words[h] != reference.words[t])


def _digest(path: Path, tools: Resources) -> str:
    try:
        return tools.files_hash([path])[:12]
    except OSError as error:
        raise MissingResource(
            f"{path} cannot be read ({error}). Set a METEOR 1.5 paraphrase table, such as paraphrase-en.gz."
        ) from error


def _ratio(label: str, top: float, bottom: float, evidence: tuple[Evidence, ...]) -> Explanation:
    matched = Explanation("matched, weighted", value=top, evidence=evidence)
    return Explanation(label, "ratio", children=(matched, leaf("words, weighted", bottom)))
