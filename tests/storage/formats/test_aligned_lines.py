"""Text files with one text per line."""

from __future__ import annotations

import gzip

import pytest

from core.errors import BadImport, InputError
from core.progress import run_to_completion
from storage.formats.readers import aligned_lines


def test_lines_end_in_line_feeds_only(tmp_path):
    (tmp_path / "out.txt").write_bytes("\ufeffOne\u2028two.\r\nThree\fand four.\n\n".encode())
    with gzip.open(tmp_path / "ref.en.gz", "wb") as file:
        file.write(b"A.\n\nC.")
    content = run_to_completion(aligned_lines.read([tmp_path / "out.txt"], [tmp_path / "ref.en.gz"]))
    assert [topic.name for topic in content.topics] == ["1", "2", "3"]
    summaries = [topic.summaries["out"].content for topic in content.topics]
    assert summaries == ["One\u2028two.", "Three\fand four.", ""]
    assert [[*topic.references] for topic in content.topics] == [["ref"], [], ["ref"]]


def test_systems_of_the_same_file_name_are_told_apart(tmp_path):
    for folder, name in (("a", "out.txt"), ("b", "out.txt")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text("A text.\n")
    paths = [tmp_path / "a" / "out.txt", tmp_path / "b" / "out.txt"]
    content = run_to_completion(aligned_lines.read(paths))
    assert [*content.systems] == [str(path) for path in paths]


@pytest.mark.parametrize(
    ("content", "error"), [(b"", InputError), (b"A\x00B C\n", BadImport), (b"\xff\n", BadImport)]
)
def test_files_without_texts_are_refused(tmp_path, content, error):
    (tmp_path / "out.txt").write_bytes(content)
    with pytest.raises(error):
        run_to_completion(aligned_lines.read([tmp_path / "out.txt"]))
