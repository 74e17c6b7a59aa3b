"""What the user has chosen, and where it is kept."""
