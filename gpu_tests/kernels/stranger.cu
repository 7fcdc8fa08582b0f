// A packed GEMV as somebody else would write it: no header of ours, any number of warps, tokens in tiles of eight.
// Compiled to a cubin, it is what `fragproof fuzz examples/gemv.layout --gpu --module stranger.cubin --at S=1` fuzzes.
// -DBREAK=1: the step offset of the weights is 16 units for 32. -DBREAK=2: the store lacks its guard. -DBREAK=3: it never
// ends. -DBREAK=4: it reads far outside.
#include <cuda_bf16.h>
#include <stdint.h>

#ifndef BREAK
#define BREAK 0
#endif

extern "C" __global__ void gemv_kernel(const uint4* w, const __nv_bfloat16* x, float* y, int M, int N, int K) {
  __shared__ float part[32][32][4];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  const int g = lane >> 2, t = lane & 3, blocks = K / 32, own = blocks / warps;
  for (int first = 0; first < M; first += 8) {
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    const int token = min(first + g, M - 1);
    for (int kb = warp * own; kb < (warp + 1) * own; ++kb) {
      const uint4* a = w + ((size_t)blockIdx.x * blocks + kb) * 64 + lane + (BREAK == 4 ? (size_t)1 << 40 : 0);
      const uint4 b = *(const uint4*)(x + (size_t)token * K + kb * 32 + t * 8);
      for (int step = 0; step < 2; ++step) {
        const uint4 r = a[step * (BREAK == 1 ? 16 : 32)];
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
            : "r"(r.x), "r"(r.y), "r"(r.z), "r"(r.w), "r"(step ? b.z : b.x), "r"(step ? b.w : b.y));
      }
    }
    part[warp][lane][0] = d0;
    part[warp][lane][1] = d1;
    part[warp][lane][2] = d2;
    part[warp][lane][3] = d3;
    __syncthreads();
    for (int i = threadIdx.x; i < 128; i += blockDim.x) {
      const int l = i / 4, e = i % 4;
      float sum = 0;
      for (int p = 0; p < warps; ++p) sum += part[p][l][e];
      const int n = blockIdx.x * 16 + l / 4 + 8 * (e / 2), m = first + 2 * (l % 4) + e % 2;
      if (BREAK == 2 || m < M) y[(size_t)m * N + n] = sum;
    }
    __syncthreads();
  }
#if BREAK == 3
  while (*(volatile float*)y != 12345.0f) {
  }
#endif
}
