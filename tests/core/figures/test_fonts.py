"""Names in any script are legible in figures and on pages, whatever fonts are installed."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pypdf
import pytest
from matplotlib.font_manager import fontManager

from core.figures.canvas import shorten_label
from core.figures.fonts import FALLBACK_FONT, fallback_families, font_files
from core.figures.palette import LIGHT
from core.figures.scatter_and_heatmap import SystemMeans, bars
from core.report.formats.pdf import to_pdf
from core.report.model import Report, Section
from core.report.pyramid_sheet import Tier, pyramid_figure

NO_FONT_HAS = "\U0010fffd"
"""The last character for private use."""
NAMES = ("摘要系统", "نظام تلخيص", "सारांश", "emoji 😀🎉", "Zoë ✓ −1", f"𐤀 {NO_FONT_HAS}", "x\u200dy\ufe0f")


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_names_in_any_script_are_drawn_without_missing_glyphs(kind: str) -> None:
    """Warnings are errors in tests; matplotlib warns of missing glyphs."""
    values = np.arange(2 * len(NAMES), dtype=float).reshape(len(NAMES), 2)
    bars(SystemMeans(NAMES, (NAMES[0], "b"), values), LIGHT).savefig(io.BytesIO(), format=kind)


def test_labels_of_a_pyramid_are_drawn_without_missing_glyphs() -> None:
    figure = pyramid_figure([Tier("weight 1", NAMES)], LIGHT)
    figure.savefig(io.BytesIO(), format="png")
    assert any("U+10FFFD" in text.get_text() for text in figure.axes[0].texts)


def test_a_character_without_a_font_is_a_code() -> None:
    assert shorten_label(f"a {NO_FONT_HAS}{NO_FONT_HAS}b") == "a U+10FFFD U+10FFFDb"
    assert shorten_label("Zoë ✓ −1 $") == r"Zoë ✓ −1 \$"
    assert shorten_label(NO_FONT_HAS * 9, 20) == "U+10FFFD …"


def test_long_names_keep_both_ends() -> None:
    assert shorten_label("a" * 30 + "b" * 30, 12) == "aaaaaaa…bbbb"


def test_pages_have_the_same_codes() -> None:
    report = Report("T", "", (Section("S", "s", (f"One {NO_FONT_HAS} sign, Zoë",)),))
    text = pypdf.PdfReader(io.BytesIO(to_pdf(report))).pages[0].extract_text()
    assert "One U+10FFFD sign, Zoë" in text


def test_font_files_of_one_name_in_two_folders_are_left_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    regular, bold = (
        next(file for file in font_files() if file.name.endswith(end)) for end in ("Sans.ttf", "Bold.ttf")
    )
    files = {
        tmp_path / "a" / "Sans.ttf": regular.read_bytes(),
        tmp_path / "b" / "Sans.ttf": bold.read_bytes(),
    }
    for file, content in files.items():
        file.parent.mkdir()
        file.write_bytes(content)
    monkeypatch.setattr("core.report.formats.pdf.font_files", lambda: tuple(files))
    to_pdf(Report("T", "", (Section("S", "s", ("One",)),)))
    assert {file: file.read_bytes() for file in files} == files


def test_fallbacks_are_installed_and_matplotlib_s_own_font_comes_first() -> None:
    installed = {entry.name for entry in fontManager.ttflist}
    assert set(fallback_families()) <= installed
    assert LIGHT.fonts == [FALLBACK_FONT, *fallback_families()]
    assert not [file for file in font_files() if "LastResort" in file.name]
    assert any(file.name == "DejaVuSans.ttf" for file in font_files())
