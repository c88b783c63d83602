"""Migrations from the first version of the tables to the current one.

Each step is `versions/NNNN_what_it_does.py` with `revision`, `down_revision`, `upgrade`. A step that changes
the number of rows of a table lists the table in `CHANGES_ROWS_OF`; all other tables must keep their number of
rows. Tables change through batch mode. A step is self-contained: it does not import the current tables.
"""
