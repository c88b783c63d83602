"""Names of agreement coefficients and of kinds of annotations, for tables."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.assignment import Work

TITLES = {
    "alpha-nominal": "Krippendorff's α, nominal",
    "alpha-ordinal": "Krippendorff's α, ordinal",
    "alpha-interval": "Krippendorff's α, interval",
    "alpha-ratio": "Krippendorff's α, ratio",
    "kappa": "Cohen's κ",
    "kappa-linear": "Cohen's κ, linear weights",
    "kappa-quadratic": "Cohen's κ, quadratic weights",
    "fleiss-kappa": "Fleiss' κ",
    "icc-1": "ICC(1), one-way",
    "icc-1k": "ICC(1,k), one-way, mean",
    "icc-2": "ICC(2), agreement",
    "icc-2k": "ICC(2,k), agreement, mean",
    "icc-3": "ICC(3), consistency",
    "icc-3k": "ICC(3,k), consistency, mean",
    "pearson": "Pearson's r",
    "spearman": "Spearman's ρ",
    "kendall": "Kendall's τ-b",
    "raw": "Raw agreement",
    "alpha-masi": "Krippendorff's α, MASI",
    "alpha-jaccard": "Krippendorff's α, Jaccard",
    "paired-scus": "Paired units, F1",
    "overlap": "Overlap of words",
    "f1-exact": "F1, exact spans",
    "f1-characters": "F1, characters",
    "f1-words": "F1, words",
    "boundary-similarity": "Boundary similarity",
    "ranking-kendall": "System ranking, Kendall's τ-b",
    "ranking-spearman": "System ranking, Spearman's ρ",
    "dawid-skene-accuracy": "Accuracy (Dawid–Skene)",
    "dawid-skene-informedness": "Chance-corrected accuracy (Dawid–Skene)",
}
"""Names by id; those of weights of paired units are derived, see `agreement_title`."""


def agreement_title(coefficient: str) -> str:
    """Return the name of a coefficient."""
    if coefficient.startswith("weight-"):
        return f"Weights: {TITLES[coefficient.removeprefix('weight-')]}"
    return TITLES[coefficient]


_ANNOTATIONS = {
    Work.RATINGS: ("rating.", "Ratings of "),
    Work.MATCHES: ("matches", "Matches"),
    Work.PYRAMIDS: ("pyramids", "Pyramids"),
    Work.NUGGETS: ("nuggets", "Nuggets"),
    Work.HITS: ("nugget hits", "Nugget hits"),
    Work.COMPARISONS: ("preference.", f"{Work.COMPARISONS.heading}: "),
}
"""Id and title of each kind of annotation; the name of a scale or of a plan follows some."""


def annotations_name(work: Work, name: str = "") -> str:
    """Return the id of annotations: ``rating.coherence``, ``matches``. name: of their scale or plan."""
    return _ANNOTATIONS[work][0] + name


def annotations_work(what: str) -> Work:
    """Return the kind of the annotations of an id."""
    return next(work for work, (name, _) in _ANNOTATIONS.items() if what.startswith(name))


def annotations_title(what: str) -> str:
    """Return what annotators did, for tables: ``Ratings of coherence``, ``Matches``."""
    name, title = _ANNOTATIONS[annotations_work(what)]
    return title + what.removeprefix(name)


def distinct_words(names: Sequence[str]) -> list[str]:
    """Return names without the words that all begin with: ``A`` and ``B`` of two annotators."""
    words = [name.split() for name in names]
    shared = 0
    while len({tuple(one[: shared + 1]) for one in words}) == 1 and min(map(len, words)) > shared + 1:
        shared += 1
    return [" ".join(one[shared:]) for one in words]
