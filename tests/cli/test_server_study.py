"""Every command takes the URL of a study on a server where it takes a file."""

from __future__ import annotations

import shutil

import pytest

import pyramidion
from cli.errors import BAD_INPUT, DONE
from core.errors import InputError
from storage.study_file import open_study
from tests.cli.test_merge import annotate, labels

RATINGS = "topic,system,annotator,dimension,value\n" + "".join(
    f"{topic},{system},{name},fluency,{value}\n"
    for topic in ("D1", "D2")
    for system, value in (("lead", 2), ("good", 5), ("bad", 1))
    for name in ("Ann", "Ben")
)


@pytest.fixture
def pair(small_file, server_address, tmp_path):
    """The same study as a file and on a server."""
    return shutil.copyfile(small_file, tmp_path / "small.pyramidion"), server_address


def test_the_whole_workflow_prints_the_same_as_with_a_file(run, pair, tmp_path):
    ratings = tmp_path / "ratings.csv"
    ratings.write_text(RATINGS)
    for command in (
        ["topics", "--json"],
        ["import", ratings, "--format", "table", "--json"],
        ["score", "-m", "rouge-n:n=1", "-m", "rouge-l"],
        ["scales", "--json"],
        ["correlate", "--csv"],
        ["agree", "--csv"],
        ["progress", "--json"],
        ["language", "en"],
        ["blind", "on"],
        ["export", "--what", "scores", "-o", "-"],
        ["export", "--what", "ratings", "-o", "-"],
    ):
        verb, *options = command
        answers = [run(verb, study, *options) for study in pair]
        assert [code for code, *_ in answers] == [DONE, DONE], answers
        printed = [out.replace(str(study), "STUDY") for study, (_, out, _) in zip(pair, answers, strict=True)]
        assert printed[0] == printed[1], command


def test_an_annotators_work_is_exported_from_a_server_and_merged_there(run, pair, tmp_path):
    file, server = pair
    annotate(file, "Ko", "verdict", "appeal")
    annotate(server, "Ann", "own")
    pack = tmp_path / "ko.pack"
    assert run("export", file, "--what", "annotations", "-o", pack)[0] == DONE
    code, _, err = run("merge", server, pack)
    assert code == DONE, err
    assert "No backup was made before the merge" in err
    assert labels(server) == {"Ann": ["own"], "Ko": ["verdict", "appeal"]}
    back = tmp_path / "all.pack"
    assert run("export", server, "--what", "annotations", "-o", back)[0] == DONE
    assert run("merge", file, back)[0] == DONE
    assert labels(file) == labels(server)


def test_a_study_is_created_in_an_empty_database_and_checked(run, postgres):
    url = postgres.create_database()
    assert run("new", url, "--name", "Team")[0] == DONE
    with open_study(url) as study:
        assert study.name == "Team"
    code, out, err = run("validate", url)
    assert code == DONE
    assert "no problems found" in out + err
    assert "pg_dump" in out + err


@pytest.mark.parametrize("command", [["restore"], ["clean", "-o", "new.pyramidion"]])
def test_commands_for_files_name_the_tool_for_servers(run, command):
    verb, *options = command
    code, _, err = run(verb, "postgresql+psycopg://ko@host/study", *options)
    assert code == BAD_INPUT
    assert "pg_restore" in err


@pytest.mark.parametrize(
    "command",
    [
        ["STUDY"],
        ["progress", "STUDY", "--json"],
        ["progress", "a.pyramidion", "STUDY"],
        ["restore", "STUDY"],
        ["merge", "a.pyramidion", "STUDY"],
        ["import", "STUDY", "texts.jsonl"],
        ["export", "a.pyramidion", "--what", "scores", "-o", "STUDY"],
        ["index", "build", "mine", "STUDY"],
        ["models", "--study=STUDY"],
        ["unknown", "STUDY"],
    ],
)
@pytest.mark.parametrize(
    "url", ["postgresql+psycopg://ko:hunter2@host/study", "postgres:/ko:hunter2@host/study"]
)
def test_a_password_in_the_url_is_refused_and_not_repeated(run, command, url):
    code, out, err = run(*(word.replace("STUDY", url) for word in command))
    assert code == BAD_INPUT
    assert "Remove the password from the URL" in err
    assert "hunter2" not in out + err


def test_the_python_interface_reads_a_server_and_changes_it_only_where_asked(server_address):
    with pyramidion.open(str(server_address)) as reader:
        assert not reader.is_writable
        with pytest.raises(InputError, match=r"open read-only.*pyramidion\.open\(.*write=True"):
            reader.score("rouge-1")
        with pyramidion.open(str(server_address), write=True) as writer:
            assert writer.score("rouge-1")["scored"].tolist() == [2]
        assert len(reader.scores("rouge-1.f")) == 6
        assert str(server_address) in repr(reader)
