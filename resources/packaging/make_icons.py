"""Makes PNG, ICO and ICNS icons of icons/app.svg: python make_icons.py FILE, FILE's end says which.

Both containers hold PNG pictures as they are, so that Qt's SVG renderer is all that is needed.
"""

import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from zerogui.catalog.resources import resource_path

ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)  # px
# What Apple calls a picture of so many pixels.
ICNS_SIZES = {b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024, b"ic11": 32, b"ic12": 64}


def png(size: int) -> bytes:
    """The icon as a PNG of ``size`` px squared."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(resource_path("icons", "app.svg"))).render(painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(data.data())


def ico() -> bytes:
    """The icon as Windows wants it: a directory of 16 bytes for each picture, then the pictures."""
    pictures = [(size, png(size)) for size in ICO_SIZES]
    head = struct.pack("<HHH", 0, 1, len(pictures))
    offset = len(head) + 16 * len(pictures)
    for size, picture in pictures:
        # 256 px are written as 0.
        head += struct.pack("<4B2H2L", size % 256, size % 256, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    return head + b"".join(picture for _, picture in pictures)


def icns() -> bytes:
    """The icon as macOS wants it: each picture after its name and its length, these 8 included."""
    body = b""
    for name, size in ICNS_SIZES.items():
        picture = png(size)
        body += name + struct.pack(">L", len(picture) + 8) + picture
    return b"icns" + struct.pack(">L", len(body) + 8) + body


def write(path: str, size: int = 256) -> None:
    """Write the icon to ``path``: .ico, .icns, or a .png of ``size`` px."""
    made = {".ico": ico, ".icns": icns}.get(Path(path).suffix)
    Path(path).write_bytes(png(size) if made is None else made())


if __name__ == "__main__":
    write(sys.argv[1])
