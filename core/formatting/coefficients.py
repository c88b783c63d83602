"""What a correlation is, in words and signs, for whoever reads its number."""

from __future__ import annotations

from core.stats.correlation import Coefficient, Level, UndefinedPolicy

NAMES = {
    Coefficient.PEARSON: "Pearson's r",
    Coefficient.SPEARMAN: "Spearman's ρ",
    Coefficient.KENDALL: "Kendall's τ-b",
    Coefficient.STUART_TAU_C: "Stuart's τ-c",
    Coefficient.GAMMA: "the plain τ",
    Coefficient.ACCURACY: "pairwise accuracy",
}
SYMBOLS = {
    Coefficient.PEARSON: "r",
    Coefficient.SPEARMAN: "ρ",
    Coefficient.KENDALL: "τ-b",
    Coefficient.STUART_TAU_C: "τ-c",
    Coefficient.GAMMA: "τ",
    Coefficient.ACCURACY: "accuracy",
}

_PAIRS = "C pairs stand in the same order on both sides, D in opposite order"
_FORMULAS = {
    Coefficient.PEARSON: "r = Σ(x − x̄)(y − ȳ) / √(Σ(x − x̄)² · Σ(y − ȳ)²)",
    Coefficient.SPEARMAN: "ρ = Pearson's r of the ranks; ties share their mean rank",
    Coefficient.KENDALL: f"τ-b = (C − D) / √((P − Tx)(P − Ty)); {_PAIRS}, "
    "Tx and Ty of all P pairs are tied on a side",
    Coefficient.STUART_TAU_C: f"τ-c = 2(C − D) / (n²(m − 1) / m); {_PAIRS}, "
    "m is the smaller number of distinct values on a side",
    Coefficient.GAMMA: f"τ = (C − D) / (C + D); {_PAIRS}, ties count on neither side",
    Coefficient.ACCURACY: "accuracy = share of pairs that measure and people order alike, ties among them; "
    "a difference of the measure below a threshold is a tie, and the threshold is the one that fits people "
    "best (Deutsch, Foster and Freitag 2023)",
}
_LEVELS = {
    Level.SYSTEM: "System level: x and y are each system's means over the topics that both sides have.",
    Level.TOPIC: "Topic level: a coefficient among the systems of each topic, then their mean.",
    Level.GLOBAL: "Global level: every summary is one pair of x and y.",
}
_UNDEFINED = {
    UndefinedPolicy.SKIP: "Where a side is constant, or fewer than three pairs are there, there is "
    "no coefficient: "
    "it is left out and counted as dropped.",
    UndefinedPolicy.ZERO: "Where a side is constant, or fewer than three pairs are there, there is "
    "no coefficient: "
    "it counts as 0.",
    UndefinedPolicy.ERROR: "A coefficient that does not exist is an error: nothing is shown.",
}
_P = {
    Level.SYSTEM: "p is that of no correlation at all, two-sided, the systems being the independent draws.",
    Level.TOPIC: "p is a t-test of the topics' coefficients against 0: it speaks of other topics, not of "
    "other systems.",
    Level.GLOBAL: "p takes the summaries as independent, which those of one topic or system are not, so it "
    "is too small.",
}


def p_test(level: Level, coefficient: Coefficient) -> str:
    """Return which test p of one correlation is of; empty = accuracy, which has none."""
    if coefficient is Coefficient.ACCURACY:
        return ""
    if level is Level.TOPIC:
        return "t-test over topics"
    return "t-test" if coefficient in (Coefficient.PEARSON, Coefficient.SPEARMAN) else "Kendall's test"


def formula(coefficient: Coefficient) -> str:
    """How a coefficient is computed, in one line."""
    return _FORMULAS[coefficient]


def explanation(level: Level, coefficient: Coefficient, undefined: UndefinedPolicy) -> tuple[str, ...]:
    """How a number of the table came about, a sentence each: formula, level, what is undefined, p."""
    p = "Pairwise accuracy has no p: no value of it stands for chance."
    return (
        f"{_FORMULAS[coefficient]}.",
        _LEVELS[level],
        _UNDEFINED[undefined],
        p if coefficient is Coefficient.ACCURACY else _P[level],
    )
