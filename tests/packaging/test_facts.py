"""What Windows and macOS are told: a version, icons, a document type."""

import ast
import plistlib
from pathlib import Path
from struct import unpack_from
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage

from tests.packaging.recipes import PACKAGING, ROOT, packaging_module
from zerogui import __version__

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    ("version", "numbers"),
    [
        ("0.1.0", (0, 1, 0, 0)),
        ("2.10", (2, 10, 0, 0)),
        ("1.2.3rc1", (1, 2, 3, 0)),
        ("1.2.dev4", (1, 2, 0, 0)),
        ("1.2.3.4.5", (1, 2, 3, 4)),
    ],
)
def test_windows_gets_four_numbers_of_a_version(version: str, numbers: tuple[int, ...]) -> None:
    assert packaging_module("facts").version_numbers(version) == numbers


def test_the_properties_of_the_windows_program_show_its_name_and_version(tmp_path: Path) -> None:
    path = packaging_module("facts").version_resource(tmp_path, "zerogui-window")
    tree = ast.parse(Path(path).read_text("utf-8"), mode="eval")
    texts = dict(
        ast.literal_eval(ast.Tuple(call.args, ast.Load()))
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "StringStruct"
    )
    assert texts["ProductVersion"] == texts["FileVersion"] == __version__
    assert texts["ProductName"] == "zerogui"
    assert texts["OriginalFilename"] == "zerogui-window.exe"


def test_finder_opens_scenarios_with_the_program_and_draws_it_sharp() -> None:
    facts = packaging_module("facts")
    plist = plistlib.loads(plistlib.dumps(facts.INFO_PLIST))
    assert plist["NSHighResolutionCapable"] is True
    (exported,) = plist["UTExportedTypeDeclarations"]
    assert exported["UTTypeTagSpecification"]["public.filename-extension"] == ["zerogui.json"]
    owned = [kind for kind in plist["CFBundleDocumentTypes"] if kind["LSHandlerRank"] == "Owner"]
    assert [kind["LSItemContentTypes"] for kind in owned] == [[exported["UTTypeIdentifier"]]]
    assert __version__ == facts.VERSION


def test_linux_and_macos_agree_on_the_name_of_the_document_type() -> None:
    facts = packaging_module("facts")
    kind = ElementTree.parse(PACKAGING / "zerogui-mime.xml").find("{*}mime-type")
    assert kind is not None
    assert kind.get("type") == facts.MIME_TYPE
    entry = (ROOT / "resources" / "zerogui.desktop").read_text("utf-8")
    assert f"MimeType={facts.MIME_TYPE};" in entry.splitlines()
    story = ElementTree.parse(PACKAGING / f"{facts.IDENTIFIER}.metainfo.xml")
    assert story.findtext("id") == facts.IDENTIFIER
    assert story.findtext("provides/mediatype") == facts.MIME_TYPE


def test_the_windows_icon_holds_the_picture_in_every_size(tmp_path: Path) -> None:
    path = tmp_path / "zerogui.ico"
    packaging_module("make_icons").write(str(path))
    data = path.read_bytes()
    assert unpack_from("<HHH", data) == (0, 1, 7)
    sizes = []
    for place in range(6, 6 + 7 * 16, 16):
        width, height, _, _, _, bits, length, offset = unpack_from("<4B2H2L", data, place)
        picture = QImage.fromData(data[offset : offset + length])
        assert data[offset : offset + 8] == PNG
        assert (picture.width() % 256, picture.height() % 256, bits) == (width, height, 32)
        sizes.append(picture.width())
    assert sizes == [16, 24, 32, 48, 64, 128, 256]
    assert offset + length == len(data)


def test_the_macos_icon_holds_the_picture_in_every_size(tmp_path: Path) -> None:
    path = tmp_path / "zerogui.icns"
    packaging_module("make_icons").write(str(path))
    data = path.read_bytes()
    assert unpack_from(">4sL", data) == (b"icns", len(data))
    sizes = {}
    place = 8
    while place < len(data):
        name, length = unpack_from(">4sL", data, place)
        picture = QImage.fromData(data[place + 8 : place + length])
        # Something is drawn, and in the corner nothing.
        assert picture.pixelColor(0, 0).alpha() == 0
        assert any(picture.pixelColor(k, k).alpha() == 255 for k in range(picture.width())), (
            "nothing is drawn"
        )
        sizes[name] = picture.width()
        place += length
    assert sizes == {
        b"ic07": 128,
        b"ic08": 256,
        b"ic09": 512,
        b"ic10": 1024,
        b"ic11": 32,
        b"ic12": 64,
    }
