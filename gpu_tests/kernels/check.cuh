// What the programs in this folder share: checked CUDA calls, and small integers as test data.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                             \
  do {                                                                                          \
    const cudaError_t error_ = (call);                                                          \
    if (error_ != cudaSuccess) {                                                                \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));      \
      std::exit(4);                                                                             \
    }                                                                                           \
  } while (false)

namespace kernels {

// An integer from -4 to 4 that depends on the element alone: sums of 2^18 products stay exact in f32.
__host__ __device__ inline int test_value(uint64_t element, uint64_t seed) {
  uint64_t x = element * 0x9E3779B97F4A7C15u + seed;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 32;
  return static_cast<int>(x % 9) - 4;
}

template <typename T>
std::vector<T> download(const T* from, size_t count) {
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

template <typename T>
T* allocate(size_t count) {
  T* p = nullptr;
  CHECK(cudaMalloc(&p, count * sizeof(T)));
  CHECK(cudaMemset(p, 0xFF, count * sizeof(T)));  // NaN in every float format: an unwritten result shows
  return p;
}

}  // namespace kernels
