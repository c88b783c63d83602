"""Names of results and versions: nobody works under them, however they are entered."""

from __future__ import annotations

import pytest

from cli.main import main
from core.annotation.annotators import annotators_of
from core.domain.annotator_filter import name_refusal
from core.domain.decisions import RESULT_GROUP
from core.errors import InputError
from core.progress import run_to_completion
from gui.shell.study_opener import open_with_annotator
from tests.people import imported

RESERVED = ("adjudicated", " Adjudicated", "Ann (adjudicated)", "Ann (conflict 0a1b2c)")


def steps(study):
    yield from ()
    return study


@pytest.mark.parametrize("name", RESERVED)
def test_a_reserved_name_is_refused_in_every_place(name, study, capsys) -> None:
    with pytest.raises(InputError, match="name of a result"):
        study.annotators.get_or_create(name)
    path = str(study.path)
    assert main(["assign", path, "--add", name]) != 0
    assert "name of a result" in capsys.readouterr().err
    opened = run_to_completion(open_with_annotator(steps(study), lambda _: name, name))
    assert opened.annotator.name not in RESERVED


def test_nobody_works_as_a_stored_result(study, capsys) -> None:
    study.annotators.get_or_create("final", RESULT_GROUP)
    path = str(study.path)
    assert main(["assign", path, "--add", "Ben", "--as", "final"]) != 0
    assert "name of a result" in capsys.readouterr().err
    assert [person.name for person in annotators_of(study)] == []


def test_an_imported_person_keeps_a_reserved_name(study) -> None:
    imported(study, "adjudicated")
    assert name_refusal("adjudicated", study.annotators.all()) == ""
    assert name_refusal("adjudicated") != ""


def test_other_names_are_free(study) -> None:
    for name in ("Ann", "adjudicator", "conflict", "Ann (adjudicated) B"):
        assert study.annotators.get_or_create(name).name == name
