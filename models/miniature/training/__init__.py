"""Trains the miniature; needs PyTorch, which Fingerpost itself does not."""
