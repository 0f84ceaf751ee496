"""Pictures that are written into files: one may take another's place, and never that of anything else."""

from __future__ import annotations

from pathlib import Path

import click

from hexengine.app.words import said

_BEGINNINGS = (b"<svg", b"<?xml", b"<!doctype html")


def write_picture(path: Path, text: str) -> None:
    """Write a picture (SVG, or a page around one); raises UsageError where something else has the name."""
    if path.exists():
        with path.open("rb") as file:
            before = file.read(16)
        if before and not before.startswith(_BEGINNINGS):
            message = "{file} exists already and is no picture: it is not overwritten"
            raise click.UsageError(said(message, file=path))
    path.write_text(text, encoding="utf-8")
