"""Tables: cells of any file, the roles of their columns, and readers of tables."""
