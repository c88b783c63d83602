"""Commands that create a study and show or change its settings, topics and scales."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cli.completion import completing, template_names
from cli.console import print_json, print_message, print_table
from cli.opening import editor_id
from cli.options import Editor, Json, OnOff, OptionalStudy, Study, Switch
from core.errors import InputError
from core.formatting.numbers import pluralize
from core.names import resolve_name
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core.domain.ratings import Dimension
    from core.domain.study import TopicHeader


DETECT, NONE = "detect", "none"


def new(
    path: Study,
    sample: Annotated[bool, typer.Option(help="Create the sample study.")] = False,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="Name of the study. Default: that of the file or database.")
    ] = "",
    blind: Annotated[
        bool, typer.Option("--blind", help="Turn on blind annotation (see `pyramidion blind`).")
    ] = False,
) -> None:
    """Create a study: a file, or the tables of an empty database on a server."""
    from core.annotation.blind_mode import make_blind
    from storage.sample_study import create_sample
    from storage.study_file import new_study

    study = (
        run_with_progress(create_sample(path), "Creating the sample", "No study was created.")
        if sample
        else new_study(path, name=name)
    )
    with study:
        if blind:
            make_blind(study, enabled=True).result()
        topics = len(study.texts.topics())
    print_message(
        f"Created {path} with {pluralize(topics, 'topic')}." if sample else f"Created {path} (empty)."
    )


def blind(path: Study, state: Switch = None) -> None:
    """Turn blind annotation on or off.

    In a blind study, annotators do not see which system wrote a summary, and they see the work of others
    on a topic only after marking their own as done. Exports and analyses are not affected.
    """
    from core.annotation.blind_mode import is_blind, make_blind
    from storage.study_file import open_study

    with open_study(path) as study:
        if state is not None:
            make_blind(study, enabled=state is OnOff.ON).result()
        now = is_blind(study)
    print_message(f"{path}: blind annotation is {'on' if now else 'off'}.")


def language(
    path: Study,
    code: Annotated[
        str | None,
        typer.Argument(
            help="Language code such as ja or zh, `detect` or `none`; without it, show the language.",
            show_default=False,
        ),
    ] = None,
    topic: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Set the language of this topic instead; repeatable. `none` = that of the study.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show or set the language of a study, or of topics in another language.

    The study's language determines how metrics split texts into words by default, that of a topic how its
    texts are split into sentences.
    """
    from core.ports import language_of, set_language
    from core.text.languages import detect_language, language_name
    from storage.study_file import open_study

    if topic and code is None:
        raise typer.BadParameter("--topic needs a code. Give it after the study.")
    with open_study(path) as study:
        detected = ""
        heads = study.texts.topics()
        ids = [head.id for head in _chosen(heads, topic)] if topic else []
        if code in (None, DETECT):
            texts = ((*t.documents, *t.references, *t.summaries) for t in study.texts.load(ids or None))
            detected = detect_language([text.content for texts_of in texts for text in texts_of]).code
        if code is not None:
            set_language(study, {DETECT: detected, NONE: ""}.get(code, code), ids).result()
        stored = language_of(study)
        by_name = {head.name: head.language for head in study.texts.topics() if head.language}
    if as_json:
        stored_and_detected = {"language": stored or None, "detected": detected or None}
        print_json({"study": str(path), **stored_and_detected, "topics": by_name})
        return
    for name, of_topic in by_name.items():
        print_message(f"{path}, topic {name}: {language_name(of_topic)}.")
    print_message(
        f"{path}: {language_name(stored)}."
        if stored
        else f"{path}: no language set; metrics treat the texts as English."
    )
    if detected and detected != stored and not topic:
        print_message(
            f"The texts appear to be in {language_name(detected)}. To set the language, run "
            f"`pyramidion language {path} {detected}`."
        )
    elif code == DETECT and not detected:
        print_message("The language could not be detected: the texts are too short or mixed.")


def topics(
    path: Study,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TOPIC]...", help="Topics; all by default.", show_default=False),
    ] = None,
    set_name: Annotated[
        str | None,
        typer.Option("--set", metavar="NAME", help="Move the topics to this set.", show_default=False),
    ] = None,
    no_set: Annotated[bool, typer.Option("--no-set", help="Remove the topics from their sets.")] = False,
    development: Annotated[
        bool,
        typer.Option(
            "--development",
            help="Keep the topics for development, and all others for tests: rubrics and thresholds may be "
            "tuned on the former, and `pyramidion judges` computes its numbers on the latter.",
        ),
    ] = False,
    draw: Annotated[
        int | None,
        typer.Option(
            "--draw-development",
            metavar="N",
            min=1,
            help="Draw N topics for development instead of naming them.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Random seed of --draw-development.")] = 0,
    no_development: Annotated[
        bool, typer.Option("--no-development", help="Keep no topics for development.")
    ] = False,
    editor: Editor = "",
    as_json: Json = False,
) -> None:
    """List topics with their sets and numbers of texts, or change their sets or what they are for.

    Sets, such as initial and update, are compared by `pyramidion resample STUDY sets`.
    """
    from core.experiments.inputs.development_topics import (
        development_topics,
        drawn_topics,
        keep_for_development,
    )
    from storage.study_file import open_study

    if development + no_development + (draw is not None) > 1:
        raise typer.BadParameter("--development, --draw-development and --no-development exclude each other")
    if bool(names) != development and (development or draw is not None or no_development):
        what = "Name the topics after the study." if development else "Omit the names of topics."
        raise typer.BadParameter(f"--development needs topics, the others choose them. {what}")

    if no_set and set_name is not None:
        raise typer.BadParameter("--set and --no-set exclude each other. Use one of them.")
    new_set = "" if no_set else set_name
    if new_set is not None and not names:
        raise InputError("Name the topics whose set is to be changed, after the study.")
    with open_study(path) as study:
        chosen = _chosen(study.texts.topics(), names or ())
        if new_set is not None:
            receipt = study.texts.move_to_set(
                [topic.id for topic in chosen], new_set, editor_id(study, editor)
            ).result()
            changed = study.edits.history(limit=1)[0].what if receipt.edit_id else ""
            print_message(f"{path}: {changed or 'nothing to change'}.")
            chosen = _chosen(study.texts.topics(), names or ())
        if development or draw is not None or no_development:
            every = study.texts.topics()
            kept = drawn_topics(every, draw, seed) if draw is not None else chosen if development else []
            keep_for_development(study, kept, editor_id(study, editor)).result()
            print_message(f"{path}: {pluralize(len(kept), 'topic')} for development.")
        for_development = set(development_topics(study))
    counts = ("documents", "references", "summaries")
    keys: tuple[str, ...] = ("title", "set", *counts)
    rows = [{"topic": topic.name, **{key: getattr(topic, key) for key in keys}} for topic in chosen]
    if for_development:
        keys = (*keys, "for")
        rows = [{**row, "for": "development" if row["topic"] in for_development else "test"} for row in rows]
    if as_json:
        print_json({"study": str(path), "topics": rows})
        return
    print_table(rows, {key: key.capitalize() for key in ("topic", *keys)}, right=counts)


def _chosen(topics: Sequence[TopicHeader], names: Sequence[str]) -> list[TopicHeader]:
    known = [topic.name for topic in topics]
    chosen = {resolve_name("topic", name, known) for name in names}
    return [topic for topic in topics if not names or topic.name in chosen]


def scales(
    path: OptionalStudy = None,
    template: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEMPLATE",
            autocompletion=completing(template_names),
            help="Add the scales of a published evaluation, such as summeval. Can be repeated.",
        ),
    ] = None,
    editor: Editor = "",
    as_json: Json = False,
) -> None:
    """List the rating scales of a study, or add some.

    Without a study, list the templates. Scales whose name is already used are not added.
    """
    from core.domain.scale_templates import add_template, find_template
    from core.ports import require_writable
    from storage.study_file import open_study

    if path is None:
        if template:
            raise typer.BadParameter("--template needs a study to add the scales to; name it first")
        _list_templates(as_json=as_json)
        return
    chosen = [find_template(key) for key in template or ()]
    with open_study(path) as study:
        if chosen:
            require_writable(study)
            before = study.ratings.dimensions()
            after: Sequence[Dimension] = tuple(before)
            for each in chosen:
                after = add_template(after, each)
            study.ratings.edit_dimensions(before, after, editor_id(study, editor)).result()
            print_message(f"{path}: {pluralize(len(after) - len(before), 'scale')} added.")
        listed, counts = study.ratings.dimensions(), study.ratings.counts()
    rows = [
        {
            "name": scale.name,
            "low": scale.low,
            "high": scale.high,
            "kind": scale.kind.value,
            "required": scale.is_required,
            "ratings": sum(counts.get(scale.id, {}).values()),
            "question": scale.question,
        }
        for scale in listed
    ]
    if as_json:
        print_json({"study": str(path), "scales": rows})
        return
    cells = [
        {
            **row,
            "range": scale.range_text + ("" if scale.is_required else " (optional)"),
            "ratings": f"{row['ratings']:,}",
        }
        for row, scale in zip(rows, listed, strict=True)
    ]
    heads = {"name": "Scale", "range": "Range", "ratings": "Ratings", "question": "Question"}
    if cells:
        print_table(cells, heads, right=("ratings",))
    else:
        print_message("The study has no rating scales. Add one with --template, or in the window.")


def _list_templates(*, as_json: bool) -> None:
    """List the templates of rating scales."""
    from core.domain.scale_templates import TEMPLATES

    rows = [
        {
            "template": template.key,
            "title": template.title,
            "scales": [scale.name for scale in template.scales],
            "source": template.source,
        }
        for template in TEMPLATES
    ]
    if as_json:
        print_json({"templates": rows})
        return
    cells = [{**row, "scales": ", ".join(row["scales"])} for row in rows]
    print_table(cells, {"template": "Template", "scales": "Scales", "source": "Source"})
