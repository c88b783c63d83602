"""Table of measures of the Compare page."""
