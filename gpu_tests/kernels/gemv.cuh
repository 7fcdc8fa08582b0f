// The packed GEMV of the first source text, and the natural-layout one that it replaces.
//
// Every index comes from the header that `fragproof header` prints from examples/gemv.layout and gemv_natural.layout: the
// text that is proved is the text that runs. y[m, n] = sum over k of W[n, k] * x[m, k], W in bf16.
#pragma once

#include <cuda_bf16.h>

#include "fragproof_kernels.h"

namespace kernels {

using bf16 = __nv_bfloat16;
using Packed = fragproof::gemv::gemv;
using Natural = fragproof::gemv_natural::natural;
using Sums = fragproof::mma_m16n8k16_b16::C;

// Weights are read once: nothing of them is kept in L1.
__device__ __forceinline__ uint4 load_streaming(const uint4* p) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p));
  return v;
}

__device__ __forceinline__ void mma_m16n8k16(float (&d)[4], const uint4& a, unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1));
}

__device__ __forceinline__ void put(float* y, float v) { *y = v; }
__device__ __forceinline__ void put(bf16* y, float v) { *y = __float2bfloat16(v); }

// Adds the tiles of a block's warps through shared memory and stores them, tokens past M left out. With gridDim.y splits
// of K each block writes floats to its own slice of `partial`, which sum_splits() adds.
template <int NB, int NW, typename Out>
__device__ void reduce_and_store(float (&acc)[NB][4], Out* y, float* partial, int rb, int M, int N) {
  __shared__ float tile[NW][NB][4][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int nb = 0; nb < NB; ++nb) {
    for (int e = 0; e < 4; ++e) tile[warp][nb][e][lane] = acc[nb][e];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < NB * 4 * 32; i += 32 * NW) {
    const int l = i % 32, e = i / 32 % 4, nb = i / 128;
    float sum = 0;
    for (int w = 0; w < NW; ++w) sum += tile[w][nb][e][l];
    if (!Packed::store::contains(l, e, nb, M)) continue;
    const int64_t at = Packed::store::index(l, e, rb, nb, N);
    if (partial == nullptr) {
      put(y + at, sum);
    } else {
      partial[int64_t{blockIdx.y} * M * N + at] = sum;
    }
  }
  __syncthreads();  // a second product (DUAL) uses the tile again
}

// NB: tiles of eight tokens; NW: warps of a block; U: blocks of 32 k in flight; DUAL: two matrices times the same x.
// grid (N/16, S), block 32*NW. Requires N % 16 == 0, K % (32*S*NW*U) == 0, M <= 8*NB.
template <int NB, int NW, int U, bool DUAL, typename Out>
__global__ void __launch_bounds__(32 * NW)
    gemv(const uint4* __restrict__ w, const uint4* __restrict__ w2, const bf16* __restrict__ x, Out* y, Out* y2,
         float* partial, float* partial2, int M, int N, int K) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int rb = blockIdx.x, sidx = blockIdx.y, S = gridDim.y;
  float acc[NB][4] = {}, acc2[DUAL ? NB : 1][4] = {};
  // Where i moves, all addresses move by the same step: the first ones come from the header, the step is its difference.
  const uint4* pa = w + Packed::a::index(lane, rb, sidx, warp, 0, 0, 0, K, S, NW, U);
  const uint4* pa2 = DUAL ? w2 + (pa - w) : nullptr;
  const int64_t step_a = Packed::a::index(lane, rb, sidx, warp, 1, 0, 0, K, S, NW, U) - (pa - w);
  const bf16* px[NB];
  for (int nb = 0; nb < NB; ++nb) px[nb] = x + Packed::xv::index(lane, nb, sidx, warp, 0, 0, K, M, S, NW, U);
  const int64_t step_x = Packed::xv::index(lane, 0, sidx, warp, 1, 0, K, M, S, NW, U) - (px[0] - x);
  constexpr int64_t unroll_a = Packed::a::index(0, 0, 0, 0, 0, 1, 0, 32, 1, 1, U);
  constexpr int64_t half_a = Packed::a::index(0, 0, 0, 0, 0, 0, 1, 32, 1, 1, U);
  constexpr int64_t unroll_x = Packed::xv::index(0, 0, 0, 0, 0, 1, 32, 1, 1, 1, U);
  const int64_t trips = Packed::i_count(K, S, NW, U);
  for (int64_t i = 0; i < trips; ++i) {
    uint4 a[U][2], a2[DUAL ? U : 1][2];
#pragma unroll
    for (int u = 0; u < U; ++u) {
#pragma unroll
      for (int s = 0; s < 2; ++s) {
        a[u][s] = load_streaming(pa + u * unroll_a + s * half_a);
        if (DUAL) a2[u][s] = load_streaming(pa2 + u * unroll_a + s * half_a);
      }
    }
#pragma unroll
    for (int u = 0; u < U; ++u) {
#pragma unroll
      for (int nb = 0; nb < NB; ++nb) {
        const uint4 xv = __ldg(reinterpret_cast<const uint4*>(px[nb] + u * unroll_x));
        mma_m16n8k16(acc[nb], a[u][0], xv.x, xv.y);
        mma_m16n8k16(acc[nb], a[u][1], xv.z, xv.w);
        if (DUAL) {
          mma_m16n8k16(acc2[nb], a2[u][0], xv.x, xv.y);
          mma_m16n8k16(acc2[nb], a2[u][1], xv.z, xv.w);
        }
      }
    }
    pa += step_a;
    if (DUAL) pa2 += step_a;
    for (int nb = 0; nb < NB; ++nb) px[nb] += step_x;
  }
  reduce_and_store<NB, NW>(acc, y, partial, rb, M, N);
  if constexpr (DUAL) reduce_and_store<NB, NW>(acc2, y2, partial2, rb, M, N);
}

// y = the sum of `splits` slices.
template <typename Out>
__global__ void sum_splits(const float* __restrict__ partial, Out* y, int splits, int64_t size) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float sum = 0;
  for (int s = 0; s < splits; ++s) sum += partial[s * size + i];
  put(y + i, sum);
}

// The same product from row-major W: four loads of 4 bytes a fragment, each warp touches eight rows. M % 8 == 0.
template <int NB, int NW, int U, typename Out>
__global__ void __launch_bounds__(32 * NW)
    gemv_natural(const bf16* __restrict__ w, const bf16* __restrict__ x, Out* y, int M, int N, int K) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, rb = blockIdx.x;
  const auto word = [](const bf16* p) { return __ldg(reinterpret_cast<const unsigned*>(p)); };
  float acc[NB][4] = {};
  const int steps = K / 16 / NW;
  for (int ks = warp * steps; ks < (warp + 1) * steps; ks += U) {
    uint4 a[U];
#pragma unroll
    for (int u = 0; u < U; ++u) {
      a[u] = {word(w + Natural::a0::index(lane, rb, ks + u, K)), word(w + Natural::a1::index(lane, rb, ks + u, K)),
              word(w + Natural::a2::index(lane, rb, ks + u, K)), word(w + Natural::a3::index(lane, rb, ks + u, K))};
    }
#pragma unroll
    for (int u = 0; u < U; ++u) {
      for (int nb = 0; nb < NB; ++nb) {
        mma_m16n8k16(acc[nb], a[u], word(x + Natural::b0::index(lane, nb, ks + u, K)),
                     word(x + Natural::b1::index(lane, nb, ks + u, K)));
      }
    }
  }
  reduce_and_store<NB, NW>(acc, y, static_cast<float*>(nullptr), rb, M, N);
}

}  // namespace kernels
