"""Law: a name that nearly fits is answered with what is meant, and a short form of one name is taken.

Tried to be broken by every option and argument of every command that takes texts: each is listed here with a
command line, or as one whose text is no name of something that exists.
"""

from __future__ import annotations

import re
import shutil

import pytest

from cli.app import command_line
from cli.errors import BAD_INPUT, USAGE
from cli.main import main
from core.domain.import_batch import ImportContent, NewPreference, NewRating, NewText, NewTopic
from core.domain.preferences import ComparisonKind
from core.domain.study import SystemKind
from core.names import MAX_LISTED
from storage.study_file import new_study

NAME = "NAME"
"""Stands for the name in a command line."""

RESOLVED = {
    "get [DATASET]": ("get NAME -o OUT", "", ""),
    "import --format": ("import STUDY TABLE --format NAME --dry-run", "sacre", ""),
    "import --mapping": ("import STUDY TABLE --mapping NAME --dry-run", "", ""),
    "import --separator": ("import STUDY TABLE --separator NAME --dry-run", "", ""),
    "mappings name": ("mappings NAME", "", ""),
    "import --as": ("import STUDY TABLE --format table --as NAME", "lee", "Ann Lee"),
    "undo --as": ("undo STUDY --as NAME", "lee", "Ann Lee"),
    "assign --what": ("assign STUDY --what NAME", "Matches", "matches"),
    "assign --annotator": ("assign STUDY --propose --annotator NAME", "lee", "Ann Lee"),
    "assign --set": ("assign STUDY --set NAME=none", "week", "week-1"),
    "assign --role": ("assign STUDY --role NAME=none", "lee", "Ann Lee"),
    "assign --shared": ("assign STUDY --shared NAME", "lee", "Ann Lee"),
    "assign --remove": ("assign STUDY --remove NAME", "", ""),
    "assign --as": ("assign STUDY --role Bob=manager --as NAME", "lee", "Ann Lee"),
    "propose -m": ("propose STUDY -m NAME", "auto-p", ""),
    "propose --topic": ("propose STUDY --topic NAME", "", ""),
    "propose --kind": ("propose STUDY --kind NAME --topic week-1", "Pyramids", "pyramids"),
    "adjudicate --what": ("adjudicate STUDY --what NAME", "", ""),
    "adjudicate --annotator": ("adjudicate STUDY --annotator NAME", "lee", "Ann Lee"),
    "adjudicate --merge-as": ("adjudicate STUDY --merge-as NAME", "lee", "Ann Lee"),
    "comparisons [PLAN]": ("comparisons STUDY NAME", "quality", "first-quality"),
    "comparisons --kind": ("comparisons STUDY p --new --kind NAME", "", ""),
    "comparisons --annotator": ("comparisons STUDY first-quality --annotator NAME", "lee", "Ann Lee"),
    "comparisons --as": ("comparisons STUDY first-quality --remove --as NAME", "lee", "Ann Lee"),
    "control --set": ("control STUDY --set week-1=NAME", "lee", "Ann Lee"),
    "control --train": ("control STUDY --train NAME=Bob", "week", "week-1"),
    "control --as": ("control STUDY --set week-1=Bob --as NAME", "lee", "Ann Lee"),
    "language code": ("language STUDY NAME", "EN", "en"),
    "language --topic": ("language STUDY de --topic NAME", "week", "week-1"),
    "topics [TOPIC]...": ("topics STUDY NAME", "week", "week-1"),
    "topics --as": ("topics STUDY week-1 --set s --as NAME", "lee", "Ann Lee"),
    "scales --template": ("scales STUDY --template NAME", "SummEval", "summeval"),
    "scales --as": ("scales STUDY --template tac --as NAME", "lee", "Ann Lee"),
    "summarize --with": ("summarize STUDY --with NAME", "LexRank", "lexrank"),
    "summarize --topic": ("summarize STUDY --with lead-3 --topic NAME", "week", "week-1"),
    "score -m": ("score STUDY --json -m NAME", "w", "rouge-w"),
    "score --references": ("score STUDY --json -m rouge-l --references NAME", "ref", "ref-A"),
    "evaluate --format": ("evaluate TABLE --format NAME", "", ""),
    "evaluate --mapping": ("evaluate TABLE --mapping NAME", "", ""),
    "evaluate --separator": ("evaluate TABLE --separator NAME", "Comma", "comma"),
    "evaluate --human": ("evaluate TABLE -m rouge-l --human NAME", "", ""),
    "evaluate -m": ("evaluate TABLE -m NAME", "w", "rouge-w"),
    "evaluate --baseline": ("evaluate TABLE -m rouge-l --baseline NAME", "first", "first-a"),
    "evaluate --level": ("evaluate TABLE --level NAME", "", ""),
    "evaluate --coefficient": ("evaluate TABLE --coefficient NAME", "", ""),
    "train --human": ("train STUDY --name m --human NAME", "coherence", "rating.coherence"),
    "train --features": ("train STUDY --name m --human rating.coherence --features NAME", "", ""),
    "train --annotator": ("train STUDY --name m --human rating.coherence --annotator NAME", "lee", "Ann Lee"),
    "agree --what": ("agree STUDY --what NAME --json", "Ratings", "ratings"),
    "agree --scale": ("agree STUDY --scale NAME --json", "fluency", "text-fluency"),
    "agree --by": ("agree STUDY --by NAME --json", "", ""),
    "agree --annotator": ("agree STUDY --annotator NAME --annotator Bob", "lee", "Ann Lee"),
    "agree --coefficient": ("agree STUDY --coefficient NAME", "", ""),
    "correlate --human": ("correlate STUDY --human NAME", "coherence", "rating.coherence"),
    "correlate --human-references": (
        "correlate STUDY --human pyramid.modified --human-references NAME",
        "ref",
        "ref-A",
    ),
    "correlate --level": ("correlate STUDY --level NAME", "Topic", "topic"),
    "correlate --coefficient": ("correlate STUDY --coefficient NAME", "", ""),
    "correlate -m": ("correlate STUDY -m NAME", "precision", "rouge-1.precision"),
    "correlate --undefined": ("correlate STUDY --undefined NAME", "", ""),
    "correlate --annotator": ("correlate STUDY --annotator NAME", "lee", "Ann Lee"),
    "correlate --systems": ("correlate STUDY --systems NAME", "", ""),
    "correlate --system": ("correlate STUDY --system NAME --system b --system c", "first", "first-a"),
    "correlate --weak-by": (
        "correlate STUDY --leave-out-weakest 1 --weak-by NAME",
        "coherence",
        "rating.coherence",
    ),
    "correlate --set": ("correlate STUDY --set NAME", "update", "update-set"),
    "correlate --interval": ("correlate STUDY --interval NAME", "", ""),
    "correlate --interval-method": ("correlate STUDY --interval-method NAME", "", ""),
    "correlate --compare": ("correlate STUDY --draws 9 --compare NAME", "recall", "rouge-1.recall"),
    "correlate --test": ("correlate STUDY --test NAME", "", ""),
    "correlate --family": ("correlate STUDY --family NAME", "", ""),
    "correlate --sides": ("correlate STUDY --sides NAME", "", ""),
    "correlate --freedom": ("correlate STUDY --freedom NAME", "", ""),
    "correlate --adjust": ("correlate STUDY --adjust NAME", "", ""),
    "correlate --needed": ("correlate STUDY --needed NAME", "", ""),
    "judges --judge": ("judges STUDY --human coherence --judge NAME", "recall", "rouge-1.recall"),
    "judges --human": ("judges STUDY --judge rouge-1.recall --human NAME", "coherence", "rating.coherence"),
    "judges --annotator": (
        "judges STUDY --judge rouge-1.recall --human coherence --annotator NAME",
        "lee",
        "Ann Lee",
    ),
    "judges --topics": ("judges STUDY --topics NAME", "", ""),
    "judges -s": ("judges STUDY -s NAME=1", "", ""),
    "explain TOPIC": ("explain STUDY NAME b -m rouge-1", "week", "week-1"),
    "explain SYSTEM": ("explain STUDY week-1 NAME -m rouge-1", "first", "first-a"),
    "explain -m": ("explain STUDY week-1 b -m NAME", "coherence", "rating.coherence"),
    "explain --against": ("explain STUDY week-1 b -m rouge-1 --against NAME", "first", "first-a"),
    "explain --without": ("explain STUDY week-1 b -m rouge-1.recall --without NAME", "", ""),
    "compare --human": ("compare STUDY OTHER --human NAME", "coherence", "rating.coherence"),
    "compare -m": ("compare STUDY OTHER -m NAME", "recall", "rouge-1.recall"),
    "compare --level": ("compare STUDY OTHER --level NAME", "", ""),
    "compare --coefficient": ("compare STUDY OTHER --coefficient NAME", "", ""),
    "resample --recipe": ("resample STUDY --recipe NAME", "", ""),
    "resample --experiment": ("resample STUDY --experiment NAME", "Pareto", "pareto"),
    "resample -s": ("resample STUDY --experiment pareto -s NAME=1", "", ""),
    "reproduce [PAPER]": ("reproduce NAME", "WIDAR", "widar"),
    "reproduce --data": ("reproduce anchored STUDY --data NAME", "", ""),
    "reproduce --recipe": ("reproduce widar STUDY --recipe NAME", "", ""),
    "report --level": ("report STUDY -o OUT --level NAME", "", ""),
    "report --coefficient": ("report STUDY -o OUT --coefficient NAME", "", ""),
    "report --systems": ("report STUDY -o OUT --systems NAME", "", ""),
    "report --undefined": ("report STUDY -o OUT --undefined NAME", "", ""),
    "report --human-references": ("report STUDY -o OUT --human-references NAME", "", ""),
    "export --what": ("export STUDY -o - --what NAME", "Ratings", "ratings"),
    "export --format": ("export STUDY -o - --what ratings --format NAME", "studio", "label-studio"),
    "export --annotator": ("export STUDY -o - --what annotations --annotator NAME", "lee", "Ann Lee"),
    "manual page": ("manual NAME", "rouge-n", "metrics/rouge-n"),
    "models get --for": ("models get --dry-run --for NAME", "Cider", "cider"),
    "models add --role": ("models add OTHER --role NAME", "question", "question answering"),
    "models get --role": ("models get x/y --dry-run --role NAME", "question", "question answering"),
    "models remove name": ("models remove NAME", "", ""),
    "index build --stemmer": ("index build i OTHER --stemmer NAME", "", ""),
}
"""Options and arguments of names that exist: a command line, a short form and the full name; empty = not
tried, since all enumerations are read alike, or since no name has parts."""

OTHERS = {
    "path": "path PACK... report backup place SOURCE [SOURCE] --output --folder --documents --html "
    "FILE... --reference --document --allow-outside --tables --study --vectors study_path",
    "new name": "new --name train --name models --name assign --add adjudicate --result --question --command "
    "propose --name topics --set index build name import --annotator",
    "name found in a study, which need not exist": "allow [NAME]... replay --allow",
    "read by a format's reader": "--map --ignore --encoding --part --pattern --split --offsets "
    "--scale --id --title --text --parts",
    "size, address or device, which another machine may have": "--device --cluster --limit --encoding-cache "
    "URL --server",
    "environment variable, which may be set later": "allow --key",
    "switch": "state",
    "name that need not be listed, or whose loss is final": "models get [NAME]... index upload name "
    "index remove name mappings --remove train --forget",
}
"""Other texts that options and arguments take."""


NUMBERS = {"EPSILON", "PRICE", "N", "SHARE", "SD", "LEVEL", "WEIGHT", "C", "EPS", "MU", "SECONDS"}


def named_parameters():
    """Yield each option or argument of the command line that takes a text."""

    def below(command, path):
        for name, child in getattr(command, "commands", {}).items():
            yield from below(child, [*path, name])
        for one in command.params:
            if one.name == "help" or getattr(one, "is_flag", False) or one.metavar in NUMBERS:
                continue
            short = [flag for flag in one.opts if flag in {"-m", "-s"}]
            long = [flag for flag in one.opts if flag.startswith("--")]
            label = (short or long or [one.metavar or one.name])[0]
            if label not in {"study", "studies"} and "completion" not in label:
                yield " ".join([*path, label])

    yield from below(command_line(), [])


def test_every_text_of_the_command_line_is_listed_here():
    words = " ".join(OTHERS.values()).split()
    for key in named_parameters():
        command, _, last = key.rpartition(" ")
        is_other = f"{command} {last}" in " ".join(OTHERS.values()) or (last != "name" and last in words)
        assert key in RESOLVED or is_other, key


def test_an_option_has_one_short_name_and_a_short_name_one_meaning():
    meanings = {"-m": set(), "-o": set()}

    def below(command):
        for child in getattr(command, "commands", {}).values():
            below(child)
        for one in command.params:
            for short, long in meanings.items():
                if short in one.opts:
                    long.update(flag for flag in one.opts if flag.startswith("--"))
            if {"--metric", "--measure"} & set(one.opts):
                assert "-m" in one.opts, (command.name, one.opts)
            assert not {"--annotators", "--work", "--bootstrap"} & set(one.opts), (command.name, one.opts)

    below(command_line())
    assert meanings == {"-m": {"--metric", "--measure"}, "-o": {"--output"}}


@pytest.fixture(scope="module")
def named_study(tmp_path_factory):
    """A scored study whose names have parts."""
    path = tmp_path_factory.mktemp("named") / "s.pyramidion"
    systems = {"first-a": "The court met.", "b": "A court lifted the ban.", "c": "It met again today."}
    people, scales = ("Ann Lee", "Bob"), ("coherence", "text-fluency")
    topics = [
        NewTopic(
            topic,
            set=of_set,
            references={"ref-A": NewText("The court met again."), "B": NewText("A court met.")},
            summaries={name: NewText(f"{text} {topic}") for name, text in systems.items()},
        )
        for topic, of_set in (("week-1", "update-set"), ("other", "first"))
    ]
    ratings = [
        NewRating(topic.name, system, scale, person, float(1 + (i + j + k) % 5))
        for topic in topics
        for i, system in enumerate(systems)
        for j, scale in enumerate(scales)
        for k, person in enumerate(people)
    ]
    pair = "first-a", "b"
    answers = tuple(
        NewPreference("first-quality", ComparisonKind.PAIRWISE, "week-1", pair, who, *pair) for who in people
    )
    content = ImportContent(
        "test",
        topics,
        dict.fromkeys(systems, SystemKind.AUTOMATIC),
        dict.fromkeys(people, ""),
        dict.fromkeys(scales, (1.0, 5.0)),
        ratings,
        preferences=answers,
    )
    with new_study(path) as study:
        study.import_data(content)
    assert main(["score", str(path), "-m", "rouge-n:n=1"]) == 0
    return path


@pytest.fixture
def answered(named_study, tmp_path, capsys):
    """Return what a command answers on a copy of the study: its exit code, output and errors."""

    def answer(line, name):
        folder = tmp_path / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        names = {"STUDY": "s.pyramidion", "OTHER": "o.pyramidion", "OUT": "out.html", "TABLE": "t.csv"}
        places = {word: folder / name for word, name in names.items()}
        for word in ("STUDY", "OTHER"):
            shutil.copy(named_study, places[word])
        row = "topic,system,text,reference\nweek-1,first-a,The court met. week-1,A court.\n"
        places["TABLE"].write_text(row, encoding="utf-8")
        words = [str(places.get(word, word)) for word in line.split()]
        code = main([word.replace(NAME, name) for word in words])
        streams = capsys.readouterr()
        return code, streams.out, streams.err

    return answer


@pytest.mark.parametrize("key", RESOLVED)
def test_an_unknown_name_is_answered_with_few(answered, key):
    code, out, err = answered(RESOLVED[key][0], "zzqy")
    assert code in (BAD_INPUT, USAGE), (out, err)
    said = " ".join(err.split())
    assert "named 'zzqy'" in said
    assert said.count(", ") <= MAX_LISTED


def timeless(text):
    """Return a text without its seconds."""
    return re.sub(r"\d+\.\d+( s\b|,\n)", "", text)


@pytest.mark.parametrize("key", [key for key, (_, short, full) in RESOLVED.items() if short and full])
def test_a_short_name_of_one_is_taken(answered, key):
    line, short, full = RESOLVED[key]
    code, out, err = answered(line, short)
    assert f"named {short!r}" not in err
    expected, *streams = answered(line, full)
    assert [code, timeless(out), timeless(err)] == [expected, *map(timeless, streams)]
