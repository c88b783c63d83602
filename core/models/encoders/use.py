"""Universal Sentence Encoder, run by TensorFlow in a separate process.

TensorFlow is never imported here: it may be missing, requires specific package versions, and takes the whole
GPU memory. If it is in another environment, PYRAMIDION_TENSORFLOW names that environment's Python.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import queue
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from core.domain.study import Text
from core.errors import InputError, MissingResource
from core.extras import require
from core.json_text import parse_json
from core.models.encoders import use_worker
from core.models.encoders.text_encoding import EncodedText, Rows, empty_text, whole_text
from core.models.runtime.encoding_cache import BoundedCache
from core.progress import raise_if_cancelled

log = logging.getLogger(__name__)

PYTHON = "PYRAMIDION_TENSORFLOW"
_TEXTS_AT_ONCE = 64
_POLL_S = 0.1
"""Seconds between two checks for cancellation."""


def require_tensorflow() -> None:
    """Raise MissingResource, which names the remedies, where no TensorFlow is known. Imports nothing."""
    if not os.environ.get(PYTHON):
        require("use", f"or set {PYTHON} to a Python that has TensorFlow")


class UniversalSentenceEncoder:
    """A saved model in a separate process that starts with the first text and ends with this object."""

    def __init__(self, folder: Path, device: str, command: Sequence[str] = ()) -> None:
        """command: replaces the command of the worker process."""
        self._folder = folder
        elsewhere = os.environ.get(PYTHON)
        # both options keep modules next to the worker's file from hiding TensorFlow's; -P needs Python 3.11
        python = (elsewhere, "-I") if elsewhere else (sys.executable, "-P")
        own = (*python, str(Path(use_worker.__file__).resolve()), str(folder), device)
        self._command = tuple(command) or own
        self._child: _Child | None = None
        self._cache: BoundedCache[EncodedText] = BoundedCache()

    def read(self, texts: Sequence[Text]) -> list[EncodedText]:
        """Encode each text as one row.

        Raises MissingResource without TensorFlow, InputError if the model is damaged. Cancellation ends the
        process.
        """
        known = {text.digest: hit for text in texts if (hit := self._cache.get(text.digest)) is not None}
        missing = list({text.digest: text for text in texts if text.digest not in known}.values())
        nonblank = [text for text in missing if text.content.strip()]
        for start in range(0, len(nonblank), _TEXTS_AT_ONCE):
            batch = nonblank[start : start + _TEXTS_AT_ONCE]
            for text, row in zip(batch, self._vectors([text.content for text in batch]), strict=True):
                known[text.digest] = encoded = whole_text(text, row.copy())
                self._cache.keep(text.digest, encoded)
        dimension = next((one.rows.shape[1] for one in known.values() if len(one.rows)), 1)
        return [known.get(text.digest) or empty_text(dimension) for text in texts]

    def _vectors(self, contents: list[str]) -> Rows:
        child = self._child
        try:
            if child is None:
                child = self._child = _Child(self._command, self._folder)
                child.begin()
            answer = child.ask({"texts": contents})
            shape, raw = answer["shape"], base64.b64decode(answer["vectors"])
            vectors = np.frombuffer(raw, "<f4").astype(np.float32).reshape(shape)
            if vectors.ndim != 2 or len(vectors) != len(contents):
                raise ValueError(f"{len(vectors)} vectors for {len(contents)} texts")
            return vectors
        except (KeyError, TypeError, ValueError) as error:
            self._end()
            raise failed(self._folder, f"invalid vectors: {error}") from error
        except BaseException:  # also on cancellation, when nobody reads the worker's results
            self._end()
            raise

    def _end(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


def failed(folder: Path, what: str) -> InputError:
    """Return the error for a model that TensorFlow cannot run."""
    return InputError(f"TensorFlow cannot run the model in {folder} ({what}). Copy the model's folder again.")


class _Child:
    """A process that answers each line of JSON with a line of JSON."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._folder = folder
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr, encoding="utf-8"
            )
        except OSError as error:
            self._stderr.close()
            raise MissingResource(
                f"{command[0]} cannot be run ({error.strerror}). Check {PYTHON}."
            ) from error
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        assert self._process.stdout is not None
        reader = threading.Thread(
            target=_forward_lines, args=(self._process.stdout, self._answers), daemon=True
        )
        reader.start()
        self._finalizer = weakref.finalize(self, _kill, self._process, reader, self._stderr)

    def begin(self) -> None:
        """Wait until the model is loaded."""
        answer = self._answer()
        if "missing" in answer:
            log.warning("a package is missing in the TensorFlow process: %s", answer["missing"])
            raise MissingResource(
                "The Universal Sentence Encoder requires TensorFlow, which is not installed there "
                f"({answer['missing']}). Run: pip install 'pyramidion[use]', or name a Python that has it in "
                f"{PYTHON}."
            )
        if "ready" not in answer:
            raise failed(self._folder, str(answer.get("damaged", answer)))

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question. Raises Interrupted on cancellation."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise failed(self._folder, f"its process ended: {self._last_message()}") from error
        return self._answer()

    def end(self) -> None:
        """Kill the process."""
        self._finalizer()

    def _answer(self) -> dict[str, Any]:
        while True:
            raise_if_cancelled()
            try:
                line = self._answers.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            if not line:
                raise failed(self._folder, f"its process ended: {self._last_message()}")
            answer = parse_json(line)
            if not isinstance(answer, dict):
                raise ValueError(line[:80])
            return answer

    def _last_message(self) -> str:
        """Return the last line of the process's standard error."""
        self._stderr.seek(0)
        lines = self._stderr.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "no message"


def _forward_lines(answers: IO[str], to: queue.SimpleQueue[str]) -> None:
    """Pass lines on as they arrive, and an empty one at the end."""
    for line in answers:
        to.put(line)
    to.put("")


def _kill(process: subprocess.Popen[str], reader: threading.Thread, stderr: IO[bytes]) -> None:
    process.kill()
    process.wait()
    reader.join()
    for pipe in (process.stdin, process.stdout, stderr):
        if pipe is not None:
            try:
                pipe.close()
            except OSError as error:  # unwritten data has no reader
                log.debug("a pipe was broken: %s", error)
