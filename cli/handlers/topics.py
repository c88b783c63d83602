"""`pyramidion topics`."""

from __future__ import annotations

from collections.abc import Sequence

from cli.console import print_json, print_message, print_table
from cli.opening import editor_id
from core.domain.annotator_filter import unknown_name_message
from core.domain.study import TopicHeader
from core.errors import InputError
from core.files.study_address import StudyAddress
from storage.study_file import open_study


def list_topics(
    path: StudyAddress, names: Sequence[str], set_name: str | None, editor: str, *, as_json: bool
) -> None:
    """List topics, after moving them to a set if one is given.

    names: of topics, empty = all. set_name: None = change nothing, empty = no set. editor: who changes it.
    Raises InputError for unknown topics, an invalid name, or if topics are to be changed but none is named.
    """
    if set_name is not None and not names:
        raise InputError("Name the topics whose set is to be changed, after the study.")
    with open_study(path) as study:
        topics = _chosen(study.texts.topics(), names)
        if set_name is not None:
            receipt = study.texts.move_to_set(
                [topic.id for topic in topics], set_name, editor_id(study, editor)
            ).result()
            changed = study.edits.history(limit=1)[0].what if receipt.edit_id else ""
            print_message(f"{path}: {changed or 'nothing to change'}.")
            topics = _chosen(study.texts.topics(), names)
    rows = [
        {
            "topic": topic.name,
            "title": topic.title,
            "set": topic.set,
            "documents": topic.documents,
            "references": topic.references,
            "summaries": topic.summaries,
        }
        for topic in topics
    ]
    if as_json:
        print_json({"study": str(path), "topics": rows})
        return
    counts = ("documents", "references", "summaries")
    print_table(rows, {key: key.capitalize() for key in ("topic", "title", "set", *counts)}, right=counts)


def _chosen(topics: Sequence[TopicHeader], names: Sequence[str]) -> list[TopicHeader]:
    known = {topic.name: topic for topic in topics}
    for name in names:
        if name not in known:
            raise InputError(unknown_name_message("topic", name, list(known)))
    return [topic for topic in topics if not names or topic.name in names]
