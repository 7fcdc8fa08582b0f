// The order and completeness of the vectors of sizes, against a plain loop over all of them.
#include "checkers/enumerate/shape_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "checkers/enumerate/uses.h"
#include "spec/load.h"

namespace fragproof {
namespace {

struct Requires {
  explicit Requires(const std::string& condition)
      : loaded(load_text("t.layout", "size A, B, C\nprove t: " + condition + "\n")) {
    for (const Diagnostic& diagnostic : loaded.diagnostics)
      ADD_FAILURE() << render(*loaded.sources, diagnostic);
    split_conjuncts(loaded.spec->claims.at(0).condition, conjuncts);
    sizes.assign(loaded.spec->sizes.begin(), loaded.spec->sizes.end());
  }
  LoadResult loaded;
  std::vector<const Expr*> conjuncts;
  std::vector<const Variable*> sizes;
};

using Vector = std::vector<std::int64_t>;

bool in_order(const Vector& a, const Vector& b) {
  const auto x = std::accumulate(a.begin(), a.end(), std::int64_t{0});
  const auto y = std::accumulate(b.begin(), b.end(), std::int64_t{0});
  return x != y ? x < y : a < b;
}

std::vector<Vector> first_vectors(ShapeSearch& search, std::size_t count) {
  std::vector<Vector> out;
  while (out.size() < count) {
    const auto more = search.next(50);
    if (more.empty()) break;
    for (const SizeVector& vector : more) out.push_back(vector.values);
  }
  out.resize(std::min(out.size(), count));
  return out;
}

TEST(ShapeSearch, AgreesWithAPlainLoop) {
  for (const char* condition :
       {"A % 2 == 0 && B % (3*C) == 0", "B == A*C", "A == B && C <= 3", "A + B < 9 && C == 2*A + 1",
        "A % 4 == 1 && (B == 2 || B == 5 || C == 7)", "A*B*C % 6 == 0", "A <= B && B <= C",
        "C % A == 0 && A % B == 0", "A == 5 && B >= 7 && C % 10 == 3", "(A > 3) == (B > 2)"}) {
    Requires given(condition);
    ShapeSearch search(*given.loaded.spec, given.sizes, given.conjuncts, {}, 10'000'000, nullptr);
    constexpr std::int64_t most = 24;  // of each size
    std::vector<Vector> expected;
    Evaluator evaluator(*given.loaded.spec, Shape());
    for (Int a = 1; a <= most; ++a) {
      for (Int b = 1; b <= most; ++b) {
        for (Int c = 1; c <= most; ++c) {
          Batch point;
          point.bind(given.sizes[0], a);
          point.bind(given.sizes[1], b);
          point.bind(given.sizes[2], c);
          const Values holds =
              evaluator.evaluate_over_sizes(*given.loaded.spec->claims[0].condition, point);
          if (holds.members[0].at(0) == 0) continue;
          expected.push_back({static_cast<std::int64_t>(a), static_cast<std::int64_t>(b),
                              static_cast<std::int64_t>(c)});
        }
      }
    }
    std::sort(expected.begin(), expected.end(), in_order);
    // All vectors of a sum up to `most` are in the plain loop.
    expected.erase(std::remove_if(expected.begin(), expected.end(),
                                  [](const Vector& v) { return v[0] + v[1] + v[2] > most; }),
                   expected.end());
    const std::vector<Vector> found = first_vectors(search, expected.size());
    EXPECT_EQ(found, expected) << condition;
  }
}

TEST(ShapeSearch, KnowsWhenItIsComplete) {
  for (const auto& [condition, count] : std::vector<std::pair<const char*, std::size_t>>{
           {"A <= 3 && B <= 2 && C == 4", 6},
           {"A*B*C <= 4", 13},
           {"A == 1 << 40 && B == A && C == 1", 1},
           {"A >= 5 && A <= 4 && B == 1 && C == 1", 0},
           {"A == 49152 && B == 65536 && C == 3", 1},
       }) {
    Requires given(condition);
    ShapeSearch search(*given.loaded.spec, given.sizes, given.conjuncts, {}, 1'000'000, nullptr);
    EXPECT_EQ(first_vectors(search, 1000).size(), count) << condition;
    EXPECT_TRUE(search.complete()) << condition;
  }
  Requires endless("A % 7 == 3 && A % 7 == 4");
  ShapeSearch search(*endless.loaded.spec, endless.sizes, endless.conjuncts, {}, 100'000, nullptr);
  EXPECT_TRUE(first_vectors(search, 10).empty());
  EXPECT_FALSE(search.complete());
}

TEST(ShapeSearch, NearRoundsDownToWhatIsAdmitted) {
  Requires given("A % 16 == 0 && B % (32*C) == 0 && C <= 8");
  ShapeSearch search(*given.loaded.spec, given.sizes, given.conjuncts, {}, 1'000'000, nullptr);
  EXPECT_EQ(search.near({100, 1000, 5})->values, (Vector{96, 960, 5}));
  EXPECT_EQ(search.near({1, 1, 100})->values, (Vector{16, 256, 8}));
  EXPECT_EQ(search.near({1 << 30, (1 << 30) + 7, 2})->values, (Vector{1 << 30, 1 << 30, 2}));
}

}  // namespace
}  // namespace fragproof
