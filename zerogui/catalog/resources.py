"""Finds the files of resources/, from a source checkout as from an installed wheel."""

from pathlib import Path


def resource_path(*parts: str) -> Path:
    """The file or folder ``resources/parts...``; FileNotFoundError where it is not there."""
    package = Path(__file__).resolve().parent.parent
    # A wheel carries the folder inside the package; a checkout has it beside the package.
    inside = package / "resources"
    root = inside if inside.is_dir() else package.parent / "resources"
    path = root.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing; install zerogui again.")
    return path
