"""Agreement of ratings, matches, spans and pyramids as tables: groups, coefficients, intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.agreement.coefficients import (
    AlphaLevel,
    CodedItems,
    IccForm,
    KappaWeights,
    PairCorrelation,
    fleiss_kappa,
    intraclass_correlation,
    krippendorff_alpha,
    mean_cohen_kappa,
    mean_correlation,
    raw_agreement,
)
from core.agreement.dawid_skene import fit_dawid_skene
from core.agreement.estimates import BootstrapOptions, Estimator, estimate, mean_of_pairs, ratio, undefined
from core.agreement.items import AnnotatedItems, why_undefined
from core.agreement.pyramid_pairs import PyramidPair, contributor_sets, contributor_spans, weights
from core.agreement.set_values import jaccard_distance, masi_distance, set_alpha
from core.agreement.spans import SpanPair, boundary_similarity, span_f1
from core.agreement.table import AgreementRow, Grouping
from core.progress import JobSteps, Progress
from core.stats.row_coefficients import MINIMUM_PAIRS


def ranking_agreements(pairs: Sequence[tuple[Array, Array]], kind: PairCorrelation) -> list[Estimator]:
    """Return the correlation of the systems' means under the work of either annotator of each pair.

    pairs: of shape (systems, topics) each, NaN = no score; only cells with both scores are used.
    Systems without such a cell in a resample are left out of it. Kendall's is tau-b.
    """
    both = [_Means(*sides) for sides in pairs]
    whole = [means.of(np.ones((1, means.topics))) for means in both]
    exact = kind.of_pairs([np.concatenate(sides) for sides in whole])
    return [
        _estimator(means, kind, sides, float(value))
        for means, sides, value in zip(both, whole, exact, strict=True)
    ]


class _Means:
    """The means of systems under either annotator's work, over the cells with both scores."""

    def __init__(self, first: Array, second: Array) -> None:
        both = np.isfinite(first) & np.isfinite(second)
        self.topics = both.shape[1]
        self.has_items = np.asarray(both.any(axis=0))
        self.used = np.flatnonzero(self.has_items)
        cells = np.ix_(both.any(axis=1), self.used)
        both = both[cells]
        self._both = both.T.astype(np.float64)
        self._sides = [np.where(both, side[cells], 0.0).T for side in (first, second)]
        self.systems = len(both)

    def of(self, counts: Array) -> tuple[Array, Array]:
        """Return both sides' means, each of shape (draws, systems), NaN = none. counts: (draws, topics)."""
        drawn = counts[:, self.used]
        weights = drawn @ self._both
        # Rounded, so that equal means of different sums are ties.
        first, second = (
            np.where(weights > 0, np.round((drawn @ side) / np.maximum(weights, 1), 12), np.nan)
            for side in self._sides
        )
        return first, second


def _estimator(means: _Means, kind: PairCorrelation, whole: tuple[Array, Array], exact: float) -> Estimator:
    n = means.systems
    if n < MINIMUM_PAIRS:
        reason = f"{n} {'system is' if n == 1 else 'systems are'} too few to rank; {MINIMUM_PAIRS} are needed"
        return undefined(means.topics, reason, n)
    if any(np.ptp(side) == 0 for side in whole):
        return undefined(means.topics, "all systems have the same mean under one annotator", n)
    return Estimator(
        lambda counts: kind.of_rows(*means.of(counts)), means.has_items, n, cells=n * n, exact=exact
    )


Array = NDArray[np.float64]

COEFFICIENTS: Mapping[str, Callable[[CodedItems], Estimator]] = {
    **{f"alpha-{level}": partial(krippendorff_alpha, level=level) for level in AlphaLevel},
    "kappa": partial(mean_cohen_kappa, weights=KappaWeights.NONE),
    "kappa-linear": partial(mean_cohen_kappa, weights=KappaWeights.LINEAR),
    "kappa-quadratic": partial(mean_cohen_kappa, weights=KappaWeights.QUADRATIC),
    "fleiss-kappa": fleiss_kappa,
    **{form.value: partial(intraclass_correlation, form=form) for form in IccForm},
    **{kind.value: partial(mean_correlation, kind=kind) for kind in PairCorrelation},
    "raw": raw_agreement,
}
"""Coefficients of values, by id; those of two annotators are averaged over pairs."""

RATING_COEFFICIENTS = (
    *("alpha-ordinal", "alpha-interval", "kappa-quadratic", "fleiss-kappa", "icc-1", "icc-2", "icc-2k"),
    *("pearson", "spearman", "kendall", "raw"),
)
"""Coefficients of ratings by default."""

CATEGORY_COEFFICIENTS = ("alpha-nominal", "kappa", "fleiss-kappa", "raw")
"""Coefficients of categories, which have no order. None of the others is defined for them."""

MATCH_COEFFICIENTS = ("alpha-nominal", "kappa", "fleiss-kappa", "raw")
"""Coefficients of matches by default; of binary decisions all levels of alpha are equal."""

WEIGHT_COEFFICIENTS = ("raw", "kappa-quadratic", "alpha-ordinal", "pearson")
"""Coefficients of the weights of paired SCUs."""

SPAN_COEFFICIENTS = ("f1-exact", "f1-characters", "f1-words", "boundary-similarity")
"""Coefficients of spans."""

PYRAMID_COEFFICIENTS = (
    *("alpha-masi", "alpha-jaccard", "paired-scus", *SPAN_COEFFICIENTS),
    *(f"weight-{name}" for name in WEIGHT_COEFFICIENTS),
)
"""Coefficients of pyramids."""

RANKING_COEFFICIENTS = {
    "ranking-kendall": PairCorrelation.KENDALL,
    "ranking-spearman": PairCorrelation.SPEARMAN,
}
"""Correlations of the systems' means under either annotator."""

DAWID_SKENE = ("dawid-skene-accuracy", "dawid-skene-informedness")
"""Reliability of one annotator by a model."""


def known_coefficients() -> tuple[str, ...]:
    """Return the ids of all coefficients that can be selected."""
    return tuple(dict.fromkeys((*COEFFICIENTS, *PYRAMID_COEFFICIENTS, *RANKING_COEFFICIENTS, *DAWID_SKENE)))


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """Groups and coefficients of an analysis.

    groupings: besides all items together.
    coefficients: ids, empty = the default ones of the kind.
    """

    bootstrap: BootstrapOptions = field(default_factory=BootstrapOptions)
    groupings: tuple[Grouping, ...] = ()
    coefficients: tuple[str, ...] = ()

    def chosen(self, default: Sequence[str]) -> tuple[str, ...]:
        """Return the default coefficients that are selected, or all of `COEFFICIENTS` that are."""
        known = (*default, *(name for name in COEFFICIENTS if name not in default))
        return tuple(name for name in known if name in self.coefficients) or (
            () if self.coefficients else tuple(default)
        )


def value_agreement(
    items: AnnotatedItems, what: str, default: Sequence[str], options: AgreementOptions
) -> JobSteps[list[AgreementRow]]:
    """Return the agreement of annotated items: all, then by the requested groups.

    Units come with the lowest agreement first, undefined ones last.
    """
    names = options.chosen(default)
    rows: list[AgreementRow] = []
    groups = list(_groups(items, options.groupings))
    for done, (grouping, group, part) in enumerate(groups):
        yield Progress(done, len(groups), f"{what} {group}".strip())
        has_many_topics = grouping in (Grouping.ALL, Grouping.PAIR)
        boot = options.bootstrap if has_many_topics else replace(options.bootstrap, draws=0)
        coded = CodedItems.of(part)
        rows += [
            estimate(COEFFICIENTS[name](coded), what, name, part.annotators, boot, grouping, group)
            for name in names
        ]
    if Grouping.ANNOTATOR in options.groupings and (
        not options.coefficients or set(DAWID_SKENE) & set(options.coefficients)
    ):
        rows += annotator_reliability(items, what)
    return _lowest_units_first(rows, names)


def ranking_rows(
    scores: Mapping[tuple[str, str], tuple[Array, Array]],
    annotators: Sequence[str],
    what: str,
    options: AgreementOptions,
) -> list[AgreementRow]:
    """Return the agreement of system rankings, averaged over pairs of annotators, and by pair on request.

    scores: by pair, each annotator's scores, shape (systems, topics), NaN = none.
    """
    rows = []
    for name, kind in RANKING_COEFFICIENTS.items():
        if options.coefficients and name not in options.coefficients:
            continue
        found = dict(zip(scores, ranking_agreements(list(scores.values()), kind), strict=True))
        items = max((one.items for one in found.values()), default=0)
        mean = mean_of_pairs(list(found.values()), items, "no two annotators scored the same summaries")
        rows.append(estimate(mean, what, name, annotators, options.bootstrap))
        if Grouping.PAIR in options.groupings:
            rows += [
                estimate(one, what, name, pair, options.bootstrap, Grouping.PAIR, _pair_name(pair))
                for pair, one in found.items()
            ]
    return rows


def span_agreement(
    pairs: Mapping[tuple[str, str], Sequence[SpanPair]], topics: int, what: str, options: AgreementOptions
) -> list[AgreementRow]:
    """Return the agreement of annotators' spans, averaged over pairs of annotators.

    pairs: for each pair of annotators the texts that both marked. topics: number of topics.
    """
    names = [name for name in SPAN_COEFFICIENTS if not options.coefficients or name in options.coefficients]
    everyone = tuple(dict.fromkeys(who for pair in pairs for who in pair))
    rows = []
    for name in names:
        found = {pair: _span_estimator(name, texts, topics) for pair, texts in pairs.items()}
        items = sum(one.items for one in found.values())
        mean = mean_of_pairs(list(found.values()), items, "no text was marked by two annotators", topics)
        rows.append(estimate(mean, what, name, everyone, options.bootstrap))
        if Grouping.PAIR in options.groupings:
            rows += [
                estimate(one, what, name, pair, options.bootstrap, Grouping.PAIR, _pair_name(pair))
                for pair, one in found.items()
            ]
    return rows


def pyramid_agreement(
    pyramids: Mapping[tuple[str, str], Sequence[PyramidPair]],
    topics: Sequence[str],
    options: AgreementOptions,
    what: str = "pyramids",
) -> JobSteps[list[AgreementRow]]:
    """Return the agreement of annotators' pyramids, averaged over pairs of annotators.

    pyramids: for each pair of annotators their paired pyramids, by topic.
    By unit: the overlap of each pair of SCUs, lowest first; unpaired SCUs have no value, for that reason.
    """
    names = [
        name for name in PYRAMID_COEFFICIENTS if not options.coefficients or name in options.coefficients
    ]
    rows: list[AgreementRow] = []
    everyone = tuple(dict.fromkeys(who for pair in pyramids for who in pair))
    found: dict[tuple[str, str], dict[str, Estimator]] = {}
    for done, (pair, paired) in enumerate(pyramids.items()):
        yield Progress(done, len(pyramids), _pair_name(pair))
        found[pair] = {name: _pyramid_estimator(name, paired, topics, pair) for name in names}
    for name in names:
        estimators = [one[name] for one in found.values()]
        mean = mean_of_pairs(
            estimators, sum(one.items for one in estimators), "no topic has two annotators' pyramids"
        )
        rows.append(estimate(mean, what, name, everyone, options.bootstrap))
    if Grouping.PAIR in options.groupings:
        rows += [
            estimate(one, what, name, pair, options.bootstrap, Grouping.PAIR, _pair_name(pair))
            for pair, estimators_of in found.items()
            for name, one in estimators_of.items()
        ]
    if Grouping.TOPIC in options.groupings:
        rows += _topic_rows(pyramids, topics, names, options, what)
    if Grouping.UNIT in options.groupings:
        rows += _unit_rows(pyramids, topics, what)
    return rows


def annotator_reliability(items: AnnotatedItems, what: str) -> list[AgreementRow]:
    """Return each annotator's accuracy and informedness by a Dawid–Skene model, most reliable first.

    Values are taken as categories.
    """
    reason = why_undefined(items)
    shared = items.shared()
    if reason:
        return [
            AgreementRow(what, Grouping.ANNOTATOR, who, name, math.nan, math.nan, math.nan, 0, (who,), reason)
            for who in items.annotators
            for name in DAWID_SKENE
        ]
    model = fit_dawid_skene(shared)
    rows = []
    for name, values in zip(DAWID_SKENE, (model.accuracy(), model.informedness()), strict=True):
        for place in np.argsort(-values, kind="stable"):
            who, n = items.annotators[place], int(model.items[place])
            value = float(values[place]) if n else math.nan
            why = "" if math.isfinite(value) else "no item shared with another annotator"
            rows.append(
                AgreementRow(what, Grouping.ANNOTATOR, who, name, value, math.nan, math.nan, n, (who,), why)
            )
    return rows


def _groups(
    items: AnnotatedItems, groupings: Sequence[Grouping]
) -> Iterator[tuple[Grouping, str, AnnotatedItems]]:
    yield Grouping.ALL, "", items
    if Grouping.TOPIC in groupings:
        for topic in np.unique(items.topic_of):
            yield Grouping.TOPIC, items.topics[topic], items.of_topic(topic)
    if Grouping.PAIR in groupings:
        for pair in items.pairs():
            part = items.of_annotators(pair)
            yield Grouping.PAIR, _pair_name(part.annotators), part
    if Grouping.UNIT in groupings:
        for unit, name in enumerate(items.units):
            yield Grouping.UNIT, name, items.of_unit(unit)


def _pair_name(names: Sequence[str]) -> str:
    return " – ".join(names)


def _lowest_units_first(rows: Sequence[AgreementRow], names: Sequence[str]) -> list[AgreementRow]:
    """Return the rows with units in the order of the first coefficient; the same order for the others."""
    units = [row for row in rows if row.grouping is Grouping.UNIT]
    if not units:
        return list(rows)
    per_unit = [units[i : i + len(names)] for i in range(0, len(units), len(names))]
    per_unit.sort(key=lambda of: of[0].value if math.isfinite(of[0].value) else math.inf)
    others = [row for row in rows if row.grouping is not Grouping.UNIT]
    return [*others, *(row for of in per_unit for row in of)]


def _span_estimator(name: str, pairs: Sequence[SpanPair], topics: int) -> Estimator:
    if name == "boundary-similarity":
        return boundary_similarity(pairs, topics)
    return span_f1(pairs, topics, name.removeprefix("f1-"))


def _pyramid_estimator(
    name: str, paired: Sequence[PyramidPair], topics: Sequence[str], annotators: tuple[str, str]
) -> Estimator:
    if name in ("alpha-masi", "alpha-jaccard"):
        sets: list[list[tuple[frozenset[object], frozenset[object]]]] = [[] for _ in topics]
        for pair in paired:
            sets[pair.topic].extend(contributor_sets(pair))
        return set_alpha(sets, masi_distance if name == "alpha-masi" else jaccard_distance)
    if name == "paired-scus":
        return _paired_share(paired, len(topics))
    if name.startswith("weight-"):
        items = weights(paired, topics, annotators)
        if not len(items.values):
            return undefined(len(topics), "no SCU of one annotator overlaps with one of the other")
        return COEFFICIENTS[name.removeprefix("weight-")](CodedItems.of(items))
    spans = [span for pair in paired for span in contributor_spans(pair)]
    return _span_estimator(name, spans, len(topics))


def _paired_share(paired: Sequence[PyramidPair], topics: int) -> Estimator:
    """Return the share of SCUs that have a counterpart: F1 of the pairing."""
    above, below = np.zeros(topics), np.zeros(topics)
    for pair in paired:
        above[pair.topic] += 2 * len(pair.pairs)
        below[pair.topic] += 2 * len(pair.pairs) + len(pair.only_first) + len(pair.only_second)

    return ratio(above, below, int(below.sum()), "neither annotator has an SCU")


def _topic_rows(
    pyramids: Mapping[tuple[str, str], Sequence[PyramidPair]],
    topics: Sequence[str],
    names: Sequence[str],
    options: AgreementOptions,
    what: str,
) -> Iterator[AgreementRow]:
    boot = replace(options.bootstrap, draws=0)
    for place, topic in enumerate(topics):
        parts = {
            pair: [replace(one, topic=0) for one in paired if one.topic == place]
            for pair, paired in pyramids.items()
        }
        parts = {pair: paired for pair, paired in parts.items() if paired}
        everyone = tuple(dict.fromkeys(who for pair in parts for who in pair))
        for name in names if parts else ():
            found = [_pyramid_estimator(name, paired, [topic], pair) for pair, paired in parts.items()]
            mean = mean_of_pairs(found, sum(one.items for one in found), "")
            yield estimate(mean, what, name, everyone, boot, Grouping.TOPIC, topic)


def _unit_rows(
    pyramids: Mapping[tuple[str, str], Sequence[PyramidPair]], topics: Sequence[str], what: str
) -> list[AgreementRow]:
    found = []
    for pair, paired in pyramids.items():
        for one in paired:
            topic = topics[one.topic]
            found += [
                _unit(what, f"{topic}: {two.first.label} – {two.second.label}", two.overlap, pair)
                for two in one.pairs
            ]
            for who, scus in zip(pair, (one.only_first, one.only_second), strict=True):
                found += [
                    _unit(what, f"{topic}: {scu.label}", math.nan, pair, f"only in the pyramid of {who}")
                    for scu in scus
                ]
    return sorted(found, key=lambda row: row.value if math.isfinite(row.value) else -1.0)


def _unit(what: str, group: str, value: float, pair: tuple[str, str], reason: str = "") -> AgreementRow:
    return AgreementRow(what, Grouping.UNIT, group, "overlap", value, math.nan, math.nan, 1, pair, reason)


def ranking_pairs(values: Array, annotators: Sequence[str]) -> dict[tuple[str, str], tuple[Array, Array]]:
    """Return the scores of each pair of annotators with a common summary.

    values: shape (annotators, systems, topics), NaN = none.
    """
    return {
        (annotators[a], annotators[b]): (values[a], values[b])
        for a, b in combinations(range(len(annotators)), 2)
        if (np.isfinite(values[a]) & np.isfinite(values[b])).any()
    }
