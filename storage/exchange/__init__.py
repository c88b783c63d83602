"""Formats in and out, one file each; `registry` lists them."""
