"""`python -m fingerpost` is the command `fingerpost`."""

from fingerpost.app.cli import main

if __name__ == "__main__":
    main()
