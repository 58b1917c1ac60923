"""The scaling view: where lines and labels go (geometry, labels), drawing, the widget."""
