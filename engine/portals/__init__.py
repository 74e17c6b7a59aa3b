"""Desktop portals: what KDE and GNOME let programs do on Wayland once the user has agreed in a dialogue."""
