"""Names, symbols, formulas and explanations of correlation coefficients and levels.

The only source of these labels. A new member of `Coefficient` needs an entry in each table here; a test
checks that none is missing.
"""

from __future__ import annotations

from core.stats.types import Coefficient, Level, UndefinedPolicy

COEFFICIENT_NAMES = {
    Coefficient.PEARSON: "Pearson's r",
    Coefficient.SPEARMAN: "Spearman's ρ",
    Coefficient.KENDALL: "Kendall's τ-b",
    Coefficient.STUART_TAU_C: "Stuart's τ-c",
    Coefficient.GAMMA: "Goodman–Kruskal γ",
    Coefficient.ACCURACY: "pairwise accuracy",
    Coefficient.SOFT_ACCURACY: "soft pairwise accuracy",
}
"""Names as they read within a sentence. See `coefficient_title`."""

SYMBOLS = {
    Coefficient.PEARSON: "r",
    Coefficient.SPEARMAN: "ρ",
    Coefficient.KENDALL: "τ-b",
    Coefficient.STUART_TAU_C: "τ-c",
    Coefficient.GAMMA: "γ",
    Coefficient.ACCURACY: "accuracy",
    Coefficient.SOFT_ACCURACY: "soft accuracy",
}

LEVEL_TITLES = {Level.SYSTEM: "System", Level.TOPIC: "Topic", Level.GLOBAL: "Global"}
LEVEL_HEADINGS = {
    Level.SYSTEM: "System-level correlation",
    Level.TOPIC: "Topic-level correlation",
    Level.GLOBAL: "Global correlation",
}

_PAIRS = "C = concordant pairs, D = discordant pairs"
_FORMULAS = {
    Coefficient.PEARSON: "r = Σ(x − x̄)(y − ȳ) / √(Σ(x − x̄)² · Σ(y − ȳ)²)",
    Coefficient.SPEARMAN: "ρ = Pearson's r of the ranks; ties get their mean rank",
    Coefficient.KENDALL: f"τ-b = (C − D) / √((P − Tx)(P − Ty)); {_PAIRS}, "
    "P = all pairs, Tx and Ty = pairs tied in x and in y",
    Coefficient.STUART_TAU_C: f"τ-c = 2(C − D) / (n²(m − 1) / m); {_PAIRS}, "
    "m = the smaller number of distinct values of x and y",
    Coefficient.GAMMA: f"γ = (C − D) / (C + D); {_PAIRS}; tied pairs are left out",
    Coefficient.ACCURACY: "accuracy = share of pairs that the measure orders, or ties, as the judgement "
    "does; a difference of the measure up to a threshold is a tie, and the threshold is the one that gives "
    "the highest accuracy (Deutsch, Foster and Freitag 2023)",
    Coefficient.SOFT_ACCURACY: "soft accuracy = 1 − mean over all pairs of systems of |p − q|, where p is "
    "that of the measure and q that of the judgement, one-sided, by 1,000 paired permutations of topics, "
    "seed 0 (Thompson et al. 2024); measures where lower is better are negated first",
}
_LEVELS = {
    Level.SYSTEM: "System level: x and y are each system's means over the topics that have both numbers.",
    Level.TOPIC: "Topic level: the mean over topics of the coefficient among the systems of a topic.",
    Level.GLOBAL: "Global level: every summary is one pair of x and y.",
}
_UNDEFINED_IF = "The coefficient is undefined for a constant side and for fewer than three pairs: "
_UNDEFINED = {
    UndefinedPolicy.SKIP: f"{_UNDEFINED_IF}it is left out and counted as dropped.",
    UndefinedPolicy.ZERO: f"{_UNDEFINED_IF}it counts as 0.",
    UndefinedPolicy.ERROR: "An undefined coefficient is an error: no value is shown.",
}
_P = {
    Level.SYSTEM: "p tests for no correlation, two-sided, with systems as the independent sample.",
    Level.TOPIC: "p is by bootstrap over systems and topics. A t-test of the topics' coefficients holds for "
    "other topics, not for other systems.",
    Level.GLOBAL: "p is by bootstrap over systems and topics. A t-test takes summaries as independent; those "
    "of one topic or system are not, so its p is too small.",
}


def coefficient_title(coefficient: Coefficient) -> str:
    """Return a coefficient's name with a capital letter, for headings, controls and starts of sentences."""
    name = COEFFICIENT_NAMES[coefficient]
    return name[0].upper() + name[1:]


def p_test(level: Level, coefficient: Coefficient) -> str:
    """Return the name of the test behind the p of one correlation; empty for accuracies, which have none."""
    if coefficient.is_accuracy:
        return ""
    if level is Level.TOPIC:
        return "t-test over topics"
    return "t-test" if coefficient in (Coefficient.PEARSON, Coefficient.SPEARMAN) else "Kendall's test"


def explanation(level: Level, coefficient: Coefficient, undefined: UndefinedPolicy) -> tuple[str, ...]:
    """Return the formula, the level, the treatment of undefined values and the test, one sentence each."""
    p = f"{coefficient_title(coefficient)} has no p: it has no value that corresponds to chance."
    return (
        f"{_FORMULAS[coefficient]}.",
        _LEVELS[level],
        _UNDEFINED[undefined],
        p if coefficient.is_accuracy else _P[level],
    )
