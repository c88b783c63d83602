"""Show and export results: tables, figures, settings forms."""
