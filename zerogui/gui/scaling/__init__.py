"""The scaling view: geometry, labels and layout of its picture, its drawing, the widget."""
