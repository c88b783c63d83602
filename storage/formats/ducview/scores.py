"""Scores in the form that DUCView 1.5 writes into .pan files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from core.domain.import_batch import NewMatch, NewScu
from core.domain.pyramid import Contributor, Match, Pyramid, Scu
from core.domain.pyramid.scores import PyramidScore, score_summary
from core.numerals import parse_number
from storage.formats.ducview.encode import ALWAYS, WITH_REGEX

QUOTIENTS = ("qualityScore", "coverageScore", "comprehensiveScore")
_DIGITS, _ROUNDING = 4, 1.5e-4


def score_block(score: PyramidScore, *, has_regex: bool) -> Mapping[str, str]:
    """Return DUCView 1.5's scores by name; those over the average reference if it can separate references.

    The average is rounded half up and weights count distinct references, as in the official scores; DUCView
    itself truncates the average and counts contributors. Without units there are no ratios.
    """
    counts = (score.units, len(score.matched), score.outside, score.weight)
    ratios = dict(zip(ALWAYS, map(str, counts), strict=False))
    ideal = sum(score.ideal_of_units)
    if not ideal:
        return ratios
    ratios |= {"maxScoreTotalscu": str(ideal), "qualityScore": _decimal(score.original)}
    if has_regex:
        average = sum(score.ideal_of_average)
        numbers = (min(score.modified, 1.0), score.comprehensive)
        values = (str(score.average_units), str(average), *map(_decimal, numbers))
        ratios |= dict(zip(WITH_REGEX, values, strict=True))
    return ratios


def _decimal(value: float) -> str:
    """Format a number with at most four decimals, without trailing zeros."""
    if math.isnan(value):
        return ""
    return f"{value:.{_DIGITS}f}".rstrip("0").rstrip(".")


def differing(
    stated: Mapping[str, str],
    scus: tuple[NewScu, ...],
    matches: tuple[NewMatch, ...],
    authors: frozenset[str],
) -> Iterator[tuple[str, str, str]]:
    """Yield ratios in a file that differ from those computed here: name, stated value, own value."""
    domain_scus = (
        Scu(s.key, s.label, tuple(Contributor("", c.author, ()) for c in s.contributors)) for s in scus
    )
    found = [Match("", "", "", match.scu) for match in matches]
    ours = score_block(score_summary(Pyramid("", "", "", tuple(domain_scus)), found, authors), has_regex=True)
    for name in QUOTIENTS:
        if name in stated and name in ours and not _is_near(stated[name], ours[name]):
            yield name, stated[name], ours[name]


def _is_near(stated: str, ours: str) -> bool:
    """Return whether two numbers differ only by rounding; text that is not a number never does."""
    theirs, own = parse_number(stated), parse_number(ours)
    return theirs is not None and own is not None and abs(theirs - own) <= _ROUNDING
