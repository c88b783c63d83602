"""What views are given: frozen values without Qt, so that presenters make them and tests compare them."""
