"""Compare measures with human judgements: data, filters, eligibility, inference, cautions."""
