// Runs the kernels of this folder at small sizes against plain loops, exactly, and dumps the operand registers of the tf32
// variants as CSV: `lane,register,bit,element,half`. usage: run_kernels DUMP_FOLDER. Exit 1 when a result surprises: a
// right kernel that is wrong, or the wrong one that is right.
#include <string>

#include "check.cuh"
#include "gemv.cuh"
#include "tf32_gemm.cuh"

using namespace kernels;

namespace {

int surprises = 0;

void expect(bool fine, const std::string& what) {
  std::printf("  %s  %s\n", fine ? "ok  " : "FAIL", what.c_str());
  surprises += fine ? 0 : 1;
}

__global__ void fill_natural(bf16* w, int64_t size, uint64_t seed) {
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < size; i += int64_t{gridDim.x} * blockDim.x) {
    w[i] = __float2bfloat16(static_cast<float>(test_value(i, seed)));
  }
}

__global__ void fill_packed(bf16* w, int64_t N, int64_t K, uint64_t seed) {
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < N * K; i += int64_t{gridDim.x} * blockDim.x) {
    w[i] = __float2bfloat16(static_cast<float>(test_value(fragproof::gemv::Wp::source_index(i, N, K), seed)));
  }
}

int64_t dot(int64_t n, int64_t m, int64_t K, uint64_t w_seed, uint64_t x_seed) {
  int64_t sum = 0;
  for (int64_t k = 0; k < K; ++k) sum += test_value(n * K + k, w_seed) * test_value(m * K + k, x_seed);
  return sum;
}

float as_float(float v) { return v; }
float as_float(bf16 v) { return __bfloat162float(v); }
float rounded(float v, float) { return v; }
float rounded(float v, bf16) { return __bfloat162float(__float2bfloat16(v)); }

template <typename Out>
bool equals(const Out* y, int M, int N, int K, uint64_t w_seed) {
  const std::vector<Out> got = download(y, size_t(M) * N);
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      const float want = rounded(static_cast<float>(dot(n, m, K, w_seed, 2)), Out{});
      if (as_float(got[size_t(m) * N + n]) != want) return false;
    }
  }
  return true;
}

template <int NB, int NW, int U, bool DUAL, typename Out>
void run_gemv(int M, int N, int K, int S) {
  bf16 *w = allocate<bf16>(size_t(N) * K), *w2 = allocate<bf16>(size_t(N) * K), *x = allocate<bf16>(size_t(M) * K);
  Out *y = allocate<Out>(size_t(M) * N), *y2 = allocate<Out>(size_t(M) * N);
  float *p = allocate<float>(size_t(M) * N * S), *p2 = allocate<float>(size_t(M) * N * S);
  fill_packed<<<64, 256>>>(w, N, K, 1);
  fill_packed<<<64, 256>>>(w2, N, K, 3);
  fill_natural<<<64, 256>>>(x, int64_t(M) * K, 2);
  gemv<NB, NW, U, DUAL, Out><<<dim3(N / 16, S), 32 * NW>>>(reinterpret_cast<uint4*>(w), reinterpret_cast<uint4*>(w2),
                                                           x, y, y2, S > 1 ? p : nullptr, S > 1 ? p2 : nullptr, M, N, K);
  if (S > 1) {
    sum_splits<<<(M * N + 255) / 256, 256>>>(p, y, S, int64_t(M) * N);
    if (DUAL) sum_splits<<<(M * N + 255) / 256, 256>>>(p2, y2, S, int64_t(M) * N);
  }
  CHECK(cudaDeviceSynchronize());
  const bool fine = equals(y, M, N, K, 1) && (!DUAL || equals(y2, M, N, K, 3));
  expect(fine, "gemv M=" + std::to_string(M) + " N=" + std::to_string(N) + " K=" + std::to_string(K) +
                   " S=" + std::to_string(S) + " NB=" + std::to_string(NB) + " NW=" + std::to_string(NW) +
                   " U=" + std::to_string(U) + (DUAL ? " dual" : "") + (sizeof(Out) == 2 ? " bf16" : " f32"));
  for (void* q : {(void*)w, (void*)w2, (void*)x, (void*)y, (void*)y2, (void*)p, (void*)p2}) CHECK(cudaFree(q));
}

void run_natural() {
  const int M = 8, N = 64, K = 512;
  bf16 *w = allocate<bf16>(N * K), *x = allocate<bf16>(M * K);
  float* y = allocate<float>(M * N);
  fill_natural<<<64, 256>>>(w, N * K, 1);
  fill_natural<<<64, 256>>>(x, M * K, 2);
  gemv_natural<1, 4, 4, float><<<N / 16, 128>>>(w, x, y, M, N, K);
  CHECK(cudaDeviceSynchronize());
  expect(equals(y, M, N, K, 1), "gemv_natural M=8 N=64 K=512");
  for (void* q : {(void*)w, (void*)x, (void*)y}) CHECK(cudaFree(q));
}

template <typename V>
void run_tf32(const std::string& name, bool right, const std::string& folder) {
  const int M = 64, N = 96, K = 48;
  std::vector<float> a(M * K), b(N * K);
  std::vector<unsigned> code_a(32 * 16), code_b(32 * 16);
  for (int i = 0; i < M * K; ++i) a[i] = static_cast<float>(test_value(i, 5));
  for (int i = 0; i < N * K; ++i) b[i] = static_cast<float>(test_value(i, 6));
  // Halves that say whose they are: 2e is the low half of element e, 2e + 1 the high one.
  for (unsigned e = 0; e < code_a.size(); ++e) code_a[e] = code_b[e] = (2 * e + 1) << 16 | 2 * e;
  unsigned *da = allocate<unsigned>(M * K), *db = allocate<unsigned>(N * K), *dump = allocate<unsigned>(6 * 32);
  float* c = allocate<float>(M * N);
  CHECK(cudaMemcpy(da, a.data(), a.size() * 4, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), b.size() * 4, cudaMemcpyHostToDevice));
  tf32_gemm<V><<<dim3(M / 32, N / 32), 256>>>(da, db, c, nullptr, N, K);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> got = download(c, M * N);
  int wrong = 0;
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float want = 0;
      for (int k = 0; k < K; ++k) want += a[m * K + k] * (V::k_by_n ? b[k * N + n] : b[n * K + k]);
      wrong += got[m * N + n] == want ? 0 : 1;
    }
  }
  expect((wrong == 0) == right, "tf32 " + name + ": " + std::to_string(wrong) + " of " + std::to_string(M * N) + " wrong");
  // Registers, at M = N = 32, K = 16: the smallest sizes, which `show` picks too.
  CHECK(cudaMemcpy(da, code_a.data(), code_a.size() * 4, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, code_b.data(), code_b.size() * 4, cudaMemcpyHostToDevice));
  tf32_gemm<V><<<dim3(1, 1), 256>>>(da, db, c, dump, 32, 16);
  CHECK(cudaDeviceSynchronize());
  const std::vector<unsigned> registers = download(dump, 6 * 32);
  for (const char operand : {'a', 'b'}) {
    std::FILE* out = std::fopen((folder + "/" + name + "." + operand + ".csv").c_str(), "w");
    if (out == nullptr) std::exit(2);
    std::fprintf(out, "lane,register,bit,element,half\n");
    for (int lane = 0; lane < 32; ++lane) {
      for (int r = 0; r < (operand == 'a' ? 4 : 2); ++r) {
        const unsigned word = registers[((operand == 'a' ? 0 : 4) + r) * 32 + lane];
        for (int half = 0; half < 2; ++half) {
          const unsigned code = word >> (16 * half) & 0xFFFF;
          std::fprintf(out, "%d,%d,%d,%u,%u\n", lane, r, 16 * half, code / 2, code % 2);
        }
      }
    }
    std::fclose(out);
  }
  for (void* q : {(void*)da, (void*)db, (void*)dump, (void*)c}) CHECK(cudaFree(q));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("SKIPPED: no GPU here");
    return 77;
  }
  run_gemv<1, 4, 1, false, float>(1, 16, 128, 1);
  run_gemv<1, 8, 2, false, float>(8, 64, 512, 1);
  run_gemv<2, 4, 2, false, float>(13, 64, 512, 2);
  run_gemv<2, 8, 1, false, bf16>(16, 128, 1024, 4);
  run_gemv<1, 4, 4, true, float>(5, 48, 1024, 1);
  run_gemv<2, 2, 2, true, bf16>(9, 32, 512, 2);
  run_natural();
  run_tf32<NbyK>("gemm_nk", true, folder);
  run_tf32<Transposing>("gemm_transposing", true, folder);
  run_tf32<ByHand>("gemm_by_hand", true, folder);
  run_tf32<Trans>("trans", false, folder);
  std::printf("%d surprises\n", surprises);
  return surprises == 0 ? 0 : 1;
}
