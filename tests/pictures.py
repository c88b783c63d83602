"""Pictures of the manual and the README, from the real window on the sample study.

`make pictures` writes them to resources/help/images, `python -m tests.pictures NAME…` only those of some
pages or dialogs. They are drawn offscreen, in 128 colours.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image
from PySide6.QtCore import QBuffer, QIODevice, QSize
from PySide6.QtWidgets import QApplication, QWidget

from cli.command_pages import command_pages
from cli.errors import DONE
from cli.main import main
from core.files.preferences import PreferencesFile
from gui.app import build_window
from gui.pages.compare.summary.summary_view import SummaryView
from gui.style import theme
from storage.sample_study import ANNOTATOR
from tests.gui.settled import is_settled

IMAGES = Path(__file__).parents[1] / "resources" / "help" / "images"
IMPORT_SIZE = 1177, 736
SIZE, COLOURS, HANG_S = QSize(1280, 800), 128, 300.0
METRICS = ("rouge-n:n=1,stem=yes", "rouge-n:n=2,stem=yes", "rouge-l:stem=yes", "chrf", "bleu", "js", "cosine")


def draw(folder: Path, names: Sequence[str] = ()) -> None:
    """Write pictures into a folder. names: of pages and dialogs, none = all."""
    with tempfile.TemporaryDirectory() as place, chdir(place):
        os.environ["PYRAMIDION_CACHE"] = place  # nothing is downloaded there
        study = _study(Path(place))
        shutil.copy(IMAGES.parent / "tutorial" / "texts.csv", "texts.csv")
        app = QApplication(sys.argv[:1])
        settings = Path(place) / "settings.json"
        for scheme, pages in (("light", None), ("dark", ("compare",))):
            PreferencesFile(settings).change(theme=scheme, annotator=ANNOTATOR)
            _Camera(app, settings, study, folder, scheme, names).shoot(pages)


class _Camera:
    """The window with the study, and what is taken of it."""

    def __init__(
        self, app: QApplication, settings: Path, study: Path, folder: Path, scheme: str, names: Sequence[str]
    ) -> None:
        self._app, self._folder, self._scheme, self._names = app, folder, scheme, names
        theme.apply(app, scheme)
        self._controller, self._window = build_window(app, settings, commands=command_pages)
        self._window.resize(SIZE)
        self._window.show()
        self._controller.start(None)
        self._open(study)

    def shoot(self, keys: tuple[str, ...] | None) -> None:
        """Take pages by their keys; None = all pages and dialogs."""
        for key in keys or [key for key in self._window.page_keys if key not in _LEFT_OUT]:
            if not self._is_wanted(key):
                continue
            self._window.show_page(key)
            self._settle()
            if prepare := _PREPARATIONS.get(key):
                prepare(self._window.stack.currentWidget())
            self._settle(2.0 if key == "compare" else 0.2)  # its figure follows the table
            self._take(self._window, key)
        if keys is None:
            self._explanation()
            self._dialogs()
        self._controller.close()
        self._window.close()
        self._window.deleteLater()

    def _explanation(self) -> None:
        """Take the window that explains a score."""
        self._window.show_page("compare")
        self._settle()
        context: Any = self._controller.context
        page: Any = self._window.stack.currentWidget()
        page.ranks.summary_opened.emit("fuse", context.study.texts.topics()[0].id)
        self._settle(1.0)
        (shown,) = (each for each in QApplication.topLevelWidgets() if isinstance(each, SummaryView))
        shown.resize(SIZE)
        names = [row.name for row in shown.numbers_table.rows.rows()]
        shown.numbers_table.selectRow(names.index("rouge-2[stem:yes].f"))
        shown.numbers_table.clicked.emit(shown.numbers_table.currentIndex())
        self._settle(1.0)
        shown.parts_table.selectRow(0)
        self._settle()
        self._take(shown, "explain")
        shown.close()

    def _is_wanted(self, name: str) -> bool:
        return not self._names or name in self._names

    def _dialogs(self) -> None:
        self._controller.commands.action("texts.summarize").trigger()
        summarizers = self._controller.tool_windows.opened["texts.summarize"]
        assert summarizers is not None
        self._settle(0.5)
        names = [row.name for row in summarizers.dialog.list.rows.rows()]
        summarizers.dialog.list.selectRow(names.index("lexrank"))
        self._settle(0.5)
        self._take(summarizers.dialog, "summarize")
        summarizers.close()
        self._controller.commands.action("app.settings").trigger()
        self._take_dialog("settings")
        self._controller.ask_data_set()
        self._take_dialog("get")
        _run("new", "my-study.pyramidion")
        self._open(Path("my-study.pyramidion"))
        self._controller.ask_import(Path("texts.csv"))
        imported: Any = self._controller.dialog
        imported.resize(*IMPORT_SIZE)  # as on a screen of 1280x800; the one drawn on is smaller
        self._take_dialog("import")

    def _open(self, study: Path) -> None:
        before = self._controller.context
        self._controller.open_path(study)
        self._wait(lambda: self._controller.context not in (None, before))
        self._controller.ask_annotator()
        dialog: Any = self._controller.dialog
        dialog.accept()  # as proposed: the first edit would ask
        self._window.resize(SIZE)
        self._settle()

    def _take_dialog(self, name: str) -> None:
        self._settle(0.5)
        dialog = self._controller.dialog
        assert dialog is not None
        self._take(dialog, name)
        dialog.reject()
        self._settle()

    def _take(self, widget: QWidget, name: str) -> None:
        if not self._is_wanted(name):
            return
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        widget.grab().save(buffer, "PNG")
        picture = Image.open(io.BytesIO(buffer.data().data())).convert("RGB")
        picture = picture.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        picture.save(self._folder / f"{_NAMES.get(name, name)}-{self._scheme}.png", optimize=True)

    def _settle(self, seconds: float = 0.2) -> None:
        """Wait until the page has loaded its data and is laid out."""
        self._pass(seconds)
        self._wait(lambda: is_settled(self._controller))
        self._pass(0.2)

    def _pass(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        self._wait(lambda: time.monotonic() >= end)

    def _wait(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + HANG_S
        while not is_so():
            if time.monotonic() > end:
                raise TimeoutError(f"still running: {[job.title for job in self._controller.jobs.running()]}")
            self._app.processEvents()
            time.sleep(0.005)


def _choose_metric(page: Any) -> None:
    page.metrics.choose(
        next(row.key for row in page.metrics.metrics.rows() if row.name.startswith("rouge-1"))
    )


def _run_experiment(page: Any) -> None:
    page.experiments.choose("experiment:leave-out")
    page.run_button.click()


def _choose_control_topic(page: Any) -> None:
    page.topic_table.selectRow(2)
    page.use_buttons["Control"].click()


_PREPARATIONS: dict[str, Callable[[Any], None]] = {
    "assignment": lambda page: page.propose_button.click(),
    "training": _choose_control_topic,
    "resample": _run_experiment,
    "score": _choose_metric,
}
"""What is done on a page before it is taken."""
_LEFT_OUT = ("studies", "judges")
"""Pages that are empty with one study, or without a judge."""
_NAMES = {"pyramids": "pyramid", "matches": "match"}
"""Names of pictures that differ from the page's key."""


def _study(place: Path) -> Path:
    """Make the sample study with scores."""
    study = place / "sample.pyramidion"
    _run("new", study, "--sample")
    _run("score", study, *(part for metric in METRICS for part in ("-m", metric)), "--device", "cpu")
    return study


def _run(*arguments: object) -> None:
    if main([str(argument) for argument in arguments]) != DONE:
        raise RuntimeError(f"pyramidion {' '.join(map(str, arguments))} failed")


if __name__ == "__main__":
    draw(IMAGES, sys.argv[1:])
