"""BERTScore (Zhang et al. 2020): greedy matching of word pieces by contextual vectors.

Results equal those of bert-score 0.3.13. Special pieces have no weight, but pieces of the other text may
match them. With several references, precision, recall and F each use the best one.

Baselines for rescaling BERTScore: average scores of unrelated texts.

A score x becomes (x - b) / (1 - b): 0 for unrelated texts, 1 for equal ones. A baseline is specific to a
model, a layer and a language; the published ones for English are included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.domain.study import TopicTexts
from core.errors import InputError, MissingResource
from core.files.allowed_names import allowed_names
from core.metrics.base import Array, Explanation, Pool, Prepared, Resources, TopicScores, noted, setting
from core.metrics.base.pooling import PooledMetric
from core.metrics.embedding.encoder_metric import (
    EncoderMetric,
    dtype_setting,
    encoder_setting,
    references_hash,
)
from core.metrics.embedding.greedy_matching import (
    WeightedText,
    by_idf,
    explain_mean,
    harmonic,
    outside_range,
    uniform_weights,
    weighted_means,
)
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model
from core.models.catalogue.model_folder import Model

if TYPE_CHECKING:
    from core.models.encoders.encoder import Encoder
    from core.models.encoders.text_encoding import EncodeRequest


FILE = "rescale_baseline.tsv"
"""File name of the baselines in a model's folder."""


def find_baselines(model: Model, layer: int, file: str = "") -> Array:
    """Return the baselines of precision, recall and F for a model's layer, shape (3,).

    file: in the format of bert-score; empty = the file in the model's folder, otherwise the published
    ones.
    Raises MissingResource if there are none for the layer, InputError if a file is damaged.
    """
    own = model.folder / FILE
    path = allowed_names().place(file) if file else own
    if file and not path.is_file():
        raise MissingResource(f"There is no file {file}. Set baseline to the file for {model.name}.")
    known = _read(path) if path.is_file() else _published().get(model.name.rpartition("/")[2], {})
    if layer not in known:
        where = f"in {path} " if path.is_file() else ""
        raise MissingResource(
            f"There is no baseline {where}for layer {layer} of {model.name}. Score without rescaling, or "
            f"provide a file with rows LAYER,P,R,F as baseline=FILE or as {FILE} in the model's folder."
        )
    return np.array(known[layer])


def format_baselines(baselines: Array) -> str:
    """Return baselines as text for signatures."""
    return "/".join(repr(float(one)) for one in baselines)


_Rows = dict[int, tuple[float, float, float]]


def _read(file: Path) -> _Rows:
    """Read the baselines by layer from a file with columns separated by commas or tabs."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        return dict(_rows(line.replace("\t", ",").split(",") for line in lines if line[:1].isdigit()))
    except (OSError, ValueError) as error:
        raise InputError(
            f"The baselines in {file} cannot be read ({error}). Each row must have a layer and three numbers "
            "below 1, for example 9,0.354,0.354,0.352."
        ) from error


def _rows(cells: Iterator[list[str]]) -> Iterator[tuple[int, tuple[float, float, float]]]:
    for layer, *parts in cells:
        precision, recall, f = map(float, parts)
        if not (precision < 1 and recall < 1 and f < 1):  # also rejects NaN
            raise ValueError(f"a baseline of layer {layer} is not below 1")
        yield int(layer), (precision, recall, f)


@cache
def _published() -> dict[str, _Rows]:
    """Return the published English baselines by model."""
    text = (resources.files("resources") / "baselines" / "bertscore_en.tsv").read_text(encoding="utf-8")
    baselines: dict[str, _Rows] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            model, *cells = line.split("\t")
            baselines.setdefault(model, {}).update(_rows(iter([cells])))
    return baselines


PARTS = ("precision", "recall", "f")


@dataclass(frozen=True, slots=True)
class PreparedSides(Prepared):
    """Encoded and weighted texts of a topic, and the encoder that compares them.

    baselines: of precision, recall and F, shape (3,); None = not rescaled.
    """

    encoder: Encoder
    summaries: tuple[WeightedText, ...]
    references: tuple[WeightedText, ...]
    baselines: Array | None


@register
@dataclass(frozen=True)
class BertScore(PooledMetric[PreparedSides], EncoderMetric[PreparedSides]):
    """Precision, recall and F of greedily matched word pieces.

    Rescaled scores are about 0 for unrelated texts and may be negative.

    Formula:
        precision = Σ over pieces x of the summary: w(x) · max over y of cosine(x, y) / Σ w(x)
        recall    = the same over the pieces of the reference
        f         = 2 · P · R / (P + R); w = 1, or the idf of the piece
        rescaled  = (value − baseline) / (1 − baseline)

    Limits:
        Unrelated texts score high: compare values of one encoder only. Texts beyond the encoder's window
        are cut, which is noted. With several references P, R and F may come from different ones.
    """

    name: ClassVar[str] = "bertscore"
    about: ClassVar[str] = "Matches word pieces by the cosine of their contextual vectors."
    version: ClassVar[int] = 2
    paper: ClassVar[str] = "Zhang, Kishore, Wu, Weinberger & Artzi 2020, BERTScore, ICLR"
    bibliography: ClassVar[tuple[str, ...]] = ("zhang-2020-bertscore",)
    is_in_summeval: ClassVar[bool] = True
    added_settings: ClassVar[frozenset[str]] = frozenset({"rescale", "baseline"})
    corpus_input: ClassVar[str] = "idf weights of the references"
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {
        "encoder": ("roberta-large", "bert-base-uncased")
    }
    parts: ClassVar[tuple[str, ...]] = PARTS

    encoder: str = encoder_setting()
    layer: int = setting(
        0, "Layer whose vectors are compared; 0 = the recommended one for the encoder.", low=0, title="Layer"
    )
    idf: bool = setting(False, "Weight pieces by their idf in the study's references.", title="Idf weights")
    pooling: str = setting(
        "best",
        "Several references: best = the highest P, R and F separately, as published; mean = their averages.",
        choices=("best", "mean"),
        title="References",
    )
    rescale: bool = setting(
        False,
        "Rescale by the score of unrelated texts, so that scores range from about 0 to 1; "
        "ranks do not change.",
        title="Rescale",
    )
    baseline: str = setting(
        "",
        "File with the baselines for rescaling; empty = the file in the model's folder, or "
        "the published ones.",
        title="Baselines",
    )
    dtype: str = dtype_setting()

    @property
    def pool(self) -> Pool:
        return Pool.MAX if self.pooling == "best" else Pool.MEAN

    def layers_read(self, model: Model) -> int:
        return model.layer(self.layer)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        baselines = self._baselines(find_model(self.encoder))
        signed = {} if baselines is None else {"baselines": format_baselines(baselines)}
        return {
            "layer": str(self.layers_read(find_model(self.encoder))),
            **super().signature_extras(resources),
            **signed,
        }

    def check(self, resources: Resources) -> None:
        self._baselines(find_model(self.encoder))
        super().check(resources)

    def corpus_hash(self, resources: Resources) -> str:
        return references_hash(resources) if self.idf else ""

    def to_encode(self, topic: TopicTexts, resources: Resources) -> Sequence[EncodeRequest]:
        texts = [text.content for text in (*topic.summaries, *topic.references)]
        return self.ahead(texts, (self.layers_read(find_model(self.encoder)),))

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedSides:
        encoder = resources.encoder(self.encoder, self.dtype)
        weigh = (
            by_idf(encoder.document_frequencies(resources.study_references()))
            if self.idf
            else uniform_weights
        )
        texts = (*topic.summaries, *topic.references)
        encoded = encoder.encode([text.content for text in texts], (self.layers_read(encoder.model),))
        count = len(topic.summaries)
        sides = tuple(
            WeightedText("summary" if i < count else "reference", text, one, weigh(one.pieces))
            for i, (text, one) in enumerate(zip(texts, encoded, strict=True))
        )
        return PreparedSides(topic, encoder, sides[:count], sides[count:], self._baselines(encoder.model))

    def score(self, prepared: PreparedSides) -> TopicScores:
        summaries, references = prepared.summaries, prepared.references
        there, back = prepared.encoder.best_cosines(
            [side.encoded for side in summaries], [side.encoded for side in references]
        )
        precision = weighted_means(there.cosines, summaries)
        recall = weighted_means(back.cosines, references).T
        stats = np.stack([precision, recall, harmonic(precision, recall)], axis=2)
        stats[[side.pieces.is_empty for side in summaries]] = 0.0
        stats[:, [side.pieces.is_empty for side in references]] = 0.0
        outside = outside_range(stats)
        if (b := prepared.baselines) is not None:
            stats = (stats - b) / (1 - b)
        sides = (*summaries, *references)
        notes = noted(
            truncated=sum(side.pieces.is_truncated for side in sides),
            zero_weights=sum(side.has_no_weight for side in sides),
            counted_as_zero=sum(side.pieces.is_empty for side in sides),
            outside_range=outside,
        )
        return self.combine_all(stats, notes)

    def _baselines(self, model: Model) -> Array | None:
        if not (self.rescale or self.baseline):
            return None
        return find_baselines(model, self.layers_read(model), self.baseline)

    def trees(self, prepared: PreparedSides, system: int) -> Iterator[Sequence[Explanation]]:
        summary = prepared.summaries[system]
        there, back = prepared.encoder.best_cosines(
            [summary.encoded], [side.encoded for side in prepared.references]
        )
        for r, reference in enumerate(prepared.references):
            name = reference.text.name
            precision = explain_mean(
                f"precision against {name}", summary, reference, there.cosines[0, r], there.pieces[0, r]
            )
            recall = explain_mean(
                f"recall of {name}", reference, summary, back.cosines[r, 0], back.pieces[r, 0]
            )
            f = Explanation(f"F against {name}", "harmonic", children=(precision, recall))
            trees = (precision, recall, f)
            yield trees if prepared.baselines is None else _rescaled(trees, prepared.baselines)


def _rescaled(trees: Sequence[Explanation], baselines: Array) -> tuple[Explanation, ...]:
    """Return each tree rescaled by its baseline: (x - b) / (1 - b)."""
    rescaled = []
    for tree, b in zip(trees, baselines.tolist(), strict=True):
        above = Explanation(
            "difference from the baseline", "sum", children=(tree, Explanation("baseline", value=-b))
        )
        scale = Explanation("1 − baseline", value=1 - b)
        rescaled.append(Explanation(f"{tree.label}, rescaled", "ratio", children=(above, scale)))
    return tuple(rescaled)
