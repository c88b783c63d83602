"""Write imported data into a study."""
