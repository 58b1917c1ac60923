"""The window: views that render one frozen Shown, and the controller that makes it."""
