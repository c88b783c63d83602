"""What the commands do: one module per command."""
