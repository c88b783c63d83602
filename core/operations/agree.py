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
    kinds = request.kinds or (("ratings",) if request.scales else ())
    options = AgreementOptions(
        BootstrapOptions(request.bootstrap, request.seed),
        tuple(Grouping(name) for name in dict.fromkeys(request.groupings)),
        coefficients,
    )
    works = (*map(Work, kinds), *((Work.HITS,) if "nuggets" in kinds else ()))
    chosen = AgreementSelection(works, request.scales, request.annotators)
    return (yield from study_agreement(study, chosen, options))
