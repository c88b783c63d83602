"""Vectors of whole texts by the Universal Sentence Encoder, which TensorFlow runs in a process of its own.

TensorFlow is never imported here: it may be absent, wants packages of its own versions, and takes the whole
GPU. Where it lives in another environment, PYRAMIDION_TENSORFLOW names that one's Python.
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
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import numpy as np

from core.domain.study import Text
from core.errors import InputError, MissingResource
from core.models.encoders import use_worker
from core.models.encoders.text_encoding import Reading, Rows, unencoded, whole_text
from core.models.runtime.encoding_cache import BoundedCache
from core.progress import raise_if_cancelled

log = logging.getLogger(__name__)

PYTHON = "PYRAMIDION_TENSORFLOW"
FILES = ("saved_model.pb", "variables")
_TEXTS_AT_ONCE = 64
_LOOK = 0.1
"""Seconds between two looks whether the job is to stop."""


def lacks_tensorflow() -> str:
    """Why no such model can run here, with the remedy; empty where one can. Imports nothing."""
    if os.environ.get(PYTHON) or find_spec("tensorflow") is not None:
        return ""
    return (
        "The Universal Sentence Encoder runs on TensorFlow, which is not installed; run: pip install "
        f"'pyramidion[use]', or name a Python that has it in {PYTHON}."
    )


class UniversalSentenceEncoder:
    """A saved model in its process, which starts with the first text and ends with this object."""

    def __init__(self, folder: Path, device: str, command: Sequence[str] = ()) -> None:
        """command: what to run in place of this program's own child."""
        self._folder = folder
        elsewhere = os.environ.get(PYTHON)
        # either way the modules beside the child's file hide none of TensorFlow's; before 3.11 there is no -P
        python = (elsewhere, "-I") if elsewhere else (sys.executable, "-P")
        own = (*python, str(Path(use_worker.__file__).resolve()), str(folder), device)
        self._command = tuple(command) or own
        self._child: _Child | None = None
        self._cache: BoundedCache[Reading] = BoundedCache()

    def read(self, texts: Sequence[Text]) -> list[Reading]:
        """Each text as one row.

        Raises MissingResource without TensorFlow, InputError where the model is damaged; a job that is to
        stop ends the process.
        """
        kept = {text.digest: found for text in texts if (found := self._cache.get(text.digest)) is not None}
        missing = list({text.digest: text for text in texts if text.digest not in kept}.values())
        asked = [text for text in missing if text.content.strip()]
        for start in range(0, len(asked), _TEXTS_AT_ONCE):
            batch = asked[start : start + _TEXTS_AT_ONCE]
            for text, row in zip(batch, self._vectors([text.content for text in batch]), strict=True):
                kept[text.digest] = reading = whole_text(text, row.copy())
                self._cache.keep(text.digest, reading)
        dimension = next((one.rows.shape[1] for one in kept.values() if len(one.rows)), 1)
        return [kept.get(text.digest) or unencoded(dimension) for text in texts]

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
                raise ValueError(f"{len(vectors)} vectors for {len(contents)} text")
            return vectors
        except (KeyError, TypeError, ValueError) as error:
            self._end()
            raise failed(self._folder, f"it answered what is no vectors: {error}") from error
        except BaseException:  # a job that is to stop too: what the process is about has nobody to go to
            self._end()
            raise

    def _end(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


def failed(folder: Path, what: str) -> InputError:
    """What to say where TensorFlow does not run a model."""
    return InputError(f"TensorFlow cannot run the model in {folder} ({what}). Copy the model's folder again.")


class _Child:
    """A process that answers a line of JSON with a line of JSON."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._folder = folder
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, encoding="utf-8"
            )
        except OSError as error:
            self._said.close()
            raise MissingResource(
                f"{command[0]} cannot be run ({error.strerror}); {PYTHON} names it."
            ) from error
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        assert self._process.stdout is not None
        reading = threading.Thread(target=_pass_on, args=(self._process.stdout, self._answers), daemon=True)
        reading.start()
        self._finalizer = weakref.finalize(self, _kill, self._process, reading, self._said)

    def begin(self) -> None:
        """Wait until the model is loaded."""
        answer = self._answer()
        if "missing" in answer:
            log.warning("TensorFlow's process lacks a package: %s", answer["missing"])
            raise MissingResource(
                "The Universal Sentence Encoder runs on TensorFlow, which is not installed there "
                f"({answer['missing']}); run: pip install 'pyramidion[use]', or name a Python that has it in "
                f"{PYTHON}."
            )
        if "ready" not in answer:
            raise failed(self._folder, str(answer.get("damaged", answer)))

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to a question. Raises Interrupted where the job is to stop."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise failed(self._folder, f"its process ended: {self._last_words()}") from error
        return self._answer()

    def end(self) -> None:
        """Kill the process."""
        self._finalizer()

    def _answer(self) -> dict[str, Any]:
        while True:
            raise_if_cancelled()
            try:
                line = self._answers.get(timeout=_LOOK)
            except queue.Empty:
                continue
            if not line:
                raise failed(self._folder, f"its process ended: {self._last_words()}")
            answer = json.loads(line)
            if not isinstance(answer, dict):
                raise ValueError(line[:80])
            return answer

    def _last_words(self) -> str:
        """The last line that the process wrote of itself."""
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"


def _pass_on(answers: IO[str], to: queue.SimpleQueue[str]) -> None:
    """Hand lines over as they come, and an empty one at the end."""
    for line in answers:
        to.put(line)
    to.put("")


def _kill(process: subprocess.Popen[str], reading: threading.Thread, said: IO[bytes]) -> None:
    process.kill()
    process.wait()
    reading.join()
    for pipe in (process.stdin, process.stdout, said):
        if pipe is not None:
            try:
                pipe.close()
            except OSError as error:  # what was not yet written has nobody to go to
                log.debug("a pipe was broken: %s", error)
