"""The sheet system is known to every test here, and to no other."""

from pathlib import Path

import pytest
from sheet_system import SheetSystem

from hexengine.core import system


@pytest.fixture(autouse=True)
def sheet(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> SheetSystem:
    folder: Path = tmp_path_factory.mktemp("sheet-data")
    made = SheetSystem(folder)
    monkeypatch.setitem(system._registered, "sheet", made)
    return made
