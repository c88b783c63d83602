"""Python interface of Pyramidion: studies of summarization evaluation and metrics in scripts and notebooks.

Read a study; every method returns a pandas DataFrame::

    import pyramidion

    with pyramidion.open("my-study.pyramidion") as study:
        study.correlations(level="system", coefficient="kendall")

Score texts that are in no study, or go from a table straight to scores, tests and correlations::

    pyramidion.score(summaries, references, "rouge-2").value
    pyramidion.evaluate(frame, metrics="rouge-2", human="coherence").scores

The numbers are those of the program. Nothing is imported before it is used: neither torch nor Qt.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pyramidion._shadowing import check_packages

if TYPE_CHECKING:
    from core.errors import InputError, MissingResource, PluginFailed, PyramidionError
    from pyramidion.evaluation import Evaluation, evaluate
    from pyramidion.explanation import ExplanationView
    from pyramidion.figures import FigureView
    from pyramidion.scoring import Scores, score
    from pyramidion.study import PyramidionWarning, Study, create
    from pyramidion.study import open_study as open  # noqa: A004 - named as in other packages

__all__ = [
    "Evaluation",
    "ExplanationView",
    "FigureView",
    "InputError",
    "MissingResource",
    "PluginFailed",
    "PyramidionError",
    "PyramidionWarning",
    "Scores",
    "Study",
    "create",
    "evaluate",
    "open",
    "score",
]

_HOMES = {
    "Evaluation": "pyramidion.evaluation",
    "evaluate": "pyramidion.evaluation",
    "ExplanationView": "pyramidion.explanation",
    "FigureView": "pyramidion.figures",
    "Scores": "pyramidion.scoring",
    "score": "pyramidion.scoring",
    "PyramidionWarning": "pyramidion.study",
    "Study": "pyramidion.study",
    "create": "pyramidion.study",
    "open": "pyramidion.study",
}
_OTHER_NAMES = {"open": "open_study"}


def __getattr__(name: str) -> Any:
    """Import a public name, or the version, when it is first used."""
    if name == "__version__":
        from importlib.metadata import version

        return version("pyramidion")
    if name not in __all__:
        raise AttributeError(f"module 'pyramidion' has no attribute {name!r}")
    check_packages()
    value = getattr(import_module(_HOMES.get(name, "core.errors")), _OTHER_NAMES.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
