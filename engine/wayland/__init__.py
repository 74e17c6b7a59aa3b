"""What Wayland compositors of the wlroots family let programs do, spoken through pywayland.

An optional part: nothing here is imported before a handler needs it, and the handlers say what is missing.
"""
