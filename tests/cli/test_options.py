"""Options as values: each field of a group is an option, and every choice is one that the engine knows."""

from __future__ import annotations

from dataclasses import fields

import pytest

from cli.app import command_line
from cli.errors import USAGE
from cli.options import OutputOptions
from core.operations.options import CorrelateRequest


@pytest.mark.parametrize("group", [CorrelateRequest, OutputOptions])
def test_each_field_of_a_group_is_an_option_of_its_verb(group):
    (command,) = command_line("correlate").commands.values()
    assert {field.name for field in fields(group)} <= {parameter.name for parameter in command.params}


@pytest.mark.parametrize("verb", [("correlate", "s"), ("compare", "a", "b"), ("resample", "s", "--list")])
def test_json_and_csv_at_once_are_a_matter_of_usage(run, verb):
    code, out, err = run(*verb, "--json", "--csv")
    assert (code, out) == (USAGE, "")
    assert "choose one" in err


def test_each_command_is_read_without_the_others_and_has_the_same_options():
    everything = command_line().commands
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
    assert command_line("scor").commands.keys() == command_line().commands.keys()
