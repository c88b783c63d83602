"""Numbers, sizes, names of coefficients, and tables as text, CSV, Markdown, LaTeX and HTML."""
