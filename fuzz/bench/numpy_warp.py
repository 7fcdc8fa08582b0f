# The rival of the emulated warp: the packed GEMV emulated lane by lane in NumPy, as the first source text's lab does it:
# 16-byte loads from the packed array, two mma.m16n8k16 a block of K, a sum over the warps, the store under the guard.
# Prints the instructions emulated and the seconds that they took.
#
#   python3 numpy_warp.py N K M SECONDS
import sys
import time

import numpy as np


def pack(w):
    n, k = w.shape
    return w.reshape(n // 16, 2, 8, k // 32, 4, 2, 2, 2).transpose(0, 3, 5, 2, 4, 6, 1, 7).copy()


def mma(acc, a, b):
    """acc[16, 8] += A @ B from the lanes' registers: a[lane, 8], b[lane, 4] (PTX ISA, m16n8k16)."""
    full_a = np.zeros((16, 16), a.dtype)
    full_b = np.zeros((16, 8), b.dtype)
    for lane in range(32):
        g, t = lane >> 2, lane & 3
        for e in range(2):
            full_a[g, 2 * t + e] = a[lane, e]
            full_a[g + 8, 2 * t + e] = a[lane, 2 + e]
            full_a[g, 2 * t + 8 + e] = a[lane, 4 + e]
            full_a[g + 8, 2 * t + 8 + e] = a[lane, 6 + e]
            full_b[2 * t + e, g] = b[lane, e]
            full_b[2 * t + 8 + e, g] = b[lane, 2 + e]
    acc += full_a @ full_b


def gemv(w, x):
    n, k = w.shape
    m = x.shape[0]
    packed = pack(w).reshape(-1, 8)
    y = np.full((m, n), -1, np.int64)
    count = 0
    for rb in range(n // 16):
        for nb in range((m + 7) // 8):
            acc = np.zeros((16, 8), np.int64)
            for kb in range(k // 32):
                for step in range(2):
                    a = np.zeros((32, 8), np.int64)
                    b = np.zeros((32, 4), np.int64)
                    for lane in range(32):
                        g, t = lane >> 2, lane & 3
                        a[lane] = packed[(rb * (k // 32) + kb) * 64 + 32 * step + lane]
                        token = min(8 * nb + g, m - 1)
                        b[lane] = x[token, 32 * kb + 8 * t + 4 * step:32 * kb + 8 * t + 4 * step + 4]
                    mma(acc, a, b)
                    count += 1
            for col in range(min(8, m - 8 * nb)):
                y[8 * nb + col, 16 * rb:16 * rb + 16] = acc[:, col]
    return y, count


def main():
    n, k, m, seconds = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    random = np.random.default_rng(1)
    w = random.integers(-8192, 8192, (n, k))
    x = random.integers(-8192, 8192, (m, k))
    total = 0
    start = time.process_time()
    while total == 0 or time.process_time() - start < seconds:
        y, count = gemv(w, x)
        total += count
    spent = time.process_time() - start
    if not np.array_equal(y, x @ w.T):
        sys.exit("the rival is wrong")
    print(total, spent)


if __name__ == "__main__":
    main()
