"""From a frozen Scenario to what the views show, and the edits and history in between; no Qt."""
