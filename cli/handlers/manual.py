"""`pyramidion manual`: print a page, list the pages, or write all of them as Markdown."""

from __future__ import annotations

from pathlib import Path

import typer

from cli.command_pages import command_pages
from cli.console import print_message
from cli.window import standard_shortcuts
from core.errors import InputError
from core.files.atomic_write import atomic_folder, atomic_write_bytes
from core.manual.contents import find_page, manual_files, manual_pages
from core.manual.page import ManualPage

_NO_KEYS = "The window lists all shortcuts: *Help › Keyboard shortcuts*."


def print_page(app: typer.Typer, name: str) -> None:
    """Print a page. Raises InputError for an unknown name."""
    print(find_page(_pages(app), name).text)


def list_pages(app: typer.Typer) -> None:
    """Print the key and title of every page, section by section."""
    section = ""
    for page in _pages(app):
        if page.section != section:
            print(f"{page.section}:")
            section = page.section
        print(f"  {page.key:32} {page.title}")


def write_manual(app: typer.Typer, folder: Path) -> None:
    """Write all pages and pictures into a new or empty folder. Raises InputError if it has files."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder. Choose another one, or empty it.")
    pages = _pages(app)
    contents = {f"{page.key}.md": page.text.encode() for page in pages} | manual_files()
    with atomic_folder(folder) as part:
        for name, content in contents.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write_bytes(path, content)
    print_message(f"Wrote {len(pages)} pages to {folder}.")


def _pages(app: typer.Typer) -> list[ManualPage]:
    try:
        keys = standard_shortcuts()
    except ImportError:  # a computer without the libraries that Qt needs
        keys = _NO_KEYS
    return manual_pages(keys, command_pages(app))
