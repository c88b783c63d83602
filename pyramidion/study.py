"""Studies: open them, read them as tables, score them and draw their figures."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from html import escape
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from core.comparison.eligibility import ranking_notes
from core.comparison.judgements import judgements as judgements_of
from core.comparison.measures import checked
from core.comparison.measures import measures as measures_of
from core.comparison.staleness_text import stale_notes, stale_texts
from core.comparison.stand_ins import footnote_of
from core.domain.pyramid import UnitKind
from core.errors import InputError
from core.files.study_address import StudyAddress, parse_study_address
from core.formatting.coefficients import COEFFICIENT_NAMES, coefficient_title
from core.formatting.legible_text import printable_text
from core.formatting.numbers import format_correlation
from core.names import resolve_name
from core.operations.correlate import CorrelationData, correlate, correlate_topics, load_data
from core.operations.options import CorrelateRequest, ReportRequest, Request, listed_names
from core.progress import run_to_completion
from core.stats.types import WHICH_TAU, Coefficient
from pyramidion import frames
from pyramidion._process import set_up
from pyramidion.explanation import PLAIN_CLASS, ExplanationView
from pyramidion.figures import FigureView
from storage.study_file import StudyFile, new_study, open_to_read
from storage.study_file import open_study as open_to_write

if TYPE_CHECKING:
    from pandas import DataFrame

LevelName = Literal["system", "topic", "global"]
CoefficientName = Literal["pearson", "spearman", "kendall", "kendall-c", "gamma", "accuracy", "soft-accuracy"]
Systems = Literal["automatic", "all", "with-humans"]
Interval = Literal[
    "auto",
    "none",
    "t-test",
    "bootstrap-both",
    "bootstrap-systems",
    "bootstrap-topics",
    "bootstrap-annotators",
    "fisher",
]
Test = Literal["permutation-both", "williams", "permutation-systems", "permutation-topics"]


R = TypeVar("R", bound=Request)


class PyramidionWarning(UserWarning):
    """A metric that did not run, or a topic that was not scored."""


def open_study(path: str | Path, *, write: bool = False) -> Study:
    """Open a study: a file, or the URL of one on a server.

    write: open it so that it can be changed; otherwise it stays as it is, and a file of an older version is
        read from an upgraded copy.
    Raises InputError where there is no study, and its subclasses where it is too new or unsafe.

    >>> import pyramidion
    >>> with pyramidion.open("scored.pyramidion") as study:
    ...     study.scores("rouge-2.f").groupby("system")["value"].mean().idxmax()
    'fuse'
    """
    set_up()
    address = parse_study_address(str(path))
    study = open_to_write(address) if write else open_to_read(address, _read_only(address))
    try:
        study.verify()
    except BaseException:
        study.close()
        raise
    return Study(study)


def create(path: str | Path, *, sample: bool = False) -> Study:
    """Create a study, empty or with the packaged sample, and return it open so that it can be changed.

    Raises InputError where a file already exists, or where the database is not empty.
    """
    set_up()
    address = parse_study_address(str(path))
    if sample:
        from storage.sample_study import create_sample

        return Study(run_to_completion(create_sample(address)))
    return Study(new_study(address))


class Study:
    """An open study. Tables are pandas DataFrames; their ``attrs`` hold notes on the data.

    Use it in a ``with`` statement, or call `close`.
    """

    def __init__(self, study: StudyFile) -> None:
        """Wrap an open study; use `pyramidion.open` or `pyramidion.create`."""
        self._study = study

    def __enter__(self) -> Study:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._study.__exit__(kind, error, trace)

    def __repr__(self) -> str:
        mode = "" if self.is_writable else ", read-only"
        return f"<pyramidion.Study {self.name!r}: {self.path}{mode}>"

    def _repr_html_(self) -> str:
        heads = self._study.texts.topics()
        facts = {
            "File": str(self.path) + ("" if self.is_writable else " (read-only)"),
            "Topics": f"{len(heads):,}",
            "Systems": f"{len(self._study.texts.systems()):,}",
            "Summaries": f"{sum(head.summaries for head in heads):,}",
            "References": f"{sum(head.references for head in heads):,}",
            "Documents": f"{sum(head.documents for head in heads):,}",
            "Measures": ", ".join(ref.label for ref in measures_of(self._study, check_stale=False)) or "none",
            "Judgements": ", ".join(ref.name for ref in judgements_of(self._study)) or "none",
        }
        rows = "".join(
            f"<tr><th>{name}</th><td>{escape(printable_text(text))}</td></tr>" for name, text in facts.items()
        )
        caption = f"<caption>{escape(printable_text(self.name))}</caption>"
        return f'<table class="{PLAIN_CLASS}">{caption}{rows}</table>'

    @property
    def path(self) -> Path | str:
        """The study's file, or its URL."""
        address = self._study.path
        return address if isinstance(address, Path) else str(address)

    @property
    def name(self) -> str:
        """The study's name."""
        return self._study.name

    @property
    def is_writable(self) -> bool:
        """Whether the study can be changed."""
        return not self._study.read_only

    def close(self) -> None:
        """Finish writing and close the study; closing twice is harmless."""
        self._study.close()

    # Tables

    def texts(self) -> DataFrame:
        """Return a row for each text.

        Columns: topic, set, title, query, kind (document, reference or summary), name (of the document, the
        reference's author, the summary's system), system_kind, text.

        >>> study = pyramidion.open("scored.pyramidion")
        >>> study.texts()["kind"].value_counts().to_dict()
        {'summary': 64, 'reference': 32, 'document': 22}
        >>> study.close()
        """
        return frames.frame(frames.text_rows(self._study), frames.TEXTS)

    def annotations(self, kind: Literal["scus", "nuggets"] = "scus") -> DataFrame:
        """Return a row for each part of each contributor and match.

        Columns: topic, annotator, unit (the label of the SCU or nugget), weight, importance, role
        (contributor or match), text_of (author or system), start and end (code points, half-open), part,
        comment, is_confirmed. A match without marked words has the span 0 to 0.
        Raises InputError for another kind.
        """
        kinds = {"scus": UnitKind.SCU, "nuggets": UnitKind.NUGGET}
        if kind not in kinds:
            raise InputError(f"There are no annotations {kind!r}. Choose scus or nuggets.")
        return frames.frame(frames.annotation_rows(self._study, kinds[kind]), frames.ANNOTATIONS)

    def ratings(self) -> DataFrame:
        """Return a row for each rating, as ``pyramidion export --what ratings`` writes it.

        Columns: topic, system, dimension, annotator, group, value (on the scale, of a category its number;
        NaN = none, as for free text), low and high (ends of the scale), kind, category, note, flagged, spans
        (marked spans as ``START-END:CATEGORY``, code points, half-open).

        >>> with pyramidion.open("scored.pyramidion") as study:
        ...     ratings = study.ratings()
        >>> ratings["value"].between(ratings["low"], ratings["high"]).all()
        np.True_
        """
        from storage.formats.export_registry import find

        return frames.frame(find("ratings", "csv").records(self._study), frames.RATINGS)

    def progress(self) -> DataFrame:
        """Return a row for each annotator and kind of work that somebody has begun: what is done, of all.

        Where topics are assigned to an annotator for some work, only these count, as in the window.

        Columns: annotator, work (pyramids, matches, nuggets, hits, ratings or comparisons), done, total
        (topics, summaries or comparisons), is_begun.

        >>> with pyramidion.open("scored.pyramidion") as study:
        ...     progress = study.progress()
        >>> progress["done"].le(progress["total"]).all()
        np.True_
        """
        return frames.frame(frames.progress_rows(self._study), frames.PROGRESS)

    def judgements(
        self, names: str | Sequence[str] | None = None, *, annotators: Sequence[str] = ()
    ) -> DataFrame:
        """Return a row for each human value: topic, system, judgement (such as ``pyramid.modified``), value.

        names: judgements, None = all. annotators: names or groups, empty = as each judgement's policy says,
            which ``attrs["policies"]`` holds.
        A summary without a value has no row. Values are in the units of the judgement.
        Raises InputError for unknown names.

        >>> with pyramidion.open("scored.pyramidion") as study:
        ...     study.judgements("pyramid.modified").shape
        (64, 4)
        """
        chosen = [names] if isinstance(names, str) else names
        found = frames.frame(frames.judgement_rows(self._study, chosen, annotators), frames.JUDGEMENTS)
        found.attrs["policies"] = {
            ref.name: ref.policy for ref in judgements_of(self._study, annotators, chosen)
        }
        return found

    def measures(self) -> DataFrame:
        """Return a row for each scored measure, with its configuration and signature.

        Columns: measure, metric (its configuration), family, higher_is_better, topics_scored, is_stale
        (inputs have changed since scoring), changed (which, a sentence), stand_in (the model used in place of
        the paper's), signature.
        """
        refs = frames.chosen_measures(self._study, None)
        return frames.frame(frames.measure_rows(self._study, refs), frames.MEASURES)

    def scores(self, metric: str | None = None) -> DataFrame:
        """Return a row for each score: topic, system, measure, value, stand_in, notes, is_stale, signature.

        metric: a measure (``rouge-2.f``), its part before the dot (``rouge-2``), a metric (``rouge-n``), a
        configuration or a signature; None = all. value is in the measure's units, NaN = undefined.
        Raises InputError, with the measures there are, for an unknown metric.

        >>> with pyramidion.open("scored.pyramidion") as study:
        ...     sorted(set(study.scores("rouge-1")["measure"]))
        ['rouge-1.f', 'rouge-1.precision', 'rouge-1.recall']
        """
        refs = frames.chosen_measures(self._study, metric)
        found = frames.frame(frames.score_rows(self._study, refs), frames.SCORES)
        found.attrs["notes"] = [note] if (note := footnote_of(refs)) else []
        return found

    def correlations(
        self,
        judgements: str | Sequence[str] | None = None,
        measures: str | Sequence[str] | None = None,
        *,
        level: LevelName = "system",
        coefficient: CoefficientName = "pearson",
        undefined: Literal["skip", "zero", "error"] = "skip",
        systems: Systems = "automatic",
        annotators: str | Sequence[str] = (),
        human_references: str | Sequence[str] = (),
        topic_set: str | None = None,
        common_topics: bool = False,
        include_experiments: bool = False,
        interval: Interval = "auto",
        confidence: float = 0.95,
        compare: str | None = None,
        test: Test = "permutation-both",
        adjust: Literal["holm", "bh", "none"] = "holm",
        family: Literal["main", "all"] = "main",
        clusters: bool = False,
        upper_bound: bool = False,
        draws: int | None = None,
        seed: int = 0,
        per_topic: bool = False,
    ) -> DataFrame:
        """Return what ``pyramidion correlate`` computes, a row for each judgement and measure.

        The parameters are its options; *Help › Statistics* explains them. judgements, measures: None = all.
        compare: test each measure against this one, or against the best (``best``).
        per_topic: a row for each topic, with the correlation among its systems, the worst first, and the
            ``reason`` where it is undefined (NaN); values only, so without intervals, tests and upper bounds.

        interval: of each correlation, and the method of its ``p``; *auto* is none at system level and
            ``bootstrap-both`` at the others, as a t-test is valid for system means only.

        ``p_method`` names the test behind ``p``, ``p_caution`` says why it is too small, if it is.
        ``stand_in`` marks models used in place of the paper's; ``status``, ``coverage`` and ``reason`` mark
        measures that are incomplete or of the judgement's own family, which are not ranked.
        ``ranked_by`` is the value that ranks measures: negated where ``higher_is_better`` is False.
        ``out_of_date`` names what has changed since a measure was scored; it is there if anything has.
        ``attrs["notes"]`` holds what the command prints below its table: sources of judgements, methods,
        cautions. ``attrs["upper_bounds"]`` holds the agreement of annotators, if asked for.
        Raises InputError for unknown names and options that do not fit together.

        >>> with pyramidion.open("scored.pyramidion") as study:
        ...     table = study.correlations("pyramid.modified", "rouge-1.f", coefficient="kendall")
        >>> table[["measure", "n", "dropped", "status"]].values.tolist()
        [['rouge-1.f', 8, 0, 'ranked']]
        >>> with pyramidion.open("scored.pyramidion") as study:
        ...     table = study.correlations("pyramid.modified", "rouge-1.f", per_topic=True)
        >>> table.columns.tolist()
        ['human', 'measure', 'topic', 'coefficient', 'value', 'n', 'reason', 'stand_in']
        """
        request = request_of(
            CorrelateRequest,
            judgements=judgements,
            measures=measures,
            level="topic" if per_topic else level,
            coefficient=coefficient,
            undefined=undefined,
            systems=systems,
            annotators=annotators,
            human_references=human_references,
            topic_set=topic_set,
            common_topics=common_topics,
            include_experiments=include_experiments,
            interval=interval,
            confidence=confidence,
            compare=compare,
            test=test,
            adjust=adjust,
            family=family,
            clusters=clusters,
            upper_bound=upper_bound,
            draws=draws,
            seed=seed,
        )
        if per_topic:
            if interval not in ("auto", "none") or compare or clusters or upper_bound:
                raise InputError(
                    "per_topic=True returns values only. Omit interval, compare, clusters and upper_bound."
                )
            topics = correlate_topics(self._study, request)
            found = frames.inferred_frame(topics.records, topics.columns)
            found.attrs["notes"] = list(topics.notes)
            return found
        outcome = run_to_completion(correlate(self._study, request))
        found = frames.inferred_frame(outcome.records(), outcome.columns)
        found.attrs["notes"] = list(outcome.notes)
        if outcome.upper_bounds:
            found.attrs["upper_bounds"] = [asdict(bound) for bound in outcome.upper_bounds]
        return found

    def judges(
        self,
        judges: str | Sequence[str] = (),
        judgements: str | Sequence[str] = (),
        *,
        annotators: str | Sequence[str] = (),
        topics: Literal["automatic", "all", "development", "test"] = "automatic",
        epsilon: float = 0.2,
        closeness: Literal["automatic", "accuracy", "rmse"] = "automatic",
        least_items: int = 30,
        coefficient: CoefficientName = "pearson",
        draws: int = 1000,
        seed: int = 0,
    ) -> DataFrame:
        """Return what ``pyramidion judges`` computes, a row for each judge and rating.

        judges: measures such as ``gpt-4o.coherence``, or ``gpt-4o``; empty = all that are named for a scale.
        judgements: ratings, empty = all. The other parameters are its options.
        ``winning_rate`` is ω and ``advantage`` ρ of the alternative annotator test, ``passes`` None where no
        annotator could be compared. ``tuned_on`` marks numbers on topics for development. Correlations are
        those of each level, ``…_left_out`` beside ``…_one_annotator``. ``attrs["notes"]`` holds cautions.
        Raises InputError for unknown names, and where nothing can be compared.

        >>> with pyramidion.open("scored.pyramidion") as study:
        ...     table = study.judges("rouge-1.f", "rating.coherence", draws=0)
        >>> table[["judge", "rating", "items", "annotators"]].values.tolist()
        [['rouge-1.f', 'rating.coherence', 40, 2]]
        """
        from core.experiments.analyses.judges import Judges, record
        from core.experiments.inputs.development_topics import TopicPart, development_topics
        from core.scoring.study_resources import StudyResources

        def listed(names: str | Sequence[str]) -> str:
            return listed_names([names] if isinstance(names, str) else list(names))

        experiment = Judges(
            listed(judges),
            listed(judgements),
            listed(annotators),
            topics,
            epsilon,
            closeness,
            least_items,
            coefficient,
            draws,
            seed,
        )
        resources = StudyResources(self._study)
        found, part = run_to_completion(experiment.alignments(self._study, resources))
        is_tuned = part is not TopicPart.TEST and bool(development_topics(self._study))
        records = [record(one, part, is_tuned=is_tuned) for one in found]
        table = frames.inferred_frame(records, tuple(dict.fromkeys(key for row in records for key in row)))
        table.attrs["notes"] = list(dict.fromkeys(note for one in found for note in one.notes))
        return table

    def partial_correlations(
        self,
        measures: str | Sequence[str] = (),
        judgements: str | Sequence[str] = (),
        *,
        controls: str | Sequence[str] = (),
        level: LevelName = "system",
        coefficient: Literal["pearson", "spearman"] = "pearson",
    ) -> DataFrame:
        """Return correlations given controls, a row for each judgement, measure and control.

        measures, judgements: names, empty = all. controls: measures, judgements or properties of texts, such
        as ``length`` or ``novelty:n=1``, empty = length, coverage and density. ``correlation`` is without
        controls, ``with_control`` that of measure and control, ``given`` the partial correlation; where there
        are several controls, the control ``all`` has the one given all of them. NaN is undefined.
        ``attrs["notes"]`` holds cautions. Raises InputError for unknown names.

        >>> with pyramidion.open("scored.pyramidion") as study:
        ...     table = study.partial_correlations("rouge-1.f", "rating.coherence", controls="length")
        >>> table.columns.tolist()
        ['judgement', 'measure', 'control', 'correlation', 'with_control', 'given']
        """
        from core.experiments.analyses.length_control import LengthControl
        from core.scoring.study_resources import StudyResources

        def listed(names: str | Sequence[str]) -> str:
            return listed_names([names] if isinstance(names, str) else list(names))

        experiment = LengthControl(
            listed(judgements), listed(measures), "", level, coefficient, listed(controls)
        )
        found = run_to_completion(experiment.controlled(self._study, StudyResources(self._study)))
        table = frames.frame(frames.controlled_rows(found.judgements), frames.CONTROLLED)
        table.attrs["notes"] = list(dict.fromkeys((*found.warnings, *found.stand_ins)))
        return table

    def explain(self, topic: str, system: str, measure: str, *, device: str = "auto") -> ExplanationView:
        """Return the parts of one summary's score by a measure or judgement, such as ``rating.coherence``.

        It takes as long as scoring the summary. device: for metrics with a model: auto, cpu, cuda or mps.
        Raises InputError for unknown names and where there is no score or the score cannot be explained,
        MissingResource where a model is missing.

        >>> with pyramidion.open("scored.pyramidion") as study:
        ...     explained = study.explain("D01", "fuse", "rouge-1.recall")
        >>> explained.is_reproduced
        True
        >>> explained.parts().columns.tolist()
        ['part', 'value', 'without', 'contribution', 'words']
        """
        from core.comparison.explanations.explained_score import explain_named
        from core.models.runtime.devices import check_name
        from core.scoring.study_resources import StudyResources

        check_name(device)
        resources = StudyResources(self._study, device)
        refs = measures_of(self._study)
        return ExplanationView(explain_named(self._study, refs, measure, topic, system, resources))

    # Figures

    def scatter(
        self,
        measure: str,
        judgement: str,
        *,
        level: LevelName = "system",
        coefficient: CoefficientName = "pearson",
        systems: Systems = "automatic",
        annotators: Sequence[str] = (),
    ) -> FigureView:
        """Return the scatter plot of a measure against a judgement, as the page *Compare* draws it.

        Raises InputError for unknown names.
        """
        from core.figures.palette import LIGHT
        from core.figures.scatter_and_heatmap import scatter

        request = request_of(
            CorrelateRequest,
            judgements=judgement,
            measures=measure,
            level=level,
            coefficient=coefficient,
            systems=systems,
            annotators=annotators,
        )
        data = load_data(self._study, request)
        ((human, judged),), (ref,) = data.judgements.items(), data.comparison.refs
        points = data.comparison.points(ref.label, human, request.level, request.coefficient)
        found = points.correlation
        caption = (
            f"{COEFFICIENT_NAMES[request.coefficient]} = {format_correlation(found.value, 3)}, "
            f"n = {found.n}, {found.dropped} dropped."
        )
        note = f" † {points.stand_in}." if points.stand_in else ""
        figure = scatter(points, LIGHT, human_title=judged.title)
        caption = " ".join((f"{caption}{note}", *self._stale_notes(data)))
        return FigureView(f"{ref.label} against {judged.title}", caption, figure)

    def heatmap(
        self,
        judgements: Sequence[str] | None = None,
        measures: Sequence[str] | None = None,
        *,
        level: LevelName = "system",
        coefficient: CoefficientName = "pearson",
        systems: Systems = "automatic",
        annotators: Sequence[str] = (),
    ) -> FigureView:
        """Return the heatmap of all measures and judgements, as in the report.

        judgements, measures: None = all. Measures that are not ranked against a judgement have no number.
        Raises InputError for unknown names, and where there is nothing to compare.
        """
        from core.figures.palette import LIGHT
        from core.figures.scatter_and_heatmap import correlation_grid, heatmap

        request = request_of(
            CorrelateRequest,
            judgements=judgements,
            measures=measures,
            level=level,
            coefficient=coefficient,
            systems=systems,
            annotators=annotators,
        )
        data = load_data(self._study, request)
        comparison = data.comparison
        titles = {human: data.judgements[human].title for human in comparison.judgements}
        figure = heatmap(correlation_grid(comparison, titles, comparison.rows(*request.method)), LIGHT)
        eligible = {human: comparison.eligibility(human) for human in titles}
        notes = (
            f"{coefficient_title(request.coefficient)} at {request.level} level; darker = stronger.",
            *ranking_notes([ref.label for ref in comparison.refs], eligible),
            footnote_of(comparison.refs),
            *self._stale_notes(data),
        )
        return FigureView("Measures and judgements", " ".join(filter(None, notes)), figure)

    def _stale_notes(self, data: CorrelationData) -> list[str]:
        return stale_notes(stale_texts(self._study, checked(self._study, data.comparison.refs)))

    # Changes

    def score(
        self,
        metrics: str | Sequence[str] = (),
        *,
        references: Sequence[str] = (),
        humans: bool = False,
        device: str = "auto",
        workers: int = 0,
    ) -> DataFrame:
        """Score the study and store the scores, as ``pyramidion score`` does; return a row for each metric.

        metrics: as ``-m`` takes them, or names in tables such as ``rouge-2``; empty = every available one.
        references: authors, empty = all. humans: score references as systems too.
        workers: processes, 0 = this one; a script that uses several needs ``if __name__ == "__main__"``.

        Only what changed is scored again. Metrics that could not run and topics that failed are warned about
        (PyramidionWarning); columns ``scored`` and ``fresh`` count topics.
        Raises InputError where the study is read-only, and for unknown metrics.
        """
        from core.models.runtime.devices import check_name
        from core.operations.score import requested_configs, run_document
        from core.ports import require_writable
        from core.progress import run_with_progress
        from core.scoring import engine
        from core.scoring.experiment_scores import score_and_promote
        from core.scoring.process_pool import local_workers
        from core.scoring.study_resources import StudyResources

        check_name(device)
        require_writable(self._study)
        resources = StudyResources(self._study, device)
        asked = [metrics] if isinstance(metrics, str) else metrics
        configs = requested_configs(asked, resources, tuple(references), humans)
        plan = engine.plan(self._study, configs, resources)
        pool = local_workers(self._study, plan, workers)
        report = run_with_progress(score_and_promote(self._study, plan, resources, pool), "Scoring")
        self._study.flush()
        document = run_document(plan, report)
        for metric, reason in document["refusals"].items():
            warnings.warn(f"{metric} was not computed: {reason}", PyramidionWarning, stacklevel=2)
        for failure in document["failures"]:
            warnings.warn(f"{failure['topic']}: {failure['message']}", PyramidionWarning, stacklevel=2)
        rows = [
            {**run, "scored": run["topics"], "signature": run["signature"] or ""} for run in document["runs"]
        ]
        columns: frames.Columns = {
            "metric": str,
            "scored": int,
            "fresh": int,
            "refusal": str,
            "signature": str,
        }
        return frames.frame(rows, columns)

    def import_file(
        self, path: str | Path, file_format: str = "", options: Mapping[str, str] | None = None
    ) -> dict[str, int]:
        """Import a file or folder, completely or not at all; return how many items are new, by kind.

        file_format: as ``pyramidion import --format`` takes it, empty = detected. options: of its reader, and
        ``update`` = ``yes``: replace ratings that differ, as an edit that the annotator ``as`` can undo.
        What was not used, differs or was interpreted is a warning (PyramidionWarning), one per cause.
        Raises BadImport with every problem, InputError where the study is read-only.
        """
        from core.ports import require_writable
        from storage.formats.import_registry import import_request, import_steps

        require_writable(self._study)
        counts = run_to_completion(
            import_steps(self._study, import_request(Path(path), file_format, options))
        )
        for message in (*counts.remarks, *counts.left_out):
            warnings.warn(message, PyramidionWarning, stacklevel=2)
        return {kind: count for kind, count in counts.added.items() if count}

    def propose(
        self,
        topics: Sequence[str] = (),
        *,
        kind: str = "pyramids",
        metric: str = "",
        annotator: str = "",
        device: str = "auto",
    ) -> dict[str, int]:
        """Store what a program proposes as the work of a machine annotator, as ``pyramidion propose``.

        topics: names, empty = all. kind: pyramids, nuggets or ratings. metric: such as
        ``auto-pyramid:least=0.6``, empty = the one of the kind. annotator: the machine annotator, whose
        earlier work is replaced; empty = the metric's name. device: auto, cpu, cuda or mps.
        Returns the numbers of topics and of what was stored, such as SCUs and matches, and of a model's
        answers that could not be read.
        Raises InputError for an unknown name or a person's, MissingResource where a model is missing.
        """
        from core.domain.decisions import ProposalKind
        from core.models.runtime.devices import check_name
        from core.operations.propose import propose, proposing_metric
        from core.ports import require_writable

        check_name(device)
        require_writable(self._study)
        chosen = ProposalKind(resolve_name("kind", kind, tuple(ProposalKind)))
        proposer = proposing_metric(metric, chosen)
        heads = {head.name: head.id for head in self._study.texts.topics()}
        ids = [heads[resolve_name("topic", each, heads)] for each in topics or heads]
        made = run_to_completion(propose(self._study, proposer, annotator or proposer.name, ids, device))
        return {"topics": made.topics, **made.counts, "failures": made.failures}

    def undo(self, annotator: str = "", *, redo: bool = False) -> str:
        """Undo the last edit of an annotator, or redo it; return what it was.

        annotator: empty = the last edit without an annotator, such as an import.
        Raises EditConflict where later work builds on it, InputError where there is nothing to undo.
        """
        ids = {person.name: person.id for person in self._study.annotators.all()}
        editor = ids[resolve_name("annotator", annotator, ids)] if annotator else None
        receipt = (self._study.edits.redo if redo else self._study.edits.undo)(editor).result()
        return receipt.what or receipt.verb

    def export(self, what: str, path: str | Path, file_format: str = "") -> int:
        """Write contents to a file or folder, as ``pyramidion export``; return the number of rows or files.

        what: such as scores, ratings or texts. file_format: empty = by the suffix of the path.
        """
        from storage.formats.export_registry import choose_export, export_steps

        target = Path(path)
        return run_to_completion(export_steps(self._study, choose_export(what, file_format, target), target))

    def report(self, path: str | Path, *, appendix: bool = True, **options: Any) -> list[Path]:
        """Write the report and return the paths of its files.

        path: the suffix chooses the format (.html, .pdf, .docx, .xlsx, .json, .bib); without one, a folder
            with all formats, LaTeX and Markdown too.
        appendix: add the details of every section.
        options: levels, coefficient, systems, undefined, human_references, draws and seed, with the values
            and defaults of ``pyramidion report``.
        Raises InputError for another suffix or an unknown value, or where a file cannot be written.
        """
        if unknown := options.keys() - set(ReportRequest.OPTIONS):
            raise TypeError(f"report() has no option {min(unknown)!r}")
        from core.report.build import build_report
        from core.report.formats.write import check_format, write_report

        target = Path(path)
        check_format(target)
        request = request_of(ReportRequest, **options, has_appendix=appendix, output=target.name)
        report = run_to_completion(build_report(self._study, request))
        return run_to_completion(write_report(report, target))


def _read_only(address: StudyAddress) -> str:
    return (
        f"{address.name} is open read-only. To change it, open it with "
        f"pyramidion.open({str(address)!r}, write=True)."
    )


def request_of(request: type[R], **given: Any) -> R:
    """Return a request from names and texts. Raises InputError for an unknown member of an enumeration."""
    values: dict[str, Any] = {}
    for name, kind in get_type_hints(request).items():
        if (value := given.get(name)) is None:
            continue
        if get_origin(kind) is tuple:
            value = (value,) if isinstance(value, str) else tuple(value)
            if issubclass(get_args(kind)[0], StrEnum):
                value = tuple(member(get_args(kind)[0], name, one) for one in value)
        elif isinstance(kind, type) and issubclass(kind, StrEnum):
            value = member(kind, name, value)
        values[name] = value
    return request(**values)


def member(kind: Any, option: str, value: str) -> Any:
    """Return the member of an enumeration. Raises InputError for an unknown one."""
    if kind is Coefficient and value == "tau":
        raise InputError(f"{option}={value!r} is not valid. {WHICH_TAU}")
    return kind(resolve_name(f"value of {option}", value, [str(each.value) for each in kind]))
