"""Only a download opens a network connection, even if models are missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

CLOSED = """
import socket, sys
def refuse(*_, **__): raise SystemExit("a connection was opened")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = socket.create_connection = refuse
"""
ASKED = """
from core.metrics.registry import metrics, parse
from core.models.catalogue.digests import DigestCache
from core.models.library.inventory import list_models
from core.progress import run_to_completion
from core.errors import PyramidionError
from core.scoring.study_resources import StudyResources
tools = StudyResources(None, "cpu")
absent = 0
for kind in metrics():
    for settings in kind.default_configs:
        absent += bool(parse(f"{kind.name}:{settings}" if settings else kind.name).unavailable(tools))
for name in ("roberta-large", "somebody/unknown", "lite", "elmo", "bert-large-squad"):
    for ask in (tools.encoder, tools.masked_lm, tools.answerer, tools.entailment, tools.word_vectors):
        try:
            ask(name)
        except PyramidionError:
            absent += 1
vectors = tools.encoder("minilm").text_vectors(["a cat"]).vectors
print(len(run_to_completion(list_models(DigestCache()))), absent, vectors.shape[1])
"""


def test_without_network_missing_models_are_reported(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CLOSED + ASKED],
        cwd=ROOT,
        env={"PATH": "", "HOME": str(tmp_path), "HF_HOME": str(tmp_path), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    models, absent, dimension = map(int, ran.stdout.split())
    assert models > 15
    assert absent >= 25
    assert dimension == 384
