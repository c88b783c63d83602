"""The settings file of ROUGE-1.5.5: which system and reference texts belong to each evaluation.

Texts are read as the script reads them, sentence by sentence; entities of HTML stay as they are written, for
the script too takes ``&amp;`` for a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from core.domain.import_batch import ImportedFile
from core.domain.study import Text, TopicTexts, join_sentences
from core.errors import InputError
from core.files.atomic_write import atomic_folder, atomic_open
from core.files.file_names import FileNames
from core.files.paths import ensure_folder, printable_path
from core.ports import ImportContent, NewText, Study
from core.progress import JobSteps, Progress
from core.text.sentences import sentence_spans_of
from storage.formats.memory import xml_size
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import LONGEST_LINE, Problems, is_name, opened
from storage.formats.readers.text_folders import text_of

SUFFIXES = (".xml",)

_SEE = re.compile(
    r'^<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>[ \t]+<a href="#[0-9]+" id=[0-9]+>([^<\r\n]+)',
    re.MULTILINE,
)
_ISI = re.compile(r'^<S SNTNO="[0-9a-z,]+">([^<\n]+)</S>', re.MULTILINE)
_LINE = re.compile(r"^(?!\r?$).+?(?=\r?$)", re.MULTILINE)
_SENTENCES: Mapping[str, Callable[[str], list[str]]] = {
    "SEE": _SEE.findall,
    "ISI": _ISI.findall,
    "SPL": _LINE.findall,
}
"""How each format marks sentences."""

_ALLOW = (
    "Move them into its folder, or allow reading them there: by the check box in the window, or "
    "--allow-outside FOLDER on the command line."
)
ANYWHERE = "anywhere"
"""The value of the option `outside` that allows every folder."""


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read a settings file and the texts it names; each EVAL is a topic. Raises BadImport with every problem.

    A root that is no full path begins in the file's folder. options: ``outside``, folders outside of that
    one, with semicolons between, whose texts may be read too, or ANYWHERE.
    """
    problems = Problems(path.name)
    draft = ImportDraft(printable_path(path.name), problems)
    texts = _Texts(path.parent, options.get("outside", ""), problems)
    evaluations = [each for each in _root(path, problems).iter() if _tag(each) == "EVAL"]
    for done, evaluation in enumerate(evaluations):
        topic = _id(evaluation, f"EVAL {done + 1}", problems)
        if topic:
            problems.place = f"EVAL {topic}"
            _read_evaluation(evaluation, topic, texts, draft)
        yield Progress(done, len(evaluations), f"reading {topic}")
    problems.place = ""
    texts.refuse_outside()
    return replace(draft.finish(), files=texts.read_outside)


class _Texts:
    """The texts that a settings file names, of which those outside of its folder are read only where allowed.

    read_outside: those that were read.
    """

    def __init__(self, folder: Path, allowed: str, problems: Problems) -> None:
        self.folder, self._problems = folder, problems
        self._inside, self._anywhere = folder.resolve(), allowed.strip() == ANYWHERE
        listed = () if self._anywhere else (each.strip() for each in allowed.split(";"))
        self._allowed = [Path(each).expanduser().resolve() for each in listed if each]
        self._refused: dict[Path, list[str]] = {}
        self.read_outside: list[ImportedFile] = []

    def read(self, file: Path, kind: str, owner: ImportedFile) -> NewText | None:
        """A text, None (and a problem) where there is none that may be read. owner: whose text it is."""
        try:
            target = file.resolve()
        except (OSError, RuntimeError):
            what = f"{printable_path(file)} cannot be looked at: its links lead nowhere."
            self._problems.add("", what, "Correct its name or its root.")
            return None
        if not target.is_relative_to(self._inside):
            if not self._anywhere and not any(map(target.is_relative_to, self._allowed)):
                self._refused.setdefault(target.parent, []).append(target.name)
                return None
            self.read_outside.append(replace(owner, file=printable_path(target)))
        return _read_text(target, kind, self._problems)

    def refuse_outside(self) -> None:
        """Add a problem for each folder with texts that may not be read."""
        for folder, names in self._refused.items():
            listed = ", ".join(map(printable_path, names[:3])) + (
                f" and {len(names) - 3} more" if names[3:] else ""
            )
            what = f"Texts lie in {printable_path(folder)}, outside of the file's folder: {listed}."
            self._problems.add("", what, _ALLOW)


def write(study: Study, folder: Path) -> JobSteps[int]:
    """Write summaries and references, a sentence per line, and the file that says what they are.

    Topics without either have nothing to evaluate and are left out. Writes all files or none; returns how
    many. Run the script in that folder, as its paths begin there. Raises InputError if that cannot be done.
    """
    heads = study.topics()
    if not any(head.summaries and head.references for head in heads):
        raise InputError("No topic has both a summary and a reference. Import them first.")
    with atomic_folder(folder) as part:
        for name in _ROOTS.values():
            ensure_folder(part / name)
        lines, count = ['<ROUGE-EVAL version="1.5.5">'], 1
        given = {name: FileNames("-") for name in _ROOTS.values()}
        for done, topic in enumerate(study.texts()):
            if topic.summaries and topic.references:
                files = _files_of(topic, given)
                for name, text in files.values():
                    with atomic_open(part / name) as out:
                        out.writelines(f"{sentence}\n" for sentence in _sentences(text))
                lines += _evaluation_lines(topic, files)
                count += len(files)
            yield Progress(done, len(heads), f"writing {topic.name}")
        with atomic_open(part / "settings.xml") as out:
            out.writelines(f"{line}\n" for line in (*lines, "</ROUGE-EVAL>"))
    return count


def _root(path: Path, problems: Problems) -> Any:
    with opened(path) as source:
        content = source.read(LONGEST_LINE + 1)
    try:
        if len(content) > LONGEST_LINE:
            problems.add("", f"The file is larger than {LONGEST_LINE >> 20} MB.", "Split it by evaluations.")
        else:
            problems.memory.check(xml_size(content))
            return fromstring(content)
    except ParseError as error:
        problems.place = f"line {error.position[0]}"
        problems.add("", f"Not readable as XML: {error}.", "Mend it there.")
    except (DefusedXmlException, LookupError, ValueError):
        what = "It declares entities or an encoding that a program must not follow."
        problems.add("", what, "Replace each entity by its text, save it as UTF-8, and leave these out.")
    problems.stop_if_any()
    raise InputError(f"{path} cannot be read.")


def _read_evaluation(evaluation: Any, topic: str, texts: _Texts, draft: ImportDraft) -> None:
    problems, place = draft.problems, draft.problems.place
    parts = {_tag(part): part for part in evaluation}
    kind = parts["INPUT-FORMAT"].get("TYPE", "").upper() if "INPUT-FORMAT" in parts else ""
    if kind not in _SENTENCES:
        what = f"Its texts are {kind}." if kind else "INPUT-FORMAT does not say how its texts are written."
        problems.add("INPUT-FORMAT", what, "Give texts in SEE, SPL or ISI, one of which its TYPE says.")
        return
    for owners, root, add in (
        ("PEERS", "PEER-ROOT", draft.summary),
        ("MODELS", "MODEL-ROOT", draft.reference),
    ):
        folder = texts.folder / _content(parts.get(root))
        for child in parts.get(owners, ()):
            problems.place = place
            name = _id(child, f"{place}, {owners}", problems)
            problems.place = f"{place}, {_content(child)}"
            is_reference = owners == "MODELS"
            owner = ImportedFile(
                "", "text", topic, "", (name,) if is_reference else (), "" if is_reference else name
            )
            text = texts.read(folder / _content(child), kind, owner)
            if name and text is not None:
                add(topic, name, text)


def _read_text(file: Path, kind: str, problems: Problems) -> NewText | None:
    try:
        is_file = file.is_file()
    except OSError:  # as of a name that is too long
        is_file = False
    if not is_file:
        problems.add(
            "", f"{printable_path(file)} is no file.", "Put it there, or correct its name or its root."
        )
        return None
    content = text_of(file, problems)
    if content is None:
        return None
    return NewText(*join_sentences(_SENTENCES[kind](content)))


def _id(element: Any, place: str, problems: Problems) -> str:
    """An element's ID, empty (and a problem) where it has none that can name something."""
    found = str(element.get("ID") or "")
    if not found:
        problems.place = place
        problems.add("ID", "The attribute is missing or empty.", "Give it a value.")
    return found if found and is_name(found, "ID", problems) else ""


def _tag(element: Any) -> str:
    return str(element.tag).upper()


def _content(element: Any) -> str:
    return (element.text or "").strip() if element is not None else ""


_ROOTS = {"PEER-ROOT": "peers", "MODEL-ROOT": "models"}


def _files_of(topic: TopicTexts, given: Mapping[str, FileNames]) -> dict[tuple[str, str], tuple[str, Text]]:
    """File and text by owner's tag and name. given: names of files by folder."""
    return {
        (tag, text.name): (f"{folder}/{given[folder].give(f'{topic.name}.{text.name}', '.txt')}", text)
        for tag, folder, texts in (("P", "peers", topic.summaries), ("M", "models", topic.references))
        for text in texts
    }


def _evaluation_lines(topic: TopicTexts, files: Mapping[tuple[str, str], tuple[str, Text]]) -> Iterator[str]:
    yield f"<EVAL ID={quoteattr(topic.name)}>"
    yield from (f"<{tag}>{folder}</{tag}>" for tag, folder in _ROOTS.items())
    yield '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>'
    for owners, tag in (("PEERS", "P"), ("MODELS", "M")):
        yield f"<{owners}>"
        for (kind, name), (file, _) in files.items():
            if kind == tag:
                yield f"<{tag} ID={quoteattr(name)}>{escape(file.partition('/')[2])}</{tag}>"
        yield f"</{owners}>"
    yield "</EVAL>"


def _sentences(text: Text) -> Sequence[str]:
    """A text's sentences without breaks in them, none empty."""
    sentences = (re.sub(r"[\r\n]+", " ", text.content[start:end]) for start, end in sentence_spans_of(text))
    return [sentence for sentence in sentences if sentence]
