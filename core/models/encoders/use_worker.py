"""Worker process for the Universal Sentence Encoder: ``python -P use_worker.py FOLDER DEVICE``.

Imports only the standard library, numpy and TensorFlow. Standard input: one JSON object per line with
``texts``. Standard output: first ``{"ready": true}``, or an object with ``missing`` or ``damaged``; then for
each line ``shape`` and ``vectors``, float32 in base64. The process ends with its input.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

Embed = Callable[[list[str]], Any]
"""Returns vectors of texts, shape (texts, dimension), as a numpy array."""


def load(folder: Path) -> Embed:
    """Load a saved model as a function.

    TensorFlow Hub's first format has no tags and a ``default`` signature.
    """
    import tensorflow as tf

    is_first_format = (folder / "tfhub_module.pb").is_file()
    model = tf.compat.v1.saved_model.load_v2(str(folder), tags=[] if is_first_format else None)
    signature = model.signatures.get("default") or model.signatures.get("serving_default")
    if signature is None:
        return lambda texts: model(tf.constant(texts)).numpy()
    (name,) = signature.structured_input_signature[1]
    (out,) = signature.structured_outputs if "default" not in signature.structured_outputs else ("default",)
    return lambda texts: signature(**{name: tf.constant(texts)})[out].numpy()


def serve(embed: Embed, requests: TextIO, answers: TextIO) -> None:
    """Answer line by line until the input ends."""
    for line in requests:
        vectors = embed(json.loads(line)["texts"]).astype("<f4")
        encoded = base64.b64encode(vectors.tobytes()).decode("ascii")
        _put(answers, {"shape": list(vectors.shape), "vectors": encoded})


def _put(answers: TextIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def _answers() -> TextIO:
    """Reserve standard output for answers; other output goes to standard error."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own


def _main(folder: str, device: str) -> int:
    answers = _answers()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    if not device.startswith("cuda"):
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    try:
        embed = load(Path(folder))
    except ImportError as error:
        _put(answers, {"missing": str(error)})
        return 1
    except Exception as error:  # noqa: BLE001 - whatever a damaged model makes TensorFlow raise
        _put(answers, {"damaged": f"{type(error).__name__}: {error}"})
        return 1
    _put(answers, {"ready": True})
    serve(embed, sys.stdin, answers)
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
