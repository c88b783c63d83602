"""The ladder from the first tables to the present ones.

Each rung is `versions/NNNN_what_it_does.py` with `revision`, `down_revision`, `upgrade`. Where it changes the
number of rows of a table on purpose, it names the table in `CHANGES_ROWS_OF`; every other table must keep its
number. Tables change through batch mode. A rung says all by itself and imports nothing of today's tables.
"""
