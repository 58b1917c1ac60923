"""What a start may import before the window with its table is painted: each import costs time."""

import json
import os
import subprocess
import sys

# Everything of the program that the first paint needs. Whoever adds a module here looks at what
# that costs: python -m tests.benchmarks.versus_floor.
FIRST_PAINT = """
catalog: entries examples resources
files: aside atomic errors locks named_scenarios reading settings
gui: actions app controller deeds file_window hatching ledger messages presenting
gui: questions_line recent_files shown summary_table theme view_host window work_area
gui.commands: command edit file help view
gui.inputs: choice cluster_section device_section field_edit field_row model_section number_box
gui.inputs: panel recipe_section section sharding_section stage_choice steps text_box
gui.session: crashes keeper layout_memory
gui.startup: c_locale places plain_start
gui.widgets: caption icon_button icons plain_text splits stack steady_scroll wrapping
planning: edits history opening pins quantities questions report resolve roles sentences start
planning: summary walking work
"""
# Of the standard library, beyond what Qt's bindings load anyway.
STANDARD = {"copy", "dataclasses", "faulthandler", "fcntl", "gc", "heapq", "json", "argparse"}
THIRD_PARTY = {"PySide6", "shiboken6", "shibokensupport", "sitecustomize"}

PAINT = """
import json, sys
import PySide6.QtWidgets
bare = set(sys.modules)
from zerogui.planning.start import starting_plan
from zerogui.gui.app import MainWindow, make_application
from zerogui.gui.theme import ThemeManager
app = make_application()
window = MainWindow(starting_plan(None), ThemeManager(app))
window.show()
app.processEvents()
assert window.work.table.model().index(0, 4).data() == "16.000"
print(json.dumps(sorted(set(sys.modules) - bare)))
window.close_for_good()
"""


def loaded_at_the_first_paint() -> list[str]:
    """Modules beyond those of a bare window."""
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", PAINT]
    done = subprocess.run(command, env=env, capture_output=True, check=True, text=True, timeout=120)
    value = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(value, list)
    return value


def allowed() -> set[str]:
    """The modules of the list above, with their packages and all of accounting."""
    names = {"zerogui"}
    for line in FIRST_PAINT.strip().splitlines():
        package, _, modules = line.partition(": ")
        parts = package.split(".")
        names |= {".".join(("zerogui", *parts[:k])) for k in range(1, len(parts) + 1)}
        names |= {f"zerogui.{package}.{module}" for module in modules.split()}
    return names


def test_a_first_paint_loads_what_it_needs_and_nothing_else() -> None:
    loaded = loaded_at_the_first_paint()
    own = {name for name in loaded if name.startswith("zerogui")}
    beyond = {name for name in own if not name.startswith("zerogui.accounting")} - allowed()
    assert beyond == set()
    # A list that promises more than is true hides what comes back unseen.
    assert allowed() - own == set()
    others = {name.partition(".")[0] for name in loaded} - {"zerogui"} - THIRD_PARTY
    assert {name for name in others if not name.startswith("_")} <= STANDARD
