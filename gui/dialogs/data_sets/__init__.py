"""Dialog that downloads a public data set into a study."""
