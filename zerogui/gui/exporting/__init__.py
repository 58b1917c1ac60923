"""What leaves the window as a picture or a page: PNG, SVG, PDF, the report."""
