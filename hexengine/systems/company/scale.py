"""The scale (C1.1): distances printed in inches, as whole hexes."""

from __future__ import annotations

from collections.abc import Sequence

from hexengine.core.system import Report


class Scale:
    """Converts distances; one that does not come out whole is a fault of the file it stands in."""

    def __init__(self, hex_inches: int, report: Report) -> None:
        self.hex_inches = hex_inches
        self._report = report

    def hexes(self, path: Sequence[str | int], printed: str, file: str | None = None) -> int:
        """A distance such as ``12 in`` in hexes, or 0 after a fault."""
        whole, rest = divmod(int(printed.split()[0]), self.hex_inches)
        if rest:
            near = sorted({whole * self.hex_inches, (whole + 1) * self.hex_inches})
            self._report(
                path,
                f"{printed} are not whole hexes of {self.hex_inches} in",
                f"such as {' or '.join(f'{inches} in' for inches in near)}",
                rule="C1.1",
                file=file,
            )
            return 0
        return whole
