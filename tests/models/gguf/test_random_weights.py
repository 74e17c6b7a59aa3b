"""Weights stored in few bits: valid, of the right size and spread, and a file that says what it is."""

from __future__ import annotations

import errno
import math
from pathlib import Path

import gguf
import numpy as np
import pytest
from click.testing import CliRunner
from gguf import GGMLQuantizationType as Kind

from fingerpost.models.gguf.__main__ import main
from fingerpost.models.gguf.blocks import AT_ONCE, random_blocks
from fingerpost.models.gguf.language import HOLOTRON_12B, Mixer, Shape, q4_k_m, write_nemotron_h
from fingerpost.models.gguf.tensors import RandomTensors

SMALL = Shape(256, "M-*-", 4, 2, 64, 512, Mixer(16, 512, 64, 2), tokens=512)


@pytest.mark.parametrize("kind", [Kind.Q4_K, Kind.Q6_K, Kind.BF16])
def test_random_blocks_are_finite_and_spread_as_asked(kind: Kind) -> None:
    blocks = np.concatenate(list(random_blocks(kind, 3000, 0.02, np.random.default_rng(1))))
    values = gguf.quants.dequantize(blocks, kind)
    assert np.isfinite(values).all()
    assert values.std() == pytest.approx(0.02, rel=0.3)
    assert abs(values.mean()) < 0.01


def test_a_tensor_larger_than_what_is_drawn_has_its_full_size() -> None:
    count = 2 * AT_ONCE + 5
    pieces = list(random_blocks(Kind.BF16, count, 1.0, np.random.default_rng(1)))
    assert sum(len(piece) for piece in pieces) == 2 * count


def test_a_file_in_few_bits_reads_back_with_its_shapes(tmp_path: Path) -> None:
    reader = gguf.GGUFReader(write_nemotron_h(tmp_path / "m.gguf", SMALL, kind_of=q4_k_m))
    tensors = {tensor.name: tensor for tensor in reader.tensors}
    assert tensors["output.weight"].tensor_type == Kind.Q6_K
    assert tensors["blk.0.ssm_in.weight"].tensor_type == Kind.Q4_K
    assert tensors["blk.0.ssm_conv1d.weight"].tensor_type == Kind.F32
    assert list(tensors["output.weight"].shape) == [256, 512]
    assert not (tmp_path / "m.gguf.part").exists()


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    one, same, other = (
        write_nemotron_h(tmp_path / f"{name}.gguf", SMALL, seed, q4_k_m).read_bytes()
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert one == same != other


def test_the_full_shape_has_the_layers_and_about_the_size_of_the_12b(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    planned: list[tuple[int, int]] = []

    def finish(tensors: RandomTensors, path: Path) -> Path:
        for infos in tensors._writer.tensors:
            planned.extend((math.prod(info.shape), info.nbytes) for info in infos.values())
        return path

    monkeypatch.setattr(RandomTensors, "finish", finish)
    write_nemotron_h(tmp_path / "full.gguf", HOLOTRON_12B, kind_of=q4_k_m)
    assert [HOLOTRON_12B.pattern.count(kind) for kind in "M*-"] == [28, 6, 28]
    assert sum(count for count, _ in planned) == pytest.approx(12.31e9, rel=0.005)
    assert sum(size for _, size in planned) == pytest.approx(7_501_771_584, rel=0.01)


def test_the_command_writes_both_files(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [str(tmp_path / "out"), "--shape", "tiny"])
    assert result.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "holotron-tiny-mmproj.gguf",
        "holotron-tiny.gguf",
    ]
    assert all(f"{path.stat().st_size:,}" in result.output for path in (tmp_path / "out").iterdir())


def test_a_folder_that_cannot_hold_them_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = CliRunner().invoke(main, [str(tmp_path / "file" / "out")])
    assert isinstance(result.exception, SystemExit)
    assert "cannot be written" in result.output


def test_a_full_disk_leaves_no_half_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(tensors: RandomTensors, path: Path) -> None:
        path.write_bytes(b"GGUF")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(RandomTensors, "_write", full)
    result = CliRunner().invoke(main, [str(tmp_path)])
    assert "No space left" in result.output
    assert not list(tmp_path.iterdir())
