#!/usr/bin/env python3
"""Prints the numbers of mutations_test.cpp and mutations_permute_test.cpp, found by brute force (a minute or two).

Shares nothing with fragproof: elements are tuples ("W", n, k), the fragments are the piecewise rules of the PTX ISA, every
slot of every lane is visited at every shape, smallest first. Only Python's standard library is used.
"""
import itertools


# ---- mma.m16n8k16 as the PTX ISA has it: (row, k slot), (k slot, column), (row, column) --------------------------
def a_slot(lane, i):
    group, thread = lane >> 2, lane % 4
    row = group if 0 <= i < 2 or 4 <= i < 6 else group + 8
    return row, thread * 2 + (i & 1) + (8 if i >= 4 else 0)


def b_slot(lane, i):
    group, thread = lane >> 2, lane % 4
    return thread * 2 + (i & 1) + (8 if i >= 2 else 0), group


def c_slot(lane, i):
    group, thread = lane >> 2, lane % 4
    return (group if i < 2 else group + 8), thread * 2 + (i & 1)


# ---- the kernel; a mutant overrides one method -------------------------------------------------------------------
class Gemv:
    names = ["N", "K", "M", "S", "NW", "U"]
    permutation = (0, 3, 5, 2, 4, 6, 1, 7)
    slot_of_a = staticmethod(a_slot)

    def admits(self, s):
        return s["K"] % (32 * s["S"] * s["NW"] * s["U"]) == 0

    def packed(self, s):
        extents = [s["N"] // 16, 2, 8, s["K"] // 32, 4, 2, 2, 2]
        flat = []
        for point in itertools.product(*[range(extents[axis]) for axis in self.permutation]):
            at = dict(zip(self.permutation, point))
            flat.append(("W", (at[0] * 2 + at[1]) * 8 + at[2],
                         (((at[3] * 4 + at[4]) * 2 + at[5]) * 2 + at[6]) * 2 + at[7]))
        return flat

    def blocks(self, s):
        return s["K"] // 32

    def parallel(self, s):
        return [s["N"] // 16, -(-s["M"] // 8)]

    def reduce(self, s):  # sidx, warp, i, u, step
        per_warp = self.blocks(s) // s["S"] // s["NW"]
        return [s["S"], s["NW"], -(-per_warp // s["U"]), s["U"], 2]

    def first_block(self, s, r):
        per_split = self.blocks(s) // s["S"]
        return r[0] * per_split + r[1] * (per_split // s["NW"])

    def unit(self, s, p, r, lane):
        return ((p[0] * self.blocks(s) + self.first_block(s, r)) * 64 + lane + (r[2] * s["U"] + r[3]) * 64
                + 32 * r[4])

    def token(self, s, p, lane):
        return min(p[1] * 8 + (lane >> 2), s["M"] - 1)

    def x_at(self, s, r, lane):
        return self.first_block(s, r) * 32 + (lane & 3) * 8 + (r[2] * s["U"] + r[3]) * 32

    def half(self, r):
        return r[4]

    def a(self, s, packed, p, r, lane):  # None: out of bounds
        first = self.unit(s, p, r, lane) * 8
        return packed[first:first + 8] if 0 <= first and first + 8 <= len(packed) else None

    def b(self, s, p, r, lane):
        token, k = self.token(s, p, lane), self.x_at(s, r, lane)
        if not (0 <= token < s["M"] and 0 <= k < s["K"] and token * s["K"] + k + 8 <= s["M"] * s["K"]):
            return None
        first = token * s["K"] + k + 4 * self.half(r)
        return [("x", (first + e) // s["K"], (first + e) % s["K"]) for e in range(4)]

    def stored(self, s, p, column):
        return 8 * p[1] + column < s["M"]


def shapes(kernel, limit):
    """Admissible shapes with a sum of at most `limit`: least sum first, then in the order of the sizes."""
    found = []
    for n in range(16, limit, 16):
        for k in range(32, limit - n, 32):
            for rest in itertools.product(range(1, limit - n - k), repeat=4):
                if n + k + sum(rest) <= limit and sum(rest) <= 60:
                    shape = dict(zip(kernel.names, (n, k) + rest))
                    if kernel.admits(shape):
                        found.append((n + k + sum(rest), n, k, rest, shape))
    return [entry[-1] for entry in sorted(found, key=lambda entry: entry[:4])]


def judge(kernel, s):
    """The first obligation that fails at shape s: (obligation, point, lane, elem, expected, found, wrong, of)."""
    packed = kernel.packed(s)
    tiles = list(itertools.product(*map(range, kernel.parallel(s))))
    points = list(itertools.product(*map(range, kernel.reduce(s))))
    a, b = {}, {}
    for p in tiles:
        for r in points:
            for lane in range(32):
                held = (kernel.a(s, packed, p, r, lane), kernel.b(s, p, r, lane))
                if None in held:
                    return "bounds", (p, r), lane, None, "a" if held[0] is None else "xv", None, None, None
                for i, value in enumerate(held[0]):
                    row, slot = kernel.slot_of_a(lane, i)
                    a[p, r, lane, i] = (row, slot, value)
                for i, value in enumerate(held[1]):
                    slot, column = b_slot(lane, i)
                    if kernel.stored(s, p, column):
                        b[p, r, slot, column] = value
    for p in tiles:
        for lane in range(32):
            for i in range(4):
                column = c_slot(lane, i)[1]
                if kernel.stored(s, p, column) and 8 * p[1] + column >= s["M"]:
                    return "bounds", (p, None), lane, i, "store", None, None, None
    k_of_b = {(p, r, slot): value[2] for (p, r, slot, column), value in b.items()}
    rows = {}
    for (p, r, lane, i), (row, slot, value) in a.items():
        rows.setdefault((p, row), set()).add(value[1])
    if any(len(seen) > 1 for seen in rows.values()):
        wrong = [key for key, (row, slot, value) in a.items() if value[1] != 16 * key[0][0] + row]
        return report("A.rows", a, wrong, lambda key: (16 * key[0][0] + a[key][0], k_of_b[key[0], key[1], a[key][1]]))
    wrong = [key for key, (row, slot, value) in a.items() if value[2] != k_of_b[key[0], key[1], slot]]
    if wrong:
        return report("pairing", a, wrong, lambda key: (a[key][2][1], k_of_b[key[0], key[1], a[key][1]]))
    for p in tiles:
        for row in range(16):
            counts = {}
            for (q, r, lane, i), (at, slot, value) in a.items():
                if q == p and at == row:
                    counts[value[2]] = counts.get(value[2], 0) + 1
            for k in range(s["K"]):
                if counts.get(k, 0) != 1:
                    return "cover", (p, None), None, None, f"y[0, {16 * p[0] + row}]", f"k = {k}", None, None
    return None


def report(obligation, a, wrong, expected):
    key = min(wrong)
    return (obligation, key[:2], key[2], key[3], "W[%d, %d]" % expected(key), "W[%d, %d]" % a[key][2][1:],
            len(wrong), len(a))


def smallest(title, kernel, limit=104):
    for s in shapes(kernel, limit):
        found = judge(kernel, s)
        if found:
            print(title, "|", " ".join(f"{n}={s[n]}" for n in kernel.names), "|", *found)
            return
    print(title, "| nothing up to a sum of", limit)


def mutant(**methods):
    return type("Mutant", (Gemv,), methods)()


def swapped_halves(lane, i):
    row, slot = (lane >> 2) + (8 if i >= 4 else 0), (lane % 4) * 2 + (i & 1) + (8 if i % 4 >= 2 else 0)
    return row, slot


def relabelled(self, s, p, r, lane):  # x in its own order, the pack in its
    first = self.first_block(s, r) * 32 + (r[2] * s["U"] + r[3]) * 32 + 16 * r[4] + 2 * (lane & 3)
    return [("x", self.token(s, p, lane), first + e) for e in (0, 1, 8, 9)]


def main():
    smallest("as it is", Gemv(), 90)
    for one, other in itertools.combinations(range(8), 2):
        axes = list(Gemv.permutation)
        axes[one], axes[other] = axes[other], axes[one]
        smallest(f"axes {one} {other}", mutant(permutation=tuple(axes)))
    block = lambda k, s, p, r, lane: Gemv.unit(k, s, p, r, lane) - 32 * (r[2] * s["U"] + r[3])
    row = lambda k, s, p, r, lane: Gemv.unit(k, s, p, r, lane) - 32 * (p[0] * k.blocks(s) + k.first_block(s, r))
    step = lambda k, s, p, r, lane: Gemv.unit(k, s, p, r, lane) - 16 * r[4]
    smallest("block stride 32", mutant(unit=block))
    smallest("row stride 32", mutant(unit=row))
    smallest("step offset 16", mutant(unit=step))
    smallest("h and c swapped", mutant(slot_of_a=staticmethod(swapped_halves)))
    smallest("x not relabelled", mutant(b=relabelled))
    smallest("halves of x swapped", mutant(half=lambda k, r: 1 - r[4]))
    smallest("g and t swapped", mutant(token=lambda k, s, p, lane: min(p[1] * 8 + (lane & 3), s["M"] - 1),
                                       x_at=lambda k, s, r, lane: Gemv.x_at(k, s, r, 0) + (lane >> 2) * 8))
    smallest("KB = K/16", mutant(blocks=lambda k, s: s["K"] // 16))
    smallest("no clamp", mutant(token=lambda k, s, p, lane: p[1] * 8 + (lane >> 2)))
    smallest("guard <=", mutant(stored=lambda k, s, p, column: 8 * p[1] + column <= s["M"]))
    smallest("U does not divide", mutant(admits=lambda k, s: s["K"] % (32 * s["S"] * s["NW"]) == 0))
    smallest("S does not divide", mutant(admits=lambda k, s: s["K"] % (32 * s["NW"] * s["U"]) == 0))
    smallest("NW does not divide", mutant(admits=lambda k, s: s["K"] % (32 * s["S"] * s["U"]) == 0))


if __name__ == "__main__":
    main()
