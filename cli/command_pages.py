"""Pages of the manual on the command line, and its man page, from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from importlib.metadata import version
from typing import Any, get_args

from cli.errors import BAD_INPUT, BUG, DONE, INTERRUPTED, USAGE
from core.manual.page import ManualPage
from core.manual.reference import REFERENCE

_GROUP = "Command line"
_EXITS = {
    DONE: "Success.",
    BAD_INPUT: "An input is missing or wrong, or a check failed; a message says what and where.",
    USAGE: "Wrong arguments or options.",
    BUG: "A bug; a crash report was written.",
    INTERRUPTED: "Interrupted by Ctrl+C; finished work is stored.",
}
_STREAMS = (
    "Tables go to standard output, progress and messages to standard error. `--json` prints one document, "
    "`--csv` a table; `-o FILE` takes the format from the suffix, and `-o -` is standard output."
)
_INTRODUCTION = f"""# Command line

Commands do without a window what the window does. Both can work on a study at the same time.

```
pyramidion                     # open the window
pyramidion STUDY.pyramidion    # open the window with a study
pyramidion COMMAND --help      # arguments and options of a command
```

{_STREAMS}

| Exit code | Meaning |
| --- | --- |
{"".join(f"| {code} | {meaning} |{chr(10)}" for code, meaning in _EXITS.items())}
| Command | About |
| --- | --- |
"""


def command_pages() -> Iterator[ManualPage]:
    """Yield a page on all commands, then one for each, in the order of `--help`."""
    from cli.app import command_line  # which imports all commands

    group: Any = command_line()
    rows = [
        f"| [{name}](commands/{name}.md) | {_first_sentence(one)} |\n" for name, one in group.commands.items()
    ]
    yield ManualPage("command-line", _GROUP, _INTRODUCTION + "".join(rows), REFERENCE, _GROUP)
    for name, command in group.commands.items():
        lines = [f"# pyramidion {name}", "", *_command(f"pyramidion {name}", command)]
        for below, one in getattr(command, "commands", {}).items():
            lines += [f"## pyramidion {name} {below}", "", *_command(f"pyramidion {name} {below}", one)]
        yield ManualPage(f"commands/{name}", name, "\n".join(lines), REFERENCE, _GROUP)


def man_page() -> str:
    """Return the manual page of the program for `man`, section 1, in the language of roff."""
    from cli.app import command_line

    group: Any = command_line()
    about, _, more = (group.help or "").partition("\n\n")
    lines = [
        f'.TH PYRAMIDION 1 "" "Pyramidion {version("pyramidion")}" "User Commands"',
        ".SH NAME",
        rf"pyramidion \- {_roff(about[0].lower() + about[1:].rstrip('.'))}",
        ".SH SYNOPSIS",
        ".B pyramidion",
        r"[\fISTUDY\fR]",
        ".br",
        ".B pyramidion",
        r"\fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]",
        ".SH DESCRIPTION",
        *_roff_paragraphs(f"{more}\n\n{_STREAMS}"),
        ".SH COMMANDS",
    ]
    for name, command in group.commands.items():
        lines += _roff_command(name, command)
        for below, one in getattr(command, "commands", {}).items():
            lines += _roff_command(f"{name} {below}", one)
    lines.append(".SH EXIT STATUS")
    for code, meaning in _EXITS.items():
        lines += [".TP", rf"\fB{code}\fR", _roff(meaning)]
    lines += [".SH SEE ALSO", r"\fBpyramidion manual\fR \-o \fIFOLDER\fR writes the whole manual."]
    return "\n".join(lines) + "\n"


def _roff_command(name: str, command: Any) -> Iterator[str]:
    shown = [one for one in command.params if not getattr(one, "hidden", False)]
    arguments = " ".join(_roff(_usage(one)) for one in shown if one.param_type_name == "argument")
    yield f'.SS "{_roff(name)} {arguments}"'
    yield from _roff_paragraphs(command.help or "")
    for one in shown:
        if one.param_type_name == "argument":
            names = rf"\fI{_roff(_metavar(one))}\fR"
        else:
            value = "" if one.is_flag else rf" \fI{_roff(_metavar(one))}\fR"
            names = ", ".join(rf"\fB{_roff(flag)}\fR{value}" for flag in (*one.opts, *one.secondary_opts))
        default = _default(one).strip("`")
        note = f" Default: {default}." if default and default != "required" and not _is_named(one) else ""
        yield from (".TP", names, _roff(f"{one.help or ''}{note}") or r"\&")


def _is_named(one: Any) -> bool:
    """Return whether the help of an option or argument tells its default."""
    return "Default:" in (one.help or "")


def _roff_paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(filter(None, text.strip().split("\n\n"))):
        yield from ([".PP"] if number else [])
        yield _roff(paragraph)


def _roff(text: str) -> str:
    """Return a text as one line of roff; code between backquotes is bold."""
    line = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-").replace('"', r"\(dq")
    line = re.sub("`([^`]*)`", r"\\fB\1\\fR", line)
    return rf"\&{line}" if line.startswith((".", "'")) else line


def _command(name: str, command: Any) -> Iterator[str]:
    shown = [one for one in command.params if not getattr(one, "hidden", False)]
    arguments = [one for one in shown if one.param_type_name == "argument"]
    usage = [name, *(["[OPTIONS]"] if len(shown) > len(arguments) else []), *map(_usage, arguments)]
    if hasattr(command, "commands"):
        usage.append("COMMAND")
    yield from (*_paragraphs(command.help or ""), f"    {' '.join(usage)}", "")
    if shown:
        yield from ("| Option | Default | Meaning |", "| --- | --- | --- |")
        for one in shown:
            yield f"| {_names(one)} | {_default(one)} | {_meaning(one)} |"
        yield ""


def _usage(argument: Any) -> str:
    name = _metavar(argument) + ("..." if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _names(one: Any) -> str:
    if one.param_type_name == "argument":
        return f"`{_metavar(one)}`"
    value = "" if one.is_flag else f" {_metavar(one)}"
    return ", ".join(f"`{name}{value}`" for name in (*one.opts, *one.secondary_opts))


def _metavar(one: Any) -> str:
    """Return the placeholder of a value, such as FILE."""
    if one.metavar:
        return (
            str(one.metavar).upper().strip("[].") if one.param_type_name == "argument" else str(one.metavar)
        )
    if one.param_type_name == "argument":
        return str(one.name).upper()
    kind = _annotation(one)
    if _choices(one):
        return "CHOICE"
    return {int: "NUMBER", float: "NUMBER"}.get(kind, "TEXT") if isinstance(kind, type) else "TEXT"


def _annotation(one: Any) -> Any:
    """Return the type of a value; of each, if the option can be repeated."""
    kind = one.type_descriptor.annotation
    return get_args(kind)[0] if get_args(kind) else kind


def _choices(one: Any) -> list[str]:
    kind = _annotation(one)
    return [str(each.value) for each in kind] if isinstance(kind, type) and issubclass(kind, Enum) else []


def _default(one: Any) -> str:
    if one.required:
        return "required"
    default = one.default
    if isinstance(default, Enum):
        default = default.value
    if one.param_type_name == "option" and one.is_flag:
        if one.secondary_opts and isinstance(default, bool):
            return f"`{(one.opts if default else one.secondary_opts)[0]}`"
        return ""
    return f"`{default}`" if default not in (None, "", [], ()) and one.show_default is not False else ""


def _meaning(one: Any) -> str:
    parts = [_cell(one.help or "")]
    if choices := _choices(one):
        parts.append("One of " + ", ".join(f"`{choice}`" for choice in choices) + ".")
    if one.min is not None and one.max is not None:
        parts.append(f"From {one.min:g} to {one.max:g}.")
    elif one.min is not None:
        parts.append(f"At least {one.min:g}.")
    elif one.max is not None:
        parts.append(f"At most {one.max:g}.")
    if one.envvar:
        parts.append(f"Environment variable: `{one.envvar}`.")
    return " ".join(filter(None, parts))


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.strip().split("\n\n"):
        yield from (_cell(paragraph), "")


def _first_sentence(command: Any) -> str:
    return _cell((command.help or "").strip().split("\n\n")[0])


def _cell(text: str) -> str:
    """Return a text of the help in one line of Markdown; code between backquotes stays code."""
    pieces = " ".join(text.split()).split("`")
    return "`".join(
        piece if at % 2 and at < len(pieces) - 1 else _escaped(piece) for at, piece in enumerate(pieces)
    ).replace("|", r"\|")


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\*_<>[]~" else sign for sign in text)
