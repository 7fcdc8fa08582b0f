#!/usr/bin/env bash
# Fuzzes a stranger's compiled kernel from its cubin, right and in four broken forms. usage: fuzz.sh FRAGPROOF
# Exit 77 without nvcc or a GPU, 1 when the right kernel fails or a broken one passes.
set -uo pipefail
tool=$(realpath "${1:?usage: fuzz.sh FRAGPROOF}")
cd "$(dirname "$0")" || exit 2
command -v nvcc >/dev/null || { echo "SKIPPED: no nvcc here"; exit 77; }
nvidia-smi -L >/dev/null 2>&1 || { echo "SKIPPED: no GPU here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for broken in 0 1 2 3 4; do
  nvcc -cubin -arch=sm_90 -DBREAK=$broken stranger.cu -o "$work/$broken.cubin" || exit 4
  cases=1000 sizes=S=1
  if [ $broken -ge 3 ]; then cases=2; fi
  echo "== stranger.cu, BREAK=$broken, $cases cases"
  time "$tool" fuzz ../../examples/gemv.layout --gpu --require-gpu --module "$work/$broken.cubin" --at $sizes \
    --cases $cases --time-limit 3
  code=$?
  if [ $broken -eq 0 ] && [ $code -ne 0 ]; then status=1; fi
  if [ $broken -ne 0 ] && [ $code -ne 1 ]; then status=1; fi
done
echo "status $status"
exit $status
