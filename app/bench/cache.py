"""Measures what the state cache saves: the same question cold, on a screen that was seen, and after looking ahead."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import median

import numpy as np

from fingerpost.app.bench.synthetic import Screen, change, draw_screen
from fingerpost.engine.holotron.answers import Asked, answers, free_text
from fingerpost.engine.holotron.engine import HolotronEngine
from fingerpost.engine.holotron.prompt import form_of
from fingerpost.engine.holotron.runtime import Options, Runtime
from fingerpost.engine.holotron.stock import StockModel
from fingerpost.engine.values import Box, Query

ANSWER_TOKENS = 16
"""About as many as an answer has."""
N_CTX = 4096


@dataclass(frozen=True)
class CacheResult:
    """Medians, in milliseconds from the question to its answer.

    cold_ms                     a screen never seen: encode, evaluate, answer
    second_question_ms          another question about it
    after_typing_ms             the first question about a screen that was looked at while the user typed
    stock_second_question_ms    another question through llama-cpp-python's own chat handler
    max_logit_difference        between a question on kept state and the same one cold
    tokens_evaluated            by the second question, without its answer
    answer_tokens               of its answer
    nearer_tokens               of the second, nearer look behind it, where the model takes one
    screen_tokens               that a cold question evaluates, with its answer
    tiles_encoded_after_one_change  of a screen of `tiles` tiles, when one of them changed
    tokens_after_one_change     from that tile on, without question and answer
    """

    cold_ms: float
    second_question_ms: float
    after_typing_ms: float
    stock_second_question_ms: float
    max_logit_difference: float
    tokens_evaluated: int
    answer_tokens: int
    nearer_tokens: int
    screen_tokens: int
    tiles: int
    tiles_encoded_after_one_change: int
    tokens_after_one_change: int
    placement: str

    @property
    def ratio(self) -> float:
        """How many times faster the second question is."""
        return self.cold_ms / self.second_question_ms


def measure(
    model: Path, rounds: int = 3, threads: int = 1, flash_attention: bool = False, kv_type: str = "f16"
) -> CacheResult:
    """Run everything on one model and one synthetic screen of 1920 × 1080; see `llama.ContextOptions`."""
    runtime = Runtime(Options(model, n_ctx=N_CTX, threads=threads, flash_attention=flash_attention, kv_type=kv_type))
    try:
        return _Measurement(runtime, draw_screen()).result(rounds)
    finally:
        runtime.close()


class _Measurement:
    def __init__(self, runtime: Runtime, screen: Screen) -> None:
        self._runtime = runtime
        self._frame = screen.frame
        self._questions = [Query(goal.words) for goal in screen.goals]

    def result(self, rounds: int) -> CacheResult:
        cold = [self._timed(self._ask_cold) for _ in range(rounds)]
        second = self._second_question(rounds)
        tokens, answer, nearer = self._second_question_tokens()
        typed = [self._timed_after_typing(query) for query in islice(cycle(self._questions), rounds)]
        encoded, evaluated, tiles = self._one_change()
        return CacheResult(
            cold_ms=median(cold),
            second_question_ms=second,
            after_typing_ms=median(typed),
            stock_second_question_ms=self._stock(rounds),
            max_logit_difference=self._difference(),
            tokens_evaluated=tokens,
            answer_tokens=answer,
            nearer_tokens=nearer,
            screen_tokens=self._screen_tokens,
            tiles=tiles,
            tiles_encoded_after_one_change=encoded,
            tokens_after_one_change=evaluated,
            placement=str(self._runtime.placement),
        )

    def _engine(self) -> HolotronEngine:
        """An engine that gives one answer: a random model is unsure of all, a trained one is not."""
        return HolotronEngine(self._runtime, least_sure=0.0, most=1)

    def _forget(self) -> None:
        self._runtime.cache.clear()
        self._runtime.tiles.clear()

    def _ask_cold(self) -> None:
        self._forget()
        self._screen_tokens = self._evaluated(lambda: self._engine().find(self._frame, self._questions[0]))

    def _second_question(self, rounds: int) -> float:
        """Each is another one than the one before: the last one's own state is no help to it."""
        self._forget()
        engine = self._engine()
        engine.find(self._frame, self._questions[0])
        others = islice(cycle(self._questions[1:]), 3 * rounds)
        return median([self._timed(partial(engine.find, self._frame, query)) for query in others])

    def _second_question_tokens(self) -> tuple[int, int, int]:
        """What a second question evaluates: the question, its answer, and the nearer look with an answer of its own."""
        self._forget()
        engine, cache = self._engine(), self._runtime.cache
        first, *_, query = self._questions
        asked = Asked(engine.path(self._frame, query))
        actions: tuple[Callable[[], object], ...] = (
            lambda: cache.evaluate(asked.path), lambda: self._answer(asked), lambda: engine.find(self._frame, query),
        )  # fmt: skip
        counts = []
        for action in actions:
            engine.find(self._frame, first)
            counts.append(self._evaluated(action))
        question, answered, everything = counts
        return question, answered - question, everything - answered

    def _answer(self, asked: Asked) -> object:
        """What the model says of the whole screen."""
        runtime = self._runtime
        asking, model = runtime.profile.localization, runtime.model
        if not asking.grammar:
            return free_text(runtime.cache, asked, asking.answer, model.piece, model.ends)
        form = form_of(asking, runtime.viewer.sent(self._frame.size))
        return answers(runtime.cache, asked, form, runtime.vocabulary, most=1)

    def _timed_after_typing(self, query: Query) -> float:
        self._forget()
        engine = self._engine()
        engine.prefill(self._frame)
        return self._timed(lambda: engine.find(self._frame, query))

    def _one_change(self) -> tuple[int, int, int]:
        """Tiles encoded, tokens evaluated, and all tiles, when one tile in the middle changed."""
        self._forget()
        engine, runtime = self._engine(), self._runtime
        engine.prefill(self._frame)
        encoded, width, height = runtime.vision.encoded, self._frame.width, self._frame.height
        changed = change(self._frame, Box(round(width * 0.6), round(height * 0.7), 8, 8))
        evaluated = self._evaluated(lambda: engine.prefill(changed))
        last = runtime.prompt.screen((), self._frame.size)[-1].length
        return runtime.vision.encoded - encoded, evaluated - last, engine.tiles(self._frame)

    def _difference(self) -> float:
        """The largest difference of any logit between kept and cold state, over some questions."""
        engine, cache = self._engine(), self._runtime.cache
        worst = 0.0
        for query in self._questions[:3]:
            engine.find(self._frame, self._questions[-1])
            path = engine.path(self._frame, query)
            kept = cache.evaluate(path)
            cache.clear()
            worst = max(worst, float(np.abs(kept - cache.evaluate(path)).max()))
        return worst

    def _stock(self, rounds: int) -> float:
        options = self._runtime.options
        vision = self._runtime.vision.path
        stock = StockModel(options.model, vision, N_CTX, options.threads, self._runtime.placement.layers_on_gpu > 0)
        stock.ask(self._frame, self._questions[0].text, ANSWER_TOKENS)
        text = self._runtime.profile.localization.question
        times = [
            self._timed(lambda: stock.ask(self._frame, text + self._questions[1].text, ANSWER_TOKENS))
            for _ in range(rounds)
        ]
        stock.close()
        return median(times)

    def _evaluated(self, action: Callable[[], object]) -> int:
        """Tokens, those of tiles included, that the language model evaluates for it."""
        statistics = self._runtime.cache.statistics
        before = statistics.tokens_evaluated
        action()
        return statistics.tokens_evaluated - before

    @staticmethod
    def _timed(action: Callable[[], object]) -> float:
        start = time.perf_counter()
        action()
        return (time.perf_counter() - start) * 1000


def in_words(result: CacheResult) -> str:
    """All of it, for people."""
    nearer = f", {result.nearer_tokens:,} for a nearer look" if result.nearer_tokens else ""
    return "\n".join(
        (
            f"Cold question          {result.cold_ms:9.1f} ms   {result.screen_tokens:,} tokens with its answer, "
            f"{result.tiles} tiles",
            f"Second question        {result.second_question_ms:9.1f} ms   {result.tokens_evaluated} tokens and an "
            f"answer of {result.answer_tokens}{nearer}; {result.ratio:.1f} times faster",
            f"After looking ahead    {result.after_typing_ms:9.1f} ms",
            f"Stock second question  {result.stock_second_question_ms:9.1f} ms   llama-cpp-python's MTMDChatHandler; "
            "it sees one view of 512 × 512",
            f"One tile changed       {result.tiles_encoded_after_one_change} tiles encoded, "
            f"{result.tokens_after_one_change:,} tokens evaluated",
            f"Largest difference of any logit from a cold run: {result.max_logit_difference:g}",
            f"Where the model is: {result.placement}",
        )
    )
