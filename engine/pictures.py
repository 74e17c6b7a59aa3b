"""Pictures in and out: files, Pillow images and arrays become a `Frame`; pictures are saved whole or not at all.

Pillow decodes, since it alone tells a truncated file from a whole one; OpenCV reorders the channels, several times
faster than Pillow does (a 4K screenshot: 15 ms against 55 ms).
"""

from __future__ import annotations

import errno
import io
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps, UnidentifiedImageError

from fingerpost.engine.errors import ImageError
from fingerpost.engine.values import Frame, Pixels

MAX_PIXELS = 150_000_000
"""Larger pictures are refused before they are decoded; a 16K desktop has 133 million pixels."""

READABLE = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF", "PPM", "AVIF")
"""Pillow's names of the formats that are read. Not all it knows: EPS, for one, would start another program."""

WRITABLE = {
    ".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP", ".bmp": "BMP", ".tif": "TIFF", ".tiff": "TIFF",
}  # fmt: skip
"""File name extension → Pillow's name of the format it is saved in."""

BACKGROUND = (255, 255, 255)
"""RGB laid under transparent pixels, as picture viewers do."""

WHITE_16, WHITE_32 = (1 << 16) - 1, (1 << 32) - 1

Array: TypeAlias = npt.NDArray[np.uint8]
Picture: TypeAlias = "Frame | str | os.PathLike[str] | bytes | Image.Image | Array"
"""What `as_frame` takes."""


def load(path: str | os.PathLike[str]) -> Frame:
    """The picture in a file, turned upright by its EXIF orientation, transparency laid on white.

    PNG, JPEG, WebP, BMP, GIF, TIFF, PPM and AVIF; of an animation the first picture. 16 and 32 bits a channel become 8.
    Raises `ImageError` when there is no such file, or no whole picture of at most `MAX_PIXELS` in it.
    """
    file = Path(path)
    try:
        _refuse_what_is_no_file(file)
        with file.open("rb") as stream:
            return _decode(stream, _shown(file), title=file.name)
    except FileNotFoundError:
        raise ImageError(f"There is no file {_shown(file)}.", "Check the path.") from None
    except PermissionError:
        raise ImageError(f"You may not read {_shown(file)}.", "Change its permissions, or copy it.") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise ImageError(f"{_shown(file)} cannot be read: {_reason(error)}.", "Check the path and the disk.") from error


def as_frame(picture: Picture) -> Frame:
    """A frame from anything that holds a picture.

    picture  a `Frame` (returned as it is), a path, the bytes of a picture file, a Pillow image, or a uint8 array of
             shape (height, width) grey, (height, width, 3) RGB or (height, width, 4) RGBA: the channel order of
             Pillow, imageio and scikit-image. For OpenCV's BGR pass `array[..., ::-1]`; for BGRA as mss gives it,
             build `Frame(pixels)`, which copies nothing.

    Raises `ImageError` when it is no picture.
    """
    if isinstance(picture, Frame):
        return picture
    if isinstance(picture, (str, os.PathLike)):
        return load(picture)
    if isinstance(picture, bytes):
        return _decode(io.BytesIO(picture), "The picture")
    if isinstance(picture, Image.Image):
        return Frame(_to_pixels(picture, "The picture"))
    if isinstance(picture, np.ndarray):
        return Frame(_array_to_pixels(picture))
    raise ImageError(
        f"A picture cannot be made from {type(picture).__name__}.",
        "Give a path, the bytes of a picture file, a Pillow image or an array.",
    )


def save(picture: Frame | Image.Image | Array, path: str | os.PathLike[str]) -> None:
    """Write a picture in the format its extension names (see `WRITABLE`). A reader never sees half a file.

    An array has shape (height, width, 3), RGB. Raises `ImageError` for an extension nobody knows, a folder that is
    not there or not writable, a full disk, or a size the format cannot hold.
    """
    file = Path(path)
    form = WRITABLE.get(file.suffix.lower())
    if form is None:
        raise ImageError(
            f"Pictures cannot be saved as {file.suffix or 'a file without an extension'}.",
            f"Use one of: {', '.join(WRITABLE)}.",
        )
    image = _to_image(picture)
    try:
        _refuse_what_is_no_file(file)
        with _replacing(file) as stream:
            image.save(stream, form)
    except (OSError, ValueError) as error:  # ValueError: 70,000 pixels wide, as a JPEG
        raise _save_error(file, error) from error


def _refuse_what_is_no_file(file: Path) -> None:
    """Reading a pipe could wait forever, and saving would replace a device by a picture."""
    if file.exists() and not file.is_file():
        kind = "a folder" if file.is_dir() else "not a regular file"
        raise ImageError(f"{_shown(file)} is {kind}.", "Give the path of one picture file.")


def _decode(stream: BinaryIO, shown: str, title: str = "") -> Frame:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on size, where `MAX_PIXELS` decides, and on odd metadata
            with Image.open(stream, formats=READABLE) as image:
                return Frame(_to_pixels(image, shown), title=title)
    except UnidentifiedImageError:
        if not stream.seekable() or stream.seek(0, io.SEEK_END) == 0:
            raise ImageError(f"{shown} is empty.", "Take the screenshot again.") from None
        raise ImageError(f"{shown} is not a picture.", "PNG, JPEG, WebP, BMP, GIF, TIFF and PPM are read.") from None
    except Image.DecompressionBombError:
        raise _too_large(shown) from None
    except (ImageError, MemoryError):
        raise
    except Exception as error:  # Pillow's readers raise whatever the damage runs into, from OSError to SyntaxError
        raise ImageError(
            f"{shown} is damaged or cut off.", "Take the screenshot again, or copy the file again."
        ) from error


def _to_pixels(image: Image.Image, shown: str) -> Pixels:
    if image.width * image.height > MAX_PIXELS:
        raise _too_large(shown)
    if image.width == 0 or image.height == 0:
        raise ImageError(f"{shown} has no pixels.", "Give a picture of at least one pixel.")
    upright = _to_eight_bits(ImageOps.exif_transpose(image))
    if upright.has_transparency_data:
        ground = Image.new("RGBA", upright.size, (*BACKGROUND, 255))
        upright = Image.alpha_composite(ground, upright.convert("RGBA"))
    return _frozen(cv2.cvtColor(np.asarray(upright.convert("RGB")), cv2.COLOR_RGB2BGRA))


def _to_eight_bits(image: Image.Image) -> Image.Image:
    """Grey of 16 or 32 bits or of floating point as grey of 8; Pillow itself would cut what is above 255 to white."""
    if image.mode == "La":  # Pillow's premultiplied grey, which it turns into nothing else
        return image.convert("LA")
    if not image.mode.startswith(("I", "F")):
        return image
    values = np.nan_to_num(np.asarray(image), posinf=np.inf, neginf=0)
    if image.mode == "I":
        values = values.view(np.uint32)  # Pillow has no unsigned mode of 32 bits
    white = WHITE_16 if image.mode.startswith("I;16") else _white(values)
    levels = values * 255.0 if white == 1 else values / ((white + 1) // 256)  # of 16 bits the high byte stays
    return Image.fromarray(np.clip(levels, 0, 255).astype(np.uint8))


def _white(values: npt.NDArray[Any]) -> int:
    """What white is in grey of 32 bits, which no file says: of the usual scales the smallest that holds all values."""
    if values.dtype.kind == "f" and values.max() <= 1:
        return 1
    return next((white for white in (255, WHITE_16) if values.max() <= white), WHITE_32)


def _array_to_pixels(array: npt.NDArray[Any]) -> Pixels:
    channels = {2: 1, 3: array.shape[-1] if array.ndim else 0}.get(array.ndim)
    if array.dtype != np.uint8 or channels not in {1, 3, 4} or array.size == 0:
        raise ImageError(
            f"An array of shape {array.shape} and type {array.dtype} is not a picture.",
            "Give uint8 values of shape (height, width, 3) in the order red, green, blue.",
        )
    if channels == 3:
        return _frozen(cv2.cvtColor(np.ascontiguousarray(array), cv2.COLOR_RGB2BGRA))
    shape = array.shape[:2] if channels == 1 else array.shape
    return _to_pixels(Image.fromarray(np.ascontiguousarray(array.reshape(shape))), "The array")


def _frozen(pixels: npt.NDArray[Any]) -> Pixels:
    pixels = pixels.astype(np.uint8, copy=False)
    pixels.flags.writeable = False
    return pixels


def _to_image(picture: Frame | Image.Image | Array) -> Image.Image:
    if isinstance(picture, Image.Image):
        return picture if picture.mode == "RGB" else picture.convert("RGB")
    if isinstance(picture, Frame):
        return Image.fromarray(cv2.cvtColor(picture.pixels, cv2.COLOR_BGRA2RGB))
    return Image.fromarray(np.ascontiguousarray(picture))


@contextmanager
def _replacing(file: Path) -> Iterator[BinaryIO]:
    """A stream into a temporary file beside `file`, which takes its place once everything is written."""
    target = file.resolve()  # through a link, the file it points to is replaced
    descriptor, name = tempfile.mkstemp(prefix=f".{target.stem[:40]}-", suffix=target.suffix, dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
        temporary.chmod(_mode_for(target))
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _mode_for(target: Path) -> int:
    """The permissions of the file that is replaced, or those a new file gets; mkstemp's own are private."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _save_error(file: Path, error: OSError | ValueError) -> ImageError:
    code = getattr(error, "errno", None)
    folder = _shown(file.parent)
    if code in {errno.ENOENT, errno.ENOTDIR}:
        return ImageError(f"There is no folder {folder}.", "Create it first.")
    if code in {errno.ENOSPC, errno.EDQUOT}:
        return ImageError(f"The disk is full, so {_shown(file)} was not written.", "Free some space.")
    if code in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return ImageError(f"You may not write into {folder}.", "Choose another folder.")
    return ImageError(f"{_shown(file)} cannot be written: {_reason(error)}.", "Choose another name or a PNG file.")


def _too_large(shown: str) -> ImageError:
    return ImageError(
        f"{shown} has more than {MAX_PIXELS // 1_000_000} million pixels.", "Cut out the part you need, or scale it."
    )


def _shown(file: Path) -> str:
    """The path for a message: on one line, and not longer than a reader wants."""
    text = str(file).replace("\n", " ").replace("\0", " ")
    return text if len(text) <= 200 else f"{text[:80]}…{text[-110:]}"


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split()).rstrip(".") or type(error).__name__
