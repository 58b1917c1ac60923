"""``python -m zerogui`` is the same as ``zerogui``."""

import sys

from zerogui.cli import main

if __name__ == "__main__":
    sys.exit(main())
