"""Models from files: configs of published families, and checkpoints by their headers."""
