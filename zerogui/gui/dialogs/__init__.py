"""Windows that ask or tell one thing, beside the main window."""
