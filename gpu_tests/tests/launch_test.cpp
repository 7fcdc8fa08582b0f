// What a launch is given and what its result is held against, without a GPU.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <stdexcept>

#include "gpu_tests/driver/api.h"
#include "gpu_tests/launch/launcher.h"
#include "gpu_tests/launch/memory_image.h"
#include "spec/load.h"

namespace fragproof::gpu {
namespace {

constexpr const char* text =
    "size N, K\n"
    "require N % 8 == 0 && K % 8 == 0\n"
    "tensor W[N, K] : s8\n"
    "tensor x[K, N] : s8\n"
    "tensor y[N, N] : s32\n"
    "pack P = W.reshape(N, K/2, 2).permute(2, 0, 1).contiguous()\n"
    "pack Z[N*K + 4] : s8\n"
    "  for (n : N, k : K) Z[n*K + k] = W[n, K - 1 - k]\n"
    "kernel k computes y[m, n] += W[m, k] * x[k, n]\n"
    "  parallel (a : 1)\n"
    "  load v from W[lane % N, 0]\n"
    "  acc += mma.m16n8k16.s8({v, v, v, v, v, v, v, v}, {v, v, v, v})\n"
    "  store acc to y[row % N, col % N]\n"
    "  launch \"k_{N}\" grid(1) block(32) args(P, x, y, i32(K))\n";

struct Loaded {
  LoadResult loaded = load_text("t.layout", text);
  Shape shape;
  Loaded() {
    EXPECT_TRUE(loaded.spec);
    shape.sizes = {{loaded.spec->sizes[0], 8}, {loaded.spec->sizes[1], 16}};
  }
  const Array& array(const std::string& name) {
    for (const Array* one : loaded.spec->arrays) {
      if (one->name == name) return *one;
    }
    throw std::runtime_error(name);
  }
};

TEST(Launch, TensorsHoldSmallIntegersThatDiffer) {
  Loaded file;
  Evaluator evaluator(*file.loaded.spec, file.shape);
  const auto bytes = bytes_of(evaluator, file.array("W"));
  ASSERT_EQ(bytes.size(), 128U);
  std::set<int> seen;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int value = static_cast<std::int8_t>(bytes[i]);
    EXPECT_EQ(value, element_value(file.array("W"), static_cast<std::int64_t>(i)));
    EXPECT_LE(std::abs(value), 4);
    seen.insert(value);
  }
  EXPECT_EQ(seen.size(), 9U);
  EXPECT_NE(bytes, bytes_of(evaluator, file.array("x")));
}

TEST(Launch, PacksHoldWhatTheirTextSays) {
  Loaded file;
  Evaluator evaluator(*file.loaded.spec, file.shape);
  const auto packed = bytes_of(evaluator, file.array("P"));
  const auto reversed = bytes_of(evaluator, file.array("Z"));
  ASSERT_EQ(packed.size(), 128U);
  ASSERT_EQ(reversed.size(), 132U);
  for (int n = 0; n < 8; ++n) {
    for (int k = 0; k < 16; ++k) {
      const auto want = static_cast<std::uint8_t>(element_value(file.array("W"), n * 16 + k));
      EXPECT_EQ(packed[static_cast<std::size_t>(k % 2 * 64 + n * 8 + k / 2)], want)
          << n << " " << k;
      EXPECT_EQ(reversed[static_cast<std::size_t>(n * 16 + 15 - k)], want) << n << " " << k;
    }
  }
  EXPECT_EQ(reversed[128], 0xA5);  // nobody writes it
}

TEST(Launch, TheReferenceIsTheContraction) {
  Loaded file;
  Evaluator evaluator(*file.loaded.spec, file.shape);
  const auto y = exact_result(evaluator, *file.loaded.spec->kernels[0]);
  ASSERT_EQ(y.size(), 64U);
  for (int m = 0; m < 8; ++m) {
    for (int n = 0; n < 8; ++n) {
      std::int64_t sum = 0;
      for (int k = 0; k < 16; ++k) {
        sum +=
            element_value(file.array("W"), m * 16 + k) * element_value(file.array("x"), k * 8 + n);
      }
      EXPECT_EQ(y[static_cast<std::size_t>(m * 8 + n)], sum);
    }
  }
}

TEST(Launch, SymbolsDependOnSizes) {
  Loaded file;
  EXPECT_EQ(symbol_at("k_{N}_{K}_{N}", file.shape), "k_8_16_8");
  EXPECT_EQ(symbol_at("k_{M}", file.shape), "k_{M}");
}

TEST(Launch, NumbersAreComparedExactlyOrAsRounded) {
  Array y;
  y.name = "y";
  std::string found;
  y.element = *find_type("bf16");
  EXPECT_TRUE(is_number(y, 0x3F80, 1, found));
  EXPECT_FALSE(is_number(y, 0x3F80, 2, found));
  EXPECT_EQ(found, "1");
  EXPECT_TRUE(is_number(y, 0x4380, 257, found));   // 256: bf16 has no 257
  EXPECT_FALSE(is_number(y, 0x4380, 258, found));  // it has 258
  EXPECT_FALSE(is_number(y, 0xFFFF, 0, found));    // poison
  y.element = *find_type("s32");
  EXPECT_TRUE(is_number(y, 0xFFFFFFFF, -1, found));
}

TEST(Launch, WithoutAGpuNothingIsSaidAboutTheKernel) {
  std::string why;
  if (load_api(why) != nullptr) GTEST_SKIP() << "this machine has a driver";
  Loaded file;
  Launcher launcher(*file.loaded.spec, *file.loaded.spec->kernels[0], {"", 0, 5});
  const Emulation outcome = launcher.run(file.shape);
  EXPECT_FALSE(outcome.ran);
  EXPECT_EQ(outcome.reason, "no CUDA driver here (libcuda.so.1 cannot be opened)");
  EXPECT_TRUE(outcome.faults.empty());
  EXPECT_FALSE(launcher.run(file.shape).ran);  // and again
}

}  // namespace
}  // namespace fragproof::gpu
