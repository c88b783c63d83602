"""Explanations of scores, in notebooks and files."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.comparison.explanations.explained_parts import NO_PARTS, best_reference, parts
from core.comparison.explanations.explained_score import (
    ExplainedScore,
    explanation_document,
    texts_of,
    words_of,
)
from core.errors import InputError
from core.formatting.legible_text import printable_text
from core.formatting.numbers import format_score
from pyramidion import frames

if TYPE_CHECKING:
    from pandas import DataFrame

PLAIN_CLASS = "tex2jax_ignore"
"""Notebooks look for formulas between dollar signs in what they display, but for elements of this class."""

_PARTS: frames.Columns = {
    "part": str, "value": float, "without": float, "contribution": float, "words": str,
}  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class ExplanationView:
    """A score of one summary, by a measure or by people, as an expression of parts.

    ``pyramidion explain`` prints the same. A notebook displays the parts.
    """

    explained: ExplainedScore

    @property
    def value(self) -> float:
        """The score that the parts give, in the measure's units; NaN = undefined."""
        return self.explained.tree.evaluate()

    @property
    def stored(self) -> float:
        """The score in the study; it differs from ``value`` where texts or annotations have changed since."""
        return self.explained.stored

    @property
    def is_reproduced(self) -> bool:
        """Whether ``value`` is the stored score: within 1e-9, for metrics with a neural model 1e-6."""
        return self.explained.is_reproduced

    @property
    def best_reference(self) -> str:
        """The author of the reference that matched best, empty = the metric does not choose one."""
        return best_reference(self.explained.tree)

    def parts(self) -> DataFrame:
        """Return a row for each part that can be left out, the largest contribution first.

        Columns: part, value (of the part), without (the score without it), contribution (the score minus
        ``without``), words (of the summary, separated by " · "). Numbers are in the measure's units, NaN =
        undefined. There is no row if the score is one number.
        """
        texts = texts_of(self.explained)
        rows = [
            {
                "part": part.name,
                "value": part.value,
                "without": part.without,
                "contribution": part.contribution,
                "words": " · ".join(
                    dict.fromkeys(words_of(one, texts) for one in part.evidence if one.role == "summary")
                ),
            }
            for part in parts(self.explained.tree)
        ]
        return frames.frame(rows, _PARTS)

    def document(self) -> dict[str, Any]:
        """Return the parts and the whole expression as ``pyramidion explain --json`` prints them."""
        return explanation_document(self.explained)

    def save(self, path: str | Path) -> Path:
        """Write a web page (.html) on which numbers and words mark each other, and return its path.

        Raises InputError for another suffix, and where the file cannot be written.
        """
        from core.files.atomic_write import atomic_open, check_writable
        from core.report.explanation_page import explanation_page

        target = Path(path)
        if target.suffix.lower() not in (".html", ".htm"):
            raise InputError(f"{target.name}: an explanation is written as a web page. Choose .html.")
        check_writable(target)
        with atomic_open(target) as file:
            file.write(explanation_page([self.explained]))
        return target

    def __repr__(self) -> str:
        explained = self.explained
        where = f"{explained.name} of {explained.system} in {explained.topic.name}"
        return f"<pyramidion.ExplanationView {printable_text(where)}: {format_score(self.value, 4)}>"

    def _repr_html_(self) -> str:
        explained = self.explained
        title = f"{explained.name} of {explained.system} in {explained.topic.name}"
        stale = "" if self.is_reproduced else f" The stored score is {format_score(self.stored, 4)}."
        rows = self.parts()
        table = f"<p>{escape(NO_PARTS)}</p>"
        if len(rows):
            rows[["part", "words"]] = rows[["part", "words"]].map(printable_text)
            table = rows.to_html(index=False, float_format=lambda value: format_score(value, 4))
        head = escape(f"{printable_text(title)}: {format_score(self.value, 4)}.{stale}")
        return f'<div class="{PLAIN_CLASS}"><p>{head}</p>{table}</div>'
