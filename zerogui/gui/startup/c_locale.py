"""Gives Qt a UTF-8 locale where the environment has none, as it would warn and take one itself."""

import os
import sys
from collections.abc import MutableMapping


def leave_c_locale(environ: MutableMapping[str, str] = os.environ) -> None:
    """Where ``environ`` means the C locale, its characters become UTF-8; call it before Qt starts.

    A terminal of a server or a container often has no locale at all. Elsewhere than on Linux Qt
    does not go by these variables.
    """
    if not sys.platform.startswith("linux"):
        return
    deciding = next((name for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name)), None)
    if deciding is None or environ[deciding] in ("C", "POSIX"):
        environ["LC_ALL" if deciding == "LC_ALL" else "LC_CTYPE"] = "C.UTF-8"
