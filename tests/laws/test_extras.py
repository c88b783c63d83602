"""The program without its extras: whatever needs one names the command, and all else works."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from core.extras import EXTRAS, command
from core.metrics import registry
from core.metrics.base import Need

ROOT = Path(__file__).parents[2]
NEURAL = {Need.ENCODER, Need.MASKED_LM, Need.QA, Need.NLI, Need.RATER, Need.LANGUAGE_MODEL}

HIDDEN = """
import sys
from core.extras import EXTRAS

hidden = {module for _, modules in EXTRAS.values() for module in modules}

class Hiding:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in hidden:
            return self.finder.find_spec(name, path, target)

    def __getattr__(self, name):
        return getattr(self.finder, name)

sys.meta_path[:] = map(Hiding, sys.meta_path)
assert not hidden & sys.modules.keys()
from cli.main import main
"""


def without_extras(code: str) -> str:
    """Run code in a process in which no module of an extra can be imported; return what it printed."""
    command = [sys.executable, "-c", HIDDEN + code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_extras_are_those_of_the_package_with_their_modules():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = project["optional-dependencies"]
    assert EXTRAS.keys() == listed.keys() - {"all", "bench", "docs", "test"}
    assert set(re.split(r"[\[\],]", listed["all"][0])[1:-1]) == EXTRAS.keys() - {"use"}
    distributions = packages_distributions()
    for extra, (_, modules) in EXTRAS.items():
        found = {
            name.lower().replace("_", "-") for module in modules for name in distributions.get(module, ())
        }
        required = {re.split(r"[\[<>=]", each)[0].lower() for each in listed[extra]}
        if extra != "use":  # TensorFlow runs in an environment of its own
            assert required <= found


def test_metrics_that_need_an_extra_name_its_command():
    problems = json.loads(
        without_extras(
            "import json\n"
            "from core.metrics import registry\n"
            "from core.scoring.memory_study import MemoryStudy\n"
            "from core.scoring.study_resources import StudyResources\n"
            "resources = StudyResources(MemoryStudy([], 'en'))\n"
            "print(json.dumps({k.name: k().unavailable(resources) for k in registry.metrics()}))"
        )
    )
    assert command("neural") in problems["bertscore"]
    for kind in registry.metrics():
        metric = kind()
        if metric.needs & NEURAL and not hasattr(metric, "server"):  # a model may be on a server
            assert command("neural") in problems[kind.name], kind.name
        if Need.PARSER in metric.needs:
            assert command("parsing") in problems[kind.name], kind.name


def test_commands_work_without_extras(sample_file, tmp_path):
    study = tmp_path / "copy.pyramidion"
    study.write_bytes(sample_file.read_bytes())
    commands = [["doctor"], ["metrics"], ["models"], ["score", str(study), "--plan"],
                ["score", str(study), "-m", "rouge-n"], ["correlate", str(study)]]  # fmt: skip
    printed = without_extras(f"assert not any(main(words) for words in {commands!r})")
    assert command("neural") in re.sub(r"\s+", " ", printed)
