"""`fingerpost bench gpu`: what stands beside it, and the measurement itself with the processor as the card."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from gguf import GGUFReader, GGUFWriter

from fingerpost.app.bench import gpu
from fingerpost.app.bench.card import BANDWIDTHS, Card, parse_card, read_card
from fingerpost.app.bench.floor import Weights
from fingerpost.app.bench.synthetic import draw_screen
from fingerpost.app.cli import cli
from fingerpost.engine.holotron.placement import Placement
from fingerpost.models.gguf.language import write_nemotron_h, write_nemotron_h_moe, write_qwen3vl
from fingerpost.models.gguf.qwen_vision import write_qwen3vl_merger
from fingerpost.models.gguf.vision import VisionShape, write_nemotron_v2_vl


@pytest.mark.parametrize(
    ("told", "gigabytes"),
    [
        ("NVIDIA L4, 4, 16", 300),
        ("NVIDIA L40S, 4, 16", 864),
        ("NVIDIA A100-SXM4-40GB, 4, 16", 1555),
        ("NVIDIA GeForce RTX 4070 Ti SUPER, 4, 16", 672),
        ("NVIDIA H200, 5, 16", 4800),
    ],
)
def test_a_card_has_the_speed_of_its_whole_name(told: str, gigabytes: int) -> None:
    assert parse_card(f"{told}\n").bandwidth == gigabytes * 1e9


@pytest.mark.parametrize("name", BANDWIDTHS)
def test_a_card_whose_name_only_begins_or_ends_with_a_known_one_has_no_known_speed(name: str) -> None:
    for other in (f"NVIDIA {name} Laptop GPU", f"NVIDIA {name}X", f"NVIDIA Quadro {name}", f"NVIDIA {name[:-1]}"):
        if other.removeprefix("NVIDIA ") not in BANDWIDTHS:
            assert parse_card(f"{other}, 4, 16") == Card(other)


def test_the_link_has_the_speed_of_its_lanes() -> None:
    assert parse_card("NVIDIA GeForce RTX 4090, 4, 16").link == pytest.approx(31.5e9, rel=1e-3)
    assert parse_card("NVIDIA GeForce RTX 4090, 4, 8").link == pytest.approx(15.75e9, rel=1e-3)
    assert parse_card("NVIDIA GeForce RTX 4090, [N/A], [N/A]").link == 0
    assert parse_card("NVIDIA GeForce RTX 4090").link == 0


def test_two_cards_of_one_kind_are_as_fast_as_one_and_of_different_cards_nothing_is_known() -> None:
    one = "NVIDIA L4, 4, 16\n"
    assert parse_card(one + one) == parse_card(one)
    assert parse_card(one + "NVIDIA H200, 5, 16\n") == Card("NVIDIA L4 and NVIDIA H200")
    assert parse_card("") == Card()


def test_without_nvidias_program_the_card_has_no_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert read_card() == Card()


def test_what_the_driver_tells_is_read_and_a_driver_that_fails_is_no_card(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "nvidia-smi"
    monkeypatch.setenv("PATH", str(tmp_path))
    program.write_text("#!/bin/sh\necho NVIDIA L40S, 4, 16\n")
    program.chmod(0o755)
    assert read_card() == parse_card("NVIDIA L40S, 4, 16")
    program.write_text("#!/bin/sh\nexit 9\n")
    assert read_card() == Card()


def tensors(path: Path) -> dict[str, int]:
    return {tensor.name: int(tensor.n_bytes) for tensor in GGUFReader(path).tensors}


def test_a_token_reads_all_weights_but_the_table_of_tokens_and_only_the_experts_it_asks(tmp_path: Path) -> None:
    path = write_nemotron_h_moe(tmp_path / "m.gguf")
    sizes = tensors(path)
    experts = sum(size for name, size in sizes.items() if "_exps." in name)
    weights = Weights.of(path)
    assert weights.all == sum(sizes.values())
    assert experts > 0
    assert weights.of_a_token(()) == weights.all - experts / 2  # two of four
    assert weights.of_a_token({"token_embd.weight"}) == weights.of_a_token(()) - sizes["token_embd.weight"]


@pytest.mark.parametrize("counts", [{}, {"expert_count": 0}, {"expert_count": 0, "expert_used_count": 0}])
def test_of_a_model_without_experts_all_is_asked_however_it_says_so(tmp_path: Path, counts: dict[str, int]) -> None:
    writer = GGUFWriter(tmp_path / "m.gguf", "nemotron_h")
    for name, count in counts.items():
        writer.add_uint32(f"nemotron_h.{name}", count)
    writer.add_tensor("blk.0.ffn_up.weight", np.zeros((2, 4), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    weights = Weights.of(tmp_path / "m.gguf")
    assert weights.of_a_token(()) == weights.all == 32


CARD = Card("A card", bandwidth=1e9, link=1e8)


@pytest.fixture
def on_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processor is told to be a card; little is asked of it."""
    monkeypatch.setattr(gpu, "has_gpu", lambda: True)
    monkeypatch.setattr(gpu, "read_card", lambda: CARD)
    monkeypatch.setattr(Placement, "layers_on_gpu", Placement.all_layers)
    monkeypatch.setattr(gpu, "draw_screen", lambda: draw_screen(640, 360, 2))
    for name, count in {"TILES": 2, "DECODED": 4, "ROUNDS": 1}.items():
        monkeypatch.setattr(gpu, name, count)


def holotron(folder: Path) -> Path:
    write_nemotron_v2_vl(folder / "mmproj.gguf", VisionShape(32, 1, 2, 64, tile=128))
    return write_nemotron_h(folder / "holotron.gguf")


def holo2(folder: Path) -> Path:
    write_qwen3vl_merger(folder / "mmproj.gguf")
    return write_qwen3vl(folder / "holo2.gguf")


@pytest.mark.usefixtures("on_a_card")
def test_each_measured_speed_stands_beside_what_the_bytes_allow(tmp_path: Path) -> None:
    model = holotron(tmp_path)
    result = CliRunner().invoke(cli, ["bench", "gpu", "--model", str(model), "--json"])
    assert result.exit_code == 0, result.output
    values = json.loads(result.output)
    floor, sizes = values["floor"], tensors(model)
    assert floor.keys() == values["measured"].keys()
    assert all(value > 0 for name, value in values["measured"].items() if name != "fork_ms")
    weights, vision = sum(sizes.values()) - sizes["token_embd.weight"], sum(tensors(tmp_path / "mmproj.gguf").values())
    state = values["state_mib"] * 2**20
    assert floor["load_s"] == pytest.approx((weights + vision) / CARD.link)
    assert floor["tile_encode_ms"] == pytest.approx(1000 * vision / CARD.bandwidth)
    assert floor["prefill_tokens_per_s"] == pytest.approx(16 * CARD.bandwidth / (weights - sizes["output.weight"]))
    assert floor["decode_tokens_per_s"] == pytest.approx(CARD.bandwidth / weights)
    assert floor["save_ms"] == floor["restore_ms"] == pytest.approx(1000 * state / CARD.link)
    assert 0 < floor["fork_ms"] < 1000 * state / CARD.bandwidth


@pytest.mark.usefixtures("on_a_card")
def test_a_model_of_one_large_picture_is_measured_with_as_many_as_there_is_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu, "N_CTX", 2048)  # a picture of this model takes 1,024
    result = CliRunner().invoke(cli, ["bench", "gpu", "--model", str(holo2(tmp_path))])
    assert result.exit_code == 0, result.exception
    assert "the bytes allow" in result.output


@pytest.mark.usefixtures("on_a_card")
def test_nothing_stands_beside_a_card_of_unknown_speed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "read_card", lambda: Card("A new card"))
    result = CliRunner().invoke(cli, ["bench", "gpu", "--model", str(holotron(tmp_path))])
    assert "A new card" in result.output
    assert "on one card of a known speed" in result.output
