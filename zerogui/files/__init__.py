"""What comes in and goes out: scenario files, tables of plain rows, and writing them safely."""

SUFFIX = ".zerogui.json"  # of scenarios and comparisons
