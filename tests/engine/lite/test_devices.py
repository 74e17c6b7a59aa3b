"""A graphics card is used only when it really works; otherwise the processor, and one sentence says so.

No card is needed: a session on the processor stands for one on the card, and fails where the test says.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import onnxruntime
import pytest

from fingerpost.engine.errors import ModelError, UsageError
from fingerpost.engine.finder import Finder
from fingerpost.engine.lite.devices import CPU, CUDA, DeviceWarning, on_device
from fingerpost.engine.lite.network import Network, trial_shape
from fingerpost.models import files

MODEL = "ocr/rec.onnx"
RealSession = onnxruntime.InferenceSession


class CardSession:
    """A session that says it runs on the card. `failing_runs` are the numbers of the calls that fail, from 1."""

    refuses = False
    drops_provider = False
    failing_runs: tuple[int, ...] = ()

    def __init__(self, content: bytes, options: Any, providers: list[Any]) -> None:
        self._on_card = providers != [CPU]
        if self._on_card and self.refuses:
            raise RuntimeError("CUDA failure 35: driver too old.\nmore of it")
        self._real = RealSession(content, options, [CPU])
        self._runs = 0

    def get_providers(self) -> list[str]:
        return [CUDA, CPU] if self._on_card and not self.drops_provider else [CPU]

    def get_inputs(self) -> Any:
        return self._real.get_inputs()

    def disable_fallback(self) -> None:
        pass

    def run(self, outputs: None, inputs: dict[str, Any]) -> Any:
        self._runs += 1
        if self._on_card and self._runs in self.failing_runs:
            raise RuntimeError("out of memory")
        return self._real.run(outputs, inputs)


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> type[CardSession]:
    """A machine on which ONNX Runtime is built with CUDA; a test may make the session fail."""
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: [CUDA, CPU])
    monkeypatch.setattr(onnxruntime, "InferenceSession", CardSession)
    for name in ("refuses", "drops_provider", "failing_runs"):
        monkeypatch.setattr(CardSession, name, getattr(CardSession, name))
    return CardSession


def picture() -> np.ndarray[Any, Any]:
    return np.random.default_rng(1).random((2, 3, 48, 64), np.float32)


def on_cpu() -> Any:
    return Network(MODEL)(picture())


def test_auto_is_the_processor_also_where_a_card_works(card: type[CardSession]) -> None:
    with on_device("auto"):
        assert Network(MODEL).device == "cpu"
    assert card.failing_runs == ()


@pytest.mark.usefixtures("card")
def test_a_card_that_works_is_used_without_a_word() -> None:
    with warnings.catch_warnings(), on_device("cuda"):
        warnings.simplefilter("error")
        network = Network(MODEL)
    assert network.device == "cuda"
    assert np.array_equal(network(picture()), on_cpu())


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        ({"refuses": True}, "CUDA failure 35: driver too old"),
        ({"drops_provider": True}, "CUDA, cuDNN or a fitting driver is missing"),
        ({"failing_runs": (1,)}, "out of memory"),
    ],
)
def test_a_card_that_is_listed_but_does_not_work_is_found_out_at_once(
    card: type[CardSession], trouble: dict[str, Any], why: str
) -> None:
    for name, value in trouble.items():
        setattr(card, name, value)
    with on_device("cuda"), pytest.warns(DeviceWarning) as said:
        network, second = [Network(name) for name in (MODEL, "icons/encoder.onnx")]
    assert [str(one.message) for one in said] == [f"The graphics card is not used, the processor is: {why}."]
    assert (network.device, second.device) == ("cpu", "cpu")
    assert np.array_equal(network(picture()), on_cpu())


def test_a_card_that_fails_later_is_replaced_and_the_call_is_answered(card: type[CardSession]) -> None:
    card.failing_runs = (3,)
    with on_device("cuda"):
        network = Network(MODEL)
    network(picture())
    with pytest.warns(DeviceWarning, match="out of memory"):
        answer = network(picture())
    assert network.device == "cpu"
    assert np.array_equal(answer, on_cpu())


def test_a_runtime_without_cuda_is_named_and_the_finder_works(screenshot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: [CPU])
    with pytest.warns(DeviceWarning, match="built without CUDA") as said:
        finder = Finder(device="cuda")
    assert len(said) == 1
    assert finder.find(screenshot, "Wrap around").found


def test_an_error_on_the_processor_is_no_reason_to_try_again() -> None:
    with pytest.raises(Exception, match="rank"):
        Network(MODEL)(np.zeros((1, 3), np.float32))
    with on_device("cuda"), pytest.raises(ModelError):
        Network("no/such.onnx")


def test_an_unknown_device_is_wrong_use() -> None:
    with pytest.raises(UsageError, match="quantum"), on_device("quantum"):
        pass


def test_a_device_holds_only_inside_its_block(card: type[CardSession]) -> None:
    with on_device("cuda"):
        pass
    assert Network(MODEL).device == "cpu"
    assert not card.refuses


@pytest.mark.parametrize(
    ("declared", "tried"),
    [(["N", 3, "H", "W"], (1, 3, 64, 64)), ([None, 3, 48, None], (1, 3, 48, 64)), ([8, 3, 32, 32], (8, 3, 32, 32))],
)
def test_a_trial_fits_what_the_network_takes(declared: list[Any], tried: tuple[int, ...]) -> None:
    assert trial_shape(declared) == tried


@pytest.mark.parametrize("name", ["ocr/det.onnx", "ocr/rec.onnx", "icons/encoder.onnx"])
def test_every_network_runs_on_its_trial_picture(name: str) -> None:
    session = RealSession(files.read(name), providers=[CPU])
    shape = trial_shape(session.get_inputs()[0].shape)
    assert np.isfinite(Network(name)(np.zeros(shape, np.float32))).all()
