"""Runs hexengine from a checkout: ``python cli.py …``."""

from hexengine.app import main

if __name__ == "__main__":
    main()
