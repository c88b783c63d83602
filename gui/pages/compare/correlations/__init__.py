"""Data and correlations of the Compare page, computed by jobs."""
