"""What comes before the window: Qt's application, or one sentence on why there is none."""
