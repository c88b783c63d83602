"""Export formats of the program, which are declared where they are written."""

from __future__ import annotations

from dataclasses import replace

from storage.formats import annotation_packs
from storage.formats.annotation_tools import brat, doccano, inception, label_studio, potato
from storage.formats.ducview import writer as ducview
from storage.formats.readers import rouge_settings
from storage.formats.writers import (
    citations,
    judgements,
    mt_metrics_eval,
    nuggets,
    pyramids,
    score_records,
    texts,
)

_SINGLE = (
    *score_records.NUMBERS,
    mt_metrics_eval.EXPORT,
    *score_records.HUMANS,
    *score_records.ROUGE,
    *texts.EXPORTS,
    *nuggets.EXPORTS,
    citations.EXPORT,
    annotation_packs.EXPORT,
    brat.EXPORT,
    doccano.EXPORT,
    *inception.EXPORTS,
    judgements.HISTORY,
    rouge_settings.EXPORT,
    judgements.RATINGS,
    score_records.RATINGS,
    label_studio.RATINGS,
    doccano.RATINGS,
    potato.RATINGS,
    judgements.COMMENTS,
    judgements.PREFERENCES,
    label_studio.PREFERENCES,
    potato.PREFERENCES,
    judgements.ANSWERS,
    judgements.SPANS,
    judgements.SCALES,
    ducview.EXPORT,
    pyramids.ROSE,
    pyramids.LITE2PYRAMID,
    *pyramids.SHEETS,
)
XLSX, PARQUET = "xlsx", "parquet"
EXPORTS = (
    *_SINGLE,
    *(
        replace(export, format=name, suffix=f".{name}")
        for name in (XLSX, PARQUET)
        for export in _SINGLE
        if export.format == "csv"
    ),
)
"""Every CSV can be XLSX and Parquet too."""
