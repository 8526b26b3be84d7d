"""Labelled Triton kernels (Triton 3, one GPU). Each kernel is launched twice: the first launch compiles it, the second
is the one that triton.causes.tsv labels (NAME#2). Nothing is printed but "done".

    ncu --set full -o triton python3 triton_pairs.py
"""

import torch
import triton
import triton.language as tl

N = 1 << 26  # elements: 256 MiB of float, well past the L2


@triton.jit
def strided_load(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    tl.store(out + at, tl.load(x + at * 4, mask=keep) * 2.0, mask=keep)


@triton.jit
def contiguous_load(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    tl.store(out + at, tl.load(x + at, mask=keep) * 2.0, mask=keep)


@triton.jit
def small_block(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    tl.store(out + at, tl.load(x + at, mask=keep) * 0.5, mask=keep)


@triton.jit
def large_block(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    tl.store(out + at, tl.load(x + at, mask=keep) * 0.5, mask=keep)


@triton.jit
def shifted_copy(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    tl.store(out + at, tl.load(x + at + 1, mask=keep), mask=keep)


@triton.jit
def straight_copy(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    tl.store(out + at, tl.load(x + at, mask=keep), mask=keep)


@triton.jit
def softmax_rows(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    keep = at < cols
    v = tl.load(x + row * cols + at, mask=keep, other=float("-inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * cols + at, e / tl.sum(e, axis=0), mask=keep)


@triton.jit
def matmul_tiles(a, b, c, n, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, n, BK):
        ta = tl.load(a + rm[:, None] * n + (k + rk)[None, :])
        tb = tl.load(b + (k + rk)[:, None] * n + rn[None, :])
        acc += tl.dot(ta, tb)
    tl.store(c + rm[:, None] * n + rn[None, :], acc)


def main():
    x = torch.ones(N).cuda()
    out = torch.empty(N, device="cuda")
    halves = torch.ones(2048 * 2048, dtype=torch.float16).cuda()
    torch.cuda.synchronize()
    for _ in range(2):
        strided_load[(N // 4 // 1024,)](x, out, N // 4, BLOCK=1024)
    for _ in range(2):
        contiguous_load[(N // 4 // 1024,)](x, out, N // 4, BLOCK=1024)
    for _ in range(2):
        small_block[(N // 128,)](x, out, N, BLOCK=128)
    for _ in range(2):
        large_block[(N // 2048,)](x, out, N, BLOCK=2048)
    for _ in range(2):
        shifted_copy[(N // 1024,)](x, out, N - 1024, BLOCK=1024)
    for _ in range(2):
        straight_copy[(N // 1024,)](x, out, N - 1024, BLOCK=1024)
    for _ in range(2):
        softmax_rows[(N // 4096,)](x, out, 4096, BLOCK=4096, num_warps=8)
    for _ in range(2):
        matmul_tiles[(2048 // 128, 2048 // 128)](halves, halves, out, 2048, BM=128, BN=128, BK=32, num_warps=8)
    torch.cuda.synchronize()
    print("done")


if __name__ == "__main__":
    main()
