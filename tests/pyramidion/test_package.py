"""The package itself: quick to import, with doctests, and a check of the names of its packages."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pyramidion
from pyramidion._shadowing import PACKAGES, check_packages

ROOT = Path(__file__).parents[2]


def python(
    *arguments: str, path: str = str(ROOT), cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": path, "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment, cwd=cwd
    )


def test_importing_it_imports_nothing_else():
    code = "import sys, pyramidion; dir(pyramidion); print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = set(python("-c", code).stdout.split())
    assert "pyramidion" in loaded
    assert not loaded & {"core", "storage", "cli", "gui", "numpy", "pandas", "torch", "PySide6", "typer"}


@pytest.mark.parametrize(
    "name", [m.name for m in pkgutil.iter_modules(pyramidion.__path__) if m.name != "__main__"]
)
def test_examples_in_docstrings_are_true(name, scored_file, tmp_path, monkeypatch):
    shutil.copy(scored_file, tmp_path / "scored.pyramidion")
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(
        importlib.import_module(f"pyramidion.{name}"), extraglobs={"pyramidion": pyramidion}
    )
    assert result.failed == 0
    assert result.attempted or name not in ("study", "scoring")


def test_every_public_name_exists_and_is_described():
    for name in pyramidion.__all__:
        assert getattr(pyramidion, name).__doc__
        assert name in dir(pyramidion)
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        _ = pyramidion.scores


def test_python_m_runs_the_command_line():
    ran = python("-m", "pyramidion", "--help")
    assert ran.returncode == 0, ran.stderr
    assert "Annotate, score, compare and report" in ran.stdout


class TestShadowing:
    @pytest.fixture
    def home(self, tmp_path, monkeypatch):
        """A folder with packages of all names, the only ones on Python's path."""
        home = tmp_path / "site-packages"
        for name in PACKAGES:
            (home / name).mkdir(parents=True)
            (home / name / "__init__.py").touch()
            monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.setattr(sys, "path", [str(home)])
        monkeypatch.setattr(sys, "path_importer_cache", {})
        return home

    def test_the_own_packages_pass(self, home):
        check_packages(home)

    def test_another_package_is_named_with_the_remedy(self, home, tmp_path, monkeypatch):
        (tmp_path / "work" / "gui").mkdir(parents=True)
        (tmp_path / "work" / "gui" / "__init__.py").touch()
        monkeypatch.setattr(sys, "path", [str(tmp_path / "work"), str(home)])
        with pytest.raises(ImportError) as caught:
            check_packages(home)
        message = str(caught.value)
        assert (
            f"Another package named 'gui', {tmp_path / 'work' / 'gui'}, hides that of Pyramidion" in message
        )
        assert f"Remove {tmp_path / 'work'} from PYTHONPATH" in message

    def test_a_module_hides_a_package_too(self, home, tmp_path, monkeypatch):
        (tmp_path / "core.py").touch()
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "path", [str(tmp_path), str(home)])
        with pytest.raises(ImportError, match=r"core\.py.*Start Python in another folder"):
            check_packages(home)

    def test_the_distribution_that_installed_it_is_named(self, home, tmp_path, monkeypatch):
        other = tmp_path / "user-site"
        (other / "storage").mkdir(parents=True)
        (other / "storage" / "__init__.py").touch()
        info = other / "acme_storage-2.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-storage\nVersion: 2.0\n", "utf-8")
        (info / "RECORD").write_text("storage/__init__.py,,\n", "utf-8")
        monkeypatch.setattr(sys, "path", [str(other), str(home)])
        with pytest.raises(
            ImportError, match=r"installed by acme-storage\. Uninstall that \(`pip uninstall acme"
        ):
            check_packages(home)

    def test_another_copy_of_the_program_is_called_that(self, home, tmp_path, monkeypatch):
        other = tmp_path / "copy"
        for name in ("cli", "pyramidion"):
            (other / name).mkdir(parents=True)
            (other / name / "__init__.py").touch()
        (other / "pyramidion" / "_shadowing.py").touch()
        monkeypatch.setattr(sys, "path", [str(other), str(home)])
        with pytest.raises(ImportError, match="another copy of Pyramidion"):
            check_packages(home)

    def test_a_missing_package_is_named(self, home):
        shutil.rmtree(home / "cli")
        with pytest.raises(ImportError, match="package 'cli' is missing"):
            check_packages(home)

    def test_one_imported_already_is_named(self, home, monkeypatch):
        module = type(sys)("resources")
        module.__file__ = "/elsewhere/resources.py"
        monkeypatch.setitem(sys.modules, "resources", module)
        with pytest.raises(ImportError, match=r"imported already\. Import pyramidion first"):
            check_packages(home)

    def test_the_command_prints_a_sentence_instead_of_a_traceback(self, tmp_path):
        (tmp_path / "core").mkdir()
        (tmp_path / "core" / "__init__.py").touch()
        (tmp_path / "empty").mkdir()
        ran = python("-m", "pyramidion", "--help", path=f"{tmp_path}:{ROOT}", cwd=tmp_path / "empty")
        assert ran.returncode == 1
        assert ran.stderr.startswith("Another package named 'core'")
        assert f"Remove {tmp_path} from PYTHONPATH" in ran.stderr
        used = python(
            "-c", "import pyramidion; pyramidion.score", path=f"{tmp_path}:{ROOT}", cwd=tmp_path / "empty"
        )
        assert "ImportError: Another package named 'core'" in used.stderr
