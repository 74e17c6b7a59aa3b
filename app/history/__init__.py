"""What was looked for and what became of it: kept on this machine only, for the user to read and to clear."""
