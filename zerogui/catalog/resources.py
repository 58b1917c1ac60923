"""Finds the files of resources/, from a source checkout as from an installed wheel."""

from functools import lru_cache
from pathlib import Path


def resource_path(*parts: str) -> Path:
    """The file or folder ``resources/parts...``; FileNotFoundError where it is not there."""
    path = _root().joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing; install zerogui again.")
    return path


@lru_cache(maxsize=1)
def _root() -> Path:
    package = Path(__file__).resolve().parent.parent
    # A wheel carries the folder inside the package; a checkout has it beside the package.
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"
