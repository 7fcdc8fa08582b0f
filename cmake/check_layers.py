#!/usr/bin/env python3
"""Do includes point one way only?  usage: check_layers.py [SOURCE_DIR]

A layer may include itself and what stands on its line below. z3++.h is included in checkers/solver alone. Tests and
benches drive a layer through those above it, so only their own folder's rule about z3++.h holds for them.
"""
import pathlib
import re
import sys

# checkers/engine.h is the contract that the engines share.
ALLOWED = {
    "spec": [],
    "checkers/result": ["spec"],
    "checkers/enumerate": ["spec", "checkers/result", "checkers/engine.h"],
    "checkers/linear": ["spec", "checkers/result", "checkers/engine.h"],
    "checkers/solver": ["spec", "checkers/result", "checkers/engine.h"],
    "checkers/radix": ["spec", "checkers/result", "checkers/engine.h", "checkers/solver",
                       "checkers/enumerate/kernel_types.h"],
    "checkers": ["spec", "checkers/result", "checkers/enumerate", "checkers/linear", "checkers/solver",
                 "checkers/radix"],
    "checkers/replay": [],
    "reports": ["checkers/result"],
    "fuzz": ["spec", "checkers/result", "checkers/enumerate", "checkers/engine.h",
             "checkers/portfolio.h", "fuzz/emulate"],
    "fuzz/emulate": ["spec", "checkers/result", "checkers/enumerate"],
    "fuzz/targets": ["spec", "reports", "fuzz"],  # programs of their own
    "gpu_tests": ["spec", "checkers/result", "reports", "fuzz", "fuzz/emulate"],
    "cli": ["spec", "checkers", "checkers/result", "checkers/enumerate", "checkers/solver", "reports", "fuzz",
            "fuzz/emulate", "gpu_tests"],
}
TOPS = sorted({layer.split("/")[0] for layer in ALLOWED})


def layer_of(path):
    folder = path.parent
    while folder != pathlib.PurePosixPath("."):
        if str(folder) in ALLOWED:
            return str(folder)
        folder = folder.parent
    return None


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    faults = []
    seen = 0
    for top in TOPS:
        for source in sorted((root / top).rglob("*")):
            if source.suffix not in (".h", ".cpp"):
                continue
            path = pathlib.PurePosixPath(source.relative_to(root).as_posix())
            free = "tests" in path.parts or "bench" in path.parts
            for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
                match = re.match(r'#include ["<]([^">]+)[">]', line)
                if not match:
                    continue
                seen += 1
                included = match[1]
                if included == "z3++.h" and path.parts[:2] != ("checkers", "solver"):
                    faults.append(f"{path}:{number}: z3++.h belongs to checkers/solver")
                if line[9] != '"' or "/" not in included or free:
                    continue
                here, there = layer_of(path), layer_of(pathlib.PurePosixPath(included))
                if here is None or there is None:
                    faults.append(f"{path}:{number}: {included} belongs to no layer")
                elif here != there and there not in ALLOWED[here] and included not in ALLOWED[here]:
                    faults.append(f"{path}:{number}: {here} must not include {included}")
    print("\n".join(faults) if faults else f"{seen} includes, all downwards")
    return 1 if faults or seen == 0 else 0


sys.exit(main())
