"""Runs hexengine as a module: ``python -m hexengine …``."""

from hexengine.app import main

if __name__ == "__main__":
    main()
