"""Every command of the window with its shortcut."""
