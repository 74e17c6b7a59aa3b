"""Pictures of every kind come in as BGRA and go out whole or not at all; two sentences say what is no picture."""

from __future__ import annotations

import errno
import io
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image

from fingerpost.engine import pictures
from fingerpost.engine.errors import ImageError
from fingerpost.engine.values import Frame

RGB = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
BGR = RGB[..., ::-1]


def encoded(image: Image.Image, form: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, form, **options)
    return stream.getvalue()


def bgr(picture: pictures.Picture) -> list[list[list[int]]]:
    found: list[list[list[int]]] = pictures.as_frame(picture).pixels[..., :3].tolist()
    return found


def refused(picture: pictures.Picture) -> str:
    """The message of the refusal; it and the hint are one sentence each."""
    with pytest.raises(ImageError) as caught:
        pictures.as_frame(picture)
    for sentence in (caught.value.message, caught.value.hint):
        assert sentence.endswith(".")
        assert "\n" not in sentence
    return caught.value.message


# Reading


@pytest.mark.parametrize("form", ["PNG", "BMP", "TIFF", "PPM"])
def test_a_lossless_file_gives_its_very_pixels(form: str, tmp_path: Path) -> None:
    file = tmp_path / "screen"  # no extension: the content decides
    file.write_bytes(encoded(Image.fromarray(RGB), form))
    frame = pictures.load(file)
    assert (frame.width, frame.height, frame.origin, frame.title) == (7, 5, (0, 0), "screen")
    assert frame.pixels[..., :3].tolist() == BGR.tolist()


@pytest.mark.parametrize("form", ["JPEG", "WEBP", "GIF"])
def test_other_formats_are_read_too(form: str) -> None:
    image = Image.new("RGB", (40, 30), (200, 100, 50))
    frame = pictures.as_frame(encoded(image, form))
    assert (frame.width, frame.height) == (40, 30)
    assert np.abs(frame.pixels[..., :3].astype(int) - (50, 100, 200)).max() <= 4


@pytest.mark.parametrize("size", [(1, 1), (20_000, 200), (200, 20_000)])
def test_a_picture_of_any_shape_is_read(size: tuple[int, int]) -> None:
    frame = pictures.as_frame(encoded(Image.new("RGB", size, "red")))
    assert (frame.width, frame.height) == size
    assert frame.pixels[-1, -1, :3].tolist() == [0, 0, 255]


def test_a_palette_and_grey_become_colours() -> None:
    image = Image.new("P", (2, 1), 0)
    image.putpalette([10, 20, 30, 40, 50, 60])
    image.putpixel((1, 0), 1)
    assert bgr(encoded(image)) == [[[30, 20, 10], [60, 50, 40]]]
    assert bgr(encoded(Image.new("L", (1, 1), 77))) == [[[77, 77, 77]]]
    assert bgr(encoded(Image.new("1", (1, 1), 1))) == [[[255, 255, 255]]]


def test_sixteen_bits_keep_their_high_byte() -> None:
    deep = Image.fromarray(np.array([[0, 0x1234, 0x8000, 0xFFFF]], np.uint16))
    assert [blue for blue, _, _ in bgr(encoded(deep))[0]] == [0, 0x12, 0x80, 0xFF]


DEPTHS = {
    "integers up to 255": (np.int32, 255),
    "integers of 16 bits": (np.int32, 0xFFFF),
    "unsigned integers of 32 bits": (np.uint32, 0xFFFFFFFF),
    "floats up to 1": (np.float32, 1),
    "floats up to 255": (np.float32, 255),
    "floats up to 65535": (np.float32, 0xFFFF),
}
"""Numbers that grey pictures of 32 bits a pixel hold, and which of them is white."""


@pytest.mark.parametrize("depth", DEPTHS)
def test_grey_of_thirty_two_bits_is_as_bright_as_it_was(depth: str) -> None:
    kind, white = DEPTHS[depth]
    values = (np.array([[0, 0.25, 0.5, 1]]) * white).astype(kind)
    image = Image.fromarray(values.view(np.int32) if kind is np.uint32 else values)
    for picture in (image, encoded(image, "TIFF")):
        assert [blue for blue, _, _ in bgr(picture)[0]] == pytest.approx([0, 64, 128, 255], abs=1)


def test_floats_that_are_no_numbers_are_black_or_white() -> None:
    image = Image.fromarray(np.array([[np.nan, -1, -np.inf, np.inf, 0.5]], np.float32))
    assert [blue for blue, _, _ in bgr(image)[0]][:4] == [0, 0, 0, 255]


@pytest.mark.parametrize(
    "mode", ["1", "L", "P", "LA", "La", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "HSV"]
)
def test_pictures_of_every_mode_keep_their_black_and_white(mode: str) -> None:
    black_and_white = Image.fromarray(np.array([[0, 255, 0, 255]], np.uint8))
    image = (
        black_and_white.convert("LA").convert(mode) if mode == "La" else black_and_white.convert("RGB").convert(mode)
    )
    assert [blue for blue, _, _ in bgr(image)[0]] == pytest.approx([0, 255, 0, 255], abs=1)


def test_transparent_pixels_are_laid_on_white() -> None:
    image = Image.new("RGBA", (3, 1), (255, 0, 0, 0))
    image.putpixel((1, 0), (255, 0, 0, 255))
    image.putpixel((2, 0), (0, 0, 0, 128))
    clear, opaque, half = bgr(encoded(image))[0]
    assert (clear, opaque) == ([255, 255, 255], [0, 0, 255])
    assert half == [127, 127, 127]


def test_transparency_of_a_palette_is_laid_on_white() -> None:
    image = Image.new("P", (1, 1), 0)
    image.putpalette([10, 20, 30])
    assert bgr(encoded(image, transparency=0)) == [[[255, 255, 255]]]


@pytest.mark.parametrize("mode", ["RGB", "L", "I;16"])
def test_a_photograph_is_turned_upright(mode: str) -> None:
    image = Image.new(mode, (4, 2))
    image.putpixel((0, 0), {"RGB": (255, 255, 255), "L": 255}.get(mode, 0xFFFF))
    turned = image.getexif()
    turned[0x0112] = 6  # the camera was turned by 90 degrees
    frame = pictures.as_frame(encoded(image, exif=turned))
    assert (frame.width, frame.height) == (2, 4)
    assert frame.pixels[0, 1, :3].tolist() == [255, 255, 255]


# Arrays, bytes and images


@given(arrays.arrays(np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9), st.just(3))))
def test_arrays_images_and_bytes_hold_the_same_picture(array: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    image = Image.fromarray(array)
    assert bgr(array) == bgr(image) == bgr(encoded(image)) == array[..., ::-1].tolist()


def test_an_array_may_be_grey_have_alpha_or_run_backwards() -> None:
    assert bgr(np.full((1, 1), 9, np.uint8)) == [[[9, 9, 9]]]
    assert bgr(np.array([[[1, 2, 3, 255], [1, 2, 3, 0]]], np.uint8)) == [[[3, 2, 1], [255, 255, 255]]]
    assert bgr(RGB[::-1, ::2]) == BGR[::-1, ::2].tolist()


def test_a_frame_is_returned_as_it_is() -> None:
    frame = Frame(np.zeros((2, 2, 4), np.uint8), origin=(-5, 3))
    assert pictures.as_frame(frame) is frame


def test_pixels_cannot_be_written_to_and_the_array_given_can_still_be() -> None:
    array = RGB.copy()
    frame = pictures.as_frame(array)
    with pytest.raises(ValueError, match="read-only"):
        frame.pixels[0, 0, 0] = 1
    array[:] = 0
    assert frame.pixels[..., :3].tolist() == BGR.tolist()


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((4, 4, 3), np.float32),
        np.zeros((4, 4, 2), np.uint8),
        np.zeros((0, 4, 3), np.uint8),
        np.zeros((4,), np.uint8),
        np.zeros((), np.uint8),
        np.zeros((2, 4, 4, 3), np.uint8),
    ],
)
def test_an_array_that_is_no_picture_is_refused(array: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    assert "is not a picture" in refused(array)


# What cannot be read


@pytest.mark.parametrize("form", ["PNG", "JPEG", "BMP", "TIFF", "WEBP", "GIF", "PPM"])
@pytest.mark.parametrize("kept", [0.98, 0.5, 0.1])
def test_a_cut_off_file_is_refused(form: str, kept: float) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (60, 80, 3), np.uint8)
    whole = encoded(Image.fromarray(noise), form)
    message = refused(whole[: int(len(whole) * kept)])
    assert message.startswith("The picture is ")


NOISE = Image.fromarray(np.random.default_rng(2).integers(0, 256, (30, 30, 3), np.uint8))
WHOLE = {form: encoded(NOISE, form) for form in pictures.READABLE}


@given(st.sampled_from(pictures.READABLE), st.floats(0, 1), st.binary(min_size=1, max_size=40))
def test_a_damaged_file_is_read_or_refused_and_nothing_else(form: str, place: float, garbage: bytes) -> None:
    whole = bytearray(WHOLE[form])
    start = int(place**3 * len(whole))  # most often in the headers, at the front
    whole[start : start + len(garbage)] = garbage
    try:
        pixels = pictures.as_frame(bytes(whole)).pixels
    except ImageError:
        return
    assert pixels.shape[2] == 4
    assert pixels.size


def test_what_is_no_picture_is_said_to_be_none(tmp_path: Path) -> None:
    assert refused(b"%PDF-1.7 not a picture at all") == "The picture is not a picture."
    assert refused(b"") == "The picture is empty."
    assert refused(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n") == "The picture is not a picture."
    empty = tmp_path / "empty.png"
    empty.touch()
    assert refused(empty).endswith("empty.png is empty.")


def test_a_folder_a_missing_file_and_odd_paths_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path).endswith("is a folder.")
    assert refused(tmp_path / "no.png").startswith("There is no file")
    assert refused(tmp_path / "no" / "such" / "folder.png").startswith("There is no file")
    assert refused("").endswith("is a folder.")
    refused("nul\0in the path.png")
    assert len(refused("long" * 2000 + ".png")) < 400


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.png"
    os.mkfifo(pipe)
    assert refused(pipe).endswith("is not a regular file.")


def test_an_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret.png"
    file.write_bytes(encoded(Image.fromarray(RGB)))

    def denied(*_: object) -> None:  # root may read everything, so permissions alone prove nothing
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    assert refused(file).startswith("You may not read")


def test_a_picture_too_large_is_refused_before_it_is_decoded() -> None:
    small = bytearray(encoded(Image.new("1", (8, 8))))
    for width in (20_000, 100_000):  # above our limit, and above Pillow's own
        header = b"IHDR" + width.to_bytes(4, "big") + (10_000).to_bytes(4, "big") + bytes(small[24:29])
        small[12:29] = header
        small[29:33] = zlib.crc32(header).to_bytes(4, "big")
        assert refused(bytes(small)) == "The picture has more than 150 million pixels."


def test_what_holds_no_picture_is_named() -> None:
    number: Any = 42
    assert refused(number) == "A picture cannot be made from int."


# Saving


@pytest.mark.parametrize("extension", sorted(pictures.WRITABLE))
def test_every_format_that_can_be_saved_can_be_read_again(extension: str, tmp_path: Path) -> None:
    file = tmp_path / f"picture{extension.upper()}"
    pictures.save(Image.new("RGB", (16, 8), (200, 100, 50)), file)
    frame = pictures.load(file)
    assert (frame.width, frame.height) == (16, 8)
    assert np.abs(frame.pixels[..., :3].astype(int) - (50, 100, 200)).max() <= 4


def test_a_frame_an_image_and_an_array_are_saved_the_same(tmp_path: Path) -> None:
    for picture in (pictures.as_frame(RGB), Image.fromarray(RGB), RGB):
        pictures.save(picture, tmp_path / "same.png")
        assert bgr(tmp_path / "same.png") == BGR.tolist()


def test_an_extension_nobody_knows_is_refused_and_nothing_written(tmp_path: Path) -> None:
    for name in ("picture.xyz", "picture"):
        with pytest.raises(ImageError, match=r"Use one of: \.png"):
            pictures.save(RGB, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_old_picture_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept.png"
    pictures.save(RGB, file)
    before = file.read_bytes()

    def full(self: Image.Image, stream: io.BufferedWriter, form: str) -> None:
        stream.write(b"half a picture")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Image.Image, "save", full)
    with pytest.raises(ImageError, match="disk is full"):
        pictures.save(np.zeros((9, 9, 3), np.uint8), file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_pipe_or_a_device_is_not_replaced_by_a_picture(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link.png"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    with pytest.raises(ImageError, match="not a regular file"):
        pictures.save(RGB, link)
    assert pipe.is_fifo()


def test_a_failed_save_says_why(tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(ImageError, match=r"There is no folder .*missing"):
        pictures.save(RGB, tmp_path / "missing" / "a.png")
    with pytest.raises(ImageError, match="is a folder"):
        pictures.save(RGB, tmp_path / "folder.png")
    with pytest.raises(ImageError, match="cannot be written"):
        pictures.save(np.zeros((1, 70_000, 3), np.uint8), tmp_path / "wide.jpg")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.png"]


def test_a_saved_picture_has_the_permissions_of_any_new_file_or_of_the_one_before(tmp_path: Path) -> None:
    plain, kept = tmp_path / "plain", tmp_path / "kept.png"
    plain.touch()
    pictures.save(RGB, kept)
    assert kept.stat().st_mode == plain.stat().st_mode
    kept.chmod(0o640)
    pictures.save(RGB, kept)
    assert kept.stat().st_mode & 0o777 == 0o640


def test_through_a_link_the_file_it_points_to_is_replaced(tmp_path: Path) -> None:
    target, link = tmp_path / "target.png", tmp_path / "link.png"
    link.symlink_to(target)
    pictures.save(RGB, link)
    assert link.is_symlink()
    assert bgr(target) == BGR.tolist()
