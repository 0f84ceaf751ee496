"""Geometry of hexes, terrain graphs, reach and sight lines: no word of any game, and cheap to import."""

from hexengine.hexes.coordinates import Axial, OffsetKind, Orientation
from hexengine.hexes.grid import Grid, LabelError, Stagger

__all__ = ["Axial", "Grid", "LabelError", "OffsetKind", "Orientation", "Stagger"]
