"""Requests of operations: names, defaults, ranges and help of options, once; imports no numpy."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self, get_type_hints

from core.comparison.options import (
    BEST,
    Adjustment,
    DifferenceTest,
    InferenceOptions,
    IntervalMethod,
    SystemSelection,
    Variants,
    williams_refusal,
)
from core.errors import BadRequest
from core.formatting.coefficients import COEFFICIENT_NAMES
from core.stats.types import DRAWS, Alternative, Coefficient, Ends, Level, UndefinedPolicy, WilliamsDf

INTERVALS: dict[str, str] = {
    IntervalMethod.BOOTSTRAP_BOTH: "Bootstrap over systems and topics",
    IntervalMethod.BOOTSTRAP_SYSTEMS: "Bootstrap over systems",
    IntervalMethod.BOOTSTRAP_TOPICS: "Bootstrap over topics",
    IntervalMethod.FISHER: "Fisher's transformation",
    IntervalMethod.NONE: "None",
    IntervalMethod.T_TEST: "None, p by t-test or Kendall's test",
}
ENDS: dict[str, str] = {
    Ends.BCA: "Bias-corrected and accelerated (BCa)",
    Ends.PERCENTILE: "Percentile (narrower)",
}
TESTS: dict[str, str] = {
    DifferenceTest.PERMUTATION_BOTH: "Permutation of systems and topics",
    DifferenceTest.PERMUTATION_SYSTEMS: "Permutation of systems",
    DifferenceTest.PERMUTATION_TOPICS: "Permutation of topics",
    DifferenceTest.WILLIAMS: "Williams' test (Pearson's r at system level only)",
}
FAMILIES: dict[str, str] = {Variants.MAIN: "One per metric", Variants.ALL: "All"}
ADJUSTMENTS: dict[str, str] = {
    Adjustment.HOLM: "Holm",
    Adjustment.BENJAMINI_HOCHBERG: "Benjamini–Hochberg",
    Adjustment.NONE: "Not adjusted",
}
UNDEFINED: dict[str, str] = {
    UndefinedPolicy.SKIP: "Omit",
    UndefinedPolicy.ZERO: "Count as 0",
    UndefinedPolicy.ERROR: "Refuse",
}
"""Titles of the choices that a window offers, in its order."""

LEXICAL = ("rouge-1", "rouge-2", "rouge-l", "chrf")
"""The usual metrics of an evaluation: none needs a model."""

SIMULATED = 1_000
"""Default number of simulated studies of each size and of splits of annotators."""


@dataclass(frozen=True, slots=True)
class Option:
    """Declaration of an option, in the `Annotated` type of a request's field.

    metavar: what stands for its value in help.
    low, high: range of a number; None = open.
    flag: its name on the command line, of a switch with its opposite after ``/``, with a short name after a
        space; empty = by the field.
    is_listed: whether one text has all names, separated by commas.
    """

    help: str
    metavar: str = ""
    low: float | None = None
    high: float | None = None
    flag: str = ""
    is_listed: bool = False

    def flag_of(self, name: str) -> str:
        """Return the name of the option on the command line. name: of its field."""
        return self.flag or "--" + name.replace("_", "-")


LevelOption = Annotated[
    Level,
    Option(
        "Aggregation of scores. system: correlate the systems' means; topic: correlate within each topic, "
        "then average; global: correlate all summaries."
    ),
]
CoefficientOption = Annotated[
    Coefficient,
    Option(
        "Correlation coefficient. "
        + "; ".join(f"{one}: {name}" for one, name in COEFFICIENT_NAMES.items())
        + ", at the system level only."
    ),
]
UndefinedOption = Annotated[
    UndefinedPolicy,
    Option(
        "Treatment of undefined correlations (constant values or fewer than three pairs). skip: exclude "
        "them; zero: count them as 0; error: stop."
    ),
]
HumanReferences = Annotated[
    tuple[str, ...],
    Option(
        "Recompute pyramid scores from the references of these authors (comma-separated). Default: all.",
        "NAMES",
        is_listed=True,
    ),
]
SystemsOption = Annotated[
    SystemSelection,
    Option(
        "Systems to include. automatic: systems and baselines; all: also human summaries; with-humans: also "
        "the references, each scored against the others (run `score --humans` first)."
    ),
]
AnnotatorsOption = Annotated[
    tuple[str, ...],
    Option(
        "Annotator or group to include. Can be repeated. Default: for ratings the group `expert` if it has "
        "rated, otherwise all annotators; for matches all annotators.",
        "NAME",
        flag="--annotator",
    ),
]


@dataclass(frozen=True, slots=True)
class Request:
    """Base of requests, whose fields are options."""

    OPTIONS: ClassVar[tuple[str, ...]] = ()
    """Fields that are options of the command, in order; empty = all."""

    def arguments(self, *names: str) -> list[str]:
        """Return the command-line options that differ from their defaults. names: of fields, none = all."""
        hints, words = get_type_hints(type(self), include_extras=True), []
        defaults = {field.name: field.default for field in fields(self)}
        for name in names or self.OPTIONS or defaults:
            value = getattr(self, name)
            if value == defaults[name]:
                continue
            option = next(mark for mark in hints[name].__metadata__ if isinstance(mark, Option))
            flag = option.flag_of(name).split()[0]
            if isinstance(value, bool):
                words.append(flag.split("/")[0 if value else -1])
            elif option.is_listed:
                words += [flag, listed_names(value)]
            else:
                each = value if isinstance(value, tuple) else (value,)
                words += [word for one in each for word in (flag, str(one))]
        return words


@dataclass(frozen=True, slots=True)
class CorrelateRequest(Request):
    """Correlations to compute: measures and judgements, systems and topics, and inference on them."""

    judgements: Annotated[
        tuple[str, ...],
        Option(
            "Human judgement to compare with, such as rating.coherence, pyramid.modified or "
            "pyramid.modified[references:A+B]. Can be repeated. Default: all.",
            "JUDGEMENT",
            flag="--human",
        ),
    ] = ()
    human_references: HumanReferences = ()
    level: LevelOption = Level.SYSTEM
    coefficient: CoefficientOption = Coefficient.PEARSON
    measures: Annotated[
        tuple[str, ...],
        Option(
            "Measure to include, such as rouge-2.f. Can be repeated. Default: all.",
            "MEASURE",
            flag="--measure -m",
        ),
    ] = ()
    undefined: UndefinedOption = UndefinedPolicy.SKIP
    include_experiments: Annotated[
        bool, Option("Also include scores that were computed only for experiments.", flag="--all")
    ] = False
    annotators: AnnotatorsOption = ()
    systems: SystemsOption = SystemSelection.AUTOMATIC
    only_systems: Annotated[
        tuple[str, ...],
        Option(
            "System to include; repeat the option for at least three systems. Default: all.",
            "SYSTEM",
            flag="--system",
        ),
    ] = ()
    weakest: Annotated[
        int,
        Option(
            "Exclude the N systems with the lowest mean judgement.", "N", low=0, flag="--leave-out-weakest"
        ),
    ] = 0
    below: Annotated[
        float | None,
        Option(
            "Exclude systems more than SD standard deviations below the mean of all systems.",
            "SD",
            low=0,
            flag="--leave-out-below",
        ),
    ] = None
    weak_by: Annotated[
        str | None,
        Option(
            "Judgement that determines the weakest systems. Default: the first one included.", "JUDGEMENT"
        ),
    ] = None
    topic_set: Annotated[
        str | None, Option("Topic set to include, such as `update`. Default: all.", "SET", flag="--set")
    ] = None
    common_topics: Annotated[
        bool,
        Option(
            "Use only topics and systems that every measure has scored, so that incomplete measures are "
            "ranked too. By default, all topics are used and incomplete measures are not ranked."
        ),
    ] = False
    interval: Annotated[
        IntervalMethod,
        Option(
            "Confidence interval of each correlation, and its p: bootstrap over systems, topics, both, or "
            "the annotators of a rating; or Fisher's transformation, which assumes independent pairs. "
            "t-test: no interval; p by t-test or Kendall's test, too small at topic and global level. none: "
            "no interval; p at system level only. auto: none at system level, else bootstrap-both."
        ),
    ] = IntervalMethod.AUTO
    interval_method: Annotated[
        Ends,
        Option(
            "Type of bootstrap interval: bca (bias-corrected and accelerated) or percentile (too narrow for "
            "few systems: covers about 90% with 8 systems)."
        ),
    ] = Ends.BCA
    confidence: Annotated[
        float, Option("Confidence level of intervals and clusters.", "LEVEL", low=0.5, high=0.9999)
    ] = 0.95
    compare: Annotated[
        str | None,
        Option(
            "Test each measure against this one, such as rouge-2.f, or against the best one (`best`).",
            "MEASURE",
        ),
    ] = None
    test: Annotated[
        DifferenceTest,
        Option(
            "Test of differences: paired permutation of systems, topics or both; or Williams' test, for "
            "Pearson's r at system level."
        ),
    ] = DifferenceTest.PERMUTATION_BOTH
    family: Annotated[
        Variants,
        Option(
            "Measures to test. main: the main measure of each metric's default configuration; all: every "
            "measure. Measures given by --measure are always tested."
        ),
    ] = Variants.MAIN
    sides: Annotated[
        Alternative,
        Option(
            "Alternative hypothesis. two: two-sided; greater: the measure given by --compare correlates "
            "better; less: it correlates worse."
        ),
    ] = Alternative.TWO
    freedom: Annotated[
        WilliamsDf, Option("Degrees of freedom of Williams' test; n-2 is used by older programs.")
    ] = WilliamsDf.N_MINUS_3
    magnitudes: Annotated[
        bool, Option("Apply Williams' test to absolute correlations, as the WMT scripts do.")
    ] = False
    adjust: Annotated[
        Adjustment,
        Option("Adjustment of p-values for multiple tests per judgement: Holm or Benjamini-Hochberg (bh)."),
    ] = Adjustment.HOLM
    needed: Annotated[
        Literal["systems", "topics"] | None,
        Option(
            "With --compare: estimate how many systems or topics are required to detect each difference with "
            "80% power."
        ),
    ] = None
    clusters: Annotated[
        bool, Option("Test every pair of measures and show clusters without significant differences.")
    ] = False
    upper_bound: Annotated[
        bool,
        Option(
            "Estimate inter-annotator agreement: one annotator with the mean of the others, and the ceiling "
            "of correlations with a rating (the square root of its reliability)."
        ),
    ] = False
    draws: Annotated[
        int | None,
        Option(
            "Number of resamples, permutations or simulated studies. Default: 10,000; 1,000 for --needed and "
            "--upper-bound.",
            "N",
            low=1,
        ),
    ] = None
    seed: Annotated[int, Option("Random seed.", "N", low=0)] = 0

    def __post_init__(self) -> None:
        """Raise BadRequest where options have no effect together."""
        if self.weak_by and not self.weakest and self.below is None:
            raise BadRequest("--weak-by has no effect alone; add --leave-out-weakest or --leave-out-below")

    @property
    def method(self) -> tuple[Level, Coefficient, UndefinedPolicy]:
        """The level, the coefficient and the treatment of undefined correlations."""
        return self.level, self.coefficient, self.undefined

    @property
    def variants(self) -> Variants:
        """Which variants of a metric are tested together."""
        return Variants.ALL if self.measures else self.family

    @property
    def has_inference(self) -> bool:
        """Whether an option of intervals, tests or upper bounds is given."""
        return self != self.with_only()

    def with_only(self, *names: str) -> CorrelateRequest:
        """Return the request with the defaults of all options of inference except these."""
        return _with_only(self, names)

    def fitting(self) -> CorrelateRequest:
        """Return the request with a permutation test where Williams' test does not apply."""
        is_refused = self.test is DifferenceTest.WILLIAMS and williams_refusal(self.level, self.coefficient)
        return replace(self, test=DifferenceTest.PERMUTATION_BOTH) if is_refused else self

    def with_inference(self, options: InferenceOptions) -> Self:
        """Return the request with these options of intervals and tests."""
        return replace(
            self,
            interval=options.interval,
            compare=options.against or None,
            test=options.test,
            adjust=options.adjustment,
            sides=options.sides,
            draws=options.draws,
            interval_method=options.ends,
            seed=options.seed,
            confidence=options.confidence,
            freedom=options.freedom,
            magnitudes=options.magnitudes,
        )

    def inference(self) -> InferenceOptions:
        """Return the options of intervals and tests."""
        return InferenceOptions(
            interval=self.interval,
            against=self.compare or "",
            test=self.test,
            adjustment=self.adjust,
            sides=self.sides,
            draws=DRAWS if self.draws is None else self.draws,
            simulated=SIMULATED if self.draws is None else self.draws,
            ends=self.interval_method,
            seed=self.seed,
            confidence=self.confidence,
            freedom=self.freedom,
            magnitudes=self.magnitudes,
        )


@lru_cache(maxsize=1024)
def _with_only(request: CorrelateRequest, names: tuple[str, ...]) -> CorrelateRequest:
    every = [field.name for field in fields(request)]
    inference = fields(request)[every.index("interval") :]
    defaults: dict[str, Any] = {f.name: f.default for f in inference if f.name not in names}
    return replace(request, **defaults)


@dataclass(frozen=True, slots=True)
class ReportRequest(CorrelateRequest):
    """Contents of a report: correlations at several levels with intervals, tests, clusters and agreement.

    The main judgements have clusters and the agreement of annotators, all have tests against the best.

    levels: in this order; `level` is one of them while it is computed.
    made_at: date printed in the report; without it, reports of the same study are identical byte for byte.
    has_appendix: whether the details follow the main part.
    output: name of the written file or folder, for the command that is printed.
    """

    OPTIONS = (
        "levels",
        "coefficient",
        "systems",
        "undefined",
        "human_references",
        "draws",
        "seed",
        "has_appendix",
    )

    levels: Annotated[
        tuple[Level, ...], Option("Level of correlations. Can be repeated. Default: all.", flag="--level")
    ] = tuple(Level)
    interval: IntervalMethod = IntervalMethod.BOOTSTRAP_BOTH
    compare: str | None = BEST
    clusters: bool = True
    upper_bound: bool = True
    draws: Annotated[int | None, Option("Number of resamples and permutations.", "N", low=1)] = DRAWS
    has_appendix: Annotated[
        bool, Option("Add the details of every section.", flag="--appendix/--no-appendix")
    ] = True
    made_at: str = ""
    output: str = "report.html"

    def inference(self) -> InferenceOptions:
        """Return the options of intervals and tests; the splits of annotators are always as many."""
        return replace(CorrelateRequest.inference(self), simulated=SIMULATED)


@dataclass(frozen=True, slots=True)
class EvaluateRequest(Request):
    """Metrics and judgements of an evaluation without a study, and its intervals and tests.

    level: None = system, or global with fewer than three systems, which have no correlation of means.
    """

    metrics: Annotated[
        tuple[str, ...],
        Option(
            "Metric to compute, as for `score`: NAME, NAME:SETTING=VALUE,…, or a name in tables such as "
            f"rouge-2 or rouge-2.recall. Can be repeated. Default: {', '.join(LEXICAL)}.",
            "METRIC",
            flag="--metric -m",
        ),
    ] = ()
    judgements: Annotated[
        tuple[str, ...],
        Option(
            "Column with human ratings to correlate with. Can be repeated. Default: every column that looks "
            "like one.",
            "COLUMN",
            flag="--human",
        ),
    ] = ()
    baseline: Annotated[
        str, Option("System that the others are tested against. Default: the first one.", "SYSTEM")
    ] = ""
    level: Annotated[
        Level | None,
        Option(
            "Level of correlations, as for `correlate`. Default: system, or global with fewer than three "
            "systems."
        ),
    ] = None
    coefficient: CoefficientOption = Coefficient.PEARSON
    draws: Annotated[int, Option("Number of resamples and permutations.", "N", low=100)] = DRAWS
    seed: Annotated[int, Option("Random seed.", "N", low=0)] = 0

    def correlate(self, level: Level, measures: tuple[str, ...]) -> CorrelateRequest:
        """Return the request of the correlations. measures: labels of the computed measures."""
        has_few_systems = self.level is None and level is Level.GLOBAL
        interval = IntervalMethod.BOOTSTRAP_TOPICS if has_few_systems else IntervalMethod.BOOTSTRAP_BOTH
        return CorrelateRequest(
            judgements=self.judgements,
            measures=measures,
            level=level,
            coefficient=self.coefficient,
            interval=interval,
            draws=self.draws,
            seed=self.seed,
        )


_BRACKETS, _JOINS = re.compile(r"\[[^\[\]]*\]"), re.compile(r"[\[\]]|^\w+=")


def listed_names(names: Sequence[str]) -> str:
    """Return names separated by commas, with quotes around names that contain a comma.

    All have quotes where a reader would join names: if one has a single bracket or begins like a setting.
    """
    would_join = any(_JOINS.search(_BRACKETS.sub("", name)) for name in names)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="", quoting=csv.QUOTE_ALL if would_join else csv.QUOTE_MINIMAL)
    writer.writerow(names)
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class AgreeRequest(Request):
    """Annotations to compare, groups of items, coefficients and bootstrap."""

    kinds: Annotated[
        tuple[Literal["ratings", "matches", "pyramids", "nuggets"], ...],
        Option("Annotations to compare. Can be repeated. Default: all.", flag="--what"),
    ] = ()
    scales: Annotated[
        tuple[str, ...], Option("Rating scale. Can be repeated. Default: all.", "NAME", flag="--scale")
    ] = ()
    groupings: Annotated[
        tuple[Literal["topic", "pair", "unit", "annotator"], ...],
        Option(
            "Also show each topic, pair of annotators, unit (SCU, lowest agreement first) or annotator "
            "(reliability by a Dawid–Skene model). Can be repeated.",
            flag="--by",
        ),
    ] = ()
    annotators: Annotated[
        tuple[str, ...],
        Option("Annotator or group to include. Can be repeated. Default: all.", "NAME", flag="--annotator"),
    ] = ()
    coefficients: Annotated[
        tuple[str, ...],
        Option(
            "Coefficient such as alpha-ratio, as --json names it. Can be repeated. Default: those that "
            "suit the annotation.",
            "ID",
            flag="--coefficient",
        ),
    ] = ()
    bootstrap: Annotated[
        int, Option("Resamples of topics for 95% intervals; 0 for no intervals.", "N", low=0, flag="--draws")
    ] = 1000
    seed: Annotated[int, Option("Random seed.", "N", low=0)] = 0

    def __post_init__(self) -> None:
        """Raise BadRequest where scales have no effect."""
        if self.scales and self.kinds and "ratings" not in self.kinds:
            raise BadRequest("--scale is for ratings; add --what ratings or omit --scale")


@dataclass(frozen=True, slots=True)
class CompareStudiesRequest(Request):
    """Measures and judgements to compare across studies, and how."""

    judgements: Annotated[
        tuple[str, ...],
        Option(
            "Human judgement to compare with, such as rating.relevance. Can be repeated. Default: all.",
            "JUDGEMENT",
            flag="--human",
        ),
    ] = ()
    measures: Annotated[
        tuple[str, ...],
        Option(
            "Measure to include, by its name in the first study. Can be repeated. Default: all.",
            "MEASURE",
            flag="--measure -m",
        ),
    ] = ()
    level: LevelOption = Level.SYSTEM
    coefficient: CoefficientOption = Coefficient.PEARSON
    weights: Annotated[
        tuple[float, ...],
        Option(
            "Weight of a study in the means; repeat it once per study, in order. Default: equal weights.",
            "WEIGHT",
            low=0,
            flag="--weight",
        ),
    ] = ()
    common_topics: Annotated[
        bool,
        Option(
            "In each study, use only topics and systems that every measure has scored. By default, all "
            "are used and incomplete measures are not ranked."
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class TrainRequest(Request):
    """Target judgement, features and hyperparameters of a metric to train."""

    human: Annotated[
        str, Option("Target judgement, such as pyramid.modified or rating.relevance.", "JUDGEMENT")
    ] = ""
    name: Annotated[str, Option("Name of the model; replaces a model with this name.", "NAME")] = ""
    features: Annotated[
        str,
        Option(
            "Features (comma-separated): s3-best, s3-full, measures such as rouge-2.recall, or metrics with "
            "settings such as rouge-n:n=3,stem=yes.",
            "FEATURES",
        ),
    ] = "s3-best"
    vectors: Annotated[
        str, Option("Word vectors for ROUGE-WE in s3-best and s3-full: a file or an encoder.", "VECTORS")
    ] = ""
    annotators: AnnotatorsOption = ()
    folds: Annotated[int, Option("Number of cross-validation folds (over topics).", "N", low=2)] = 10
    cost: Annotated[float, Option("C of the support vector regression.", "C", low=1e-6)] = 1.0
    epsilon: Annotated[
        float, Option("Epsilon of the support vector regression (error tolerance).", "EPS", low=0.0)
    ] = 0.1
    scale: Annotated[
        bool | None,
        Option(
            "Divide features by their standard deviation. Default: only if features are listed individually.",
            flag="--scale/--no-scale",
        ),
    ] = None
