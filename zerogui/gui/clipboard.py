"""What goes to the clipboard: one table in the forms that spreadsheets, chats and pages take."""

from PySide6.QtCore import QMimeData

from zerogui.files.tables import Table, to_html, to_markdown, to_tsv


def table_mime(exact: Table, shown: Table) -> QMimeData:
    """``exact`` (plain integers) as TSV and HTML, ``shown`` (text in a unit) as Markdown."""
    mime = QMimeData()
    mime.setText(to_tsv(exact))
    mime.setHtml(to_html(exact))
    mime.setData("text/markdown", to_markdown(shown).encode())
    return mime
