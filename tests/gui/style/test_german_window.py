"""Everything that the window shows in German is German, but for names and words that both languages share."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.scale_templates import TEMPLATES
from core.metrics.judge.rubric import packaged_rubrics
from core.metrics.registry import metrics
from core.systems.registry import summarizers
from core.text.languages import LANGUAGE_NAMES
from gui.style.language import LANGUAGES
from storage.formats.registry import FORMATS
from storage.study_file import open_study
from tests.scoring import score_all

ROOT = Path(__file__).parents[3]
SHARED = (
    "Annotation|Annotator|CPU|Details|Format|Global|Index|Name|Nugget|Nuggets|Original|SCU|SCUs|Status|System|Tabs|"
    "Team|Text|Tutorial|URL|MB|Version 1|Version 2"
)
"""Words of the window that are the same in German."""
KEPT = (
    "Pyramidion|stem|n 1|rouge-1|rouge-2|rouge-l|Which summary is better?|"
    "postgresql+psycopg://user@host/database|"
    "System-level correlation|Topic-level correlation|Global correlation|Topic|Pearson|Spearman|Kendall τ-b|"
    "Pearson's r|Spearman's ρ|Kendall's τ-b|Raw agreement|Cohen's κ|quadratic weights|Fleiss' κ|ICC(1)|"
    "one-way|ICC(2)|ICC(2,k)|agreement|mean|ordinal|interval|recall|precision|"
    "compared summaries|judged summaries equal|Krippendorff's α|nominal|MASI|All items|Stuart's τ-c|"
    "Goodman–Kruskal γ|pairwise accuracy|soft pairwise accuracy|An inquiry has concluded|"
    "No measure is named for a scale that people have rated on. Import a judge's scores, score with the "
    "metric judge, or name a measure and a rating."
)
"""Names of metrics, coefficients, levels and edits, texts that are stored, and an error of the engine."""
RESULTS = re.compile(
    "What it does to the result: |pyramidion |rouge-|.*: (mean of the ratings|summaries whose|share of comp)"
)
"""Beginnings of results of the engine, of commands and of definitions of judgements."""
KEYS = "Alt|Enter|Entf|Leertaste|Links|Rechts|Strg|Umschalt"
"""Keys, as Qt names them in German."""
PARTS = re.compile(rf"[\n:·,;…×()›=+/]| – |\. |<[^>]*>|{{[^}}]*}}|\b(?:{KEYS})\b|\s*(?<!\w)[\d.,]+\b\s*")
WORD = re.compile(r"[a-z]{2}")


def parts_of(text: str) -> set[str]:
    """Return a text's parts that have words, between signs, keys and numbers."""
    parts = (part.strip(" .").casefold() for part in PARTS.split(text.replace("&", "")))
    return {part for part in parts if WORD.search(part)}


def is_composed(part: str, known: set[str]) -> bool:
    """Return whether a part is a known one, or consists of two."""
    spaces = [found.start() for found in re.finditer(" ", part)]
    return part in known or any(part[:at] in known and part[at + 1 :] in known for at in spaces)


def strings_of(path: Path) -> set[str]:
    """Return all strings of a study."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [
            name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")
        ]
        cells = (
            cell for table in tables for row in connection.execute(f'select * from "{table}"') for cell in row
        )
        return {cell for cell in cells if isinstance(cell, str)}


def names_of_the_engine() -> set[str]:
    """Return names and descriptions of catalogues, which are English in every language."""
    catalogue = json.loads((ROOT / "resources" / "datasets" / "catalogue.json").read_text("utf-8"))
    return {
        *LANGUAGES.values(),
        *LANGUAGE_NAMES.values(),
        *(one.title for one in FORMATS),
        *(value for row in catalogue for value in row.values() if isinstance(value, str)),
        *(text for cls in summarizers() for text in (cls.name, cls.about, cls.paper)),
        *(text for kind in metrics() for text in (kind.name, kind.about)),
        *packaged_rubrics(),
        *(scale.name for template in TEMPLATES for scale in template.scales),
    }


@pytest.mark.slow
def test_no_page_or_dialog_shows_english_in_german(sample_file, tmp_path) -> None:
    """Each part of a text is one of a translation, of the study or the engine, or is the same in German."""
    study = Path(shutil.copy(sample_file, tmp_path / "de.pyramidion"))
    with open_study(study) as opened:
        score_all(opened, "rouge-n:n=1", "rouge-l")
    program = [sys.executable, str(Path(__file__).with_name("shown_texts.py"))]
    ran = subprocess.run(
        [*program, "de", str(study), str(tmp_path / "de.json")],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    shown, translated = json.loads(ran.stdout)
    assert len(shown) > 1000
    texts = {*strings_of(study), *names_of_the_engine(), *SHARED.split("|"), *KEPT.split("|")}
    known = {part for text in (*texts, *translated, str(study)) for part in parts_of(text)}
    unknown = {
        text: place
        for text, place in shown.items()
        if not RESULTS.match(text) and not all(is_composed(part, known) for part in parts_of(text))
    }
    assert unknown == {}
