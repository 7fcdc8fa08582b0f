#!/usr/bin/env python3
"""Do the registers that a GPU dumped hold what `fragproof show` predicts?

usage: compare_registers.py TOOL EXAMPLES DUMP_FOLDER

DUMP_FOLDER holds KERNEL.a.csv and KERNEL.b.csv of run_kernels; the prediction is that of tf32_gemm.layout or
tf32_trans.layout. Exit 1 at the first operand that differs, with lane, register and half.
"""
import csv
import io
import pathlib
import re
import subprocess
import sys

# Elements of the tensors at M = N = 32, K = 16 are numbered row by row.
COLUMNS = {"A": 16, "Bn": 16, "Bk": 32}
LOADS = {("gemm_by_hand", "b"): ["b0", "b1"]}  # loaded one register at a time


def predicted(tool, file, load, first):
    """{(lane, register, bit): (element, half)} of one load, whose registers begin at number `first`."""
    text = subprocess.run([tool, "show", file, load, "--csv"], check=True, capture_output=True, text=True).stdout
    places = {}
    for row in csv.DictReader(io.StringIO(text)):
        whole = re.fullmatch(r"(\w+)\[(\d+), (\d+)\]", row["content"])
        half = re.fullmatch(r"bits (\d+)\.\.(\d+) of (\w+)\[(\d+), (\d+)\]", row["content"])
        if whole:
            name, halves, i, j = whole[1], [0, 1], whole[2], whole[3]
        elif half:
            name, halves, i, j = half[3], [int(half[1]) // 16], half[4], half[5]
        else:
            sys.exit(f"{load}: cannot read {row['content']!r}")
        element = int(i) * COLUMNS[name] + int(j)
        for number, which in enumerate(halves):
            key = int(row["lane"]), first + int(row["register"][1:]), int(row["bit"]) + 16 * number
            places[key] = element, which
    return places


def main():
    tool, examples, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    differ = compared = 0
    for kernel in ("gemm_nk", "gemm_transposing", "gemm_by_hand", "trans"):
        file = str(examples / ("tf32_trans.layout" if kernel == "trans" else "tf32_gemm.layout"))
        for operand in ("a", "b"):
            expected = {}
            for first, load in enumerate(LOADS.get((kernel, operand), [operand])):
                expected |= predicted(tool, file, f"{kernel}.{load}", first)
            found = {}
            with open(folder / f"{kernel}.{operand}.csv", newline="", encoding="utf-8") as dump:
                for row in csv.DictReader(dump):
                    key = int(row["lane"]), int(row["register"]), int(row["bit"])
                    found[key] = int(row["element"]), int(row["half"])
            wrong = [key for key in sorted(expected.keys() | found.keys()) if expected.get(key) != found.get(key)]
            compared += len(expected)
            differ += len(wrong)
            print(f"  {'FAIL' if wrong else 'ok  '}  {kernel}.{operand}: {len(expected)} halves, {len(wrong)} differ")
            for lane, register, bit in wrong[:4]:
                key = lane, register, bit
                print(f"        lane {lane}, register {register}, bit {bit}: predicted {expected.get(key)}, "
                      f"found {found.get(key)}")
    print(f"{compared} halves of registers compared, {differ} differ")
    return 1 if differ or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
