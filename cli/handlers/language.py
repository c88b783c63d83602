"""`pyramidion language`."""

from __future__ import annotations

from pathlib import Path

from cli.console import print_json, print_message
from core.ports.study_settings import language_of, set_language
from core.text.languages import detect_language, language_name
from storage.study_file import open_study

DETECT, NONE = "detect", "none"


def show_language(path: Path, code: str | None, *, as_json: bool) -> None:
    """Store the language of a study, or show it and what its texts seem to be written in.

    code: a language's, ``detect``, ``none``, or None to change nothing. Raises InputError.
    """
    with open_study(path) as study:
        seems = ""
        if code in (None, DETECT):
            texts = ((*t.documents, *t.references, *t.summaries) for t in study.texts())
            seems = detect_language([text.content for found in texts for text in found]).code
        if code is not None:
            wanted = {DETECT: seems, NONE: ""}.get(code, code)
            set_language(study, wanted).result()
        stored = language_of(study)
    if as_json:
        print_json({"study": str(path), "language": stored or None, "detected": seems or None})
        return
    print_message(
        f"{path}: {language_name(stored)}."
        if stored
        else f"{path} has no language; metrics read it as English."
    )
    if seems and seems != stored:
        print_message(
            f"Its texts seem to be in {language_name(seems)}; "
            f"`pyramidion language {path} {seems}` stores that."
        )
    elif code == DETECT and not seems:
        print_message("Its texts are too few or too mixed to tell their language.")
