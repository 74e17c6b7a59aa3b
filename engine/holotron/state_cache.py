"""Keeps the states of a model between questions: what was evaluated once is not evaluated again.

Every sequence of the context ends at some node of a tree of segments. A question starts from the deepest node on its
path that can be had again, in one of these ways:

    fork      a sequence ends exactly there: copied without moving a byte
    trim      a sequence goes through it, and the model is one whose state can be taken back
    partial   a sequence goes through it (so its keys and values are there), and the recurrent state was saved there
    whole     everything was saved there

A hybrid's recurrent state can be copied and saved but never taken back; that is what the checkpoints are for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass

from fingerpost.engine.errors import ModelError
from fingerpost.engine.holotron.llama import PARTIAL, WHOLE, Context, ContextFullError, Embeddings, Logits, State, go_on
from fingerpost.engine.holotron.segments import Path, Picture, Segment, Text, common, is_prefix, length, position


def never() -> bool:
    """Nobody stops it."""
    return False


@dataclass
class Statistics:
    """Counts since the start. `tokens_evaluated` and `tokens_reused` are positions, those of tiles included.

    segment_hits  segments of paths that did not have to be evaluated
    """

    tokens_evaluated: int = 0
    tokens_reused: int = 0
    segment_hits: int = 0
    questions: int = 0
    forks: int = 0
    restores: int = 0
    evicted_sequences: int = 0
    evicted_checkpoints: int = 0


@dataclass(frozen=True)
class Checkpoint:
    """A saved state. `flags` is `PARTIAL` or `WHOLE`; `n_past` the position it was saved at."""

    data: State
    flags: int
    n_past: int


@dataclass(frozen=True)
class Start:
    """Where a question can start: after `depth` segments, from the sequence `source` or from `checkpoint`, or both."""

    depth: int
    source: int | None = None
    checkpoint: Checkpoint | None = None
    trims: bool = False


class StateCache:
    """All sequences of a context; nobody else may use the context.

    embeddings    gives those of a tile
    host_budget   bytes of host memory for checkpoints; the least recently used go first
    """

    def __init__(self, context: Context, embeddings: Callable[[Picture], Embeddings], host_budget: int) -> None:
        self._context = context
        self._embeddings = embeddings
        self._host_budget = host_budget
        self._paths: OrderedDict[int, Path] = OrderedDict()  # sequence → where it ends; least recently used first
        self._pinned: Path = ()  # a sequence that ends there is forgotten last
        self._checkpoints: OrderedDict[Path, Checkpoint] = OrderedDict()
        self._current: int | None = None
        self.statistics = Statistics()

    @property
    def host_bytes(self) -> int:
        """Bytes of host memory that checkpoints hold."""
        return sum(len(checkpoint.data) for checkpoint in self._checkpoints.values())

    @property
    def sequences(self) -> int:
        """How many sequences of the context are in use."""
        return len(self._paths)

    @property
    def path(self) -> Path:
        """Where the current sequence ends; () before the first question."""
        return self._paths[self._current] if self._current is not None else ()

    def holds(self, path: Path) -> bool:
        """Whether a sequence ends exactly there: a question that goes on from it costs only itself."""
        return any(end == path for end in self._paths.values())

    def evaluate(
        self,
        path: Path,
        keep: Collection[int] = (),
        pin: int | None = None,
        stopped: Callable[[], bool] = never,
    ) -> Logits:
        """Evaluate a path, from wherever it can be picked up; returns the logits after its last segment.

        keep   depths (numbers of segments) at which a checkpoint is saved in host memory
        pin    depth at which a sequence is left in the context, to be forked by later questions

        Raises `StoppedError`, and then keeps what was finished; `ContextFullError` when the path does not fit even
        when everything else is forgotten.
        """
        if not path or not isinstance(path[-1], Text):
            raise ValueError("a path ends with text: only that has logits")
        self.statistics.questions += 1
        while True:
            start = self._find_start(path)
            try:
                return self._run(path, start, keep, pin, stopped)
            except ContextFullError:
                if not self._evict_sequence(keep_path=path):
                    raise

    def extend(self, token: int) -> Logits:
        """Evaluate one more token at the end of the current sequence: a segment of its own."""
        if self._current is None:
            raise ValueError("nothing was evaluated yet")
        sequence, path = self._current, self._paths[self._current]
        segment = Text((token,))
        try:
            self._context.decode(segment.tokens, position(path), sequence, want_logits=True)
        except ModelError:
            self._forget(sequence)
            raise
        self._paths[sequence] = (*path, segment)
        self.statistics.tokens_evaluated += 1
        return self._context.logits()

    def fork_current(self) -> int:
        """Leave a copy of the current sequence where it is; returns a handle for `resume`."""
        if self._current is None:
            raise ValueError("nothing was evaluated yet")
        source = self._current
        target = self._free_sequence(spare={source})
        self._context.copy(source, target)
        self._paths[target] = self._paths[source]
        self.statistics.forks += 1
        return target

    def resume(self, handle: int) -> None:
        """Make a sequence of `fork_current` the current one."""
        if handle not in self._paths:
            raise ValueError("that sequence is not kept any more")
        self._current = handle

    def release(self, handle: int) -> None:
        """Forget a sequence of `fork_current`."""
        if handle in self._paths:
            self._forget(handle)

    def clear(self) -> None:
        """Forget everything."""
        self._context.clear()
        self._paths.clear()
        self._checkpoints.clear()
        self._pinned = ()
        self._current = None

    # where to start

    def _find_start(self, path: Path) -> Start:
        """The deepest place to start; always before the last segment, whose logits are wanted."""
        best = Start(0)
        for start in (*self._forks(path), *self._trims(path), *self._restores(path)):
            if start.depth > best.depth:
                best = start
        return best

    def _forks(self, path: Path) -> list[Start]:
        return [Start(len(p), s) for s, p in self._paths.items() if len(p) < len(path) and is_prefix(p, path)]

    def _trims(self, path: Path) -> list[Start]:
        if not self._context.model.can_trim:
            return []
        depths = [(min(common(p, path), len(path) - 1), s) for s, p in self._paths.items()]
        return [Start(depth, sequence, trims=True) for depth, sequence in depths]

    def _restores(self, path: Path) -> list[Start]:
        found = []
        for node, checkpoint in self._checkpoints.items():
            if len(node) >= len(path) or not is_prefix(node, path):
                continue
            source = next((s for s, p in self._paths.items() if is_prefix(node, p)), None)
            if checkpoint.flags == WHOLE:
                found.append(Start(len(node), None, checkpoint))
            elif source is not None:
                found.append(Start(len(node), source, checkpoint))
        return found

    # the work

    def _run(
        self, path: Path, start: Start, keep: Collection[int], pin: int | None, stopped: Callable[[], bool]
    ) -> Logits:
        if pin is not None:
            self._pinned = path[:pin]
        sequence = self._begin(path, start)
        n_past = position(path[: start.depth])
        for depth in range(start.depth, len(path)):
            n_past = self._append(path[depth], n_past, sequence, depth == len(path) - 1, stopped)
            self._paths[sequence] = path[: depth + 1]
            self._keep(sequence, path[: depth + 1], depth + 1 in keep, depth + 1 == pin)
        self._current = sequence
        self._paths.move_to_end(sequence)
        self.statistics.tokens_reused += length(path[: start.depth])
        self.statistics.segment_hits += start.depth
        return self._context.logits()

    def _begin(self, path: Path, start: Start) -> int:
        """A sequence that stands at the start."""
        spare = set() if start.source is None else {start.source}
        sequence = self._free_sequence(spare)
        self._paths[sequence] = path[: start.depth]
        try:
            if start.source is not None:
                self._context.copy(start.source, sequence)
                self._paths.move_to_end(start.source)
                self.statistics.forks += 1
            if start.checkpoint is not None:
                self._restore(sequence, start.checkpoint)
                self._checkpoints.move_to_end(path[: start.depth])
            elif start.trims:
                self._context.trim(sequence, position(path[: start.depth]))
        except ModelError:
            self._forget(sequence)
            raise
        return sequence

    def _restore(self, sequence: int, checkpoint: Checkpoint) -> None:
        """The order matters: first the recurrent state, then cut the keys and values to the same length."""
        self._context.restore(sequence, checkpoint.data, checkpoint.flags)
        if checkpoint.flags == PARTIAL:
            self._context.trim(sequence, checkpoint.n_past)
        self.statistics.restores += 1

    def _append(self, segment: Segment, n_past: int, sequence: int, is_last: bool, stopped: Callable[[], bool]) -> int:
        """Evaluate a segment; returns the new n_past. Stopped before and behind the encoding of a tile, the sequence
        stays as it was; stopped in the middle of the segment it is forgotten."""
        go_on(stopped)
        items = segment.tokens if isinstance(segment, Text) else self._embeddings(segment)
        columns = 0 if isinstance(segment, Text) else segment.columns
        go_on(stopped)
        try:
            self._context.decode(items, n_past, sequence, is_last, stopped, columns)
        except ModelError:
            self._forget(sequence)
            raise
        self.statistics.tokens_evaluated += segment.length
        return n_past + segment.advance

    def _keep(self, sequence: int, node: Path, in_host: bool, in_context: bool) -> None:
        if in_host and node not in self._checkpoints:
            flags = WHOLE if self._context.model.is_recurrent else PARTIAL
            if not self._context.model.can_trim:
                self._store(node, Checkpoint(self._context.save(sequence, flags), flags, position(node)))
        if in_context and self._context.options.n_seq_max > 2:
            self._pin(sequence, node)

    def _pin(self, sequence: int, node: Path) -> None:
        if any(path == node and other != sequence for other, path in self._paths.items()):
            return
        target = self._free_sequence(spare={sequence})
        self._context.copy(sequence, target)
        self._paths[target] = node
        self.statistics.forks += 1

    def _store(self, node: Path, checkpoint: Checkpoint) -> None:
        if len(checkpoint.data) > self._host_budget:
            return
        self._checkpoints[node] = checkpoint
        while self.host_bytes > self._host_budget:
            self._checkpoints.popitem(last=False)
            self.statistics.evicted_checkpoints += 1

    # room

    def _free_sequence(self, spare: Collection[int]) -> int:
        """A sequence that nobody uses, taken from the least recently used path if need be; never one of `spare`."""
        unused = set(range(self._context.options.n_seq_max)) - set(self._paths)
        if unused:
            return min(unused)
        others = [sequence for sequence in self._paths if sequence not in spare]
        victim = next((s for s in others if self._paths[s] != self._pinned), others[0])
        self._forget(victim)
        self.statistics.evicted_sequences += 1
        return victim

    def _evict_sequence(self, keep_path: Path) -> bool:
        """Forget the least useful sequence; False when none is left."""
        if not self._paths:
            return False
        useless = [s for s, p in self._paths.items() if not is_prefix(p, keep_path)]
        self._forget(useless[0] if useless else next(iter(self._paths)))
        self.statistics.evicted_sequences += 1
        return True

    def _forget(self, sequence: int) -> None:
        self._context.drop(sequence)
        del self._paths[sequence]
        if self._current == sequence:
            self._current = None
