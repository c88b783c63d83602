"""One file per metric. Importing a metric's module registers it; `registry` imports them all."""
