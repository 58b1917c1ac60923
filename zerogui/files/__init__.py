"""What comes in and goes out: scenario files, tables of plain rows, and writing them safely."""
