#!/usr/bin/env bash
# Builds and runs the kernels on this machine's GPU. usage: run.sh FRAGPROOF [RESULTS_FOLDER]
# Exit 77 without nvcc or a GPU, 1 when prediction and hardware differ.
set -euo pipefail
tool=$(realpath "${1:?usage: run.sh FRAGPROOF [RESULTS_FOLDER]}")
results=$(realpath -m "${2:-kernel-results}")
cd "$(dirname "$0")"
command -v nvcc >/dev/null || { echo "SKIPPED: no nvcc here"; exit 77; }
nvidia-smi -L >/dev/null 2>&1 || { echo "SKIPPED: no GPU here"; exit 77; }
mkdir -p "$results"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
examples=../../examples
"$tool" header "$examples"/{gemv,gemv_natural,tf32_gemm,tf32_trans}.layout --output "$work/fragproof_kernels.h"
flags=(-std=c++17 -O3 -arch=sm_90 -I"$work")
nvcc "${flags[@]}" run_kernels.cu -o "$work/run_kernels" &
first=$!
nvcc "${flags[@]}" bench_gemv.cu -lcublas -o "$work/bench_gemv" &
wait $!
wait $first
"$work/run_kernels" "$work" | tee "$results/kernels.txt"
python3 compare_registers.py "$tool" "$examples" "$work" | tee "$results/registers.txt"
"$work/bench_gemv" | tee "$results/gemv.txt"
nvcc "${flags[@]}" sparse_metadata.cu -o "$work/sparse_metadata" 2>/dev/null
"$work/sparse_metadata" | tee "$results/sparse.txt"
if [ "${PROFILE:-}" ]; then
  compute-sanitizer --tool memcheck "$work/run_kernels" "$work" | tail -n 2 | tee "$results/memcheck.txt"
  compute-sanitizer --tool racecheck "$work/run_kernels" "$work" | tail -n 2 | tee "$results/racecheck.txt"
  ncu --clock-control none --csv --metrics \
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum,smsp__sass_inst_executed_op_ldsm.sum,\
l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio \
    "$work/run_kernels" "$work" >"$results/ncu.csv" || true
fi
