"""Controls for choices, numbers and steps."""
