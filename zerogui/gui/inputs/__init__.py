"""The input panel: its sections, and the fields that they are made of."""
