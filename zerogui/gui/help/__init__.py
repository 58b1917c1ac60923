"""The built-in help: documents of resources/help in a window of their own, without a network."""
