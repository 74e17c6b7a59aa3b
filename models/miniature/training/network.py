"""Both networks in plain PyTorch, numerically as llama.cpp's `nemotron_h` and `nemotron_v2_vl` compute them.

The modules are named so that a state dict has GGUF's names for the tensors. What differs (the logarithm of -ssm_a is
what is trained) is in `tensors`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from fingerpost.models.gguf.language import Shape
from fingerpost.models.gguf.vision import VisionShape

CHUNK = 64
"""Tokens that the scan takes at once; the state is carried from one chunk to the next."""


class RMSNorm(nn.Module):
    def __init__(self, *shape: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(*shape))
        self._eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self._eps) * self.weight


class Bias(nn.Module):
    def __init__(self, values: Tensor) -> None:
        super().__init__()
        self.bias = nn.Parameter(values)


class Convolution(nn.Module):
    """Each channel for itself over the last `kernel` tokens; the last weight is that of the present one."""

    def __init__(self, channels: int, kernel: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(channels, kernel) / math.sqrt(kernel))
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x: Tensor, before: Tensor) -> tuple[Tensor, Tensor]:
        """x: (rows, tokens, channels); `before` are the kernel - 1 tokens in front. Also returns the last of these."""
        kernel = self.weight.shape[1]
        joined = torch.cat((before, x), 1)
        count = x.shape[1]
        y = self.bias + sum(joined[:, tap : tap + count] * self.weight[:, tap] for tap in range(kernel))
        return y, joined[:, joined.shape[1] - kernel + 1 :]


@dataclass
class Past:
    """What a layer remembers of the tokens before, by row.

    Mamba-2   one: the last inputs of the convolution (rows, kernel - 1, channels), two: the state (rows, heads, head
              size, state size)
    attention one, two: keys and values (rows, kv heads, tokens, head size)
    """

    one: Tensor
    two: Tensor


class Mamba2(nn.Module):
    """A Mamba-2 mixer, Dao and Gu 2024, arXiv 2405.21060."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self._mixer = mixer = shape.mixer
        mixed = mixer.inner + 2 * mixer.groups * mixer.state
        self.attn_norm = RMSNorm(shape.embedding)
        self.ssm_in = nn.Linear(shape.embedding, mixer.inner + mixed + mixer.heads, bias=False)
        self.ssm_conv1d = Convolution(mixed, mixer.kernel)
        first = torch.exp(torch.empty(mixer.heads).uniform_(math.log(0.001), math.log(0.1)))
        self.ssm_dt = Bias(first + torch.log(-torch.expm1(-first)))
        self.ssm_a_log = nn.Parameter(torch.log(torch.empty(mixer.heads, 1).uniform_(1, 16)))
        self.ssm_d = nn.Parameter(torch.ones(mixer.heads, 1))
        self.ssm_norm = RMSNorm(mixer.groups, mixer.inner // mixer.groups)
        self.ssm_out = nn.Linear(mixer.inner, shape.embedding, bias=False)

    def start(self, rows: int) -> Past:
        mixer = self._mixer
        weight = self.ssm_out.weight
        return Past(
            weight.new_zeros(rows, mixer.kernel - 1, self.ssm_conv1d.weight.shape[0]),
            weight.new_zeros(rows, mixer.heads, mixer.inner // mixer.heads, mixer.state),
        )

    def forward(self, hidden: Tensor, past: Past) -> tuple[Tensor, Past]:
        mixer = self._mixer
        rows, count, _ = hidden.shape
        mixed = self.ssm_conv1d.weight.shape[0]
        z, xbc, dt = self.ssm_in(self.attn_norm(hidden)).split((mixer.inner, mixed, mixer.heads), -1)
        xbc, window = self.ssm_conv1d(xbc, past.one)
        grouped = mixer.groups * mixer.state
        u, b, c = functional.silu(xbc).split((mixer.inner, grouped, grouped), -1)
        u = u.reshape(rows, count, mixer.heads, -1)
        b, c = (part.reshape(rows, count, mixer.groups, mixer.state) for part in (b, c))
        dt = functional.softplus(dt + self.ssm_dt.bias)
        decay = dt * -torch.exp(self.ssm_a_log).reshape(-1)
        y, state = scan(u * dt[..., None], decay, b, c, past.two)
        y = y + u * self.ssm_d
        y = y.reshape(rows, count, -1) * functional.silu(z)
        y = self.ssm_norm(y.reshape(rows, count, mixer.groups, -1)).reshape(rows, count, -1)
        return hidden + self.ssm_out(y), Past(window, state)


def scan(u: Tensor, decay: Tensor, b: Tensor, c: Tensor, state: Tensor, chunk: int = CHUNK) -> tuple[Tensor, Tensor]:
    """The selective state space: state ← exp(decay) · state + u ⊗ b, y = state · c, chunk by chunk.

    u (rows, tokens, heads, head size), decay (rows, tokens, heads), b and c (rows, tokens, groups, state size)
    """
    parts = []
    for start in range(0, u.shape[1], chunk):
        here = slice(start, start + chunk)
        y, state = _scan_chunk(u[:, here], decay[:, here], b[:, here], c[:, here], state)
        parts.append(y)
    return torch.cat(parts, 1), state


def _scan_chunk(u: Tensor, decay: Tensor, b: Tensor, c: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    """Within a chunk as attention without softmax, section 6 of the paper; quadratic in its length."""
    rows, count, heads, _ = u.shape
    groups = b.shape[2]
    share = heads // groups
    total = decay.cumsum(1).transpose(1, 2)  # (rows, heads, tokens): decay from the chunk's start to behind each token
    between = total[..., :, None] - total[..., None, :]
    causal = torch.ones(count, count, dtype=torch.bool, device=u.device).tril()
    weights = torch.exp(between.masked_fill(~causal, -math.inf))
    alike = torch.einsum("rtgn,rsgn->rgts", c, b)
    weights = (weights.reshape(rows, groups, share, count, count) * alike[:, :, None]).flatten(1, 2)
    values = u.transpose(1, 2)
    y = weights @ values
    carried = state.reshape(rows, groups, share, -1, state.shape[-1])
    from_before = torch.einsum("rtgn,rgspn->rgstp", c, carried).reshape(rows, heads, count, -1)
    y = y + from_before * torch.exp(total)[..., None]
    to_end = torch.exp(total[..., -1:] - total)
    weighted = (values * to_end[..., None]).reshape(rows, groups, share, count, -1)
    added = torch.einsum("rgstp,rtgn->rgspn", weighted, b).reshape(state.shape)
    state = state * torch.exp(total[..., -1])[..., None, None] + added
    return y.transpose(1, 2), state


class Attention(nn.Module):
    """Grouped-query attention without positions.

    When asked to, it keeps what training looks at: `given` what came in, `seen` the probabilities of the last call.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self._shape = shape
        self.attn_norm = RMSNorm(shape.embedding)
        self.attn_q = nn.Linear(shape.embedding, shape.heads * shape.head_size, bias=False)
        self.attn_k = nn.Linear(shape.embedding, shape.kv_heads * shape.head_size, bias=False)
        self.attn_v = nn.Linear(shape.embedding, shape.kv_heads * shape.head_size, bias=False)
        self.attn_output = nn.Linear(shape.heads * shape.head_size, shape.embedding, bias=False)
        self.keeps_probabilities = False
        self.given: Tensor | None = None
        self.seen: Tensor | None = None

    def start(self, rows: int) -> Past:
        nothing = self.attn_q.weight.new_zeros(rows, self._shape.kv_heads, 0, self._shape.head_size)
        return Past(nothing, nothing)

    def forward(self, hidden: Tensor, past: Past) -> tuple[Tensor, Past]:
        """`past` may have fewer rows: then so many rows in turn share one."""
        shape = self._shape
        rows, count, _ = hidden.shape
        x = self.attn_norm(hidden)
        q = self.attn_q(x).reshape(rows, count, shape.kv_heads, -1, shape.head_size).permute(0, 2, 3, 1, 4)
        k, v = (
            part.reshape(rows, count, shape.kv_heads, shape.head_size).transpose(1, 2)
            for part in (self.attn_k(x), self.attn_v(x))
        )
        before = past.one.shape[2]
        scores = torch.cat((_shared(q, past.one.transpose(2, 3)), q @ k[:, :, None].transpose(3, 4)), -1)
        causal = torch.ones(count, count + before, dtype=torch.bool, device=x.device).tril(before)
        seen = torch.softmax((scores / math.sqrt(shape.head_size)).masked_fill(~causal, -math.inf), -1)
        self.given, self.seen = (hidden, seen) if self.keeps_probabilities else (None, None)
        y = _shared(seen[..., :before], past.two) + seen[..., before:] @ v[:, :, None]
        y = y.permute(0, 3, 1, 2, 4).reshape(rows, count, -1)
        if past.one.shape[0] == rows:
            k, v = torch.cat((past.one, k), 2), torch.cat((past.two, v), 2)
        return hidden + self.attn_output(y), Past(k, v)


def _shared(rows: Tensor, matrix: Tensor) -> Tensor:
    """(rows, kv heads, group, tokens, a) @ (fewer rows, kv heads, a, b): each matrix serves so many rows in turn."""
    count, kv, group, tokens, inner = rows.shape
    few = matrix.shape[0]
    each = count // few
    apart = rows.reshape(few, each, kv, group, tokens, inner).transpose(1, 2)
    product = apart.reshape(few, kv, each * group * tokens, inner) @ matrix
    together = product.reshape(few, kv, each, group, tokens, matrix.shape[3]).transpose(1, 2)
    return together.reshape(count, kv, group, tokens, matrix.shape[3])


class FeedForward(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attn_norm = RMSNorm(shape.embedding)
        self.ffn_up = nn.Linear(shape.embedding, shape.feed_forward, bias=False)
        self.ffn_down = nn.Linear(shape.feed_forward, shape.embedding, bias=False)

    def start(self, rows: int) -> Past:
        nothing = self.ffn_up.weight.new_zeros(rows, 0)
        return Past(nothing, nothing)

    def forward(self, hidden: Tensor, past: Past) -> tuple[Tensor, Past]:
        return hidden + self.ffn_down(functional.relu(self.ffn_up(self.attn_norm(hidden))).square()), past


class LanguageModel(nn.Module):
    """`nemotron_h`: layers of three kinds, each with a norm in front."""

    def __init__(self, shape: Shape, tokens: int) -> None:
        super().__init__()
        self.token_embd = nn.Embedding(tokens, shape.embedding)
        kinds = {"M": Mamba2, "*": Attention, "-": FeedForward}
        self.blk = nn.ModuleList(kinds[kind](shape) for kind in shape.pattern)
        self.output_norm = RMSNorm(shape.embedding)
        self.output = nn.Linear(shape.embedding, tokens, bias=False)
        with torch.no_grad():
            for layer in self.blk:
                for name in ("ssm_out", "attn_output", "ffn_down"):
                    if hasattr(layer, name):
                        getattr(layer, name).weight.div_(math.sqrt(len(self.blk)))

    def start(self, rows: int) -> list[Past]:
        """The state before the first token."""
        return [layer.start(rows) for layer in self.blk]

    def forward(self, hidden: Tensor, past: list[Past]) -> tuple[Tensor, list[Past]]:
        """Embeddings (rows, tokens, n_embd) → what `output_norm` and `output` make logits of, and the new state."""
        after = []
        for layer, before in zip(self.blk, past, strict=True):
            hidden, state = layer(hidden, before)
            after.append(state)
        return hidden, after

    def logits(self, hidden: Tensor) -> Tensor:
        return self.output(self.output_norm(hidden))


def forked(past: list[Past], times: int) -> list[Past]:
    """The state of each row, so many times in turn. Keys and values are shared, not repeated."""
    return [
        state if state.one.ndim == 4 else Past(*(part.repeat_interleave(times, 0) for part in (state.one, state.two)))
        for state in past
    ]


class VisionLayer(nn.Module):
    def __init__(self, shape: VisionShape) -> None:
        super().__init__()
        wide = shape.embedding
        self._heads = shape.heads
        self.ln1, self.ln2 = nn.LayerNorm(wide, eps=1e-6), nn.LayerNorm(wide, eps=1e-6)
        self.attn_qkv, self.attn_out = nn.Linear(wide, 3 * wide), nn.Linear(wide, wide)
        self.ffn_up, self.ffn_down = nn.Linear(wide, shape.feed_forward), nn.Linear(shape.feed_forward, wide)

    def forward(self, x: Tensor) -> Tensor:
        tiles, count, wide = x.shape
        qkv = self.attn_qkv(self.ln1(x)).reshape(tiles, count, 3, self._heads, -1).permute(2, 0, 3, 1, 4)
        y = functional.scaled_dot_product_attention(qkv[0], qkv[1], qkv[2])
        x = x + self.attn_out(y.transpose(1, 2).reshape(tiles, count, wide))
        return x + self.ffn_down(functional.gelu(self.ffn_up(self.ln2(x)), approximate="tanh"))


class Vision(nn.Module):
    """`nemotron_v2_vl`: a vision transformer with registers, pixel shuffle, and the projector."""

    def __init__(self, shape: VisionShape, projection: int) -> None:
        super().__init__()
        self._shape = shape
        wide, side = shape.embedding, shape.tile // shape.patch
        shuffled = wide * shape.scale**2
        inner = shape.projector * shuffled
        self.v = nn.Module()
        self.v.patch_embd = nn.Conv2d(3, wide, shape.patch, shape.patch, bias=False)
        self.v.position_embd = nn.Embedding(side * side, wide)
        self.v.class_embd = nn.Parameter(torch.randn(shape.registers, wide) * 0.1)
        self.v.blk = nn.ModuleList(VisionLayer(shape) for _ in range(shape.layers))
        self.mm = nn.Module()
        self.mm.model = nn.Module()
        self.mm.model.mlp = nn.ModuleDict(
            {
                "0": RMSNorm(shuffled, eps=1e-6),
                "1": nn.Linear(shuffled, inner, bias=False),
                "3": nn.Linear(inner, projection, bias=False),
            }
        )
        nn.init.normal_(self.v.position_embd.weight, std=0.3)

    def forward(self, pixels: Tensor) -> Tensor:
        """Normalised pixels (tiles, 3, side, side) → embeddings (tiles, tokens, n_embd of the language model)."""
        tiles = pixels.shape[0]
        x = self.v.patch_embd(pixels).flatten(2).transpose(1, 2) + self.v.position_embd.weight
        registers = self.v.class_embd.expand(tiles, -1, -1)
        x = torch.cat((registers, x), 1)
        for layer in self.v.blk:
            x = layer(x)
        half = self._shape.tile // self._shape.patch // 2
        x = x[:, registers.shape[1] :].reshape(tiles, half, 2, half, 2, -1)
        x = x.transpose(2, 3).reshape(tiles, half * half, -1)
        mlp = self.mm.model.mlp
        return mlp["3"](functional.relu(mlp["1"](mlp["0"](x))).square())


class Miniature(nn.Module):
    """Both of them."""

    def __init__(self, language: Shape, vision: VisionShape, tokens: int) -> None:
        super().__init__()
        self.language = LanguageModel(language, tokens)
        self.vision = Vision(vision, language.embedding)


def tensors(network: nn.Module) -> dict[str, Tensor]:
    """The weights as GGUF names and means them."""
    learned = network.state_dict()
    return {
        name.removesuffix("_log"): (-torch.exp(values) if name.endswith("ssm_a_log") else values).detach()
        for name, values in learned.items()
    }
