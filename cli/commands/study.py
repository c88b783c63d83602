"""Commands that create, fill, check and restore studies; handlers are imported on use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options.common import Editor, Json, OnOff, OptionalStudy, Study, StudyFile, Switch
from cli.options.import_data import DucviewOptions, FolderOptions, TableOptions
from cli.options.option_groups import expand_option_groups
from core.domain.assignment import PlanOptions, Work
from core.domain.decisions import DEFAULT_RESULT, Annotation
from core.domain.preferences import ComparisonKind


def new(
    study: Study,
    sample: Annotated[bool, typer.Option(help="Create the sample study.")] = False,
    name: Annotated[
        str,
        typer.Option(metavar="NAME", help="Name of the study. Default: that of the file or database."),
    ] = "",
    blind: Annotated[
        bool, typer.Option("--blind", help="Turn on blind annotation (see `pyramidion blind`).")
    ] = False,
) -> None:
    """Create a study: a file, or the tables of an empty database on a server."""
    from cli.handlers.new import new_study

    new_study(study, sample=sample, name=name, blind=blind)


def blind(
    study: Study,
    state: Switch = None,
) -> None:
    """Turn blind annotation on or off.

    In a blind study, annotators do not see which system wrote a summary, and they see the work of others
    on a topic only after marking their own as done. Exports and analyses are not affected.
    """
    from cli.handlers.blind import set_blind

    set_blind(study, None if state is None else state is OnOff.ON)


def allow(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Paths of files, folders and studies, and URLs of studies and search servers; without one, "
            "list what is allowed.",
            show_default=False,
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the names from the list.")] = False,
    as_json: Json = False,
) -> None:
    """Allow names that are found in studies.

    A study contains names of other things: folders of models, search servers, further studies. Nothing that
    only a study names is opened or contacted. What you name in a command line or in the window is added to
    this list; programs are allowed for one run only (`score -m`, `replay --allow`).
    """
    from cli.handlers.allow import allow as run

    run(names or [], remove=remove, as_json=as_json)


def language(
    study: Study,
    code: Annotated[
        str | None,
        typer.Argument(
            help="Language code such as ja or zh, `detect` or `none`; without it, show the language.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show or set the language of a study.

    The language determines how metrics split texts into words by default.
    """
    from cli.handlers.language import show_language

    show_language(study, code, as_json=as_json)


def topics(
    study: Study,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TOPIC]...", help="Topics; all by default.", show_default=False),
    ] = None,
    set_name: Annotated[
        str | None,
        typer.Option("--set", metavar="NAME", help="Move the topics to this set.", show_default=False),
    ] = None,
    no_set: Annotated[bool, typer.Option("--no-set", help="Remove the topics from their sets.")] = False,
    editor: Editor = "",
    as_json: Json = False,
) -> None:
    """List topics with their sets and numbers of texts, or change their sets.

    Sets, such as initial and update, are compared by `pyramidion resample STUDY sets`.
    """
    from cli.handlers.topics import list_topics

    if no_set and set_name is not None:
        raise typer.BadParameter("--set and --no-set exclude each other. Use one of them.")
    list_topics(study, names or [], "" if no_set else set_name, editor, as_json=as_json)


@expand_option_groups
def import_(
    study: Study,
    path: Annotated[
        Path, typer.Argument(help="File or folder to import; - for standard input.", show_default=False)
    ],
    file_format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="File format: summeval, sacrerouge, table, nuggets, preferences, citations, folders, "
            "lite2pyramid, rose, mt-metrics-eval, scisumm (CL-SciSumm, BiomedSumm), frank, qags, "
            "dialsummeval, newsroom, rouge-settings, ducview, brat, label-studio, doccano, potato or "
            "inception; `pyramidion plugins` lists more of other packages. Default: detected. Tables of "
            "other projects: columns; data sets: data-set; folders of TAC and DUC: tac.",
        ),
    ] = "",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Check the file and show what would be imported; change nothing."),
    ] = False,
    *,
    skip_bad_rows: Annotated[
        bool,
        typer.Option(
            "--skip-bad-rows",
            help="Formats with one row or line per item, such as table and summeval: skip invalid rows and "
            "list them.",
        ),
    ] = False,
    update: Annotated[
        bool,
        typer.Option(
            "--update",
            help="Replace ratings, and titles, queries and sets of topics, that differ in the study. "
            "Replaced ratings are one edit, with history and undo.",
        ),
    ] = False,
    editor: Editor = "",
    documents: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="summeval: folder of source documents (.story or .txt, named by `filepath` or `id`), for "
            "a file without `text`.",
            show_default=False,
        ),
    ] = None,
    columns: TableOptions,
    naming: DucviewOptions,
    sources: FolderOptions,
    as_json: Json = False,
) -> None:
    """Import texts, ratings, scores or pyramids.

    If any row is invalid, nothing is imported and all problems are listed.
    """
    from cli.handlers.import_file import import_file

    flags = {"documents": str(documents)} if documents is not None else {}
    if skip_bad_rows:
        flags["skip"] = "yes"
    if update:
        flags["update"] = "yes"
    if editor:
        flags["as"] = editor
    options = {**columns.reader_options(), **naming.reader_options(), **sources.reader_options(), **flags}
    import_file(study, path, file_format, options, dry_run=dry_run, as_json=as_json)


def get(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[DATASET]", help="Name of a data set; without it, list all.", show_default=False
        ),
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="New study file. Default: DATASET.pyramidion."),
    ] = None,
    documents: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="summeval: folder of the articles of CNN/DailyMail, as for `pyramidion import`.",
            show_default=False,
        ),
    ] = None,
    accept_change: Annotated[
        bool,
        typer.Option(
            "--accept-change",
            help="Accept a file without a known hash that differs from the first download.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Download a public data set from its authors and import it into a new study.

    Files are checked against known hashes; where nobody publishes one, against the first download on this
    computer, which the output says. An interrupted download is resumed. Nothing else connects to the network.
    """
    from cli.handlers.get import get as run
    from cli.handlers.get import list_data_sets

    if not name:
        list_data_sets(as_json=as_json)
        return
    options = {"documents": str(documents)} if documents is not None else {}
    run(name, output or Path(f"{name}.pyramidion"), options, accepts_changes=accept_change)


def validate(
    study: Study,
    findings: Annotated[
        bool,
        typer.Option(
            "--findings",
            help="List possible mistakes in pyramids and nuggets instead, such as duplicate labels.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Check the integrity of a study."""
    from cli.handlers.findings import list_findings
    from cli.handlers.validate import validate_study

    raise typer.Exit((list_findings if findings else validate_study)(study, as_json=as_json))


def clean(
    study: StudyFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="New study file; must not exist yet.")
    ],
) -> None:
    """Copy the data of an unsafe study into a new one.

    Studies that contain triggers, views or other foreign database objects are not opened.
    """
    from cli.handlers.validate import clean_study

    raise typer.Exit(clean_study(study, output))


def progress(study: Study, as_json: Json = False) -> None:
    """Show what each annotator has done, and how long it took."""
    from cli.handlers.progress import show_progress

    show_progress(study, as_json=as_json)


def adjudicate(
    study: Study,
    what: Annotated[
        Annotation, typer.Option(metavar="KIND", help="Kind of annotation: ratings, matches or pyramids.")
    ] = Annotation.RATINGS,
    annotator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Annotator or group to compare. Can be repeated. Default: all annotators."
        ),
    ] = None,
    result: Annotated[
        str, typer.Option(metavar="NAME", help="Name under which the result is stored.")
    ] = DEFAULT_RESULT,
    merge_as: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Merge what the annotators agree on, as this annotator, who can undo it.",
            show_default=False,
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Show where annotators differ, and merge what they agree on.

    Differences are decided on the page Adjudication of the window.
    """
    from cli.handlers.adjudicate import adjudicate_study

    adjudicate_study(study, what, annotator or (), result, merge_as, as_json=as_json)


def assign(
    study: Study,
    work: Annotated[
        Work, typer.Option(metavar="KIND", help="Work: pyramids, matches, nuggets, hits or ratings.")
    ] = Work.RATINGS,
    proposed: Annotated[bool, typer.Option("--propose", help="Replace the plan by a balanced one.")] = False,
    per_topic: Annotated[
        int, typer.Option(metavar="N", help="Annotators of a topic that several annotate.")
    ] = 2,
    overlap: Annotated[
        float, typer.Option(metavar="SHARE", help="Share of topics that several annotate, 0 to 1.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the proposal.")] = 0,
    annotator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Annotator or group of the proposal. Can be repeated. Default: all."
        ),
    ] = None,
    assigned: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="TOPIC=NAMES", help="Annotators of one topic, separated by commas, or none."
        ),
    ] = None,
    role: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=ROLE", help="Role of an annotator: manager, annotator, adjudicator or none."
        ),
    ] = None,
    shared: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Let everyone match against the pyramids of this annotator, or look for their nuggets (with "
            "--work hits); they are locked. none = whom they choose.",
            show_default=False,
        ),
    ] = "",
    only_done: Annotated[
        bool, typer.Option("--only-done", help="With --shared: only pyramids or nuggets marked done.")
    ] = False,
    added: Annotated[
        list[str] | None, typer.Option("--add", metavar="NAME", help="Add an annotator. Can be repeated.")
    ] = None,
    removed: Annotated[
        list[str] | None,
        typer.Option(
            "--remove", metavar="NAME", help="Remove an annotator; one who annotated becomes inactive."
        ),
    ] = None,
    editor: Editor = "",
    as_json: Json = False,
) -> None:
    """Show or change which annotator works on which topic, with their progress."""
    from cli.handlers.assign import PlanChanges, assign_topics

    options = PlanOptions(per_topic, overlap, seed) if proposed else None
    changes = PlanChanges(
        options,
        annotator or (),
        assigned or (),
        role or (),
        shared,
        editor,
        only_done,
        added or (),
        removed or (),
    )
    assign_topics(study, work, changes, as_json=as_json)


def control(
    study: Study,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="TOPIC=NAME",
            help="Check a topic against the annotation of this annotator, or of nobody (none).",
        ),
    ] = None,
    training: Annotated[
        list[str] | None,
        typer.Option(
            "--train",
            metavar="TOPIC=NAME",
            help="Show annotators of a topic the annotation of this annotator after their own, or of nobody "
            "(none).",
        ),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option(metavar="SHARE", help="Share of a scale's range by which a rating may differ, 0 to 1."),
    ] = 0.25,
    editor: Editor = "",
    as_json: Json = False,
) -> None:
    """Check every annotator on control and training topics, whose right annotation is known.

    Annotators do not see which topics are control topics. On training topics they see the known annotation
    after their own.
    """
    from cli.handlers.control import check_control_topics
    from core.annotation.control_topics import KnownUse

    changed = {KnownUse.CONTROL: changes or (), KnownUse.TRAINING: training or ()}
    check_control_topics(study, changed, tolerance, editor, as_json=as_json)


def flags(
    study: Study,
    all_comments: Annotated[bool, typer.Option("--all", help="List resolved comments too.")] = False,
    as_json: Json = False,
) -> None:
    """List what annotators flagged, noted or commented on in the whole study."""
    from cli.handlers.flags import show_flags

    show_flags(study, all_comments=all_comments, as_json=as_json)


def comparisons(
    study: Study,
    plan: Annotated[
        str, typer.Argument(metavar="[PLAN]", help="Plan whose results are printed.", show_default=False)
    ] = "",
    new: Annotated[bool, typer.Option("--new", help="Draw the comparisons of a new plan.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove a plan without answers.")] = False,
    kind: Annotated[
        ComparisonKind,
        typer.Option(metavar="KIND", help="pairwise (A, B or a tie) or best-worst (of several summaries)."),
    ] = ComparisonKind.PAIRWISE,
    question: Annotated[
        str, typer.Option(metavar="TEXT", help="Question to the annotators.", show_default=False)
    ] = "",
    size: Annotated[
        int, typer.Option(metavar="N", help="Summaries in a comparison of best-worst; 0 = 4.")
    ] = 0,
    per_summary: Annotated[
        int, typer.Option(metavar="N", help="Comparisons of each summary in its topic.")
    ] = 4,
    overlap: Annotated[
        float, typer.Option(metavar="SHARE", help="Share of comparisons that everybody judges, 0 to 1.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the draw.")] = 0,
    annotator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Annotator or group whose answers count; with --new, among whom comparisons are divided. "
            "Can be repeated. Default: all.",
        ),
    ] = None,
    editor: Editor = "",
    as_json: Json = False,
) -> None:
    """Plan comparisons of summaries, list plans with their progress, or print the results of one.

    Pairs are scored by the share won, best-worst by the share best minus the share worst, and both by
    Bradley–Terry strengths.
    """
    from cli.handlers import comparisons as handlers

    if new and remove:
        raise typer.BadParameter("--new and --remove exclude each other. Use one of them.")
    if (new or remove) and not plan:
        raise typer.BadParameter("Name the plan, after the study.")
    if new:
        chosen = handlers.NewPlan(kind, question, size, per_summary, overlap, seed, annotator or ())
        handlers.add_plan(study, plan, chosen, editor, as_json=as_json)
    elif remove:
        handlers.remove_plan(study, plan, editor)
    elif plan:
        handlers.show_results(study, plan, annotator or (), as_json=as_json)
    else:
        handlers.list_plans(study, as_json=as_json)


def scales(
    study: OptionalStudy = None,
    template: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEMPLATE",
            help="Add the scales of a published evaluation, such as summeval. Can be repeated.",
        ),
    ] = None,
    editor: Editor = "",
    as_json: Json = False,
) -> None:
    """List the rating scales of a study, or add some.

    Without a study, list the templates. Scales whose name is already used are not added.
    """
    from cli.handlers.scales import list_scales, list_templates

    if study is not None:
        list_scales(study, template or (), editor, as_json=as_json)
    elif template:
        raise typer.BadParameter("--template needs a study to add the scales to; name it first")
    else:
        list_templates(as_json=as_json)


def merge(
    study: Study,
    packs: Annotated[
        list[Path],
        typer.Argument(
            metavar="PACK...",
            help="Files of `export --what annotations`, or whole studies (.pyramidion).",
            show_default=False,
        ),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be merged; change nothing.")
    ] = False,
    remove: Annotated[
        bool,
        typer.Option("--remove", help="Merge updates that remove more of an annotator's work than they add."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Merge the annotations of others who worked on copies of a study.

    What one annotator changed in two copies at once is kept twice. A later version of an annotator's work
    replaces an earlier one; where it removes more than it adds, nothing is merged without --remove. Merging
    again changes nothing, and the order does not matter.
    """
    from cli.handlers.merge import merge_annotations

    merge_annotations(study, packs, dry_run=dry_run, may_remove=remove, as_json=as_json)


def restore(
    study: StudyFile,
    backup: Annotated[
        str,
        typer.Argument(
            help="Number in the list, file name or path of a backup, or `latest` for the newest automatic "
            "backup that passes its checks.",
            show_default=False,
        ),
    ] = "",
    listing: Annotated[
        bool, typer.Option("--list", help="List and check the backups; the default without BACKUP.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Backup folder. Default: as in the settings.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the backups of a study or restore one.

    The study may be damaged or missing. A replaced file is saved as a backup first.
    """
    from cli.handlers.restore import list_backups, restore_study

    if backup and not listing:
        restore_study(study, backup, folder, as_json=as_json)
    else:
        list_backups(study, folder, as_json=as_json)
