"""The window: views that render one frozen Shown, and the controller that makes it."""

import os

# NumPy is here for pyqtgraph alone: its algebra would start a thread for every core at each start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
