"""`pyramidion language`."""

from __future__ import annotations

from cli.console import print_json, print_message
from core.files.study_address import StudyAddress
from core.ports import language_of, set_language
from core.text.languages import detect_language, language_name
from storage.study_file import open_study

DETECT, NONE = "detect", "none"


def show_language(path: StudyAddress, code: str | None, *, as_json: bool) -> None:
    """Set the language of a study, or show it together with the detected language.

    code: a language code, ``detect``, ``none``, or None to change nothing.
    Raises InputError for an unknown code.
    """
    with open_study(path) as study:
        detected = ""
        if code in (None, DETECT):
            texts = ((*t.documents, *t.references, *t.summaries) for t in study.texts.load())
            detected = detect_language([text.content for topic in texts for text in topic]).code
        if code is not None:
            set_language(study, {DETECT: detected, NONE: ""}.get(code, code)).result()
        stored = language_of(study)
    if as_json:
        print_json({"study": str(path), "language": stored or None, "detected": detected or None})
        return
    print_message(
        f"{path}: {language_name(stored)}."
        if stored
        else f"{path}: no language set; metrics treat the texts as English."
    )
    if detected and detected != stored:
        print_message(
            f"The texts appear to be in {language_name(detected)}. To set the language, run "
            f"`pyramidion language {path} {detected}`."
        )
    elif code == DETECT and not detected:
        print_message("The language could not be detected: the texts are too short or mixed.")
