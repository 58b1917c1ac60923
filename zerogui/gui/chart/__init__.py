"""The stage chart: where everything goes (geometry), how it is drawn (drawing), the view."""
