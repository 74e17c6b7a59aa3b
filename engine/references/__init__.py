"""Queries that refer to the answer before: read (`reading`), and what they then mean on the screen (`choosing`)."""
