"""Crash reports."""

from __future__ import annotations

from core.files.crash_report import write_crash_report


def test_a_report_contains_the_location_of_the_error(tmp_path):
    try:
        raise RuntimeError("something odd 🌉")
    except RuntimeError as error:
        file = write_crash_report(error, tmp_path / "reports")
    assert file is not None
    text = file.read_text(encoding="utf-8")
    assert "RuntimeError: something odd 🌉" in text
    assert "test_a_report_contains" in text


def test_a_report_quotes_neither_long_messages_nor_passwords(tmp_path):
    message = f"postgresql://ko:hunter2@host/x refused {'a' * 400}\nthe text of a summary"
    file = write_crash_report(ValueError(message), tmp_path)
    assert file is not None
    text = file.read_text(encoding="utf-8")
    assert "ValueError: postgresql://ko:***@host/x refused aaa" in text
    assert "a" * 300 not in text
    assert "the text of a summary" not in text


def test_an_unwritable_folder_is_skipped(tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("a file, not a folder")
    file = write_crash_report(RuntimeError("x \ud83c"), taken, tmp_path / "second")
    assert file is not None
    assert file.read_text().endswith("RuntimeError: x \\ud83c\n")
    assert write_crash_report(RuntimeError("x"), taken) is None
