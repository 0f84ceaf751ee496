"""Colours as ints 0xRRGGBB: mixing, and contrast as the Web Content Accessibility Guidelines 2 define it."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4096)
def blend(under: int, over: int, share: float) -> int:
    """``share`` (0 to 1) of ``over`` laid on ``under``."""
    mixed = 0
    for shift in (16, 8, 0):
        low = under >> shift & 255
        mixed |= round(low + ((over >> shift & 255) - low) * share) << shift
    return mixed


def darker(colour: int, share: float) -> int:
    """The colour mixed with that share of black."""
    return blend(colour, 0x000000, share)


def lighter(colour: int, share: float) -> int:
    """The colour mixed with that share of white."""
    return blend(colour, 0xFFFFFF, share)


def linear(colour: int) -> tuple[float, float, float]:
    """Red, green and blue as light (0 to 1), the display's gamma taken out."""
    parts = [(colour >> shift & 255) / 255 for shift in (16, 8, 0)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return red, green, blue


def luminance(colour: int) -> float:
    """Relative luminance, 0 for black to 1 for white."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lru_cache(maxsize=4096)
def contrast(one: int, other: int) -> float:
    """Contrast ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)
def readable(paper: int, ratio: float) -> int:
    """An ink on this paper with at least that contrast, in the paper's own hue where that is possible."""
    step = darker if luminance(paper) > 0.18 else lighter
    for share in range(30, 100, 5):
        ink = step(paper, share / 100)
        if contrast(paper, ink) >= ratio:
            return ink
    return step(paper, 1.0)
