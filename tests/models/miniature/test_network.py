"""The network that is trained computes what llama.cpp computes: embeddings and logits, of random weights in 32 bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.engine.holotron.segments import Text
from fingerpost.engine.values import FrameSize
from fingerpost.models.miniature import prompts
from fingerpost.models.miniature.shapes import VISION

TRAINING = "fingerpost.models.miniature.training"
torch, networks, learning, exporting = (
    pytest.importorskip(name, reason="PyTorch is not installed, which only training needs: fingerpost[training]")
    for name in ("torch", f"{TRAINING}.network", f"{TRAINING}.learning", f"{TRAINING}.export")
)

Floats = npt.NDArray[np.float32]
CLOSE = 1e-3
LONG = 3 * networks.CHUNK + 11
"""Tokens of a text that the network takes in several chunks."""


@pytest.fixture(scope="module")
def network() -> Any:
    """Of random weights; also those that begin as ones or zeros."""
    torch.manual_seed(3)
    made = learning.new_network()
    with torch.no_grad():
        for values in made.parameters():
            if values.ndim <= 2 and values.std() < 1e-6:
                values.add_(0.2 * torch.randn_like(values))
    return made.eval()


@pytest.fixture(scope="module")
def runtime(network: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """The same weights in llama.cpp."""
    folder = tmp_path_factory.mktemp("miniature")
    torch.save(
        {"average": {f"module.{name}": values for name, values in network.state_dict().items()}}, folder / "s.pt"
    )
    language, _ = exporting.export(folder / "s.pt", folder, "F32")
    loaded = Runtime(Options(language, gpu_layers=0, n_ctx=1024))
    yield loaded
    loaded.close()


@pytest.fixture
def tiles() -> npt.NDArray[np.uint8]:
    return np.random.default_rng(4).integers(0, 256, (3, VISION.tile, VISION.tile, 3), np.uint8)


def some_tokens(count: int, seed: int = 5) -> list[int]:
    return list(map(int, np.random.default_rng(seed).integers(0, 500, count)))


def apart(one: Floats, other: Floats) -> float:
    """How far apart, as a share of the length of `other`."""
    return float(np.linalg.norm(one - other) / np.linalg.norm(other))


def embedded(network: Any, tokens: list[int]) -> Any:
    return network.language.token_embd(torch.tensor([tokens]))


def logits(network: Any, hidden: Any, past: Any = None) -> tuple[Floats, Any]:
    """Of the last token, and the state behind it."""
    with torch.no_grad():
        out, after = network.language(hidden, past or network.language.start(1))
        return network.language.logits(out[:, -1])[0].numpy(), after


def test_a_tile_has_the_same_embeddings(network: Any, runtime: Runtime, tiles: npt.NDArray[np.uint8]) -> None:
    with torch.no_grad():
        ours = network.vision(learning.normalised(torch.from_numpy(tiles))).numpy()
    for tile, embeddings in zip(tiles, ours, strict=True):
        assert apart(runtime.vision.encode(tile), embeddings) < CLOSE


@pytest.mark.parametrize("count", [1, 3, networks.CHUNK - 1, networks.CHUNK, networks.CHUNK + 1, LONG])
def test_a_text_has_the_same_logits(network: Any, runtime: Runtime, count: int) -> None:
    tokens = some_tokens(count)
    ours, _ = logits(network, embedded(network, tokens))
    assert apart(runtime.cache.evaluate((Text(tuple(tokens)),)), ours) < CLOSE


def test_a_screen_and_a_question_have_the_same_logits(
    network: Any, runtime: Runtime, tiles: npt.NDArray[np.uint8]
) -> None:
    words = "the second charcoal circle from the left"
    with torch.no_grad():
        seen = network.vision(learning.normalised(torch.from_numpy(tiles))).reshape(
            1, -1, embedded(network, [0]).shape[-1]
        )
    head, behind = (embedded(network, prompts.ids(text)) for text in (prompts.HEAD, prompts.BEHIND))
    ours, _ = logits(network, torch.cat((head, seen, behind, embedded(network, prompts.question(words))), 1))
    screen = runtime.prompt.screen(runtime.tiles.start_screen(tuple(tiles)), FrameSize(2 * VISION.tile, VISION.tile))
    assert apart(runtime.cache.evaluate((*screen, runtime.prompt.target(words))), ours) < CLOSE


@pytest.mark.parametrize("first", [1, networks.CHUNK, 100])
def test_texts_that_go_on_from_one_state_have_the_same_logits(network: Any, runtime: Runtime, first: int) -> None:
    begun = some_tokens(first)
    _, past = logits(network, embedded(network, begun))
    branches = [some_tokens(count, seed) for seed, count in enumerate((2, 70), 10)]
    for branch in branches:
        ours, _ = logits(network, embedded(network, branch), past)
        theirs = runtime.cache.evaluate((Text(tuple(begun)), Text(tuple(branch))), keep=(1,), pin=1)
        assert apart(theirs, ours) < CLOSE
    assert runtime.cache.statistics.forks


def test_the_state_of_several_rows_at_once_is_that_of_each(network: Any) -> None:
    begun = torch.tensor([some_tokens(80, 1), some_tokens(80, 2)])
    asked = torch.tensor([some_tokens(9, seed) for seed in range(6)])
    with torch.no_grad():
        _, past = network.language(network.language.token_embd(begun), network.language.start(2))
        together, _ = network.language(network.language.token_embd(asked), networks.forked(past, 3))
        for row in range(6):
            whole = torch.cat((begun[row // 3], asked[row]))[None]
            alone, _ = network.language(network.language.token_embd(whole), network.language.start(1))
            assert apart(together[row].numpy(), alone[0, 80:].numpy()) < CLOSE
