"""A small training loop with PyTorch's kernels and one of Triton's: python3 steps.py [STEPS]"""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def every_fourth(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    tl.store(out + at, tl.load(x + at * 4, mask=keep) * 2.0, mask=keep)


def main(steps):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(1024, 1024), torch.nn.GELU(), torch.nn.Linear(1024, 10)).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    x, y = torch.randn(256, 1024, device="cuda"), torch.randint(10, (256,), device="cuda")
    n = 1 << 22
    a, b = torch.rand(4 * n, device="cuda"), torch.empty(n, device="cuda")
    for _ in range(steps):
        opt.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        opt.step()
        every_fourth[(triton.cdiv(n, 1024),)](a, b, n, BLOCK=1024)
    torch.cuda.synchronize()
    print("done")


main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
