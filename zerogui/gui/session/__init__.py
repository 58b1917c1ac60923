"""What outlives a window: its session, its layout, and what is told of a failure."""
