"""Timings, never asserted in the default run: ratios against floors, measured in one run."""
