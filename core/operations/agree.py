"""Agreement of a study's annotators."""

from __future__ import annotations

from core.agreement.analysis import AgreementOptions, known_coefficients
from core.agreement.estimates import BootstrapOptions
from core.agreement.table import AgreementTable, Grouping
from core.comparison.annotator_agreement import AgreementSelection, study_agreement
from core.domain.assignment import Work
from core.names import resolve_name
from core.operations.options import AgreeRequest
from core.ports import Study
from core.progress import JobSteps


def agree(study: Study, request: AgreeRequest) -> JobSteps[AgreementTable]:
    """Return the agreement of a study's annotators; scales without kinds are those of ratings.

    Raises InputError for unknown names and where no requested annotation was made by two annotators.
    """
    known = known_coefficients()
    coefficients = tuple(resolve_name("coefficient", name, known) for name in request.coefficients)
    options = AgreementOptions(
        BootstrapOptions(request.bootstrap, request.seed),
        tuple(Grouping(name) for name in dict.fromkeys(request.groupings)),
        coefficients,
    )
    return (yield from study_agreement(study, agreement_selection(request), options))


def agreement_selection(request: AgreeRequest) -> AgreementSelection:
    """Return the annotations that are compared; nuggets include their hits."""
    kinds = request.kinds or (("ratings",) if request.scales else ())
    works = (*map(Work, kinds), *((Work.HITS,) if "nuggets" in kinds else ()))
    return AgreementSelection(works, request.scales, request.annotators)
