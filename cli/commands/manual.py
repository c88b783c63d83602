"""The command `manual`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_message
from cli.options import output_option
from cli.window import standard_shortcuts
from core.errors import InputError
from core.files.atomic_write import atomic_folder, atomic_write_bytes

if TYPE_CHECKING:
    from core.manual.page import ManualPage


_NO_KEYS = "The window lists all shortcuts: *Help › Keyboard shortcuts*."


def manual(
    page: Annotated[
        str, typer.Argument(help="Page to print, such as rouge-n or score.", show_default=False)
    ] = "",
    output: Annotated[Path | None, output_option("FOLDER", "Write all pages as Markdown.")] = None,
) -> None:
    """Print a page of the manual, list all pages, or write them to a folder.

    The window shows the same pages: press F1.
    """
    from core.manual.contents import find_page

    if output is not None:
        _write(output)
    elif page:
        print(find_page(_pages(), page).text)
    else:
        _list()


def _list() -> None:
    """Print the key and title of every page, section by section."""
    section = ""
    for page in _pages():
        if page.section != section:
            print(f"{page.section}:")
            section = page.section
        print(f"  {page.key:32} {page.title}")


def _write(folder: Path) -> None:
    """Write all pages and pictures into a new or empty folder. Raises InputError if it has files."""
    from core.manual.contents import manual_files

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder. Choose another one, or empty it.")
    pages = _pages()
    contents = {f"{page.key}.md": page.text.encode() for page in pages} | manual_files()
    with atomic_folder(folder) as part:
        for name, content in contents.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write_bytes(path, content)
    print_message(f"Wrote {len(pages)} pages to {folder}.")


def _pages() -> list[ManualPage]:
    from cli.command_pages import command_pages
    from core.manual.contents import manual_pages

    try:
        keys = standard_shortcuts()
    except ImportError:  # a computer without the libraries that Qt needs
        keys = _NO_KEYS
    return manual_pages(keys, command_pages())
