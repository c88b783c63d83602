"""Pages of the window, one package each: view, presenter, values."""
