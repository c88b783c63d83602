"""Descriptions of import and export formats for users."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass


@dataclass(frozen=True, slots=True)
class FormatDescription:
    """An import format, as users see it.

    has_columns: columns can be assigned. is_foreign: they are of another project and are guessed.
    is_table: the file may be CSV in any encoding and with any separator, XLSX or Parquet.
    is_mapping: it is an import mapping.
    names_files: files of a folder are named by a pattern that contains topic, system or annotator.
    takes_documents: source documents can be read from a separate folder.
    names_texts: the file refers to text files that may be outside its folder.
    has_rows: single rows can be skipped.
    asks_annotator: files may not name who made the annotations in them.
    package: the distribution that adds the format, with its version; empty = the program itself.
    """

    name: str
    title: str
    about: str
    _: KW_ONLY
    has_columns: bool = False
    is_foreign: bool = False
    is_table: bool = False
    is_mapping: bool = False
    names_files: bool = False
    takes_documents: bool = False
    names_texts: bool = False
    has_rows: bool = False
    asks_annotator: bool = False
    package: str = ""

    @property
    def takes_annotator(self) -> bool:
        """Whether users can name the annotator of what names none."""
        return self.asks_annotator or self.is_foreign

    @property
    def description(self) -> str:
        """What it is about, and the distribution that adds it."""
        return f"{self.about} ({self.package})" if self.package else self.about


@dataclass(frozen=True, slots=True)
class ExportDescription:
    """One kind of export: contents, format and file suffix (empty = a folder).

    package: the distribution that adds the format, with its version; empty = the program itself.
    """

    what: str
    format: str
    suffix: str
    about: str
    _: KW_ONLY
    package: str = ""
