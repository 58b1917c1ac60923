"""The one error that a wrong file raises."""

import os

from zerogui.accounting.errors import printable


def file_name(path: str) -> str:
    """The last part of ``path``, for a sentence or a title; a folder's without its slash."""
    return os.path.basename(path.rstrip("/" + os.sep)) or path


def shown_name(path: str) -> str:
    """As ``file_name``, for one line on screen: elided, control characters escaped."""
    return printable(file_name(path))


class FileError(Exception):
    """A file that cannot be read or written; ``str()`` gives one line for the user.

    ``source`` is the path as the user gave it, of which the sentence names the last part;
    ``sentence`` says what is wrong and what to do, full stop included.
    """

    def __init__(self, source: str, sentence: str) -> None:
        self.source = source
        self.sentence = sentence
        name = file_name(source) or "no name"
        super().__init__(f"{printable(name)}: {sentence}")
