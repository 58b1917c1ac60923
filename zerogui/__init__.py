"""zerogui accounts, byte by byte, for what every rank of a data-parallel training run stores."""

__version__ = "0.1.0"
