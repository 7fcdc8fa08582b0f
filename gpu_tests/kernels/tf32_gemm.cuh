// The tf32 GEMM of the second source text, fed by ldmatrix: the right ways and the wrong one, by the layouts of
// examples/tf32_gemm.layout and tf32_trans.layout.
//
// C[M, N] = A[M, K] times B; a block of eight warps makes a 32 x 32 tile, two by four warp tiles of 16 x 8. `dump` gets
// the operand registers of the first warp at its first step: what `fragproof show FILE KERNEL.a` predicts.
#pragma once

#include <cstdint>

#include "fragproof_kernels.h"

namespace kernels {

__device__ __forceinline__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void ldmatrix_x4(unsigned (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row)));
}
__device__ __forceinline__ void ldmatrix_x2(unsigned (&r)[2], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(shared_address(row)));
}
__device__ __forceinline__ void ldmatrix_x2_trans(unsigned (&r)[2], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(shared_address(row)));
}
__device__ __forceinline__ void mma_m16n8k8(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// How each variant gets B: the layout's kernel, the tile of B as global memory has it, and the load.
struct NbyK {  // B stored n by k: ldmatrix.x2
  using Layout = fragproof::tf32_gemm::gemm_nk;
  static constexpr int rows = 32, cols = 16;
  static constexpr bool k_by_n = false;
  static __device__ void load(unsigned (&b)[2], const unsigned* Bs, int lane, int wn, int ks) {
    ldmatrix_x2(b, Bs + Layout::b::index(lane, wn, ks));
  }
};
struct Transposing {  // k by n, transposed on the way to shared memory
  using Layout = fragproof::tf32_gemm::gemm_transposing;
  static constexpr int rows = 16, cols = 32;
  static constexpr bool k_by_n = true;
  static __device__ void load(unsigned (&b)[2], const unsigned* Bs, int lane, int wn, int ks) {
    ldmatrix_x2(b, Bs + Layout::b::index(lane, wn, ks));
  }
};
struct ByHand {  // k by n, each lane picks its two words
  using Layout = fragproof::tf32_gemm::gemm_by_hand;
  static constexpr int rows = 16, cols = 32;
  static constexpr bool k_by_n = true;
  static __device__ void load(unsigned (&b)[2], const unsigned* Bs, int lane, int wn, int ks) {
    b[0] = Bs[Layout::b0::index(lane, wn, ks)];
    b[1] = Bs[Layout::b1::index(lane, wn, ks)];
  }
};
struct Trans {  // k by n, ldmatrix.x2.trans: WRONG, kept to show that hardware does exactly what is refuted on paper
  using Layout = fragproof::tf32_trans::trans;
  static constexpr int rows = 16, cols = 32;
  static constexpr bool k_by_n = true;
  static __device__ void load(unsigned (&b)[2], const unsigned* Bs, int lane, int wn, int ks) {
    ldmatrix_x2_trans(b, Bs + Layout::b::index(lane, wn, ks));
  }
};

// grid (M/32, N/32), block 256. Requires M % 32 == 0, N % 32 == 0, K % 16 == 0.
template <typename V>
__global__ void tf32_gemm(const unsigned* A, const unsigned* B, float* C, unsigned* dump, int N, int K) {
  using L = typename V::Layout;
  __shared__ alignas(128) unsigned As[32 * 40], Bs[32 * 40];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int mb = blockIdx.x, nb = blockIdx.y, wm = warp / 4, wn = warp % 4;
  float acc[4] = {};
  for (int kt = 0; kt < K / 16; ++kt) {
    for (int i = threadIdx.x; i < 32 * 16; i += 256) {
      const int r = i / 16, c = i % 16;
      As[L::fill_As::index(r, c)] = A[L::fill_As::source_index(r, c, mb, kt, K)];
      const int rb = i / V::cols, cb = i % V::cols;
      Bs[L::fill_Bs::index(rb, cb)] = B[L::fill_Bs::source_index(rb, cb, nb, kt, V::k_by_n ? N : K)];
    }
    __syncthreads();
    for (int ks = 0; ks < 2; ++ks) {
      unsigned a[4], b[2];
      ldmatrix_x4(a, As + L::a::index(lane, wm, ks));
      V::load(b, Bs, lane, wn, ks);
      if (dump != nullptr && mb == 0 && nb == 0 && warp == 0 && kt == 0 && ks == 0) {
        for (int r = 0; r < 4; ++r) dump[r * 32 + lane] = a[r];
        for (int r = 0; r < 2; ++r) dump[(4 + r) * 32 + lane] = b[r];
      }
      mma_m16n8k8(acc, a, b);
    }
    __syncthreads();
  }
  for (int e = 0; e < 4; ++e) C[L::store::index(lane, e, mb, nb, wm, wn, N)] = acc[e];
}

}  // namespace kernels
