"""Export of pyramids as pages and pictures."""

from __future__ import annotations

from functools import partial

from core.report.pyramid_sheet import write_sheets
from storage.formats.format_types import Export

EXPORTS = tuple(
    Export(
        "pyramids",
        suffix[1:],
        "",
        f"A folder with each pyramid as {title}: {contents}.",
        fill=partial(write_sheets, suffix=suffix),
    )
    for suffix, title, contents in (
        (".html", "a web page", "a figure of its tiers, and its SCUs with their contributors"),
        (".pdf", "PDF", "a figure of its tiers, and its SCUs with their contributors"),
        (".png", "a picture", "its tiers"),
    )
)
