"""Read a pickled support vector regression in a separate process: ``python -I -S safe_unpickle.py FILE``.

A pickle may call any function. Here the few names that such a model needs are replaced by the classes
below, which only store their arguments; any other name is refused. Only the standard library is imported.
Prints one JSON object; if the file is refused, exits with REFUSED and prints the reason.
"""

from __future__ import annotations

import base64
import io
import json
import pickle
import sys
from pathlib import Path
from typing import Any

REFUSED = 3
_MAX_BYTES = 1 << 30
_MAX_SECONDS = 20
_MAX_MESSAGE = 200


class Refused(Exception):
    """The file does not contain a support vector regression."""


class Dtype:
    """Replacement for numpy's dtype. code: for example ``f8``; order: ``<``, ``>`` or ``|``."""

    def __init__(self, code: str = "", *_: object) -> None:
        self.code, self.order = str(code), "<"

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.order = str(state[1])


class NumpyArray:
    """Replacement for numpy's arrays."""

    shape: tuple[int, ...] = ()
    dtype = Dtype()
    is_fortran = False
    raw = b""

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, self.shape, self.dtype, self.is_fortran, raw = state
        self.raw = raw.encode("latin-1") if isinstance(raw, str) else raw

    def as_json(self) -> dict[str, Any]:
        """Return the array as JSON; only 64-bit floating point is supported."""
        if not isinstance(self.dtype, Dtype) or self.dtype.code != "f8" or not isinstance(self.raw, bytes):
            raise Refused("one of its arrays is not 64-bit floating point")
        return {
            "shape": [int(size) for size in self.shape],
            "order": "F" if self.is_fortran else "C",
            "dtype": f"{'>' if self.dtype.order == '>' else '<'}f8",
            "base64": base64.b64encode(self.raw).decode("ascii"),
        }


class Estimator:
    """Replacement for the regression."""

    def __init__(self) -> None:
        self.attributes: dict[str, Any] = {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.attributes = dict(state)


def make_array(*_: object) -> NumpyArray:
    return NumpyArray()


def make_number(dtype: Dtype, raw: Any) -> NumpyArray:
    number = NumpyArray()
    number.__setstate__((1, (1,), dtype, False, raw))
    return number


def make_estimator(*_: object) -> Estimator:
    return Estimator()


def as_bytes(text: str, *_: object) -> bytes:
    """Decode bytes that Python 3 wrote for Python 2."""
    return text.encode("latin-1")


def no_bytes(*_: object) -> bytes:
    """Return the bytes of an empty array that Python 3 wrote for Python 2."""
    return b""


def nothing(*_: object) -> None:
    """Replacement for names that are not needed, such as `object`."""


ALLOWED = {
    **{(module, "_reconstructor"): make_estimator for module in ("copy_reg", "copyreg")},
    **{(module, "object"): nothing for module in ("__builtin__", "builtins")},
    **{(module, "bytes"): no_bytes for module in ("__builtin__", "builtins")},
    ("_codecs", "encode"): as_bytes,
    ("numpy", "ndarray"): NumpyArray,
    ("numpy", "dtype"): Dtype,
    **{(f"numpy.{core}.multiarray", "_reconstruct"): make_array for core in ("core", "_core")},
    **{(f"numpy.{core}.multiarray", "scalar"): make_number for core in ("core", "_core")},
    **{(module, "SVR"): Estimator for module in ("sklearn.svm.classes", "sklearn.svm._classes")},
}


class AllowListed(pickle.Unpickler):
    """An unpickler that knows only the names in ALLOWED."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in ALLOWED:
            raise Refused(f"it requires {module}.{name}, which no S3 model uses")
        return ALLOWED[module, name]

    def persistent_load(self, pid: Any) -> Any:
        raise Refused("it refers to an object outside the file")


def read(raw: bytes) -> dict[str, Any]:
    """Return the parts of a support vector regression. Raises Refused."""
    try:
        model = AllowListed(io.BytesIO(raw), encoding="latin-1").load()
        if not isinstance(model, Estimator):
            raise Refused("it contains no support vector regression")
        return _parts(model.attributes)
    except Refused:
        raise
    except Exception as error:  # a damaged pickle can raise anything
        raise Refused(f"it cannot be read ({type(error).__name__}: {error})") from error


def _parts(attributes: dict[str, Any]) -> dict[str, Any]:
    if attributes.get("kernel") != "rbf":
        raise Refused("its kernel is not radial")
    return {
        "examples": _array(attributes, "support_vectors_"),
        "weights": _array(attributes, "dual_coef_", "_dual_coef_"),
        "intercept": _array(attributes, "intercept_", "_intercept_"),
        "gamma": _number(attributes, "_gamma", "gamma"),
    }


def _array(attributes: dict[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        if isinstance(attributes.get(name), NumpyArray):
            array: dict[str, Any] = attributes[name].as_json()
            return array
    raise Refused(f"it has no {names[0]}")


def _number(attributes: dict[str, Any], *names: str) -> float | dict[str, Any]:
    for name in names:
        value = attributes.get(name)
        if isinstance(value, float):
            return value
        if isinstance(value, NumpyArray):
            return value.as_json()
    raise Refused(f"it has no {names[-1]}")


def _limit() -> None:
    """Limit memory and CPU time, in case the file is malicious."""
    try:
        import resource
    except ImportError:  # not on Windows, where the parent process applies a timeout
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_BYTES, _MAX_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_MAX_SECONDS, _MAX_SECONDS))


def _printable(text: str) -> str:
    """Return the beginning of a message without control characters; it may contain text from the file."""
    return "".join(char if char.isprintable() else "?" for char in text[:_MAX_MESSAGE])


def _main(path: str) -> int:
    _limit()
    try:
        sys.stdout.write(json.dumps(read(Path(path).read_bytes())))
    except (Refused, OSError) as error:
        sys.stderr.write(_printable(str(error)))
        return REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1]))
