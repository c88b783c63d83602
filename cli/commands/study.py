"""Verbs that make and fill a study; what they do is imported when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options.common import Json, OnOff, Study, Switch
from cli.options.import_data import Columns, Naming, Places
from cli.options.option_groups import expand_option_groups


def new(
    study: Study,
    sample: Annotated[bool, typer.Option(help="Fill it with the packaged sample.")] = False,
    name: Annotated[str, typer.Option(help="What the study is called; default: the file's name.")] = "",
    blind: Annotated[
        bool, typer.Option("--blind", help="Make it a blind study, see the verb blind.")
    ] = False,
) -> None:
    """Make a study."""
    from cli.handlers.new import new_study

    new_study(study, sample=sample, name=name, blind=blind)


def blind(
    study: Study,
    wanted: Switch = None,
) -> None:
    """Make a study blind, or open it again.

    While annotating, nobody sees who wrote a summary. Others' pyramids and suggestions open once one's own
    work on a topic is marked done. Exports and analyses are as ever.
    """
    from cli.handlers.blind import set_blind

    set_blind(study, None if wanted is None else wanted is OnOff.ON)


def language(
    study: Study,
    code: Annotated[
        str | None,
        typer.Argument(
            help="A language's code, as ja or zh; detect, to take what the texts seem to be in; none. "
            "Leave it out to be shown.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show or store the language of a study, which decides how metrics find words by default."""
    from cli.handlers.language import show_language

    show_language(study, code, as_json=as_json)


@expand_option_groups
def import_(
    study: Study,
    path: Annotated[
        Path, typer.Argument(help="The file or folder to read; - is standard input.", show_default=False)
    ],
    file_format: Annotated[
        str,
        typer.Option(
            "--format",
            help="summeval, sacrerouge, table, folders, rouge-settings or ducview; default: recognised.",
        ),
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would happen and what is wrong; write nothing.")
    ] = False,
    *,
    skip_bad_rows: Annotated[
        bool,
        typer.Option(
            "--skip-bad-rows",
            help="summeval, sacrerouge, table: import without the rows that have problems, and list those.",
        ),
    ] = False,
    update: Annotated[
        bool,
        typer.Option(
            "--update", help="Titles, queries and sets of topics replace those that the study has otherwise."
        ),
    ] = False,
    documents: Annotated[
        Path | None,
        typer.Option(
            help="summeval: a folder with the source documents, files called as `filepath` or `id` says "
            "(.story or .txt), for a file without `text`.",
            show_default=False,
        ),
    ] = None,
    columns: Columns,
    naming: Naming,
    places: Places,
    as_json: Json = False,
) -> None:
    """Bring texts, ratings, scores or pyramids into a study: everything, or nothing and every problem."""
    from cli.handlers.import_file import import_file

    given = {"documents": str(documents)} if documents is not None else {}
    if skip_bad_rows:
        given["skip"] = "yes"
    if update:
        given["update"] = "yes"
    options = {**columns.told(), **naming.told(), **places.told(), **given}
    import_file(study, path, file_format, options, dry_run=dry_run, as_json=as_json)


def validate(
    study: Study,
    findings: Annotated[
        bool, typer.Option("--findings", help="List what is odd in its pyramids instead, as labels alike.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check a study file: its integrity, and that every span fits its text."""
    from cli.handlers.findings import list_findings
    from cli.handlers.validate import validate_study

    raise typer.Exit((list_findings if findings else validate_study)(study, as_json=as_json))


def clean(
    study: Study,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The new study; there must be none of that name yet.")
    ],
) -> None:
    """Copy the data of a study that is not opened, because it contains triggers or views, into a new one."""
    from cli.handlers.validate import clean_study

    raise typer.Exit(clean_study(study, output))


def restore(
    study: Study,
    backup: Annotated[
        str,
        typer.Argument(
            help="Its number in the list, its file name or path, or latest: the newest automatic one that is "
            "sound.",
            show_default=False,
        ),
    ] = "",
    listing: Annotated[
        bool, typer.Option("--list", help="List the backups and check each; the default without BACKUP.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(help="The folder with backups; default: that of the settings.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Replace a study by one of its backups, or list them. The study may be damaged or missing.

    The file that is replaced is saved as a backup first.
    """
    from cli.handlers.restore import list_backups, restore_study

    if backup and not listing:
        restore_study(study, backup, folder, as_json=as_json)
    else:
        list_backups(study, folder, as_json=as_json)
