"""`pyramidion correlate`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import print_csv, print_json, print_message, print_table
from cli.options import OutputOptions, Study, expand_option_groups
from core.formatting.coefficients import coefficient_title
from core.formatting.numbers import UNDEFINED, format_correlation, format_p, format_score
from core.operations.options import CorrelateRequest
from core.progress import run_with_progress
from core.stats.types import Coefficient

if TYPE_CHECKING:
    from core.operations.correlate import Correlations, TopicCorrelations


@expand_option_groups
def correlate(
    study: Study,
    request: CorrelateRequest,
    form: OutputOptions,
    per_topic: Annotated[
        bool,
        typer.Option(
            "--per-topic",
            help="Show the correlation among the systems of each topic, one row per topic, worst first, "
            "with the reason where it is undefined.",
        ),
    ] = False,
) -> None:
    """Correlate metrics with human judgements.

    Optionally with confidence intervals, significance tests and upper bounds.
    """
    from cli.opening import open_sound
    from core.operations import correlate as operation

    if per_topic:
        if request.has_inference:
            raise typer.BadParameter(
                "--per-topic shows values only. Omit options of intervals, tests and upper bounds."
            )
        with open_sound(study) as opened:
            topics = operation.correlate_topics(opened, request)
        if form.as_json:
            print_json({"rows": topics.records})
        elif form.as_csv:
            print_csv(topics.records, topics.columns)
        else:
            _show_topics(topics, request.coefficient)
    else:
        with open_sound(study) as opened:
            found = run_with_progress(
                operation.correlate(opened, request), "Correlating", "No result was saved."
            )
        if form.as_json:
            bounds = [asdict(bound) for bound in found.upper_bounds]
            print_json({"rows": found.records(), **({"upper_bounds": bounds} if bounds else {})})
        elif form.as_csv:
            print_csv(found.records(), found.columns)
        else:
            show_correlations(found, request.needed or "")
    for sentence in (topics if per_topic else found).notes:
        print_message(sentence)


def _show_topics(topics: TopicCorrelations, coefficient: Coefficient) -> None:
    from core.comparison.stand_ins import marked_labels

    heads = {"human": "Judgement", "measure": "Measure", "topic": "Topic", "value": "Correlation", "n": "n"}
    heads |= {"reason": "Undefined because"} if any(row["reason"] for row in topics.records) else {}
    texts = [{**row, "value": format_correlation(row["value"], 3)} for row in topics.records]
    marked = _marked(texts, marked_labels(topics.comparison.refs))
    title = f"{coefficient_title(coefficient)} in each topic"
    print_table(marked, heads, title=title, right=("value", "n"))


def show_correlations(found: Correlations, needed: str = "") -> None:
    """Print the rows of each judgement, best on top. needed: units of the required sizes; empty = none."""
    from core.comparison.inference import short_p_method
    from core.comparison.stand_ins import marked_labels
    from core.operations.method_text import P_CAUTION

    rows, eligible, records = found.rows, found.eligible, found.records()
    texts = [
        {
            **records[place],
            "value": format_correlation(rows[place].value, 3),
            "p": format_p(records[place]["p"]),
            "tie_threshold": format_score(rows[place].tie_threshold, 4),
            "note": eligible[place].note,
            "stand_in": rows[place].stand_in.removeprefix("stand-in: "),
            **_inference_texts(records[place]),
        }
        for place in found.in_order()
    ]
    level, coefficient, more = rows[0].level, rows[0].coefficient, found.more_columns
    title = coefficient_title(coefficient)
    value = title if coefficient.is_accuracy else "Correlation"
    heads = {"human": "Judgement", "measure": "Measure", "value": value}
    heads |= {"interval": "Interval"} if "low" in more else {}
    heads |= {"p_adjusted": "p (difference)"} if "p_adjusted" in more else {}
    heads |= {"needed": f"Required {needed}"} if "needed" in more else {}
    heads |= {"cluster": "Cluster"} if "cluster" in more else {}
    if method := records[0]["p_method"]:
        mark = f" {P_CAUTION}" if records[0]["p_caution"] else ""
        heads |= {"p": f"p ({short_p_method(method)}){mark}"}
    elif coefficient is Coefficient.ACCURACY:
        heads |= {"tie_threshold": "Tie threshold"}
    heads |= {"n": "n", "dropped": "dropped"}
    heads |= {"note": "Note"} if any(one.note for one in eligible) else {}
    heads |= {"stand_in": "Stand-in"} if any(row.stand_in for row in rows) else {}
    right = [key for key in heads if key not in ("human", "measure", "note", "stand_in")]
    marked = _marked(texts, marked_labels(found.comparison.refs))
    print_table(marked, heads, title=f"{title} at {level} level", right=right)


def _inference_texts(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns of inference as text."""
    from core.comparison.eligibility import Status
    from core.stats.resampling.intervals import FEW_IN_TAIL

    texts: dict[str, str] = {}
    if "low" in record:
        low, high, tail = record["low"], record["high"], record["tail_draws"]
        mark = " *" if tail is not None and tail < FEW_IN_TAIL else ""
        ends = f"{format_correlation(low, 3)} to {format_correlation(high, 3)}{mark}"
        texts["interval"] = ends if math.isfinite(low) else UNDEFINED
    if "p_adjusted" in record:
        is_untested = record["status"] == Status.RANKED and not record["in_family"]
        texts["p_adjusted"] = (
            "(baseline)"
            if record["measure"] == record["compared_with"]
            else "not tested"
            if is_untested and record["compared_with"]
            else format_p(record["p_adjusted"])
        )
    if "needed" in record:
        sizes = (record[key] for key in ("needed", "needed_low", "needed_high"))
        middle, low, high = (UNDEFINED if size is None else f"{size:,}" for size in sizes)
        is_known = (middle, low) != (UNDEFINED, UNDEFINED)
        texts["needed"] = f"{middle} ({low} to {high})" if is_known else UNDEFINED
    if "cluster" in record:
        has_cluster = record["cluster"]
        texts["cluster"] = f"{record['cluster']} {record['letters']}" if has_cluster else UNDEFINED
    return texts


def _marked(rows: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the rows with the measures' names as tables show them."""
    return [{**row, "measure": names[row["measure"]]} for row in rows]
