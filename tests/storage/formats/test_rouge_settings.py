"""ROUGE-1.5.5's settings file, in and out."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.study import join_sentences
from core.errors import BadImport, InputError
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.export_registry import export_steps, find
from storage.study_file import new_study

SETTINGS = """<ROUGE-EVAL version="1.5.5">
<EVAL ID="D1">
<PEER-ROOT>
systems
</PEER-ROOT>
<MODEL-ROOT>models</MODEL-ROOT>
<INPUT-FORMAT TYPE="{kind}"></INPUT-FORMAT>
<PEERS><P ID="S1">one.txt</P></PEERS>
<MODELS><M ID="A">a.txt</M><M ID="B">b.txt</M></MODELS>
</EVAL>
</ROUGE-EVAL>
"""
SEE = """<html><body bgcolor="white">
<a name="1">[1]</a> <a href="#1" id=1>The AT&amp;T case.</a>
<a size="10" name="2">[2]</a> <a href="#2" id=2>It ended.</a>
what stands outside
</body></html>
"""
ISI = '<S SNTNO="1">The case.</S>\n<S SNTNO="2a,3">It ended.</S>\n'


@pytest.fixture
def settings(tmp_path):
    """Writes a settings file with its texts, all alike."""

    def write(text, kind="SPL", content=SETTINGS):
        for name in ("systems/one.txt", "models/a.txt", "models/b.txt"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(text.encode())
        path = tmp_path / "settings.xml"
        path.write_text(content.replace("{kind}", kind), encoding="utf-8")
        return path

    return write


def problems_of(path):
    with pytest.raises(BadImport) as caught:
        import_registry.read(path, "rouge-settings")
    return caught.value.problems


@pytest.mark.parametrize(
    ("kind", "text", "sentences"),
    [
        ("SPL", "The case.\n\n It ended.\r\n", ["The case.", " It ended."]),
        ("SEE", SEE, ["The AT&amp;T case.", "It ended."]),
        ("isi", ISI, ["The case.", "It ended."]),
    ],
)
def test_texts_are_read_sentence_by_sentence_as_the_script_does(kind, text, sentences, settings):
    (topic,) = import_registry.read(settings(text, kind), "rouge-settings").topics
    assert topic.name == "D1"
    expected = NewText(*join_sentences(sentences))
    assert topic.summaries == {"S1": expected}
    assert topic.references == {"A": expected, "B": expected}


def test_a_settings_file_is_recognised_by_its_ending(settings):
    assert import_registry.detect(settings("a")).name == "rouge-settings"


def test_every_problem_is_reported_with_its_place(settings):
    content = SETTINGS.replace("b.txt", "absent.txt").replace('ID="A"', "") + ""
    found = [(p.place, p.field, p.what) for p in problems_of(settings("a", content=content))]
    assert found[0] == ("EVAL D1, MODELS", "ID", "The attribute is missing or empty.")
    assert found[1][0] == "EVAL D1, absent.txt"
    assert found[1][2].endswith("absent.txt does not exist or is not a file.")


def test_other_kinds_of_texts_and_broken_files_are_refused(settings):
    (simple,) = problems_of(settings("a", "SIMPLE"))
    assert (simple.place, simple.what) == ("EVAL D1", "The format SIMPLE is not supported.")
    (broken,) = problems_of(settings("a", content="<ROUGE-EVAL>\n<EVAL>"))
    assert broken.place == "line 2"
    bomb = '<!DOCTYPE r [<!ENTITY a "aa">]><ROUGE-EVAL><EVAL ID="&a;"/></ROUGE-EVAL>'
    (entity,) = problems_of(settings("a", content=bomb))
    assert "entities" in entity.what
    assert problems_of(settings("a", content="<ROUGE-EVAL/>"))[0].what == "There is nothing to import."


def test_a_text_in_another_encoding_gives_its_name(settings, tmp_path):
    path = settings("a")
    (tmp_path / "models" / "b.txt").write_bytes(b"caf\xe9\n")
    (problem,) = problems_of(path)
    assert (problem.place, "is not UTF-8" in problem.what) == ("EVAL D1, b.txt", True)


def test_what_is_written_comes_back(tmp_path):
    def text(*sentences):
        return NewText(*join_sentences(sentences))

    topics = [
        NewTopic("a/b <1>", references={"A": text("One.", "Two & three.")}, summaries={"S": text("Four.")}),
        NewTopic("a:b <1>", references={"A": text(" Blank first.")}, summaries={"S": text("Five.")}),
        NewTopic("without references", summaries={"S": text("Six.")}),
    ]
    with new_study(tmp_path / "s.pyramidion") as study:
        study.import_data(ImportContent("made", topics))
        count = run_to_completion(export_steps(study, find("texts", "rouge-settings"), tmp_path / "out"))
    assert count == len([p for p in (tmp_path / "out").rglob("*") if p.is_file()]) == 5
    back = import_registry.read(tmp_path / "out" / "settings.xml", "rouge-settings")
    assert {topic.name: topic for topic in back.topics} == {topic.name: topic for topic in topics[:2]}


def test_a_study_with_nothing_to_evaluate_is_refused(tmp_path):
    with (
        new_study(tmp_path / "s.pyramidion") as study,
        pytest.raises(InputError, match="both a summary and a reference"),
    ):
        run_to_completion(export_steps(study, find("texts", "rouge-settings"), tmp_path / "out"))


def test_a_text_without_sentences_is_split_and_has_no_break_in_a_line(tmp_path):
    topic = NewTopic("t", references={"A": NewText("One\ntwo. Three.")}, summaries={"S": NewText("One.")})
    with new_study(tmp_path / "s.pyramidion") as study:
        study.import_data(ImportContent("made", [topic]))
        run_to_completion(export_steps(study, find("texts", "rouge-settings"), tmp_path / "out"))
    assert (tmp_path / "out/models/t.A.txt").read_text("utf-8") == "One two.\nThree.\n"
    assert ElementTree.parse(tmp_path / "out/settings.xml").getroot().tag == "ROUGE-EVAL"
