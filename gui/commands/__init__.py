"""Commands of the window with their menus and shortcuts."""
