// The figures: everything built in from a cold start, each claim's time, the same claims at small
// and large sizes, and beside them the rival, one direct Z3 query for the same claim.
//
//   checkers_bench [--rival-seconds=N] [--benchmark_...]     N: when the rival is cut off (60)
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>

#include "checkers/radix/radix.h"
#include "checkers/solver/linear.h"
#include "checkers/solver/smt.h"
#include "checkers/solver/solve_text.h"
#include "claims.h"
#include "cold.h"

namespace fragproof::bench {
namespace {

// Cold starts: the wall time of the process, and what the slowest claim took in it.
void everything(benchmark::State& state) {
  for (auto _ : state) {
    const ColdRun run = run_cold();
    if (!run.error.empty()) {
      state.SkipWithError(run.error.c_str());
      return;
    }
    state.SetIterationTime(run.seconds);
    const auto slowest = std::ranges::max_element(run.claims, {}, &ClaimTime::ms);
    state.counters["claims"] = static_cast<double>(run.claims.size());
    state.counters["as_expected"] =
        static_cast<double>(std::ranges::count_if(run.claims, &ClaimTime::as_expected));
    if (slowest == run.claims.end()) continue;
    state.counters["slowest_ms"] = slowest->ms;
    state.SetLabel("slowest: " + slowest->id);
  }
}

// The claims of such a run, the slowest first.
void register_claims(ColdRun run) {
  std::ranges::stable_sort(run.claims, std::ranges::greater{}, &ClaimTime::ms);
  for (const ClaimTime& claim : run.claims) {
    benchmark::RegisterBenchmark(("claim/" + claim.id).c_str(),
                                 [claim](benchmark::State& state) {
                                   for (auto _ : state) state.SetIterationTime(claim.ms / 1000);
                                   state.SetLabel(claim.verdict);
                                 })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
}

// Our engine on claims of one text, from the text on.
void ours(benchmark::State& state, const std::string& text, const std::vector<std::string>& ids) {
  for (auto _ : state) {
    for (const std::string& id : ids) {
      const Asked asked = ask(text, id);
      const Answer answer = prove_radix(asked.question, Budget{});
      if (answer.verdict != Verdict::Proved) {
        state.SkipWithError((id + " is not proved: " + answer.reason).c_str());
        return;
      }
    }
  }
}

// The rival: the whole claim as one query, with all the steps that Z3 wants, for `seconds`.
void rival(benchmark::State& state, const std::string& text, const std::string& id,
           unsigned seconds) {
  const Asked asked = ask(text, id);
  std::string reason;
  const std::string query = smt_query(asked.question, reason);
  if (query.empty()) {
    state.SkipWithError(reason.c_str());
    return;
  }
  for (auto _ : state) {
    switch (solve_text(query, std::numeric_limits<std::int64_t>::max(), 1000 * seconds)) {
      case Satisfiable::No:
        state.SetLabel("proved by " + z3_version());
        break;
      case Satisfiable::Yes:
        state.SkipWithError("the direct query has a model");
        break;
      case Satisfiable::Unknown:
        state.SetLabel("cut off after " + std::to_string(seconds) + " s, nothing proved");
        break;
    }
  }
}

void register_all(unsigned seconds) {
  benchmark::RegisterBenchmark("prove/everything_built_in_cold", everything)
      ->Iterations(3)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);

  const std::string gemv = built_in("gemv.layout");
  const auto add = [](const std::string& name, auto function) {
    return benchmark::RegisterBenchmark(name.c_str(), function)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  // The same whatever N and K.
  const char* sizes[][2] = {{"all_sizes", "N >= 1"},
                            {"N=64,K=512", "N == 64 && K == 512"},
                            {"N=4096,K=8192", "N == 4096 && K == 8192"},
                            {"N=28672,K=8192", "N == 28672 && K == 8192"},
                            {"N=1048576,K=1048576", "N == 1048576 && K == 1048576"}};
  for (const auto& [name, where] : sizes) {
    const std::string text = gemv + "\nprove bench_pack: bijective(Wp) where " + where +
                             "\nprove bench_rows: gemv.A.rows where " + where + "\n";
    add(std::string("sizes/pack_bijective/") + name,
        [text](benchmark::State& state) { ours(state, text, {"t/bench_pack"}); });
    add(std::string("sizes/gemv.A.rows/") + name,
        [text](benchmark::State& state) { ours(state, text, {"t/bench_rows"}); });
  }

  add("gemv_pack/fragproof",
      [gemv](benchmark::State& state) { ours(state, gemv, {"t/pack_bijective"}); });
  add("gemv_pack/direct_query", [gemv, seconds](benchmark::State& state) {
    rival(state, gemv, "t/pack_bijective", seconds);
  })->Iterations(1);
  add("gemv_operand_A/fragproof", [gemv](benchmark::State& state) {
    ours(state, gemv, {"t/gemv.A.rows", "t/gemv.A.k"});
  });
  add("gemv_operand_A/direct_query", [seconds](benchmark::State& state) {
    rival(state, operand_a_directly(), "t/operand_a", seconds);
  })->Iterations(1);
}

// Takes `--rival-seconds=N` out of the arguments; -1 when N is no number from 1 to 86400.
int take_rival_seconds(int& count, char** arguments) {
  int seconds = 60;
  const std::string flag = "--rival-seconds=";
  for (int i = 1; i < count;) {
    const std::string argument = arguments[i];
    if (!argument.starts_with(flag)) {
      ++i;
      continue;
    }
    char* end = nullptr;
    const long value = std::strtol(argument.c_str() + flag.size(), &end, 10);
    if (argument.size() == flag.size() || *end != '\0' || value < 1 || value > 86'400) return -1;
    seconds = static_cast<int>(value);
    std::copy(arguments + i + 1, arguments + count, arguments + i);
    --count;
  }
  return seconds;
}

int run(int count, char** arguments) {
  const int seconds = take_rival_seconds(count, arguments);
  if (seconds < 0) {
    std::fprintf(stderr, "--rival-seconds takes a number from 1 to 86400\n");
    return 2;
  }
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::AddCustomContext("z3", z3_version());
  ColdRun first = run_cold();
  if (!first.error.empty()) {
    std::fprintf(stderr, "%s\n", first.error.c_str());
    return 1;
  }
  register_all(static_cast<unsigned>(seconds));
  register_claims(std::move(first));
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace fragproof::bench

int main(int count, char** arguments) {
  try {
    return fragproof::bench::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
