"""A few megabytes that really point: Holotron's architecture, trained on drawn screens."""
