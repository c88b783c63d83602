"""Qt item models for tables and grouped lists."""
