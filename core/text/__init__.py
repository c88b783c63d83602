"""Languages, scripts and the segmentation of texts into words."""
