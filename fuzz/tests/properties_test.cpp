// Properties of the whole, by RapidCheck: each has a name, fails the test when it is false or gives
// up, and shrinks in shape and configuration.
//
// RapidCheck's traps: inRange is scaled by size (so it is resized), element does not shrink (so an
// index is drawn), a property that gives up counts as passed when its result is ignored (so check()
// folds it), and RC_PARAMS=reproduce turns all others green (so it is unset).
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <map>

#include "checkers/enumerate/kernel_judge.h"
#include "checkers/portfolio.h"
#include "fuzz/tests/support.h"
#include "spec/syntax.h"

namespace fragproof::fuzz_testing {
namespace {

// A number of [low, high], uniformly, that shrinks towards low.
rc::Gen<int> between(int low, int high) {
  return rc::gen::resize(100, rc::gen::inRange(low, high + 1));
}

// One of the texts, shrinking towards the first.
rc::Gen<std::string> one_of(std::vector<std::string> texts) {
  return rc::gen::map(between(0, static_cast<int>(texts.size()) - 1),
                      [texts](int i) { return texts[static_cast<std::size_t>(i)]; });
}

// Runs a named property; anything but success fails the test.
template <class Property>
void check(const char* name, Property property) {
  ::unsetenv("RC_PARAMS");
  EXPECT_TRUE(rc::check(name, property)) << name;
}

std::string number(int value) { return std::to_string(value); }

// The packed GEMV with its numbers as parameters: right for the right ones, wrong for the others.
std::string gemv_text(int step_offset, int block_stride, const std::string& token, int half) {
  return "size N, K, M\nrequire N % 16 == 0 && K % 32 == 0\n"
         "tensor W[N, K] : bf16\ntensor x[M, K] : bf16\ntensor y[M, N] : f32\n"
         "pack Wp = W.reshape(N/16, 2, 8, K/32, 4, 2, 2, 2).permute(0, 3, 5, 2, 4, 6, 1, 7)\n"
         "kernel k computes y[m, n] += W[n, k] * x[m, k]\n"
         "  parallel (rb : N/16, nb : ceildiv(M, 8))\n  reduce (kb : K/32, step : 2)\n"
         "  let g = lane >> 2, t = lane & 3\n"
         "  load a from Wp.b128[(rb*(K/32) + kb)*" +
         number(block_stride) + " + " + number(step_offset) + "*step + lane]\n" +
         "  load xv : b128 from x[" + token +
         ", 32*kb + 8*t]\n  acc += mma.m16n8k16.b16(a, xv.b64[" +
         (half == 0 ? "step" : "1 - step") + "])\n" +
         "  store acc to y[8*nb + col, 16*rb + row] if 8*nb + col < M\nprove k\n";
}

TEST(Properties, EmulatedEqualsReferenceWhereEveryObligationHolds) {
  check("emulated = reference for every admitted configuration where the obligations hold", [] {
    const Loaded loaded = load(
        gemv_text(*between(30, 33), *between(62, 65),
                  *one_of({"min(8*nb + g, M - 1)", "8*nb + g", "(8*nb + g) % M"}), *between(0, 1)));
    const Shape shape =
        shape_of(loaded, "N=" + number(16 * *between(1, 3)) + " K=" + number(32 * *between(1, 4)) +
                             " M=" + number(*between(1, 17)));
    Emulator emulator(loaded.spec(), loaded.kernel("k"));
    const Emulation emulation = emulator.run(shape);
    Evaluator evaluator(loaded.spec(), shape);
    KernelJudge judge(evaluator, loaded.kernel("k"));
    const bool holds = judge.judge_all().holds;
    RC_CLASSIFY(holds, "right");
    RC_ASSERT(emulation.ran);
    RC_ASSERT(emulation.right() == holds);
  });
}

TEST(Properties, SplittingExpressionsChangesNothing) {
  check("evaluating each part once = evaluating everything at every lane", [] {
    const Loaded loaded =
        load(gemv_text(*between(30, 33), *between(62, 65),
                       *one_of({"min(8*nb + g, M - 1)", "8*nb + g"}), *between(0, 1)));
    const std::string line = "N=" + number(16 * *between(1, 2)) +
                             " K=" + number(32 * *between(1, 3)) + " M=" + number(*between(1, 10));
    EmulationSetting plain;
    plain.hoist = false;
    RC_ASSERT(first_fault(emulate(loaded, line)) == first_fault(emulate(loaded, line, plain)));
  });
}

TEST(Properties, ProvedMeansNoConfigurationFails) {
  std::map<std::string, bool> proofs;  // by text: there are few, and each takes a second
  check("the prover says PROVED => no configuration is found that fails", [&] {
    const int half = *between(0, 1);
    const int offset = 32 - 16 * *between(0, 1);
    const std::string token = *one_of({"min(8*nb + g, M - 1)", "8*nb + g"});
    const std::string text = gemv_text(offset, 64, token, half);
    const Loaded loaded = load(text);
    const auto [known, is_new] = proofs.try_emplace(text, true);
    if (is_new) {
      for (const Check& one : judge_all(questions_of(loaded.spec(), "t"), {})) {
        known->second = known->second && one.verdict == Verdict::Proved;
      }
    }
    const bool proved = known->second;
    CampaignSetting setting;
    setting.cases = 12;
    setting.seed = static_cast<std::uint64_t>(*between(0, 1000));
    Campaign campaign(loaded.spec(), setting);
    campaign.run();
    RC_CLASSIFY(proved, "proved");
    RC_ASSERT(proved == (campaign.reports().front().failing == 0));
  });
}

TEST(Properties, ABreakingConfigurationIsExcludedByItsRequire) {
  const Loaded gemv = load_example("gemv.layout");
  const Loaded open =
      load_edited("gemv.layout", {{"require K % (32*S*NW*U) == 0", "require K % 32 == 0"}});
  check("a configuration that breaks without the require is excluded by it", [&] {
    const std::string line = "N=16 K=" + number(32 * *between(1, 12)) +
                             " M=" + number(*between(1, 9)) + " S=" + number(*between(1, 4)) +
                             " NW=" + number(*between(1, 4)) + " U=" + number(*between(1, 4));
    const bool right = emulate(open, line).right();
    const KernelSpace space(gemv.spec(), gemv.kernel("gemv"));
    const std::string excluded = space.excluded_by(shape_of(gemv, line));
    RC_CLASSIFY(!right, "breaks");
    RC_ASSERT(right || excluded.find("K % (32*S*NW*U) == 0") != std::string::npos);
    if (excluded.empty()) RC_ASSERT(right);
  });
}

// A map of mixed-radix digits in a random order, by XOR or not.
std::string map_text(int a, int b, int c, int order, bool swizzle) {
  const std::vector<std::vector<int>> orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const std::vector<std::string> names = {"a", "b", "c"};
  const std::vector<int> radix = {a, b, c};
  std::string digits;
  for (const int d : orders[static_cast<std::size_t>(order)]) {
    std::string digit = names[static_cast<std::size_t>(d)];
    if (swizzle && d == 1) digit = "(b ^ (a % " + number(b) + "))";
    digits +=
        (digits.empty() ? "" : ", ") + digit + ":" + number(radix[static_cast<std::size_t>(d)]);
  }
  const std::string all = number(a * b * c);
  return "map f(i : [a:" + number(a) + ", b:" + number(b) + ", c:" + number(c) +
         "]) -> (p : " + all + ") = [" + digits + "]\nprove back: forall(i : " + all +
         ") f.inverse(f(i)) == i\nprove forth: forall(p : " + all +
         ") f(f.inverse(p)) == p\nprove bijective(f)\n";
}

TEST(Properties, InverseOfInverse) {
  check("inverse(inverse(f)) = f, and the engines agree on it", [] {
    const int b = 1 << *between(0, 3);  // XOR stays below a power of two
    const std::string text =
        map_text(*between(1, 6), b, *between(1, 6), *between(0, 5), *between(0, 1) != 0);
    const Loaded loaded = load(text);
    PortfolioOptions options;
    options.cross_check = true;  // two engines that differ make an ERROR
    for (const Check& one : judge_all(questions_of(loaded.spec(), "t"), options)) {
      RC_ASSERT(one.verdict == Verdict::Proved);
    }
  });
}

TEST(Properties, PacksOfChainsHoldEachElementOnce) {
  check("a pack by reshape and permute is a bijection", [] {
    std::vector<int> axes{0, 1, 2, 3};
    for (int i = 3; i > 0; --i) {
      std::swap(axes[static_cast<std::size_t>(i)], axes[static_cast<std::size_t>(*between(0, i))]);
    }
    const int a = *between(1, 4), b = *between(1, 4), c = *between(1, 4), d = *between(1, 4);
    const Loaded loaded =
        load("tensor W[" + number(a * b) + ", " + number(c * d) + "] : s8\npack P = W.reshape(" +
             number(a) + ", " + number(b) + ", " + number(c) + ", " + number(d) + ").permute(" +
             number(axes[0]) + ", " + number(axes[1]) + ", " + number(axes[2]) + ", " +
             number(axes[3]) + ").contiguous()\nprove bijective(P)\n");
    for (const Check& one : judge_all(questions_of(loaded.spec(), "t"), {})) {
      RC_ASSERT(one.verdict == Verdict::Proved);
    }
  });
}

// Expressions of every operator, as text.
rc::Gen<std::string> expression(int depth) {
  if (depth == 0) return one_of({"x", "y", "3", "17", "0x1f"});
  return rc::gen::exec([depth] {
    const std::string a = *expression(depth - 1);
    const std::string b = *expression(depth - 1);
    const std::string op = *one_of({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"});
    const int form = *between(0, 3);
    if (form == 0) return "min(" + a + ", " + b + ")";
    if (form == 1) return a + " " + op + " (" + b + ")";
    if (form == 2) return "(" + a + ") " + op + " " + b;
    return "(" + a + " < " + b + " ? " + a + " : " + b + ")";
  });
}

TEST(Properties, ParseOfPrintIsTheSame) {
  check("parse(print(e)) = e", [] {
    const std::string text = *expression(*between(1, 4));
    const Loaded first{load_text("test.layout", "map f(x : 8, y : 8) -> (v) = " + text + "\n")};
    RC_CLASSIFY(first.result.spec == nullptr, "refused");  // a literal division by zero, say
    if (first.result.spec == nullptr) return;
    const std::string printed = to_text(*first.spec().maps.front()->outputs.front().value);
    const Loaded second = load("map f(x : 8, y : 8) -> (v) = " + printed + "\n");
    RC_ASSERT(to_text(*second.spec().maps.front()->outputs.front().value) == printed);
    // The same values, too.
    Evaluator a(first.spec(), {}), b(second.spec(), {});
    for (int x = 0; x < 8; ++x) {
      const auto value = [&](Evaluator& evaluator, const Spec& spec) {
        const Values values =
            evaluator.apply(*spec.maps.front(), {Column(Int{x}), Column(Int{5})}, 1);
        return values.at(0) == Outcome::Ok ? to_string(values.members[0].at(0)) : "undefined";
      };
      RC_ASSERT(value(a, first.spec()) == value(b, second.spec()));
    }
  });
}

TEST(Properties, ConfigurationsAreTheirOwnText) {
  check("parse(to_text(configuration)) = configuration", [] {
    Configuration configuration;
    configuration.kernel = *one_of({"gemv", "k", "a_1"});
    const int sizes = *between(0, 5);
    for (int i = 0; i < sizes; ++i) {
      configuration.sizes.emplace_back("S" + number(i), Int{*between(1, 1000000)});
    }
    TableChoice table;
    table.seeded = *between(0, 1) == 0;
    if (table.seeded) table.seed = static_cast<std::uint64_t>(*between(0, 1000));
    for (int i = *between(0, 4); !table.seeded && i > 0; --i)
      table.values.push_back(*between(-9, 99));
    if (*between(0, 1) != 0) configuration.tables.emplace_back("T", table);
    if (configuration.sizes.empty() && configuration.tables.empty()) {
      configuration.sizes.emplace_back("N", 1);
    }
    const ParsedConfiguration parsed = parse_configuration(to_text(configuration));
    RC_ASSERT(parsed.configuration.has_value());
    RC_ASSERT(*parsed.configuration == configuration);
  });
}

// RapidCheck itself: a false property must be red here, and shrink to the smallest.
TEST(Properties, AFalseOneFailsAndShrinks) {
  ::unsetenv("RC_PARAMS");
  int least = 1 << 20;
  const bool passed = rc::check("(meant to fail) no configuration has M > 8", [&] {
    const int m = *between(1, 300);
    if (m > 8) least = std::min(least, m);
    RC_ASSERT(m <= 8);
  });
  EXPECT_FALSE(passed);
  EXPECT_EQ(least, 9);
}

}  // namespace
}  // namespace fragproof::fuzz_testing
