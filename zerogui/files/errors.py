"""The one error that a wrong file raises."""

import os

from zerogui.accounting.errors import printable


class FileError(Exception):
    """A file that cannot be read or written; ``str()`` gives one line for the user.

    ``source`` is the path as the user gave it, of which the sentence names the last part;
    ``sentence`` says what is wrong and what to do, full stop included.
    """

    def __init__(self, source: str, sentence: str) -> None:
        self.source = source
        self.sentence = sentence
        name = os.path.basename(source.rstrip("/" + os.sep)) or source or "no name"
        super().__init__(f"{printable(name)}: {sentence}")
