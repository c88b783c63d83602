"""The window around the pages: controller, top bar, status line, help, settings."""
