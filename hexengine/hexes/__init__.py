"""Geometry of hexes, terrain graphs, reach and sight lines: no word of any game, and cheap to import."""

from hexengine.hexes.coordinates import Axial, OffsetKind, Orientation
from hexengine.hexes.grid import Grid, LabelError, Stagger
from hexengine.hexes.hexmap import Chart, HexMap, LineRow, Parts, Side, SideRow, Steps, TerrainRow
from hexengine.hexes.reach import Reach, cheapest_path, path_cost, reach
from hexengine.hexes.sight import SightLines, Stretch

__all__ = [
    "Axial",
    "Chart",
    "Grid",
    "HexMap",
    "LabelError",
    "LineRow",
    "OffsetKind",
    "Orientation",
    "Parts",
    "Reach",
    "Side",
    "SideRow",
    "SightLines",
    "Stagger",
    "Steps",
    "Stretch",
    "TerrainRow",
    "cheapest_path",
    "path_cost",
    "reach",
]
