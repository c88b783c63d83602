"""Every verb, its options and its help; what it does stands in a module of its own, imported when it runs."""

from __future__ import annotations

import csv
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cli import correlate_options as options
from cli.model_verbs import models

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        print(f"pyramidion {version('pyramidion')}")
        raise typer.Exit


app.add_typer(models, name="models")


@app.callback()
def program(
    version: Annotated[
        bool,
        typer.Option("--version", help="Say which version this is.", callback=_tell_version, is_eager=True),
    ] = False,
) -> None:
    """Annotate, score, compare and report a study of summarization evaluation.

    Without a verb the window opens; `pyramidion FILE.pyramidion` opens it on a study.
    """


Study = Annotated[Path, typer.Argument(help="The study, a .pyramidion file.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Csv = Annotated[bool, typer.Option("--csv", help="CSV on standard output.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="The file to write.", show_default=False)]
Device = Annotated[
    str, typer.Option(help="auto, cpu, cuda, cuda:1 or mps; changes speed, no reported digit.")
]


def names(listed: str) -> list[str]:
    """Names with commas between; one that holds a comma stands in double quotes, as in CSV."""
    rows = csv.reader([listed], skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]


def chosen_names(listed: str | None, option: str) -> list[str]:
    """The names that an option gives, none = it was not given. One that names nobody is no choice of all."""
    if listed is None:
        return []
    found = names(listed)
    if not found:
        raise typer.BadParameter(f"{option} names nobody; leave it out for all")
    return found


class OnOff(StrEnum):
    """Whether something holds."""

    ON = "on"
    OFF = "off"


class SystemsName(StrEnum):
    """Which systems take part."""

    AUTOMATIC = "automatic"
    ALL = "all"
    WITH_HUMANS = "with-humans"


class UndefinedName(StrEnum):
    """What becomes of a correlation that does not exist."""

    SKIP = "skip"
    ZERO = "zero"
    ERROR = "error"


class LevelName(StrEnum):
    """How a correlation pools."""

    SYSTEM = "system"
    TOPIC = "topic"
    GLOBAL = "global"


class CoefficientName(StrEnum):
    """Which correlation."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"
    KENDALL_C = "kendall-c"
    TAU = "tau"
    ACCURACY = "accuracy"


Systems = Annotated[
    SystemsName,
    typer.Option(
        help="automatic = systems and baselines; all = summaries written by people too; with-humans = "
        "systems and each reference, scored by the others (after score --humans)."
    ),
]
Undefined = Annotated[
    UndefinedName,
    typer.Option(
        help="A correlation that does not exist (one side constant, or fewer than three pairs): "
        "skip = leave it out, zero = count it as 0, error = stop."
    ),
]
Annotators = Annotated[
    str | None,
    typer.Option(
        help="Whose ratings and matches count: names or groups, with commas between. "
        "Default: ratings by the group expert, or by everybody where it rated nothing; matches by everybody."
    ),
]


@app.command("new")
def new(
    study: Study,
    sample: Annotated[bool, typer.Option(help="Fill it with the packaged sample.")] = False,
    name: Annotated[str, typer.Option(help="What the study is called; default: the file's name.")] = "",
    blind: Annotated[
        bool, typer.Option("--blind", help="Make it a blind study, see the verb blind.")
    ] = False,
) -> None:
    """Make a study."""
    from cli.new import new_study

    new_study(study, sample=sample, name=name, blind=blind)


@app.command("blind")
def blind(
    study: Study,
    wanted: Annotated[
        OnOff | None, typer.Argument(help="on or off; leave it out to be told.", show_default=False)
    ] = None,
) -> None:
    """Make a study blind, or open it again.

    While annotating, nobody sees who wrote a summary. Others' pyramids and suggestions open once one's own
    work on a topic is marked done. Exports and analyses are as ever.
    """
    from cli.blind import switch

    switch(study, None if wanted is None else wanted is OnOff.ON)


@app.command("import")
def import_(
    study: Study,
    path: Annotated[Path, typer.Argument(help="The file or folder to read.", show_default=False)],
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
    column: Annotated[
        list[str] | None,
        typer.Option("--map", help="COLUMN=NAME: a table's own name for a column, as topic=doc_id."),
    ] = None,
    scale: Annotated[
        str, typer.Option(help="LOW-HIGH: the ends of a table's rating scale, as 1-5 or -2-2.")
    ] = "1-5",
    pattern: Annotated[
        list[str] | None,
        typer.Option(
            help="ducview: how files are named, as {topic}.{system}.pan; fields topic, system, annotator and "
            "author (of a summary by a person), * = anything; may be repeated. Default: usual ones are tried."
        ),
    ] = None,
    annotator: Annotated[
        str, typer.Option(help="ducview: who annotated, where no file name says it. Default: ducview.")
    ] = "",
    split: Annotated[
        str,
        typer.Option(
            help="ducview: where references begin if a file does not say it: proposed, lines as 1,9,20, or a "
            "regular expression that finds what heads each of them."
        ),
    ] = "",
    repair: Annotated[
        bool,
        typer.Option("--repair", help="ducview: move spans that miss their words to where these stand."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Bring texts, ratings, scores or pyramids into a study: everything, or nothing and every problem."""
    from cli.importing import import_file, naming_options

    import_file(
        study,
        path,
        file_format,
        columns=column or [],
        scale=scale,
        more=naming_options(pattern or [], annotator, split, repair=repair),
        dry_run=dry_run,
        as_json=as_json,
    )


@app.command()
def validate(
    study: Study,
    findings: Annotated[
        bool, typer.Option("--findings", help="List what is odd in its pyramids instead, as labels alike.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check a study file: its integrity, and that every span fits its text."""
    from cli.findings import list_findings
    from cli.validate import validate_study

    raise typer.Exit((list_findings if findings else validate_study)(study, as_json=as_json))


@app.command()
def metrics(as_json: Json = False, device: Device = "auto") -> None:
    """List every metric: its settings, its measures, what it needs, and why it cannot run here."""
    from cli.metrics import list_metrics

    list_metrics(as_json=as_json, device=device)


@app.command()
def score(
    study: Study,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", help="NAME:SETTING=VALUE,… or a whole signature; may be repeated."),
    ] = None,
    references: Annotated[
        str | None, typer.Option(help="Only these authors' references, by name with commas. Default: all.")
    ] = None,
    humans: Annotated[
        bool,
        typer.Option(
            "--humans",
            help="Score each reference as a system too, by the others; a summary gets the mean over leaving "
            "one reference out. Kept beside the usual scores.",
        ),
    ] = False,
    device: Device = "auto",
    batch_tokens: Annotated[
        int | None, typer.Option(min=64, help="Tokens that an encoder takes at once; changes speed alone.")
    ] = None,
    encoding_cache: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Disk for what encoders made of texts, so that later runs need not, as 500MB; 0 = none. "
            "Default: 2GB, or as PYRAMIDION_ENCODING_CACHE says. Changes speed alone.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=0, help="Processes for metrics without a model; 0 = none. Default: one per core."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="Score on a Dask cluster instead: its scheduler's address, tcp://HOST:8786."),
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Say what would run and how long.")] = False,
    as_json: Json = False,
) -> None:
    """Score the summaries of a study; what is scored and unchanged is not scored again.

    Without -m every metric that can run here does, save those that read annotations.
    """
    from cli.score import score_study

    raise typer.Exit(
        score_study(
            study,
            metric or [],
            references=tuple(chosen_names(references, "--references")),
            humans=humans,
            device=device,
            batch_tokens=batch_tokens,
            encoding_cache=encoding_cache,
            workers=workers,
            cluster=cluster or "",
            only_plan=plan,
            as_json=as_json,
        )
    )


@app.command("train")
def train(
    study: Study,
    human: Annotated[
        str, typer.Option(help="The judgement to follow, as pyramid.modified or rating.relevance.")
    ] = "",
    name: Annotated[str, typer.Option(help="What the model is called; one of that name is replaced.")] = "",
    features: Annotated[
        str,
        typer.Option(
            help="What it reads, with commas between: s3-best, s3-full, measures as rouge-2.recall, or a "
            "metric with settings, as rouge-n:n=3,stem=yes."
        ),
    ] = "s3-best",
    vectors: Annotated[
        str, typer.Option(help="Word vectors for the ROUGE-WE of s3-best and s3-full: a file or an encoder.")
    ] = "",
    annotators: Annotators = None,
    folds: Annotated[
        int, typer.Option(min=2, help="Parts of the topics, each scored by a model trained on the others.")
    ] = 10,
    cost: Annotated[float, typer.Option(min=1e-6, help="C of the regression.")] = 1.0,
    epsilon: Annotated[
        float, typer.Option(min=0.0, help="How far off a prediction may be without cost.")
    ] = 0.1,
    scale: Annotated[
        bool | None,
        typer.Option(
            help="Divide features by their standard deviation. Default: only those chosen singly.",
            show_default=False,
        ),
    ] = None,
    forget: Annotated[str, typer.Option(help="Take the model of this name out of the study.")] = "",
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Train a metric on the study's own judgements, as S3; without --human, list those that were trained.

    Then score with -m s3:model=NAME. Topics in training are scored by a model that did not see them.
    """
    from cli import training

    if forget:
        training.forget(study, forget)
    elif not human and not name:
        training.list_models(study, as_json=as_json)
    elif not (human and name):
        raise typer.BadParameter("training needs both --human and --name")
    else:
        chosen = tuple(chosen_names(annotators, "--annotators"))
        wish = training.Wish(name, human, features, vectors, chosen, folds, cost, epsilon, scale)
        training.train_model(study, wish, device=device, as_json=as_json)


@app.command()
def correlate(
    study: Study,
    human: Annotated[
        list[str] | None,
        typer.Option(
            help="A judgement, as rating.coherence, pyramid.modified or pyramid.modified[references:A+B]; "
            "may be repeated. Default: all."
        ),
    ] = None,
    human_references: Annotated[
        str | None,
        typer.Option(
            help="Pyramid scores by these authors' references alone, by name with commas; weights are "
            "counted anew. Default: all."
        ),
    ] = None,
    level: Annotated[
        LevelName,
        typer.Option(
            help="system = of the systems' means; topic = within each topic, averaged; "
            "global = of all single summaries."
        ),
    ] = LevelName.SYSTEM,
    coefficient: Annotated[
        CoefficientName,
        typer.Option(
            help="Pearson's r, Spearman's rho, Kendall's tau-b (kendall) or tau-c, the plain tau "
            "(C - D) / (C + D), or pairwise accuracy with calibrated ties."
        ),
    ] = CoefficientName.PEARSON,
    measure: Annotated[
        list[str] | None,
        typer.Option(help="Only this measure, as rouge-2.f; may be repeated. Default: all."),
    ] = None,
    annotators: Annotators = None,
    systems: Systems = SystemsName.AUTOMATIC,
    system: options.Chosen = None,
    weakest: options.Weakest = 0,
    below: options.Below = None,
    weak_by: options.WeakBy = None,
    topic_set: options.TopicSet = None,
    undefined: Undefined = UndefinedName.SKIP,
    interval: options.Interval = options.IntervalName.NONE,
    confidence: options.Confidence = 0.95,
    compare: options.Compare = None,
    test: options.Test = options.TestName.WILLIAMS,
    sides: options.Sides = options.SidesName.TWO,
    freedom: options.Freedom = options.FreedomName.N_MINUS_3,
    magnitudes: options.Magnitudes = False,
    adjust: options.Adjust = options.AdjustName.HOLM,
    needed: options.Needed = None,
    clusters: options.Clusters = False,
    upper_bound: options.Bounds = False,
    draws: options.Draws = 1000,
    seed: options.Seed = 0,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Correlate every measure with the human judgements, with intervals and tests where asked."""
    from cli.correlate import correlate_study
    from core.comparing import Adjustment, Chance, DifferenceTest, IntervalKind
    from core.stats.significance import Freedom, Sides
    from core.taking_part import Part

    if as_json and as_csv:
        raise typer.BadParameter("choose one of --json and --csv")
    correlate_study(
        study,
        human or [],
        references=chosen_names(human_references, "--human-references"),
        level=level.value,
        coefficient=coefficient.value,
        measures=measure or [],
        annotators=chosen_names(annotators, "--annotators"),
        systems=systems.value,
        undefined=undefined.value,
        part=Part(tuple(system or ()), weakest, below, weak_by or ""),
        topic_set=topic_set or "",
        chance=Chance(
            interval=IntervalKind(interval.value),
            against=compare or "",
            test=DifferenceTest(test.value),
            adjustment=Adjustment(adjust.value),
            sides=Sides(sides.value),
            draws=draws,
            seed=seed,
            confidence=confidence,
            freedom=Freedom(freedom.value),
            magnitudes=magnitudes,
        ),
        needed=needed.value if needed else "",
        clustered=clusters,
        bounds=upper_bound,
        as_json=as_json,
        as_csv=as_csv,
    )


@app.command()
def compare(
    studies: Annotated[
        list[Path], typer.Argument(help="Two studies or more, .pyramidion files.", show_default=False)
    ],
    human: Annotated[
        list[str] | None,
        typer.Option(help="A judgement, as rating.relevance; may be repeated. Default: all of each study."),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(help="Only this measure, as the first study calls it; may be repeated. Default: all."),
    ] = None,
    level: Annotated[LevelName, typer.Option(help="What is correlated; see correlate.")] = LevelName.SYSTEM,
    coefficient: Annotated[
        CoefficientName, typer.Option(help="Which correlation; see correlate.")
    ] = CoefficientName.PEARSON,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="A folder for the table as CSV, LaTeX and Markdown and the figure as SVG and PDF.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Rank measures over several studies: how well each follows people in every one, and its mean rank."""
    from cli.compare import compare_studies

    if as_json and as_csv:
        raise typer.BadParameter("choose one of --json and --csv")
    if len(studies) < 2:
        raise typer.BadParameter("name two studies or more; correlate and resample look into one")
    compare_studies(
        studies,
        human or [],
        measures=measure or [],
        level=level,
        coefficient=coefficient,
        output=output,
        as_json=as_json,
        as_csv=as_csv,
    )


@app.command()
def resample(
    study: Study,
    recipe: Annotated[
        str, typer.Option(help="A paper's table or figure, as conditions-table-1; see --list.")
    ] = "",
    experiment: Annotated[str, typer.Option(help="An experiment, as references; see --list.")] = "",
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", "-s", help="KEY=VALUE: one of its settings; may be repeated."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="What its draws begin with. Default: 0.")] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Do it anew though the study keeps what it found.")
    ] = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Take what the study keeps of it out, finished or not.")
    ] = False,
    show: Annotated[
        bool, typer.Option("--list", help="List experiments and recipes, and what this study lacks for each.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="A folder for tables as CSV, LaTeX and Markdown and figures as SVG and PDF.",
            show_default=False,
        ),
    ] = None,
    device: Device = "auto",
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Find out what fewer references, fewer topics or other settings would change, as papers did.

    What it finds is kept in the study; one that was stopped goes on where it was.
    """
    from cli.resample import forget_experiment, list_experiments, resample_study

    if show:
        list_experiments(study, as_json=as_json)
        return
    if bool(recipe) == bool(experiment):
        raise typer.BadParameter("give one of --recipe, --experiment and --list")
    if forget:
        forget_experiment(study, recipe, experiment, setting or [], seed)
        return
    resample_study(
        study,
        recipe=recipe,
        experiment=experiment,
        settings=setting or [],
        seed=seed,
        again=again,
        device=device,
        output=output,
        as_json=as_json,
        as_csv=as_csv,
    )


@app.command()
def report(
    study: Study,
    output: Output,
    tables: Annotated[
        Path | None, typer.Option(help="A folder for every table as CSV.", show_default=False)
    ] = None,
    systems: Systems = SystemsName.AUTOMATIC,
    undefined: Undefined = UndefinedName.SKIP,
) -> None:
    """Write one self-contained HTML report; two runs on one study give the same bytes."""
    from cli.report import report_study

    report_study(study, output, tables, systems=systems.value, undefined=undefined)


@app.command()
def export(
    study: Study,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The file to write; for ducview a folder.", show_default=False),
    ],
    what: Annotated[
        str,
        typer.Option(
            help="scores, rouge, judgements, humans (scores and judgements with references as systems), "
            "ratings, texts, pyramids or history."
        ),
    ] = "scores",
    file_format: Annotated[
        str,
        typer.Option(
            "--format",
            help="sacrerouge (JSONL) or csv; for texts also hashes, by which vectors computed elsewhere are "
            "looked up; for pyramids ducview (.pyr, .pan); for rouge rouge-1.5.5, what the script prints, or "
            "rouge-1.5.5-tokens (-t 1).",
        ),
    ] = "sacrerouge",
) -> None:
    """Write scores, judgements, ratings or texts to a file, or pyramids to a folder."""
    from cli.export import export_study

    export_study(study, what, file_format, output)


@app.command()
def doctor(
    study: Annotated[Path | None, typer.Argument(help="A study to check too.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """Say what the program finds on this machine: versions, devices, models, folders."""
    from cli.doctor import examine

    raise typer.Exit(examine(study, as_json=as_json))


@app.command()
def demo(
    folder: Annotated[Path, typer.Option(help="Where the sample study and its report go.")] = Path("demo"),
    window: Annotated[bool, typer.Option(help="Open the window at the end where there is a screen.")] = True,
    budget: Annotated[float, typer.Option(help="Seconds that scoring may take.")] = 60.0,
) -> None:
    """Make the sample study, score it, compare the metrics with people, write the report, open the window."""
    from cli.demo import demonstrate

    raise typer.Exit(demonstrate(folder, window=window, budget=budget))
