// Bandwidth of the packed GEMV beside a device-to-device copy, cuBLAS and the natural layout, in one run.
// usage: bench_gemv [N K]. Buffers are rotated so that no weight is in L2 from the run before; the median of 30 runs counts.
#include <cublas_v2.h>

#include <algorithm>
#include <functional>

#include "check.cuh"
#include "gemv.cuh"

using namespace kernels;

namespace {

constexpr int sets = 4, runs = 30;

__global__ void fill(bf16* w, int64_t size, uint64_t seed) {
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < size; i += int64_t{gridDim.x} * blockDim.x) {
    w[i] = __float2bfloat16(static_cast<float>(test_value(i, seed)));
  }
}
__global__ void pack(const bf16* w, bf16* packed, int64_t N, int64_t K) {
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < N * K; i += int64_t{gridDim.x} * blockDim.x) {
    packed[i] = w[fragproof::gemv::Wp::source_index(i, N, K)];
  }
}

double median_seconds(const std::function<void(int)>& launch) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  std::vector<float> times;
  for (int i = 0; i < runs + 5; ++i) {
    CHECK(cudaEventRecord(start));
    launch(i % sets);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaGetLastError());
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    if (i >= 5) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2] / 1000;
}

struct Problem {
  int M, N, K;
  bf16 *natural[sets], *packed[sets], *x;
  float *y, *reference;
};

void show(const char* what, const Problem& p, double seconds, double copy) {
  const double bytes = 2.0 * p.N * p.K + 2.0 * p.M * p.K + 4.0 * p.M * p.N;
  std::printf("  M=%-2d  %-28s %8.1f us  %5.2f TB/s  %5.3f of the copy\n", p.M, what, seconds * 1e6,
              bytes / seconds / 1e12, bytes / seconds / copy);
}

void same(const Problem& p, const char* what) {
  const std::vector<float> got = download(p.y, size_t(p.M) * p.N), want = download(p.reference, size_t(p.M) * p.N);
  if (got != want) {
    std::printf("%s is not equal to cuBLAS\n", what);
    std::exit(1);
  }
  CHECK(cudaMemset(p.y, 0xFF, got.size() * 4));
}

template <int NB, int NW, int U>
void packed(const Problem& p, double copy) {
  const double seconds = median_seconds([&](int s) {
    gemv<NB, NW, U, false, float><<<dim3(p.N / 16, 1), 32 * NW>>>(reinterpret_cast<uint4*>(p.packed[s]), nullptr, p.x,
                                                                 p.y, nullptr, nullptr, nullptr, p.M, p.N, p.K);
  });
  char what[64];
  std::snprintf(what, sizeof what, "packed NB=%d NW=%d U=%d", NB, NW, U);
  same(p, what);
  show(what, p, seconds, copy);
}

template <int NB>
void bench(Problem p, cublasHandle_t handle, double copy) {
  const float one = 1, zero = 0;
  // Row-major y[M, N] = x[M, K] * W[N, K]^T is column-major y^T = W * x^T.
  const double library = median_seconds([&](int s) {
    const cublasStatus_t status =
        cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, p.N, p.M, p.K, &one, p.natural[s], CUDA_R_16BF, p.K, p.x,
                     CUDA_R_16BF, p.K, &zero, p.reference, CUDA_R_32F, p.N, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    if (status != CUBLAS_STATUS_SUCCESS) std::exit(4);
  });
  show("cuBLAS GemmEx", p, library, copy);
  packed<NB, 4, 2>(p, copy);
  packed<NB, 4, 4>(p, copy);
  packed<NB, 8, 1>(p, copy);
  packed<NB, 8, 2>(p, copy);
  packed<NB, 8, 4>(p, copy);
  packed<NB, 16, 1>(p, copy);
  packed<NB, 16, 2>(p, copy);
  if (p.M % 8 == 0) {
    const double seconds = median_seconds(
        [&](int s) { gemv_natural<NB, 8, 4, float><<<p.N / 16, 256>>>(p.natural[s], p.x, p.y, p.M, p.N, p.K); });
    same(p, "natural");
    show("natural layout", p, seconds, copy);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Problem p{};
  p.N = argc > 2 ? std::atoi(argv[1]) : 16384;
  p.K = argc > 2 ? std::atoi(argv[2]) : 16384;
  const size_t size = size_t(p.N) * p.K;
  for (int s = 0; s < sets; ++s) {
    p.natural[s] = allocate<bf16>(size);
    p.packed[s] = allocate<bf16>(size);
    fill<<<1024, 256>>>(p.natural[s], int64_t(size), 1);
    pack<<<1024, 256>>>(p.natural[s], p.packed[s], p.N, p.K);
  }
  p.x = allocate<bf16>(size_t(16) * p.K);
  fill<<<64, 256>>>(p.x, int64_t(16) * p.K, 2);
  p.y = allocate<float>(size_t(16) * p.N);
  p.reference = allocate<float>(size_t(16) * p.N);
  bf16* to = allocate<bf16>(size);
  CHECK(cudaDeviceSynchronize());
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 4;
  cudaDeviceProp about;
  CHECK(cudaGetDeviceProperties(&about, 0));
  const double copy_seconds =
      median_seconds([&](int s) { CHECK(cudaMemcpyAsync(to, p.packed[s], size * 2, cudaMemcpyDeviceToDevice)); });
  const double copy = 4.0 * static_cast<double>(size) / copy_seconds;  // bytes read and written
  std::printf("%s, N=%d, K=%d, bf16, median of %d\n  device-to-device copy %26.1f us  %5.2f TB/s (read + written)\n",
              about.name, p.N, p.K, runs, copy_seconds * 1e6, copy / 1e12);
  for (const int M : {1, 8}) {
    p.M = M;
    bench<1>(p, handle, copy);
  }
  p.M = 16;
  bench<2>(p, handle, copy);
  return 0;
}
