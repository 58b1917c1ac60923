"""The ranks view: geometry and drawing of its picture, the table beside it, the widget."""
