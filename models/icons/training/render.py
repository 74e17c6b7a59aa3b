"""Draws icons from SVG into small pictures, trimmed to what is drawn and centred on a square.

Trimming here and at run time (`fingerpost.engine.lite.icons`) gives the model the same view of both.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from multiprocessing import Pool
from pathlib import Path

import numpy as np
import numpy.typing as npt
import resvg_py
from PIL import Image, ImageDraw, ImageFont

from fingerpost.models.icons.training.sets import Icon

SIDE = 64  # pixels of a stored drawing
_DRAWN = 96  # pixels of the first drawing, before trimming
_FONTS = ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSerif-Italic", "LiberationSans-Regular",
          "LiberationSerif-Regular", "LiberationSerif-Italic", "NotoSans-Regular", "NotoSans-Bold",
          "NotoSerif-Regular")  # fmt: skip
GLYPHS = {
    "bold": "B", "italic": "I", "underline": "U", "pi": "π", "square of a number": "x²", "exponent": "xⁿ",
    "euler number": "e", "factorial": "x!", "absolute value": "|x|", "square root": "√", "percent": "%",
    "plus minus": "±", "divide": "÷", "times sign": "×", "plus": "+", "minus": "−", "equal": "=", "sigma": "Σ",
    "infinity": "∞", "hash": "#", "at sign": "@", "dollar": "$", "euro": "€", "asterisk": "*", "help": "?",
    "reciprocal": "x⁻¹", "logarithm": "log", "natural logarithm": "ln", "sine": "sin", "cosine": "cos",
    "tangent": "tan", "modulus": "mod", "memory store": "x→", "imaginary unit": "i", "function": "fx",
    "superscript": "X²", "subscript": "X₂", "number format": "0.0", "clear all": "AC", "clear entry": "C",
    "quote": "”", "paragraph mark": "¶", "greater than": ">", "less than": "<", "logical and": "∧", "logical or": "∨",
    "not": "¬", "integral": "∫", "degree": "°", "copyright": "©", "omega": "Ω",
}  # fmt: skip
"""Signs that calculators and word processors draw as icons, by the name the icon gets."""


def render(icons: Iterable[Icon], processes: int = 1) -> Iterable[tuple[Icon, npt.NDArray[np.uint8] | None]]:
    """Each icon with its drawing, shape (64, 64, 4), RGBA; None where nothing usable is drawn."""
    with Pool(processes) as pool:
        yield from pool.imap(_render_one, icons, chunksize=100)


def glyph_icons(fonts: Path) -> Iterable[tuple[Icon, npt.NDArray[np.uint8]]]:
    """Signs drawn in several fonts, as one more training set named "glyphs"."""
    files = [file for name in _FONTS for file in sorted(fonts.rglob(f"{name}.ttf"))[:1]]
    for name, text in GLYPHS.items():
        for file in files:
            font = ImageFont.truetype(str(file), 72)
            left, top, right, bottom = font.getbbox(text)
            picture = Image.new("L", (int(right - left) + 8, int(bottom - top) + 8))
            ImageDraw.Draw(picture).text((4 - left, 4 - top), text, font=font, fill=255)
            alpha = np.asarray(picture)
            rgba = np.zeros((*alpha.shape, 4), np.uint8)
            rgba[..., 3] = alpha
            drawing = _trimmed(rgba)
            if drawing is not None:
                yield Icon("glyphs", name, ""), drawing


def _render_one(icon: Icon) -> tuple[Icon, npt.NDArray[np.uint8] | None]:
    try:
        png = bytes(resvg_py.svg_to_bytes(svg_string=icon.svg, width=_DRAWN, height=_DRAWN))
        rgba = np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))
    except (ValueError, OSError, RuntimeError):
        return icon, None
    return icon, _trimmed(rgba)


def _trimmed(rgba: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8] | None:
    rows, columns = np.nonzero(rgba[..., 3] > 64)
    if len(rows) < 12:
        return None
    content = Image.fromarray(rgba[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1])
    scale = SIDE / max(content.size)
    size = max(1, round(content.width * scale)), max(1, round(content.height * scale))
    square = Image.new("RGBA", (SIDE, SIDE))
    square.paste(content.resize(size, Image.Resampling.BILINEAR), ((SIDE - size[0]) // 2, (SIDE - size[1]) // 2))
    return np.asarray(square)
