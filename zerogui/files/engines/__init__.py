"""Configs of training engines, read onto a scenario and written from one."""
