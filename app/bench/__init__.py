"""Scores an engine on a file of cases: `cases` are read, `runner` runs, `score` counts, `report` prints."""
