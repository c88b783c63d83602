"""Explanations of one or two scores as a web page: the tree next to the texts, linked by hovering."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from itertools import pairwise

from core.comparison.explanations.explained_parts import NO_PARTS, Path, best_reference, compare_parts, parts
from core.comparison.explanations.explained_score import ExplainedScore, texts_of
from core.figures.palette import DARK, LIGHT
from core.formatting.legible_text import legible_text
from core.formatting.numbers import UNDEFINED, format_score
from core.metrics.base import Evidence, Explanation


@dataclass(frozen=True, slots=True)
class PageNode:
    """A node of the tree. id: unique on the page. without: empty = it cannot be left out."""

    id: str
    label: str
    operator: str
    value: str
    without: str
    has_evidence: bool
    children: tuple[PageNode, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of a text with the ids of the nodes whose evidence covers them."""

    words: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageText:
    """A text of the topic. is_best: it adds most to the score."""

    role: str
    name: str
    pieces: tuple[Piece, ...]
    is_best: bool


@dataclass(frozen=True, slots=True)
class PageScore:
    """One score with its tree and texts. note: that it has no parts, empty = it has some."""

    title: str
    value: str
    stored: str
    is_reproduced: bool
    note: str
    tree: PageNode
    texts: tuple[PageText, ...]
    ids: tuple[str, ...]


def explanation_page(scores: Sequence[ExplainedScore]) -> str:
    """Return a page without scripts that loads nothing. scores: one, or two of one measure and topic."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = files("resources").joinpath("templates/explanation.html").read_text(encoding="utf-8")
    first = scores[0]
    return environment.from_string(source).render(
        title=legible_text(f"{first.name} in {first.topic.name}"),
        signature=legible_text(first.signature),
        scores=[_score(score, f"s{number}") for number, score in enumerate(scores)],
        pairs=_pairs(scores),
        names=[legible_text(score.system) for score in scores],
        day=_variables(asdict(LIGHT)),
        night=_variables(asdict(DARK)),
    )


def _variables(colours: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in colours.items() if name != "font"}


def _pairs(scores: Sequence[ExplainedScore]) -> list[tuple[str, str, str, str]]:
    """Return the rows of the comparison of two scores, part by part."""
    if len(scores) < 2:
        return []
    return [
        (
            legible_text(pair.name),
            UNDEFINED if pair.first is None else _shown(pair.first.contribution),
            UNDEFINED if pair.second is None else _shown(pair.second.contribution),
            _shown(pair.difference),
        )
        for pair in compare_parts(scores[0].tree, scores[1].tree)
    ]


def _score(score: ExplainedScore, prefix: str) -> PageScore:
    spans: dict[tuple[str, str], list[tuple[Evidence, str]]] = defaultdict(list)
    left = {path: part.without for part in parts(score.tree) for path in part.paths}
    tree = _node(score.tree, (), prefix, spans, left)
    best = best_reference(score.tree)
    texts = texts_of(score)
    wanted = [("summary", score.system), *(key for key in texts if key in spans and key[0] != "summary")]
    shown = tuple(
        PageText(
            role.capitalize(),
            legible_text(name),
            tuple(_pieces(texts[role, name], spans.get((role, name), ()))),
            role != "summary" and name == best,
        )
        for role, name in sorted(wanted, key=lambda key: (key[0] != "summary", key[1] != best))
    )
    return PageScore(
        legible_text(score.system),
        _shown(score.tree.evaluate()),
        _shown(score.stored),
        score.is_reproduced,
        "" if left else NO_PARTS,
        tree,
        shown,
        tuple(dict.fromkeys(node_id for listed in spans.values() for _, node_id in listed)),
    )


def _node(
    node: Explanation,
    path: Path,
    prefix: str,
    spans: dict[tuple[str, str], list[tuple[Evidence, str]]],
    left: Mapping[Path, float],
) -> PageNode:
    node_id = "-".join((prefix, *map(str, path)))
    for one in node.evidence:
        spans[one.role, one.name].append((one, node_id))
    children = [_node(child, (*path, at), prefix, spans, left) for at, child in enumerate(node.children)]
    return PageNode(
        node_id,
        legible_text(node.label),
        node.operation,
        _shown(node.evaluate()),
        _shown(left[path]) if path in left else "",
        bool(node.evidence),
        tuple(children),
    )


def _pieces(content: str, spans: Sequence[tuple[Evidence, str]]) -> Iterator[Piece]:
    """Yield a text cut where the covering nodes change."""
    inside = (edge for one, _ in spans for edge in one.span if 0 <= edge <= len(content))
    for start, end in pairwise(sorted({0, len(content), *inside})):
        covering = (node_id for one, node_id in spans if one.span[0] <= start and end <= one.span[1])
        yield Piece(legible_text(content[start:end]), tuple(dict.fromkeys(covering)))


def _shown(value: float) -> str:
    return UNDEFINED if math.isnan(value) else format_score(value, 4)
