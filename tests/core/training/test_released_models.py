"""The released models: pickles of scikit-learn, read without running anything that they name."""

from __future__ import annotations

import pickle
import pickletools
from pathlib import Path

import numpy as np
import pytest
from sklearn.svm import SVR, NuSVR

from core.errors import InputError, MissingResource
from core.metrics.learned.released_models import is_folder, read_released
from core.metrics.learned.safe_unpickle import ALLOWED, Refused, read

PYRAMID, RESPONSIVENESS = "svr.pyr_score.en.pkl", "svr.responsiveness.en.pkl"


def learner(features=6, **settings):
    random = np.random.default_rng(11)
    x, y = random.random((30, features)), random.random(30)
    return SVR(**{"kernel": "rbf", "gamma": 1 / 6, **settings}).fit(x, y)


def as_released(model, protocol=2):
    """Return a pickle with the names of scikit-learn 0.18 and Python 2."""
    raw = pickle.dumps(model, protocol=protocol)
    if protocol > 2:
        return raw
    return raw.replace(b"sklearn.svm._classes", b"sklearn.svm.classes").replace(b"numpy._core", b"numpy.core")


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / PYRAMID).write_bytes(as_released(learner()))
    (tmp_path / RESPONSIVENESS).write_bytes(as_released(learner(C=2.0)))
    return tmp_path


def test_the_regressors_predict_what_scikit_learn_does(folder):
    pyramid, responsiveness = read_released(folder).regressors
    inputs = np.random.default_rng(2).random((50, 6))
    assert np.allclose(pyramid.predict(inputs), learner().predict(inputs), rtol=0, atol=1e-9)
    assert np.allclose(responsiveness.predict(inputs), learner(C=2.0).predict(inputs), rtol=0, atol=1e-9)


@pytest.mark.parametrize("protocol", range(5))
def test_every_protocol_without_buffers_is_read(folder, protocol):
    (folder / PYRAMID).write_bytes(as_released(learner(), protocol))
    assert read_released(folder).regressors[0].examples.shape[1] == 6


def test_names_of_python_2_and_old_versions_are_resolved(folder):
    named = {arg for _, arg, _ in pickletools.genops((folder / PYRAMID).read_bytes()) if isinstance(arg, str)}
    assert "sklearn.svm.classes SVR" in named
    assert "numpy.core.multiarray _reconstruct" in named


class Hostile:
    """An object that creates a file if it is unpickled without checks."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return Path.touch, (self.mark,)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_that_would_run_code_is_refused_and_runs_nothing(folder, tmp_path, protocol):
    mark = tmp_path / "it-ran"
    model = learner()
    model.epsilon = Hostile(mark)
    (folder / PYRAMID).write_bytes(pickle.dumps(model, protocol=protocol))
    with pytest.raises(
        InputError, match=r"svr\.pyr_score\.en\.pkl is not a valid S3 model: it requires .*Download"
    ):
        read_released(folder)
    assert not mark.exists()
    pickle.loads(pickle.dumps(Hostile(mark)))
    assert mark.exists()  # the test would have seen it


@pytest.mark.parametrize(
    "raw",
    [
        b"cos\nsystem\n(S'true'\ntR.",
        b"c__builtin__\neval\n(S'1'\ntR.",
        b"cnumpy.core.multiarray\nfromfile\n(S'/etc/passwd'\ntR.",
        b"csklearn.svm.classes\nSVR.__init__.__globals__\n.",
        b"S'outside'\nQ.",
        b"\x82\x01.",
        b"(dp0\n.",
        b"not a pickle",
        b"",
    ],
)
def test_other_objects_than_regressors_are_refused(raw):
    with pytest.raises(Refused):
        read(raw)


def test_a_file_that_would_fill_the_memory_is_refused(folder):
    (folder / PYRAMID).write_bytes(b"\x80\x02Nr\xff\xff\xff\x7f.")  # a memo of 2^31 places
    with pytest.raises(InputError, match="it cannot be read"):
        read_released(folder)


def test_names_in_a_file_are_escaped_in_errors(folder):
    (folder / PYRAMID).write_bytes(b"c\x1b[2Jos\nsystem\n.")
    with pytest.raises(InputError, match=r"it requires \?\[2Jos\.system"):
        read_released(folder)


def test_allowed_names_are_resolved_by_the_reader():
    assert {made.__module__ for made in ALLOWED.values()} == {read.__module__}


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (learner(kernel="linear"), "its kernel is not radial"),
        (NuSVR().fit([[0.0], [1.0]], [0.0, 1.0]), "it requires sklearn"),
        (SVR(), "it has no support_vectors_"),
        (learner(features=5), "expected 6 features"),
    ],
)
def test_another_model_is_refused_with_the_reason(folder, model, why):
    (folder / RESPONSIVENESS).write_bytes(as_released(model))
    with pytest.raises(InputError, match=why):
        read_released(folder)


def test_a_damaged_array_is_refused(folder):
    model = learner()
    model.dual_coef_ = model.dual_coef_[:, :3]
    (folder / PYRAMID).write_bytes(as_released(model))
    with pytest.raises(InputError, match="3 weights for"):
        read_released(folder)
    model.dual_coef_ = learner().dual_coef_ * np.nan
    (folder / PYRAMID).write_bytes(as_released(model))
    with pytest.raises(InputError, match="not finite"):
        read_released(folder)


def test_a_folder_without_the_files_is_reported_with_their_names(tmp_path):
    with pytest.raises(MissingResource, match="no file for pyr"):
        read_released(tmp_path)
    with pytest.raises(MissingResource, match="There is no folder"):
        read_released(tmp_path / "models")


@pytest.mark.parametrize(("model", "answer"), [("./m", True), ("~/m", True), ("/m/en", True), ("m", False)])
def test_folders_and_names_are_distinguished(model, answer):
    assert is_folder(model) is answer
