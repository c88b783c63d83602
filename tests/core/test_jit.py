"""Where compiled loops are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import jit


@pytest.fixture(autouse=True)
def _no_folder(monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")


def test_loops_are_looked_for_where_numba_keeps_them(monkeypatch, tmp_path):
    from numba.core import caching

    source = Path(jit.__file__)
    assert jit.folder_of(source) == source.parent / "__pycache__"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    beneath = caching._CacheLocator.get_suitable_cache_subpath(str(source))
    assert jit.folder_of(source) == tmp_path / beneath


@pytest.mark.parametrize("is_installed", [True, False])
def test_an_installed_program_leaves_nothing_next_to_its_files(monkeypatch, tmp_path, is_installed):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    place = tmp_path / ("site-packages" if is_installed else "checkout") / "core" / "jit.py"
    monkeypatch.setattr(jit, "__file__", str(place))
    jit.use_folder(tmp_path / "cache")
    assert (jit.folder_of(place).is_relative_to(tmp_path / "cache")) == is_installed
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
