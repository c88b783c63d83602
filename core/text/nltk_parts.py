"""Stemmers and tokenizer of NLTK, without the scikit-learn and SciPy that its package imports for others."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.abc import MetaPathFinder
from typing import Any, NamedTuple

_UNUSED = {"scipy", "sklearn"}
"""What NLTK does without where it is missing; importing it takes two seconds."""

_LOADING = threading.Lock()


class NltkParts(NamedTuple):
    """Classes of NLTK."""

    english_stemmer: Any
    porter_stemmer: Any
    word_tokenizer: Any


class _Hidden(MetaPathFinder):
    """Finds nothing, and in the thread that created it nothing of what is unused."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.partition(".")[0] in _UNUSED and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"{name} is hidden from NLTK", name=name)


def nltk_parts() -> NltkParts:
    """Return classes of NLTK; the first call takes a third of a second."""
    with _LOADING:
        return _import()


@cache
def _import() -> NltkParts:
    with _without_unused():
        from nltk.stem.porter import PorterStemmer
        from nltk.stem.snowball import EnglishStemmer
        from nltk.tokenize import NLTKWordTokenizer

        return NltkParts(EnglishStemmer, PorterStemmer, NLTKWordTokenizer)


@contextmanager
def _without_unused() -> Iterator[None]:
    if "nltk" in sys.modules:
        yield
        return
    hidden = _Hidden()
    sys.meta_path.insert(0, hidden)
    try:
        yield
    finally:
        sys.meta_path.remove(hidden)
        for name in [name for name in sys.modules if name.partition(".")[0] == "nltk"]:
            del sys.modules[name]  # others who import NLTK get all of it
