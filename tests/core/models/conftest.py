"""Packages that encoders are compared with, imported by the tests that use them: that takes seconds."""

from __future__ import annotations

import warnings
from typing import Any

import pytest


@pytest.fixture(scope="session")
def peer() -> Any:
    """The package sentence-transformers, with its layers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of third parties, while they are imported
        package = pytest.importorskip(
            "sentence_transformers", reason="run: pip install sentence-transformers"
        )
        import sentence_transformers.sentence_transformer.modules  # noqa: F401
    return package
