"""A mapping from a stranger reads nothing outside what was chosen, and has limits of time and memory."""

from __future__ import annotations

import json

import pytest

from core.errors import BadImport, InputError
from core.progress import run_to_completion
from storage.formats.import_registry import ImportRequest, read_steps
from storage.formats.mappings.formats import mapped_format

HEAD = 'title = "t"\nabout = "a"\n'
ROWS = '[rows]\ntopic = "id"\nsystem = "s"\nsummary = { text = "$a" }\n'


def read(path, text):
    known = mapped_format("stranger", HEAD + text)
    return run_to_completion(read_steps(ImportRequest(path, known)))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"id": "t", "s": "M", "text": "a" * 20_000, "l": [*range(300)]}), "utf-8")
    return path


def doubled(name, first):
    return f'let.{name} = "={{{first}}}{{{first}}}"\n'


TOO_MUCH = {
    "templates that double": "".join(doubled(f"a{n}", f"$a{n - 1}" if n else "text") for n in range(40)),
    "split and join": "let.a = { value = 'text', do = ["
    + "{ split = 'a' }, { join = 'aaaaaaaaaaaaaaaaaaaa' }, " * 12
    + "] }",
    "an expression that backtracks": "let.a = { value = 'text', do = [{ part = '(a|a)*(a+)+$b' }] }",
    "an expression that calls itself": "let.a = { value = 'text', do = [{ part = '(?R)' }] }",
    "an expression that repeats a part": "let.a = { value = 'text', do = [{ part = '(?:a{900}){900}' }] }",
    "a path that multiplies": "let.a = '[@, @, @] | [@, @, @] | [@, @, @]'",
    "a path that calls for each": "let.a = 'map(&l, l)'",
    "lists as labels": "let.a = { value = 'l', do = [{ map = { '*' = [1, 1, 1] } }] }",
    "levels in each other": "".join(f"[[rows{'.levels' * n}]]\n" for n in range(1, 20)),
    "a scale without limits": "scale = { dimension = '=d', low = 1 }\nscales.d = { low = 5, high = 1 }",
    "an endless scale": "scales.d = { low = -inf, high = inf }",
    "an unknown change": "let.a = { value = 'text', do = ['__import__'] }",
    "an unknown key": "command = 'rm'",
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_would_take_too_much_is_refused(file, name):
    with pytest.raises(InputError) as refused:
        read(file, ROWS + TOO_MUCH[name])
    assert len(str(refused.value)) < 500


def test_items_that_are_read_again_and_again_are_refused(file, monkeypatch):
    monkeypatch.setattr("storage.formats.mappings.engine._MOST_ITEMS", 5_000)
    levels = "".join(f"[[rows{'.levels' * n}]]\neach = '$all'\n" for n in range(1, 7))
    with pytest.raises(BadImport, match="again and again"):
        read(file, "[rows]\ntopic = 'id'\nlet.all = 'l'\n" + levels)


@pytest.mark.parametrize("name", ["../secret.json", "/etc/passwd", "a/../../secret", "C:\\x", "..", "a\\b"])
@pytest.mark.parametrize(
    "place",
    [
        "files = [NAME]\n[rows]\n",
        "[[texts]]\nfiles = NAME\ntext = 't'\n[rows]\n",
        "[lines]\nfirst = 'a'\ncolumns = { a = NAME }\n[rows]\n",
        "[lines]\nfirst = 'a'\ncolumns = { a = 'b' }\ngroups = { c = NAME }\n[rows]\n",
        "[recognize]\nnames = [NAME]\n[rows]\n",
    ],
)
def test_names_that_leave_the_folder_are_refused(file, name, place):
    with pytest.raises(InputError, match="no name in the folder"):
        read(file.parent, place.replace("NAME", f"'{name}'"))


@pytest.mark.parametrize(
    "text",
    [
        'files = ["rows.jsonl"]\n[rows]\ntopic = "id"\n',
        '[[texts]]\nfiles = "{topic}.jsonl"\ntext = "t"\n[rows]\ntopic = "topic"\ndocument = "t"\n',
        '[lines]\nfirst = "t"\ncolumns = { t = "rows.jsonl" }\n[rows]\ntopic = "=a"\ndocument = "t"\n',
    ],
)
def test_links_out_of_the_folder_are_refused(file, tmp_path, text):
    folder = tmp_path / "chosen"
    folder.mkdir()
    (folder / "rows.jsonl").symlink_to(file)
    with pytest.raises(BadImport, match="outside the folder"):
        read(folder, text)


def test_variables_of_a_mapping_are_only_variables(file):
    text = "".join(f"let.{name} = 'id'\n" for name in ("self", "item", "place", "problems", "names"))
    found = read(file, '[rows]\ntopic = "id"\nsystem = "s"\nsummary = "text"\n' + text)
    assert [topic.name for topic in found.topics] == ["t"]
