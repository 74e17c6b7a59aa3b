"""The icon model: what an icon without text shows, see README.md."""
