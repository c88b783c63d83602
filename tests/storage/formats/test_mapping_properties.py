"""Any table or JSON by any mapping: what is not imported is named, and nothing is imported twice.

Tried to be broken by an engine that leaves out a row or the last item of a list or an object, reads a value
in two roles or two times, and does not name a key of a row or of an item in it.
"""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from core.progress import run_to_completion
from storage.formats.import_registry import ImportRequest, read_steps
from storage.formats.mappings.formats import mapped_format

NAMES = st.sampled_from(["id", "model", "who", "a", "b", "c", "d.e", "Q 1"])
USES = st.sampled_from(["document", "reference", "summary", "rating", "score", "unused"])
INNER = ("list", "object", "keyed columns")
TEXTS, NUMBERS = ("document", "reference", "summary"), {"rating": "ratings", "score": "scores"}


@st.composite
def cases(draw):
    """Return the uses of columns by kind of item, and rows: each value occurs once and says where it is from.

    Rows of a table have no items in them; rows of JSON may have those of `INNER`.
    """
    is_table = draw(st.booleans())
    kinds = ["row", *([] if is_table else draw(st.lists(st.sampled_from(INNER), unique=True)))]
    uses = {
        kind: {name: draw(USES) for name in draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))}
        for kind in kinds
    }
    numbers = iter(range(10_000))

    def item(kind):
        return {
            name: next(numbers) / 8 if use in NUMBERS else f"text {next(numbers)} of {name}"
            for name, use in uses[kind].items()
        }

    rows = []
    for _ in range(draw(st.integers(1, 4))):
        items = {kind: [item(kind) for _ in range(draw(st.integers(1, 3)))] for kind in kinds[1:]}
        rows.append((item("row"), items))
    return uses, rows, is_table


def written(row, items):
    """Return a row as it is in the file."""
    found = dict(row)
    for kind, inner in items.items():
        if kind == "list":
            found["the list"] = inner
        elif kind == "object":
            found["the object"] = {f"k{at}": one for at, one in enumerate(inner)}
        else:
            found |= {f"no{at}_{name}": value for at, one in enumerate(inner) for name, value in one.items()}
    return found


LEVELS = {
    "list": 'each = { key = "the list" }\nsystem = "=L{$i}"',
    "object": 'each = { key = "the object" }\nsystem = "=O{$key}"',
    "keyed columns": 'columns = "(?P<item>no\\\\d+)_(?P<field>.+)"\nsystem = "=C{$item}"',
}


def mapping_of(uses):
    """Return a mapping in which each row is a topic, and each used column has one use."""
    lines = [
        'title = "t"',
        'about = "a"',
        "[rows]",
        'topic = "=t{$row}"',
        'system = "=M"',
        'annotator = "=A"',
    ]
    for kind, columns in uses.items():
        lines += [] if kind == "row" else ["[[rows.levels]]", LEVELS[kind]]
        own = "" if kind == "row" else "{$system} "
        for use in TEXTS:
            rules = [
                f"{{ name = {json.dumps(f'={own}{name}')}, text = {{ key = {json.dumps(name)} }} }}"
                for name, found in columns.items()
                if found == use
            ]
            lines += [f"{use} = [{', '.join(rules)}]"] if rules else []
        for use, key in NUMBERS.items():
            values = [
                f"{json.dumps(name)} = {{ key = {json.dumps(name)} }}"
                for name, found in columns.items()
                if found == use
            ]
            lines += [f"{key} = {{ {', '.join(values)} }}"] if values else []
    return "\n".join(lines)


def unused_of(uses, rows):
    """Return the names of what a mapping does not use; an item of which nothing is used is named itself."""
    found = {name for name, use in uses["row"].items() if use == "unused"}
    for kind in ("list", "object"):
        below = {"list": "the list.", "object": "the object.*."}[kind]
        found |= {below + name for name, use in uses.get(kind, {}).items() if use == "unused"}
    for _, items in rows:
        for at in range(len(items.get("keyed columns", ()))):
            columns = uses["keyed columns"]
            found |= {f"no{at}_{name}" for name, use in columns.items() if use == "unused"}
    return found


@given(cases())
@settings(max_examples=60, deadline=None)
def test_each_value_is_imported_once_or_its_column_is_named(case):
    uses, rows, is_table = case
    if all(use == "unused" for columns in uses.values() for use in columns.values()):
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("rows.csv" if is_table else "rows.jsonl")
        out = io.StringIO()
        if is_table:
            writer = csv.DictWriter(out, list(uses["row"]))
            writer.writeheader()
            writer.writerows(row for row, _ in rows)
        else:
            out.writelines(json.dumps(written(*row)) + "\n" for row in rows)
        path.write_text(out.getvalue(), "utf-8")
        known = mapped_format("any", mapping_of(uses))
        content = run_to_completion(read_steps(ImportRequest(path, known)))
    items = [(uses["row"], row) for row, _ in rows]
    items += [(uses[kind], one) for _, inner in rows for kind, each in inner.items() for one in each]
    texts = [
        (kind, text.content)
        for topic in content.topics
        for kind, found in zip(TEXTS, (topic.documents, topic.references, topic.summaries), strict=True)
        for text in found.values()
    ]
    numbers = [("rating", one.dimension, one.value) for one in content.ratings]
    numbers += [("score", one.measure, one.value) for one in content.scores]
    values = [(use, name, item[name]) for columns, item in items for name, use in columns.items()]
    assert Counter(texts) == Counter((use, value) for use, _, value in values if use in TEXTS)
    assert Counter(numbers) == Counter(value for value in values if value[0] in NUMBERS)
    assert not any("merged" in notice.what for notice in content.notices)
    named = next((n.what for n in content.notices if n.what.startswith("Not used: ")), "Not used: .")
    names = set(filter(None, named.removeprefix("Not used: ").removesuffix(".").split(", ")))
    assert names == unused_of(uses, rows)
