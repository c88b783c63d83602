"""The Universal Sentence Encoder's worker process: protocol, failures, end; TensorFlow if installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core import extras
from core.domain.study import Text
from core.errors import InputError, MissingResource
from core.models.encoders import use
from core.models.encoders.use import PYTHON, UniversalSentenceEncoder, require_tensorflow
from core.progress import Cancelled, cancellable

ROOT = Path(__file__).parents[3]

STAND_IN = """
    import sys
    sys.path.insert(0, {models!r})
    import numpy as np, use_worker
    answers = use_worker._answers()
    print("a library prints what it likes")
    use_worker._put(answers, {begin})
    def embed(texts):
        open({log!r}, "a").write(f"{{len(texts)}}\\n")
        {step}
        return np.array([[len(text), text.count("a") + 1] for text in texts], dtype=float)
    use_worker.serve(embed, sys.stdin, answers)
"""


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., UniversalSentenceEncoder]:
    """Makes an encoder whose child is a stand-in, which counts letters."""

    def made(begin: str = '{"ready": True}', step: str = "pass") -> UniversalSentenceEncoder:
        models, log = str(ROOT / "core" / "models" / "encoders"), str(tmp_path / "log")
        code = textwrap.dedent(STAND_IN).format(models=models, log=log, begin=begin, step=step)
        return UniversalSentenceEncoder(tmp_path, "cpu", [sys.executable, "-c", code])

    return made


def text(content: str) -> Text:
    return Text(content, content, content)


def test_texts_are_asked_once_in_batches_and_come_back_in_order(
    make: Callable[..., UniversalSentenceEncoder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(use, "_TEXTS_AT_ONCE", 2)
    encoder = make()
    read = encoder.read([text("banana"), text(" "), text("Cafés 🌉"), text("banana"), text("ax")])
    assert [one.rows.tolist() for one in read] == [[[6, 4]], [], [[7, 2]], [[6, 4]], [[2, 2]]]
    assert read[0].spans == ((0, 6),)
    encoder.read([text("ax"), text("banana")])
    assert (tmp_path / "log").read_text().split() == ["2", "1"]


def test_cancellation_kills_the_process_and_a_later_job_starts_a_new_one(
    make: Callable[..., UniversalSentenceEncoder],
) -> None:
    encoder = make(step='import time; time.sleep(600 if texts == ["slow"] else 0)')
    encoder.read([text("quick")])
    child = encoder._child
    assert child is not None
    began = time.monotonic()
    with cancellable(lambda: time.monotonic() - began > 0.3), pytest.raises(Cancelled):
        encoder.read([text("slow")])
    assert child._process.poll() is not None
    assert encoder.read([text("quicker")])[0].rows.tolist() == [[7, 1]]


def test_the_process_ends_with_its_encoder(make: Callable[..., UniversalSentenceEncoder]) -> None:
    encoder = make()
    encoder.read([text("a")])
    assert encoder._child is not None
    process = encoder._child._process
    del encoder
    assert process.wait(600) is not None


@pytest.mark.parametrize(
    ("begin", "step", "error", "message"),
    [
        (
            '{"missing": "No module named x"}',
            "pass",
            MissingResource,
            r"No module named x.*pyramidion\[use\]",
        ),
        ('{"damaged": "no graph"}', "pass", InputError, r"cannot run the model in .*no graph"),
        (
            '{"ready": True}',
            "raise ValueError('out of order')",
            InputError,
            "ended: ValueError: out of order",
        ),
        ('{"ready": True}', "return np.zeros((7, 2))", InputError, "7 vectors for 1 text"),
    ],
)
def test_errors_of_the_worker_are_reported(
    make: Callable[..., UniversalSentenceEncoder], begin: str, step: str, error: type[Exception], message: str
) -> None:
    encoder = make(begin, step)
    with pytest.raises(error, match=message):
        encoder.read([text("a")])
    assert encoder._child is None


def test_a_missing_python_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingResource, match="no-such-python cannot be run"):
        UniversalSentenceEncoder(tmp_path, "cpu", ["no-such-python"]).read([text("a")])


def test_tensorflow_is_not_imported_and_reported_if_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PYTHON, raising=False)
    monkeypatch.setattr(extras, "is_installed", lambda extra: False)
    with pytest.raises(MissingResource, match="Universal Sentence Encoder") as missing:
        require_tensorflow()
    assert f"{extras.command('use')}, or set {PYTHON} to a Python" in str(missing.value)
    monkeypatch.setenv(PYTHON, sys.executable)
    require_tensorflow()
    assert "tensorflow" not in sys.modules


MADE = """
import json
import sys
import numpy as np
import tensorflow as tf

table = np.arange(64 * 3, dtype="float32").reshape(64, 3) / 64 - 1

def embed(texts, rows):
    words = tf.compat.v1.string_split(texts)
    own = tf.gather(rows, tf.strings.to_hash_bucket_fast(words.values, 64))
    return tf.math.segment_mean(own, words.indices[:, 0])

class Second(tf.Module):
    def __init__(self):
        self.rows = tf.Variable(table)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def __call__(self, texts):
        return embed(texts, self.rows)

with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    texts = tf.compat.v1.placeholder(tf.string, [None])
    rows = tf.compat.v1.get_variable("rows", initializer=table)
    session.run(tf.compat.v1.global_variables_initializer())
    given, made = {"text": texts}, {"default": embed(texts, rows)}
    signature = tf.compat.v1.saved_model.predict_signature_def(given, made)
    builder = tf.compat.v1.saved_model.Builder(sys.argv[1] + "/first")
    builder.add_meta_graph_and_variables(session, [], {"default": signature})
    builder.save()
open(sys.argv[1] + "/first/tfhub_module.pb", "wb").write(bytes([8, 3]))
tf.saved_model.save(Second(), sys.argv[1] + "/second")
print(json.dumps(embed(tf.constant(["a dog ran", "rain"]), table).numpy().tolist()))
"""


@pytest.mark.skipif(
    not (os.environ.get(PYTHON) or extras.is_installed("use")),
    reason=f"needs TensorFlow; run: pip install tensorflow, or name a Python that has it in {PYTHON}",
)
def test_tensorflow_runs_both_formats_of_a_saved_model(tmp_path: Path) -> None:
    python = os.environ.get(PYTHON) or sys.executable
    (tmp_path / "make.py").write_text(MADE)
    made = subprocess.run(
        [python, tmp_path / "make.py", tmp_path], capture_output=True, text=True, check=True
    )
    expected = np.array(json.loads(made.stdout.splitlines()[-1]))
    for name in ("first", "second"):
        read = UniversalSentenceEncoder(tmp_path / name, "cpu").read([text("a dog ran"), text("rain")])
        np.testing.assert_allclose([one.rows[0] for one in read], expected, atol=1e-6)
    with pytest.raises(InputError, match=r"cannot run the model in .*nothing"):
        UniversalSentenceEncoder(tmp_path / "nothing", "cpu").read([text("a")])
