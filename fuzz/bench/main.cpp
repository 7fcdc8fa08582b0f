// The figures of the fuzzer: emulated instructions and configurations a second, their cost as sizes
// grow, and beside them the rival, the same warp in NumPy.
//
//   fuzz_bench [--benchmark_...]       the rival runs where python3 has numpy
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "fuzz/campaign.h"
#include "fuzz/emulate/data.h"
#include "spec/load.h"

namespace fragproof {
namespace {

struct Gemv {
  LoadResult loaded = load_spec(std::string(FRAGPROOF_SOURCE_DIR) + "/examples/gemv.layout");
  const Kernel& kernel = *kernels_of(*loaded.spec).front();

  [[nodiscard]] Shape shape(const std::vector<Int>& values) const {
    Shape out;
    for (std::size_t i = 0; i < values.size(); ++i) {
      out.sizes.emplace_back(loaded.spec->sizes[i], values[i]);
    }
    return out;
  }
};

// Every (S, NW, U) that K = 512 admits, in turn; tensors and packs depend on none of them.
void configurations(benchmark::State& state) {
  const Gemv gemv;
  std::vector<Shape> shapes;
  for (const int s : {1, 2, 4, 8, 16}) {
    for (const int nw : {1, 2, 4, 8, 16}) {
      for (const int u : {1, 2, 4, 8, 16}) {
        if (16 % (s * nw * u) == 0) shapes.push_back(gemv.shape({64, 512, 8, s, nw, u}));
      }
    }
  }
  Emulator emulator(*gemv.loaded.spec, gemv.kernel);
  std::int64_t mmas = 0;
  std::size_t next = 0;
  for (auto _ : state) {
    const Emulation emulation = emulator.run(shapes[next++ % shapes.size()]);
    if (!emulation.right()) {
      state.SkipWithError("the emulation is wrong");
      return;
    }
    mmas += emulation.mmas;
  }
  state.counters["configs/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["mma/s"] =
      benchmark::Counter(static_cast<double>(mmas), benchmark::Counter::kIsRate);
}

// The warp itself: operands from registers, multiply, accumulate; the addresses are known.
void instructions(benchmark::State& state) {
  const Gemv gemv;
  Evaluator evaluator(*gemv.loaded.spec, gemv.shape({16, 32, 1, 1, 1, 1}));
  std::string reason;
  const Grid a = grid_of(evaluator, *find_builtin("mma.m16n8k16.bf16.A"), 'a', reason);
  const Grid b = grid_of(evaluator, *find_builtin("mma.m16n8k16.bf16.B"), 'b', reason);
  const ElementType type = *find_type("bf16");
  Multiplier multiplier(a, b, 16, 8, 16, Arithmetic::Narrow, type, type);
  constexpr std::size_t instructions = 64;
  std::vector<std::uint8_t> left(instructions * 512 + 32), right(instructions * 256 + 32);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<std::uint8_t>(mixed(i) & 31);
  for (std::size_t i = 0; i < right.size(); ++i)
    right[i] = static_cast<std::uint8_t>(mixed(~i) & 31);
  std::vector<std::int64_t> sums(128, 0);
  std::size_t next = 0;
  for (auto _ : state) {
    multiplier.load_a(&left[next * 512], 16);
    multiplier.load_b(&right[next * 256], 8);
    multiplier.accumulate(sums.data());
    benchmark::DoNotOptimize(sums.data());
    next = (next + 1) % instructions;
  }
  state.counters["mma/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// Whole executions as M*N*K grows, arrays and reference built anew: the fit should say N.
void whole_execution(benchmark::State& state) {
  const Gemv gemv;
  const auto k = static_cast<Int>(state.range(0));
  const Shape shape = gemv.shape({64, k, 8, 1, 1, 1});
  for (auto _ : state) {
    Emulator emulator(*gemv.loaded.spec, gemv.kernel);
    if (!emulator.run(shape).right()) state.SkipWithError("the emulation is wrong");
  }
  state.SetComplexityN(state.range(0) * 64 * 8);
}

// A campaign as a user runs it: drawing, packing, executing, comparing. Memory must stay flat.
void campaign(benchmark::State& state) {
  const Gemv gemv;
  const auto memory = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
  };
  CampaignSetting setting;
  setting.cases = 500;
  std::int64_t tried = 0;
  const double before = memory();
  for (auto _ : state) {
    Campaign run(*gemv.loaded.spec, setting);
    run.run();
    tried += run.reports().front().tried;
    ++setting.seed;
  }
  state.counters["cases/s"] =
      benchmark::Counter(static_cast<double>(tried), benchmark::Counter::kIsRate);
  state.counters["MiB_grown"] = memory() - before;
}

void numpy_rival(benchmark::State& state) {
  const std::string command =
      std::string(
          "for p in python3 /usr/bin/python3; do if $p -c 'import numpy' 2>/dev/null; then "
          "exec $p '") +
      FRAGPROOF_SOURCE_DIR + "/fuzz/bench/numpy_warp.py' 64 512 8 1; fi; done";
  double mmas = 0, seconds = 0;
  for (auto _ : state) {
    std::FILE* pipe = popen(command.c_str(), "r");
    const int read = pipe == nullptr ? 0 : std::fscanf(pipe, "%lf %lf", &mmas, &seconds);
    const int status = pipe == nullptr ? -1 : pclose(pipe);
    if (read != 2 || status != 0) {
      state.SkipWithError("no rival: python3 with numpy is not here");
      return;
    }
    state.SetIterationTime(seconds);
  }
  state.counters["mma/s"] = mmas / seconds;
  state.counters["configs/s"] = mmas / 128 / seconds;
}

BENCHMARK(instructions);
BENCHMARK(configurations)->Unit(benchmark::kMicrosecond);
BENCHMARK(numpy_rival)->Iterations(1)->UseManualTime()->Unit(benchmark::kSecond);
BENCHMARK(campaign)->Iterations(4)->Unit(benchmark::kSecond);
BENCHMARK(whole_execution)
    ->RangeMultiplier(2)
    ->Range(256, 8192)
    ->Complexity(benchmark::oN)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fragproof

BENCHMARK_MAIN();
