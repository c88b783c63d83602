"""Language models as judges: rubrics, their answers, and the metric."""
