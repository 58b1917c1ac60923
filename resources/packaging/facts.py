"""What an operating system is told about the program: names, version, document type."""

from pathlib import Path

from zerogui import __version__

VERSION = __version__
IDENTIFIER = "org.zerogui.zerogui"
DOCUMENT = f"{IDENTIFIER}.scenario"
DOCUMENT_TITLE = "zerogui scenario"
MIME_TYPE = "application/vnd.zerogui+json"
SUFFIX = "zerogui.json"

# macOS: the program opens scenarios, and any JSON or YAML file that is given to it.
INFO_PLIST = {
    "CFBundleDisplayName": "zerogui",
    "LSApplicationCategoryType": "public.app-category.developer-tools",
    "NSHighResolutionCapable": True,
    "CFBundleDocumentTypes": [
        {
            "CFBundleTypeName": DOCUMENT_TITLE,
            "CFBundleTypeRole": "Editor",
            "LSHandlerRank": "Owner",
            "LSItemContentTypes": [DOCUMENT],
        },
        {
            "CFBundleTypeName": "Model or engine config",
            "CFBundleTypeRole": "Viewer",
            "LSHandlerRank": "Alternate",
            "LSItemContentTypes": ["public.json", "public.yaml"],
        },
    ],
    "UTExportedTypeDeclarations": [
        {
            "UTTypeIdentifier": DOCUMENT,
            "UTTypeDescription": DOCUMENT_TITLE,
            "UTTypeConformsTo": ["public.json"],
            "UTTypeTagSpecification": {
                "public.filename-extension": [SUFFIX],
                "public.mime-type": [MIME_TYPE],
            },
        }
    ],
}

_RESOURCE = """\
VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0x0, OS=0x40004,
                    fileType=0x1, subtype=0x0, date=(0, 0)),
  kids=[
    StringFileInfo([StringTable('040904B0', [
      StringStruct('CompanyName', 'the zerogui authors'),
      StringStruct('FileDescription', 'zerogui: training memory planner'),
      StringStruct('FileVersion', '{version}'),
      StringStruct('InternalName', '{name}'),
      StringStruct('LegalCopyright', 'MIT licence'),
      StringStruct('OriginalFilename', '{name}.exe'),
      StringStruct('ProductName', 'zerogui'),
      StringStruct('ProductVersion', '{version}')])]),
    VarFileInfo([VarStruct('Translation', [1033, 1200])])
  ]
)
"""


def version_numbers(version: str) -> tuple[int, int, int, int]:
    """The four numbers that Windows wants: "0.1.0" is (0, 1, 0, 0); a suffix such as rc1 goes."""
    parts = []
    for part in version.split(".")[:4]:
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        parts.append(int(digits))
    first, second, third, fourth = (*parts, 0, 0, 0, 0)[:4]
    return first, second, third, fourth


def version_resource(folder: Path, name: str) -> str:
    """The path of the version resource of ``name``.exe, written into ``folder``."""
    path = folder / f"{name}-version.txt"
    numbers = version_numbers(VERSION)
    path.write_text(_RESOURCE.format(numbers=numbers, version=VERSION, name=name), "utf-8")
    return str(path)
