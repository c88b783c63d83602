"""Models on this computer: list, add, download and check them."""
