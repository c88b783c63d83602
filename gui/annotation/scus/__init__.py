"""The list of SCUs: rows, filters, order, drag and drop."""
