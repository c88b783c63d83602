"""Seeds of tables of other projects, published ratings and data sets."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import Any

import openpyxl
import pyarrow
import pyarrow.parquet

Files = dict[str, bytes]
TEXT = "The court met on Monday and ruled."


def _rows(chance: random.Random) -> list[dict[str, Any]]:
    """Return rows with texts and ratings of two systems."""
    return [
        {
            "doc_id": f"d{topic}",
            "article": TEXT,
            "model": system,
            "hyp": f"{TEXT} {system}",
            "worker_id": "w1",
            "coherence": chance.randrange(1, 6),
            "url": "x",
        }
        for topic in range(1, chance.choice([2, 3]))
        for system in ("bart", "lead")
    ]


def foreign_csv(chance: random.Random, odd: list[str]) -> Files:
    """Return a table in one of several encodings and with one of several separators."""
    rows = _rows(chance)
    cells = [list(rows[0]), *(list(map(str, row.values())) for row in rows)]
    for _ in range(chance.choice([0, 1, 1, 2])):
        line = chance.choice(cells)
        line[chance.randrange(len(line))] = chance.choice(odd)
    out = io.StringIO()
    csv.writer(out, delimiter=chance.choice([",", ";", "\t", "|"])).writerows(cells)
    encoding = chance.choice(["utf-8", "utf-8", "utf-16", "latin-1"])
    errors = "replace" if encoding == "latin-1" else "surrogatepass"
    return {"rows.csv": out.getvalue().encode(encoding, errors)}


def workbook(chance: random.Random) -> Files:
    """Return a workbook of one or two sheets; parts of it may be damaged like other files."""
    book = openpyxl.Workbook()
    for sheet in (book.worksheets[0], *([book.create_sheet("b")] if chance.random() < 0.2 else [])):
        rows = _rows(chance)
        sheet.append(list(rows[0]))
        for row in rows:
            sheet.append(list(row.values()))
        if chance.random() < 0.5:
            cell = sheet.cell(chance.randrange(1, 4), chance.randrange(1, 7))
            cell.value = chance.choice(["=1+1", "#N/A", None, 1e300, True, "x" * 300])
        if chance.random() < 0.3:
            sheet.merge_cells("A2:A3")
    out = io.BytesIO()
    book.save(out)
    return {"rows.xlsx": out.getvalue()}


def parquet(chance: random.Random) -> Files:
    rows = _rows(chance)
    rows[0]["hyp"] = chance.choice([TEXT, TEXT, "", "\x00"])
    rows[0]["coherence"] = chance.choice([1, 2, 9])
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), out)
    return {"rows.parquet": out.getvalue()}


def data_set(chance: random.Random) -> Files:
    """Return a folder of Arrow or JSON files."""
    rows = [{"document": TEXT, "summary": TEXT[: chance.randrange(34)], "id": f"d{n}"} for n in range(3)]
    rows[0]["id"] = chance.choice(["d0", "d0", "d1", "", "a\nb"])
    if chance.random() < 0.3:
        return {"validation.jsonl": "\n".join(map(json.dumps, rows)).encode()}
    out, table = io.BytesIO(), pyarrow.Table.from_pylist(rows)
    with pyarrow.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return {"data-00000-of-00001.arrow": out.getvalue(), "state.json": b'{"_data_files": []}'}


def published(chance: random.Random) -> tuple[str, Any]:
    """Return the name of a file and rows of FRANK, QAGS or DialSummEval."""
    errors = [{"annotator_0": ["NoE"], "annotator_1": [chance.choice(["EntE", "RelE", "NoE"])]}]
    frank = {"hash": "h1", "model_name": "bart", "article": TEXT, "summary": TEXT, "split": "test"}
    frank |= {"summary_sentences": [TEXT], "summary_sentences_annotations": errors, "reference": TEXT}
    responses = [{"worker_id": n, "response": chance.choice(["yes", "no"])} for n in range(3)]
    qags = {"article": TEXT, "summary_sentences": [{"sentence": TEXT, "responses": responses}]}
    ratings = dict.fromkeys(("coherence", "consistency", "fluency", "relevance"), chance.randrange(1, 6))
    dialogue = {"id": "1", "dialogue": "A: x | B: y", "summary": TEXT, "annotations": [ratings] * 3}
    return chance.choice(
        [
            ("human_annotations_sentence.json", [frank]),
            ("mturk_xsum.jsonl", [qags]),
            ("h.jsonl", [{**dialogue, "model_id": letter} for letter in "AB"]),
        ]
    )


def newsroom(chance: random.Random, odd: list[str]) -> Files:
    head = ["ArticleID", "System", "ArticleText", "SystemSummary", "ArticleTitle"]
    head += [f"{name}Rating" for name in ("Coherence", "Fluency", "Informativeness", "Relevance")]
    cells = [head, *([["1", "lede3", f"{TEXT}</p><p>x", TEXT, "T", "5", "4", "3", "2"]] * 3)]
    cells = [list(row) for row in cells]
    for _ in range(chance.choice([0, 1, 1])):
        line = chance.choice(cells)
        line[chance.randrange(len(line))] = chance.choice(odd)
    out = io.StringIO()
    csv.writer(out).writerows(cells)
    return {"rows.csv": out.getvalue().encode("utf-8", "surrogatepass")}


def tac(chance: random.Random) -> Files:
    """Return a folder of TAC with texts, a document, a topic statement and tables."""
    peer = chance.choice(["0.5 7 1 4 0.45 3 4", "0.5 7 1 2 4 0.45 8 4", "0.5 7", "x 7 1 4 0.45 3 4"])
    document = f"<DOC>\n<DOCNO> X.1 </DOCNO>\n<TEXT>\n<P>\n{TEXT}\n</P>\n</TEXT>\n</DOC>\n"
    evaluation = "1 ROUGE-2 Eval D0801-A.M.100.A.1 R:0.25 P:0.5 F:0.33\n"
    files = {
        "ROUGE/models/D0801-A.M.100.A.A": TEXT,
        "ROUGE/peers/D0801-A.M.100.A.1": f"{TEXT}\n{TEXT}\n",
        f"ROUGE/peers/D0801-{chance.choice('ABZ9')}.M.100.A.2": TEXT,
        "manual/manual.peer": f"D0801-A 1 {peer}\n",
        "docs/D0801A/D0801A-A/X.1": document,
        "test_topics.sgml": f"<topic id='D0801A'><title>T</title><narrative>{TEXT}</narrative></topic>",
        "ROUGE/rouge.m.out": evaluation,
    }
    return {name: content.encode() for name, content in files.items()}
