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
    "Team|Text|Tutorial|URL|Version 1|Version 2"
)
"""Words of the window that are the same in German."""
KEPT = (
    "Pyramidion|stem|n 1|rouge-1|rouge-2|rouge-l|Which summary is better?|"
    "postgresql+psycopg://user@host/database|"
    "System-level correlation|Topic-level correlation|Global correlation|Topic|Pearson|Spearman|Kendall τ-b|"
    "Pearson's r|Spearman's ρ|Kendall's τ-b|Raw agreement|Cohen's κ|quadratic weights|Fleiss' κ|ICC(1)|"
    "one-way|ICC(2)|ICC(2,k)|agreement|mean|ordinal|interval|recall|precision|"
    "compared summaries|judged summaries equal"
)
"""Names of metrics, coefficients, levels and edits, and texts that are stored."""
RESULTS = re.compile(
    "What it does to the result: |rouge-|.*: (mean of the ratings|summaries whose|share of comp)"
)
"""Beginnings of results of the engine and of definitions of judgements."""
PARTS = re.compile(r"[\n:·,…×()]| – ")
WORD = re.compile(r"[a-z]{2}")


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
    programs = {}
    for code in ("en", "de"):
        study = Path(shutil.copy(sample_file, tmp_path / f"{code}.pyramidion"))
        with open_study(study) as opened:
            score_all(opened, "rouge-n:n=1", "rouge-l")
        program = [sys.executable, str(Path(__file__).with_name("shown_texts.py"))]
        programs[code] = subprocess.Popen(
            [*program, code, str(study), str(tmp_path / f"{code}.json")],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    english, german = (json.loads(programs[code].communicate()[0]) for code in ("en", "de"))
    assert len(german) > 1000
    data = {*strings_of(study), *names_of_the_engine(), *SHARED.split("|"), *KEPT.split("|")}
    data = {
        part.strip(" 0123456789").casefold()
        for text in data
        for part in (text.replace("&", ""), *PARTS.split(text))
    }

    def is_known(text: str) -> bool:
        parts = [part.strip(" 0123456789").casefold() for part in (text, *PARTS.split(text))]
        return (
            parts[0] in data
            or RESULTS.match(text)
            or all(part in data or not WORD.search(part) for part in parts[1:])
        )

    same = {text: place for text, place in german.items() if text in english and WORD.search(text)}
    assert {text: place for text, place in same.items() if not is_known(text)} == {}
