"""How a help page looks: heading anchors and sizes, ruled tables, tinted code, in the theme."""

from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)

from zerogui.gui.help.pages import anchor_of
from zerogui.gui.theme import GRID, Theme, scaled_font

# Qt's steps of size above the text: 2 is one and a half times, 1 a fifth more.
_HEADING_STEPS = {1: 2, 2: 1}
_LINE_HEIGHT = 130  # per cent
_PICTURE = "\ufffc"  # what stands for a picture in a block's text


def dress(document: QTextDocument, theme: Theme) -> None:
    """Give a document that was read from Markdown its look; once for each reading."""
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _dress_table(frame, theme)
    block = document.begin()
    while block.isValid():
        _dress_block(block, theme)
        block = block.next()


def _dress_block(block: QTextBlock, theme: Theme) -> None:
    cursor = QTextCursor(block)
    level = block.blockFormat().headingLevel()
    if level:
        _dress_heading(cursor, block, level)
    elif _is_code(block):
        _dress_code(cursor, block, theme)
    elif cursor.currentTable() is None:
        _dress_prose(cursor, block)
    _dress_inline_code(block, theme)


def _dress_prose(cursor: QTextCursor, block: QTextBlock) -> None:
    look = QTextBlockFormat()
    if _PICTURE not in block.text():
        look.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    look.setTopMargin(0)
    inside = block.textList() is not None and block.next().textList() is not None
    look.setBottomMargin(GRID // 2 if inside else GRID)
    cursor.mergeBlockFormat(look)


def _dress_heading(cursor: QTextCursor, block: QTextBlock, level: int) -> None:
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.Bold)
    look.setProperty(QTextFormat.Property.FontSizeAdjustment, _HEADING_STEPS.get(level, 0))
    look.setAnchor(True)
    look.setAnchorNames([anchor_of(block.text())])
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    cursor.mergeCharFormat(look)
    space = QTextBlockFormat()
    space.setTopMargin(0 if level == 1 else 2 * GRID)
    space.setBottomMargin(GRID)
    cursor.mergeBlockFormat(space)


def _is_code(block: QTextBlock) -> bool:
    look = block.blockFormat()
    return look.hasProperty(QTextFormat.Property.BlockCodeFence) or look.hasProperty(
        QTextFormat.Property.BlockCodeLanguage
    )


def _dress_code(cursor: QTextCursor, block: QTextBlock, theme: Theme) -> None:
    look = QTextBlockFormat()
    look.setBackground(QColor(theme.panel))
    look.setNonBreakableLines(False)
    look.setTopMargin(0 if _is_code(block.previous()) else GRID)
    look.setBottomMargin(0 if _is_code(block.next()) else GRID)
    look.setLeftMargin(GRID)
    look.setRightMargin(GRID)
    cursor.mergeBlockFormat(look)


def _dress_inline_code(block: QTextBlock, theme: Theme) -> None:
    """The system's own monospaced face in the text's size; words in a line get a tint."""
    spans = []
    pieces = block.begin()
    while not pieces.atEnd():
        piece = pieces.fragment()
        if piece.charFormat().fontFixedPitch():
            spans.append((piece.position(), piece.length()))
        pieces += 1
    look = QTextCharFormat()
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    look.setFontFamilies(fixed.families())
    look.setFontPointSize(scaled_font().pointSizeF())
    look.setBackground(QColor(theme.panel))
    for start, length in spans:
        cursor = QTextCursor(block)
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(look)


def _dress_table(table: QTextTable, theme: Theme) -> None:
    look = table.format()
    look.setBorder(1)
    look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    look.setBorderBrush(QColor(theme.rule))
    look.setBorderCollapse(True)
    look.setCellPadding(GRID * 3 // 4)
    look.setCellSpacing(0)
    look.setTopMargin(GRID)
    look.setBottomMargin(2 * GRID)
    look.setWidth(QTextLength(QTextLength.Type.VariableLength, 0))
    table.setFormat(look)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        head = cell.format()
        head.setBackground(QColor(theme.panel))
        cell.setFormat(head)
