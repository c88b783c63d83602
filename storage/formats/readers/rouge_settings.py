"""ROUGE-1.5.5 settings files, which list the system and reference texts of each evaluation.

Texts are read as by the script, sentence by sentence. HTML entities are not decoded, because the script too
treats ``&amp;`` as a word.
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

from core.domain.import_batch import ImportContent, ImportedFile, NewText
from core.domain.study import Text, TopicTexts, join_sentences
from core.errors import InputError
from core.files.atomic_write import atomic_folder, atomic_open
from core.files.file_names import FileNames
from core.files.paths import ensure_folder, printable_path
from core.names import first_names
from core.ports import Study
from core.progress import JobSteps, Progress
from core.text.sentences import sentence_spans_of
from storage.formats.format_types import Export, Format, without_study
from storage.formats.memory import xml_size
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import Problems, is_name
from storage.formats.readers.tables.csv_records import has_suffix
from storage.formats.readers.text_files import content_of, text_of
from storage.formats.readers.usage import Record, current

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
"""Sentence markup of each format."""

_ALLOW = (
    "Move them into its folder, or allow reading them: with the check box in the window, or "
    "--allow-outside FOLDER on the command line."
)
ANYWHERE = "anywhere"
"""Value of the option `outside` that allows every folder."""


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read a settings file and its texts; each EVAL is a topic. Raises BadImport with every problem.

    A relative root starts at the file's folder. options: ``outside``, other folders whose texts may be read,
    separated by semicolons, or ANYWHERE.
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
    """Texts listed in a settings file; those outside its folder are read only if allowed.

    read_outside: files outside the folder that were read.
    """

    def __init__(self, folder: Path, allowed: str, problems: Problems) -> None:
        self.folder, self._problems = folder, problems
        self._inside, self._anywhere = folder.resolve(), allowed.strip() == ANYWHERE
        listed = () if self._anywhere else (each.strip() for each in allowed.split(";"))
        self._allowed = [Path(each).expanduser().resolve() for each in listed if each]
        self._refused: dict[Path, list[str]] = {}
        self.read_outside: list[ImportedFile] = []

    def read(self, file: Path, kind: str, owner: ImportedFile) -> NewText | None:
        """Return a text, or None and add a problem if it must not be read. owner: whose text it is."""
        try:
            target = file.resolve()
        except (OSError, RuntimeError):
            what = f"{printable_path(file)} is a broken link."
            self._problems.add("", what, "Correct the file name or its root.")
            return None
        if not target.is_relative_to(self._inside):
            if not self._anywhere and not any(map(target.is_relative_to, self._allowed)):
                self._refused.setdefault(target.parent, []).append(target.name)
                return None
            self.read_outside.append(replace(owner, file=printable_path(target)))
        return _read_text(target, kind, self._problems)

    def refuse_outside(self) -> None:
        """Add a problem for each folder with texts that must not be read."""
        for folder, names in self._refused.items():
            listed = first_names([printable_path(name) for name in names])
            what = f"Texts are in {printable_path(folder)}, outside the file's folder: {listed}."
            self._problems.add("", what, _ALLOW)


def write(study: Study, folder: Path) -> JobSteps[int]:
    """Write summaries and references, one sentence per line, and the settings file.

    Topics without summaries or references are left out. Writes all files or none and returns their number.
    Run the script in that folder, because paths are relative to it. Raises InputError if writing fails.
    """
    heads = study.texts.topics()
    if not any(head.summaries and head.references for head in heads):
        raise InputError("No topic has both a summary and a reference. Import them first.")
    with atomic_folder(folder) as part:
        for name in _ROOTS.values():
            ensure_folder(part / name)
        lines, count = ['<ROUGE-EVAL version="1.5.5">'], 1
        names = {name: FileNames("-") for name in _ROOTS.values()}
        for done, topic in enumerate(study.texts.load()):
            if topic.summaries and topic.references:
                files = _files_of(topic, names)
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
    content = content_of(path, problems, "Split it into files with fewer evaluations.")
    try:
        if content is not None:
            problems.memory.check(xml_size(content))
            return fromstring(content)
    except ParseError as error:
        problems.place = f"line {error.position[0]}"
        problems.add("", f"Not readable as XML: {error}.", "Correct the file at this line.")
    except (DefusedXmlException, LookupError, ValueError):
        what = "The file declares entities or an encoding, which are not read for security."
        problems.add(
            "", what, "Replace each entity by its text, save the file as UTF-8, and remove the declarations."
        )
    problems.stop_if_any()
    raise InputError(f"{path} cannot be read.")


def _read_evaluation(evaluation: Any, topic: str, texts: _Texts, draft: ImportDraft) -> None:
    problems, place = draft.problems, draft.problems.place
    parts = current().record({_tag(part): part for part in evaluation}, problems.file)
    kind = _attribute(parts["INPUT-FORMAT"], "TYPE", problems).upper() if "INPUT-FORMAT" in parts else ""
    if kind not in _SENTENCES:
        what = f"The format {kind} is not supported." if kind else "INPUT-FORMAT has no TYPE."
        problems.add("INPUT-FORMAT", what, "Use texts in SEE, SPL or ISI format and set TYPE to it.")
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
    except OSError:  # for example, the name is too long
        is_file = False
    if not is_file:
        problems.add(
            "",
            f"{printable_path(file)} does not exist or is not a file.",
            "Add the file, or correct its name or its root.",
        )
        return None
    content = text_of(file, problems)
    if content is None:
        return None
    return NewText(*join_sentences(_SENTENCES[kind](content)))


def _id(element: Any, place: str, problems: Problems) -> str:
    """Return an element's ID, or an empty text and add a problem if it is not a valid name."""
    name = _attribute(element, "ID", problems)
    if not name:
        problems.place = place
        problems.add("ID", "The attribute is missing or empty.", "Fill in a value.")
    return name if name and is_name(name, "ID", problems) else ""


def _attribute(element: Any, name: str, problems: Problems) -> str:
    """Return an attribute of an element; others are named as not used."""
    tag = _tag(element)
    noted = current().record({tag: Record(element.attrib)}, problems.file)
    return str(noted[tag].get(name) or "")


def _tag(element: Any) -> str:
    return str(element.tag).upper()


def _content(element: Any) -> str:
    return (element.text or "").strip() if element is not None else ""


_ROOTS = {"PEER-ROOT": "peers", "MODEL-ROOT": "models"}


def _files_of(topic: TopicTexts, names: Mapping[str, FileNames]) -> dict[tuple[str, str], tuple[str, Text]]:
    """Map owner's tag and name to file and text. names: file names by folder."""
    return {
        (tag, text.name): (f"{folder}/{names[folder].reserve(f'{topic.name}.{text.name}', '.txt')}", text)
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
    """Return a text's sentences without line breaks and without empty ones."""
    sentences = (re.sub(r"[\r\n]+", " ", text.content[start:end]) for start, end in sentence_spans_of(text))
    return [sentence for sentence in sentences if sentence]


def _recognises(path: Path) -> bool:
    return has_suffix(path, SUFFIXES)


FORMAT = Format(
    "rouge-settings",
    "ROUGE settings (XML)",
    "A ROUGE-1.5.5 settings file and the system and reference texts it refers to.",
    without_study(read),
    _recognises,
    SUFFIXES,
    names_texts=True,
)
EXPORT = Export(
    "texts",
    "rouge-settings",
    "",
    "A folder with a ROUGE-1.5.5 settings file and one text file per summary and reference.",
    fill=write,
)
