"""DUCView pyramids (.pyr) and peer annotations (.pan), versions 1.4 and 1.5."""
