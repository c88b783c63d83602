"""A text that spells no number in ASCII digits is read as none, in every format and every setting.

Tried to be broken by exchanging each number of the files of every format for numerals that `float` and `int`
accept (``7_3``, Arabic and full-width digits, ``nan``, ``infinity``, ``1e999``), bare or in quotes, while
the readers' own `int` and `float` refuse such texts. It first failed for eight formats (SummEval, sacrerouge,
tables, foreign tables, published ratings, Newsroom, TAC, mt-metrics-eval) and for the settings of metrics.
"""

from __future__ import annotations

import builtins
import importlib
import math
import pkgutil
import re
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

import storage.formats
from core.errors import BadSetting, InputError
from core.json_schema import from_plain
from core.metrics import registry
from core.numerals import parse_number, parse_whole
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.annotation_tools.tool_folders import Manifest
from storage.formats.mappings.formats import packaged_text
from storage.formats.mappings.mapping import read_mapping
from tests.fuzz.attempts import laid_out
from tests.fuzz.seeds import KINDS, Kind

ODD = ("7_3", "٧٣", "７３", "nan", "infinity", "1e999", "7３")
CASES = 28
_PLAIN = re.compile(r"\s*[+-]?[0-9.]+(?:[eE][+-]?[0-9]{1,2})?\s*")
_ZIP, _PARQUET = b"PK", b"PAR1"
_WITHOUT_NUMERALS = ("XLSX", "Parquet", "data sets", "INCEpTION", "WebAnno TSV", "system-folders")
"""Kinds of files whose seeds may have none, or are compressed."""


class _Guard(type):
    """The type of an `int` or `float` that accepts no odd numeral."""

    of: type

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls.of)

    def __call__(cls, value: Any = 0, *more: Any) -> Any:
        assert more or not isinstance(value, str | bytes) or _PLAIN.fullmatch(str(value)), value
        return cls.of(value, *more)


@pytest.fixture
def guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exchange `int` and `float` in every module of the formats, once their types were read."""
    read_mapping(packaged_text("qags"), "qags")
    with suppress(ValueError):
        from_plain(Manifest, {})
    for found in pkgutil.walk_packages(storage.formats.__path__, "storage.formats."):
        module = importlib.import_module(found.name)
        for name in ("int", "float"):
            guard = _Guard(name, (), {"of": getattr(builtins, name)})
            monkeypatch.setattr(module, name, guard, raising=False)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_format_reads_an_odd_numeral_as_a_number(kind: Kind, guarded: None, tmp_path: Path) -> None:
    chance, changed = Random(kind.name), 0
    for number in range(CASES):
        files = kind.make(Random(f"{kind.name} {number // 4}"))
        name = chance.choice(list(files))
        content = files[name]
        places = [one.span() for one in re.finditer(rb'"?[0-9]+(?:\.[0-9]+)?"?', content)]
        if content.startswith((_ZIP, _PARQUET)) or not places:
            continue
        start, end = chance.choice(places)
        odd = ODD[number % len(ODD)].encode()
        files[name] = content[:start] + (b'"%s"' % odd if number % 2 else odd) + content[end:]
        changed += 1
        source = laid_out(files, tmp_path / str(number), is_folder=kind.is_folder)
        try:
            request = import_registry.import_request(source, kind.format, kind.options[0])
            run_to_completion(import_registry.read_steps(request))
        except InputError:
            pass
    assert changed or kind.name in _WITHOUT_NUMERALS, "nothing was exchanged"


@pytest.mark.parametrize("odd", ODD)
def test_no_setting_reads_an_odd_numeral_as_a_number(odd: str) -> None:
    for spec in (f"rouge-n:n={odd}", f"rouge-n:alpha={odd}", f"cider:sigma={odd}"):
        with pytest.raises(BadSetting, match="number"):
            registry.parse(spec)


@pytest.mark.parametrize("text", ODD)
def test_an_odd_numeral_is_no_number(text: str) -> None:
    assert parse_number(text) is None
    assert parse_whole(text) is None


@pytest.mark.parametrize("value", [True, None, math.nan, math.inf, 10**400, [], "", " ", ".", "-", "1e"])
def test_what_is_no_number_has_none(value: object) -> None:
    assert parse_number(value) is None


def test_numbers_are_read_as_python_writes_them() -> None:
    for number in (0.0, -0.5, 1e-7, 1.5e300, 73.0, 1 / 3, 5e-324):
        assert parse_number(f" {number!r}\n") == number
    assert (parse_number("+.5"), parse_number("7."), parse_number(3), parse_whole("-12")) == (0.5, 7, 3, -12)
