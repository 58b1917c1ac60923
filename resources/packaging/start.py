"""Where the frozen program starts: the same as ``python -m zerogui``."""

import sys

from zerogui.cli import main

sys.exit(main())
