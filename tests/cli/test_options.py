"""Options as values: each field of a group is an option, and every choice is one that the engine knows."""

from __future__ import annotations

from dataclasses import fields
from typing import get_type_hints

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from cli.app import app, command_line
from cli.errors import USAGE
from cli.options import inference
from cli.options.correlation import CorrelationOptions
from cli.options.filters import FilterOptions
from cli.options.output import OutputOptions


def test_what_there_can_be_more_of_is_something_to_resample():
    from core.stats.resample_counts import ResampleUnit

    assert {ResampleUnit(name) for name in inference.NeededName} == {
        ResampleUnit.SYSTEMS,
        ResampleUnit.TOPICS,
    }


def options(group):
    """The typer option of each field."""
    hints = get_type_hints(group, include_extras=True)
    return [hints[field.name].__metadata__[0] for field in fields(group)]


def long_name(field, option):
    names = (option.default, *(option.param_decls or ()))  # typer takes the first name for a default
    own = [name for name in names if isinstance(name, str) and name.startswith("--")]
    return own[0] if own else "--" + field.name.replace("_", "-")


@pytest.mark.parametrize(
    "group", [CorrelationOptions, FilterOptions, inference.InferenceArguments, OutputOptions]
)
def test_each_field_of_a_group_is_an_option_of_its_verb(group):
    printed = CliRunner().invoke(app, ["correlate", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    assert [name for name in map(long_name, fields(group), options(group)) if name not in printed] == []


@pytest.mark.parametrize("verb", [("correlate", "s"), ("compare", "a", "b"), ("resample", "s", "--list")])
def test_json_and_csv_at_once_are_a_matter_of_usage(run, verb):
    code, out, err = run(*verb, "--json", "--csv")
    assert (code, out) == (USAGE, "")
    assert "choose one" in err


def test_each_command_is_read_without_the_others_and_has_the_same_options():
    everything = get_command(app).commands
    assert len(everything) > 30
    for name, command in everything.items():
        (alone,) = command_line(name).commands.values()
        for one, other in [(alone, command)] + [
            (alone.commands[below], command.commands[below]) for below in getattr(command, "commands", ())
        ]:
            assert (one.name, one.help) == (other.name, other.help)
            assert [(p.name, p.opts, p.default) for p in one.params] == [
                (p.name, p.opts, p.default) for p in other.params
            ]


def test_an_unknown_command_is_compared_with_all():
    assert command_line("scor").commands.keys() == get_command(app).commands.keys()
