"""The command `explain`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_json, print_message, print_table
from cli.opening import open_sound
from cli.options import Device, Json, Study
from core.files.atomic_write import atomic_open, check_writable
from core.formatting.legible_text import legible_text
from core.formatting.numbers import UNDEFINED, format_score
from core.names import resolve_name

if TYPE_CHECKING:
    from core.comparison.explanations.explained_parts import ScorePart
    from core.comparison.explanations.explained_score import ExplainedScore
    from core.metrics.base import Explanation


_MOST_WORDS = 100
"""Characters of the words shown with a part."""


def explain(
    path: Study,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="Name of a topic.", show_default=False)],
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="Name of a system.", show_default=False)],
    measure: Annotated[
        str,
        typer.Option(
            "--measure", "-m", metavar="MEASURE", help="Measure, such as rouge-2.f; rouge-2 stands for its F."
        ),
    ],
    against: Annotated[
        str,
        typer.Option(
            "--against", metavar="SYSTEM", help="Compare with this system part by part.", show_default=False
        ),
    ] = "",
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="PART", help="Print the score without a part. Can be repeated."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a web page with the texts.", show_default=False),
    ] = None,
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Explain the score of a summary: its parts, what each adds, and their words.

    The tree is computed from the current texts and compared with the stored score.
    """
    from core.comparison.explanations.explained_score import explain_named, explanation_document
    from core.comparison.measures import measures
    from core.report.explanation_page import explanation_page
    from core.scoring.study_resources import StudyResources

    if html is not None:
        check_writable(html)
    with open_sound(path) as study:
        refs, resources = measures(study), StudyResources(study, device)
        named = (system, against) if against else (system,)
        scores = [explain_named(study, refs, measure, topic, name, resources) for name in named]
    if html is not None:
        with atomic_open(html) as file:
            file.write(explanation_page(scores))
        print_message(f"Saved to {html}.")
    if as_json:
        documents = [explanation_document(score) for score in scores]
        print_json(documents[0] if len(documents) == 1 else {"scores": documents})
    elif without:
        _print_without(scores[0], without)
    elif html is None:
        for score in scores:
            _print_score(score)
        if against:
            _print_pairs(scores[0], scores[1])


def _print_without(score: ExplainedScore, names: Sequence[str]) -> None:
    from core.comparison.explanations.explained_parts import parts

    known = {part.name: part for part in parts(score.tree)}
    kind = f"part of {score.name} that can be left out"
    names = [resolve_name(kind, name, known) for name in names]
    rows = [
        {
            "part": legible_text(name),
            "score": _shown(score.tree.evaluate()),
            "without": _shown(known[name].without),
            "contribution": _shown(known[name].contribution),
        }
        for name in names
    ]
    heads = {"part": "Part", "score": "Score", "without": "Without it", "contribution": "Difference"}
    print_table(rows, heads)


def _print_score(score: ExplainedScore) -> None:
    from core.comparison.explanations.explained_parts import NO_PARTS, best_reference, parts
    from core.comparison.explanations.explained_score import texts_of

    value = score.tree.evaluate()
    names = legible_text(score.system), legible_text(score.topic.name)
    print(f"{score.name} of {names[0]} in {names[1]}: {_shown(value)}")
    if not score.is_reproduced:
        reason = f". {score.changed}" if score.changed else ": computed otherwise."
        print_message(f"The stored score is {_shown(score.stored)}{reason} Score again to update it.")
    if name := best_reference(score.tree):
        print(f"Best match: {legible_text(name)}")
    listed = parts(score.tree)
    if not listed:
        print_message(NO_PARTS)
    else:
        texts = texts_of(score)
        rows = [
            {
                "part": legible_text(part.name),
                "value": _shown(part.value),
                "without": _shown(part.without),
                "contribution": _shown(part.contribution),
                "words": _summary_words(part, texts),
            }
            for part in listed
        ]
        heads = {
            "part": "Part",
            "value": "Value",
            "without": "Without it",
            "contribution": "Difference",
            "words": "Words of the summary",
        }
        print_table(rows, heads, title="Parts", right=("value", "without", "contribution"))
    print()
    for line in _tree_lines(score.tree, 0):
        print(line)
    print()


def _tree_lines(node: Explanation, depth: int) -> Iterator[str]:
    about = f"  ({node.operation})" if node.operation else ""
    yield f"{'  ' * depth}{_shown(node.evaluate())}  {legible_text(node.label)}{about}"
    for child in node.children:
        yield from _tree_lines(child, depth + 1)


def _print_pairs(first: ExplainedScore, second: ExplainedScore) -> None:
    from core.comparison.explanations.explained_parts import compare_parts

    rows = [
        {
            "part": legible_text(pair.name),
            "first": UNDEFINED if pair.first is None else _shown(pair.first.contribution),
            "second": UNDEFINED if pair.second is None else _shown(pair.second.contribution),
            "difference": _shown(pair.difference),
        }
        for pair in compare_parts(first.tree, second.tree)
    ]
    heads = {
        "part": "Part",
        "first": legible_text(first.system),
        "second": legible_text(second.system),
        "difference": "Difference",
    }
    print_table(rows, heads, title="Contribution of each part", right=("first", "second", "difference"))


def _summary_words(part: ScorePart, texts: Mapping[tuple[str, str], str]) -> str:
    """Return the words of the summary in a part, shortened."""
    from core.comparison.explanations.explained_score import words_of

    words = (words_of(one, texts) for one in part.evidence if one.role == "summary")
    text = " · ".join(dict.fromkeys(" ".join(one.split()) for one in words))
    text = legible_text(text)
    return text if len(text) <= _MOST_WORDS else f"{text[: _MOST_WORDS - 1]}…"


def _shown(value: float) -> str:
    return UNDEFINED if math.isnan(value) else format_score(value, 4)
