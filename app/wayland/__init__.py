"""What only Wayland desktops need: an overlay of layers, and what the session at hand allows."""
