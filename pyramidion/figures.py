"""Figures of the program, in notebooks and files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.formatting.legible_text import legible_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".pdf", ".png")


@dataclass(frozen=True, eq=False, slots=True)
class FigureView:
    """A figure as the program draws it, which a notebook displays.

    title: what it shows. caption: how to read it, with the stand-ins among the models.
    matplotlib: the `matplotlib.figure.Figure`, to change it.
    """

    title: str
    caption: str
    matplotlib: Figure

    def svg(self) -> str:
        """Return the figure as an SVG element, with text as text."""
        from core.figures.scatter_and_heatmap import to_svg

        salt = hashlib.sha256(f"{self.title}\n{self.caption}".encode()).hexdigest()[:12]
        return legible_text(to_svg(self.matplotlib, self.title, salt))

    def save(self, path: str | Path) -> Path:
        """Write the figure to a file and return its path; the suffix decides: .svg, .pdf or .png.

        Raises InputError for another suffix, and where the file cannot be written.
        """
        target = Path(path)
        if target.suffix.lower() not in SUFFIXES:
            raise InputError(
                f"{target.name}: a figure is written as {', '.join(SUFFIXES)}. Choose one of them."
            )
        try:
            if target.suffix.lower() == ".svg":
                target.write_text(f"{self.svg()}\n", "utf-8")
            else:
                self.matplotlib.savefig(target, dpi=200)
        except OSError as error:
            raise InputError(f"{target} cannot be written: {error.strerror or error}.") from error
        return target

    def _repr_html_(self) -> str:
        caption = f"<figcaption>{escape(legible_text(self.caption))}</figcaption>" if self.caption else ""
        return f"<figure>{self.svg()}{caption}</figure>"
