"""Small parts of which views and sections are made; they know no plan."""
