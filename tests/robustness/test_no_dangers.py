"""Nothing in the program runs what a file says, starts a process, or reaches for a network."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import zerogui
from tests.robustness.examples import SCENARIOS

SOURCE = Path(zerogui.__file__).parent
# Modules that run code out of data, start programs, or open connections.
FORBIDDEN = (
    *("pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "copyreg", "torch"),
    *("subprocess", "multiprocessing", "pty", "popen2", "commands", "code", "codeop", "runpy"),
    *("socket", "socketserver", "ssl", "http", "urllib", "urllib3", "requests", "httpx", "aiohttp"),
    *("ftplib", "smtplib", "poplib", "imaplib", "telnetlib", "xmlrpc", "webbrowser", "asyncio"),
    *("ctypes", "cffi", "PySide6.QtNetwork", "PySide6.QtWebSockets", "PySide6.QtWebEngineCore"),
)
# Names that do so, whatever module they are taken from.
FORBIDDEN_NAMES = {
    *("QDesktopServices", "QProcess", "QNetworkAccessManager", "QTcpSocket", "QLocalSocket"),
    *("setOpenExternalLinks", "UnsafeLoader", "FullLoader", "unsafe_load", "full_load", "memmap"),
}
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "execfile", "breakpoint"}
FORBIDDEN_OF_OS = ("system", "popen", "exec", "spawn", "fork", "posix_spawn", "startfile")
# yaml.load and friends; json.load reads a file but runs nothing.
FORBIDDEN_OF_YAML = {"load", "load_all", "Loader", "CLoader"}


def dangers(tree: ast.AST) -> Iterator[str]:
    """What in a module could run data as code, start a program, or open a connection."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (a.name for a in names if _is_forbidden(a.name))
            case ast.ImportFrom(module=str(module), names=names):
                whole = [module, *(f"{module}.{a.name}" for a in names)]
                yield from (name for name in whole if _is_forbidden(name))
                yield from (a.name for a in names if a.name in FORBIDDEN_NAMES)
                if module in ("os", "posix"):
                    yield from (a.name for a in names if a.name.startswith(FORBIDDEN_OF_OS))
            case ast.Call(func=ast.Name(id=name)) if name in FORBIDDEN_CALLS:
                yield f"{name}()"
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if name.startswith(
                FORBIDDEN_OF_OS
            ):
                yield f"os.{name}"
            case ast.Attribute(value=ast.Name(id="yaml"), attr=name) if name in FORBIDDEN_OF_YAML:
                yield f"yaml.{name}"
            case ast.Attribute(attr=name) if name in FORBIDDEN_NAMES:
                yield name
            case ast.keyword(arg="shell" | "allow_pickle"):
                yield f"{node.arg}="


def _is_forbidden(module: str) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in FORBIDDEN)


def test_no_module_can_run_what_a_file_says_or_reach_a_network() -> None:
    modules = sorted(SOURCE.rglob("*.py"))
    assert len(modules) > 100
    found = {
        str(path.relative_to(SOURCE)): list(dangers(ast.parse(path.read_bytes())))
        for path in modules
    }
    assert {path: names for path, names in found.items() if names} == {
        # The one program that is ever started is zerogui itself, to read a large file.
        "files/apart.py": ["subprocess"],
        # Whether a library of Qt's is there is found out by loading it, by names of our own.
        "gui/startup/first_run.py": ["ctypes"],
    }


def test_the_program_that_is_started_is_this_one_and_gets_the_path_as_it_is() -> None:
    tree = ast.parse((SOURCE / "files" / "apart.py").read_bytes())
    used = [ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.Attribute)]
    from_subprocess = {name for name in used if name.startswith("subprocess.")}
    assert from_subprocess == {"subprocess.Popen", "subprocess.DEVNULL", "subprocess.PIPE"}
    [call] = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "subprocess.Popen"
    ]
    assert ast.unparse(call.args[0]) == "[*_program(), READ_APART, path]"


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "from urllib.request import urlopen",
        "from os import system",
        "import os\nos.execv('/bin/sh', [])",
        "eval(text)",
        "from PySide6.QtNetwork import QNetworkAccessManager",
        "from PySide6.QtGui import QDesktopServices",
        "from PySide6 import QtNetwork",
        "label.setOpenExternalLinks(True)",
        "import yaml\nyaml.load(text)",
        "np.load(path, allow_pickle=True)",
    ],
)
def test_the_scan_sees_it(text: str) -> None:
    assert list(dangers(ast.parse(text)))


# Refuses and tells whatever would open a connection or start a program, from the first line on.
GUARD = """
import sys
def refuse(event, arguments):
    if event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn",
                         "os.fork", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser.",
                         "pickle.")):
        sys.stderr.write(f"REFUSED {event}\\n")
        raise PermissionError(event)
sys.addaudithook(refuse)
"""
WINDOW = """
import os
from PySide6.QtTest import QTest
from zerogui.gui.app import make_application, make_window, release_clipboard
from zerogui.gui.session.ending import end_on_signals
from zerogui.gui.session.keeper import begin
from zerogui.gui.theme import ThemeManager
from zerogui.planning.start import starting_plan
app = make_application()
state = os.path.dirname(sys.argv[2])
session = begin(state, os.path.join(state, "crash.log"), restore=True)
window = make_window(ThemeManager(app), starting_plan(None), None, sys.argv[2], session)
window.show()
end_on_signals(window)
QTest.qWait(500)
window.open_file(sys.argv[1])
for view in ("scaling", "ranks", "compare", "derivation", "stages"):
    window.work.views.show_view(view)
    QTest.qWait(100)
window.pin()
QTest.qWait(1000)
window.reopen_session()
window.copy_table()
window.copy_chart()
window.use_theme("dark")
window.show_about()
window.save_to(sys.argv[1])
for widget in app.topLevelWidgets():
    widget.close()
release_clipboard(app)
descriptors = [os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")
               if os.path.islink(f"/proc/self/fd/{n}")] if sys.platform == "linux" else []
print("sockets", sum(name.startswith("socket:") for name in descriptors))
"""
COMMAND = "from zerogui.cli import main\nsys.exit(main(sys.argv[1:]))\n"


def guarded(script: str, *arguments: str | Path) -> str:
    """What a process prints in which connections and programs are refused."""
    done = subprocess.run(
        [sys.executable, "-c", GUARD + script, *map(str, arguments)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    said = done.stderr.decode()
    assert "REFUSED" not in said, said
    assert done.returncode == 0, said
    return done.stdout.decode()


def test_the_guard_refuses_a_connection() -> None:
    with pytest.raises(AssertionError, match="REFUSED socket"):
        guarded("import socket\nsocket.socket()")
    # uuid and platform bring the inner module in; what it makes is seen too.
    with pytest.raises(AssertionError, match="REFUSED socket"):
        guarded("import _socket\n_socket.socket()")


def test_a_report_and_a_picture_need_no_network(tmp_path: Path) -> None:
    plan = tmp_path / "plan.zerogui.json"
    plan.write_bytes(SCENARIOS[1])
    printed = guarded(COMMAND, "report", plan, "--format", "json")
    assert json.loads(printed)["format"] == "zerogui/report"
    guarded(COMMAND, "render", plan, "-o", tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").stat().st_size > 1000


def test_a_session_in_the_window_opens_no_socket(tmp_path: Path) -> None:
    plan = tmp_path / "plan.zerogui.json"
    plan.write_bytes(SCENARIOS[1])
    assert guarded(WINDOW, plan, tmp_path / "settings.json") == "sockets 0\n"
