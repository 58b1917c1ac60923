"""Mnemonics and tooltips for the buttons that Qt words by itself."""

from PySide6.QtWidgets import QDialogButtonBox, QMessageBox

_WORDS = {
    "Ok": ("&OK", "Take what is chosen (Return)"),
    "Save": ("&Save", "Write it to a file, then go on"),
    "Discard": ("&Discard", "Go on without writing; the session keeps the changes"),
    "Cancel": ("&Cancel", "Leave everything as it is (Esc)"),
    "Close": ("C&lose", "Close this window (Esc)"),
}


def word_buttons(box: QDialogButtonBox | QMessageBox) -> None:
    """Give every standard button of ``box`` a letter to press with Alt, and say what it does."""
    for button in box.buttons():
        words = _WORDS.get(box.standardButton(button).name or "")
        if words is not None:
            button.setText(words[0])
            button.setToolTip(words[1])
