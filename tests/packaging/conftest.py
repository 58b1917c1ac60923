"""What is built once for all tests that look at it: the bundle and the wheelhouse."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packaging.recipes import shell


@pytest.fixture(scope="session")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder in which the bundle command left the program and its archive."""
    folder = tmp_path_factory.mktemp("bundle")
    shell("bundle.sh", folder)
    yield folder
    shutil.rmtree(folder)  # pytest would keep it for three runs


@pytest.fixture(scope="session")
def wheelhouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The folder of wheels, and what the command that collected them said."""
    folder = tmp_path_factory.mktemp("wheel house")
    yield folder, shell("wheelhouse.sh", folder)
    shutil.rmtree(folder)
