"""The Compare view: bars above their names, and a table in whose columns the plans continue."""
