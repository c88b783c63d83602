"""Write a report."""
