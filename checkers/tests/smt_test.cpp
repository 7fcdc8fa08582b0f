// The direct engine: what it proves, what it must not, and what it says it does not speak of.
#include "checkers/solver/smt.h"

#include <gtest/gtest.h>

#include "checkers/solver/solve_text.h"
#include "spec/load.h"

namespace fragproof {
namespace {

struct Loaded {
  std::unique_ptr<Spec> spec;
  std::vector<Question> questions;
};

Loaded load(const std::string& text) {
  LoadResult result = load_text("t.layout", text);
  for (const Diagnostic& d : result.diagnostics) ADD_FAILURE() << render(*result.sources, d);
  Loaded loaded{std::move(result.spec), {}};
  if (loaded.spec) loaded.questions = questions_of(*loaded.spec, "t");
  return loaded;
}

// The answer to the last claim of `text`.
Answer answer(const std::string& text, const Budget& budget = {}) {
  const Loaded loaded = load(text);
  if (loaded.questions.empty()) {
    ADD_FAILURE() << "no claim in: " << text;
    return {};
  }
  return decide_smt(loaded.questions.back(), budget);
}

struct Case {
  const char* text;
  Verdict verdict;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.text; }

class Direct : public testing::TestWithParam<Case> {};

TEST_P(Direct, Verdict) {
  const Answer found = answer(GetParam().text);
  EXPECT_STREQ(name_of(found.verdict), name_of(GetParam().verdict))
      << GetParam().text << found.reason;
  EXPECT_EQ(found.proof.has_value(), found.verdict == Verdict::Proved);
  if (found.verdict == Verdict::Unknown) {
    EXPECT_NE(found.reason, "");
  }
}

constexpr Verdict proved = Verdict::Proved, open = Verdict::Unknown, vacuous = Verdict::Vacuous;

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, Direct,
    testing::Values(Case{"size N\nprove c: forall(i : N) i < N\n", proved},
                    Case{"size N\nprove c: forall(i : N) i < N - 1\n", open},
                    Case{"size N\nprove c: forall(i : N) i/8*8 + i % 8 == i\n", proved},
                    Case{"size N\nprove c: forall(i : N) i/8*8 + i % 4 == i\n", open},
                    Case{"size N\nprove c: ceildiv(N, 8)*8 >= N && ceildiv(N, 8)*8 < N + 8\n",
                         proved},
                    Case{"size N\nprove c: ceildiv(N, 8)*8 == N\n", open},
                    Case{"size N\nprove c: ceildiv(N, 8)*8 == N where N % 8 == 0\n", proved},
                    Case{"size N\nprove c: min(N, 5) <= 5 && max(N, 5, 7) >= 7\n", proved},
                    Case{"size N\nprove c: min(N, 5) == 5\n", open},
                    Case{"prove c: forall(x : 4096) (x >> 3) == x/8 && (x << 2) == 4*x\n", proved},
                    Case{"prove c: forall(x : 4096, s : 5) (x << s) >> s == x\n", proved},
                    Case{"prove c: forall(x : 4096, s : 5) (x >> s) << s == x\n", open}));

// Undefined is false.
INSTANTIATE_TEST_SUITE_P(
    Definedness, Direct,
    testing::Values(
        Case{"size N\nprove c: forall(i : N) 8/i >= 0\n", open},
        Case{"size N\nprove c: forall(i : N) 8/(i + 1) >= 0\n", proved},
        Case{"size N\nprove c: forall(i : N) i == 0 || 8/i >= 0\n", proved},
        Case{"size N\nprove c: forall(i : N) 8/i >= 0 || i == 0\n", open},
        Case{"size N\nprove c: forall(i : N) i < N && (8/i >= 0 || 8/i < 0)\n", open},
        Case{"size N\nprove c: forall(i : N) i < 0 || (8/i >= 0 || 8/i < 0)\n", open},
        Case{"size N\nprove c: forall(i : N) (i > 0 ? 8/i : 0) >= 0\n", proved},
        Case{"size N\nprove c: forall(i : N) (i - 1)/2 <= N\n", open},
        Case{"size N\nprove c: !(8 % (N - 1) == 9)\n", open},
        Case{"size N\nprove c: forall(v : N - 5) v >= 0\n", open},  // an extent below 0
        Case{"size N\nprove c: forall(v : N - 5) v >= 0 where N >= 5\n", proved},
        Case{"size N\nrequire 8 % (N - 1) == 0\nprove c: N >= 1\n", open},  // an undefined require
        Case{"size N\nrequire N >= 2 && 8 % (N - 1) == 0\nprove c: N <= 9\n", proved},
        Case{"size N\nlet q = 8/(N - 1)\nprove c: N >= 1\n",
             proved},  // undefined only where it is used
        Case{"size N\nlet q = 8/(N - 1)\nprove c: q >= 0\n", open},
        Case{"map f(x : 8) -> (y : 4) = x/2\nprove c: forall(x : 8) f(x) <= 3\n", proved},
        Case{"map f(x : 8) -> (y : 4) = x/2\nprove c: forall(x : 9) f(x) <= 4\n", open},
        Case{"prove c: forall(a : 4, b : 2) [a:4, b:2] == 2*a + b\n", proved},
        Case{"prove c: forall(a : 5, b : 2) [a:4, b:2] == 2*a + b\n", open}));

INSTANTIATE_TEST_SUITE_P(
    Widths, Direct,
    testing::Values(
        Case{"size M, N\nprove c: i32(M*N) == M*N where M <= 46340 && N <= 46340\n", proved},
        Case{"size M, N\nprove c: i32(M*N) == M*N where M == N\n", open},
        Case{"size M\nprove c: i32(M*2 - M) == M where M < 1 << 31\n", open},  // M*2 does not fit
        Case{"size M\nprove c: i32(M) == M where M < 1 << 31\n", proved},
        Case{"size M\nprove c: i32(M + 1) == M + 1 where M < 1 << 31\n", open},
        Case{"size M\nprove c: u32(M) == M where M < 1 << 32\n", proved},
        Case{"size M\nprove c: u8(M - 1) < 256 where M <= 256\n", proved},
        Case{"prove c: u8(0 - 1) < 256\n", open}));

INSTANTIATE_TEST_SUITE_P(
    Bits, Direct,
    testing::Values(Case{"size N\nprove c: forall(i : N) (i & 7) == i % 8\n", proved},
                    Case{"size N\nprove c: forall(i : N) (i & 5) == i % 8\n", open},
                    Case{"size N\nprove c: forall(i : N) ((i + 7) & ~7) >= i\n", proved},
                    Case{"size N\nprove c: forall(i : N) ((i + 7) & ~7) == i\n", open},
                    Case{"prove c: forall(a : 16, b : 16) ((a ^ b) ^ b) == a\n", proved},
                    Case{"prove c: forall(a : 16, b : 16) (a ^ b) == a + b\n", open},
                    Case{"prove c: forall(a : 16, b : 16) (a | b) == (a ^ b) + (a & b)\n", proved},
                    Case{"prove c: forall(a : 16, b : 16) (a | b) < 15\n", open},
                    Case{"prove c: forall(a : 16) ((a ^ 5) ^ 5) == a && (a | 5) - (a & ~5) == 5\n",
                         proved},
                    Case{"size N\nprove c: forall(a : N, b : N) ((a ^ b) ^ b) == a\n",
                         open}));  // unbounded: not spoken of

INSTANTIATE_TEST_SUITE_P(
    Predicates, Direct,
    testing::Values(
        Case{"map f(a : 8, b : 4) -> (y : 32) = 4*a + b\nprove bijective(f)\n", proved},
        Case{"map f(a : 8, b : 4) -> (y : 32) = 3*a + b\nprove bijective(f)\n", open},
        Case{"map f(a : 8, b : 4) -> (y : 33) = 4*a + b\nprove bijective(f)\n", open},
        Case{"map f(a : 8, b : 4) -> (y : 33) = 4*a + b\nprove injective(f)\n", proved},
        Case{"map f(a : 8, b : 4) -> (y : 31) = 4*a + b\nprove total(f)\n", open},
        Case{"map f(a : 8, b : 4) -> (y : 32) = 4*a + b\nprove total(f)\n", proved},
        Case{"size N, K\nmap f(n : N, k : K) -> (p : N*K) = n*K + k\nprove total(f)\n", proved},
        Case{"size N, K\nmap f(n : N, k : K) -> (p : N*K) = n*K + k\nprove bijective(f)\n", proved},
        Case{"size N, K\nmap f(n : N, k : K) -> (p : N*K + N) = n*K + k + n\nprove injective(f)\n",
             proved},
        Case{"size N, K\nmap f(n : N, k : K) -> (p : N*K) = n*N + k\nprove injective(f)\n", open},
        Case{"size N\nmap f(n : N, k : [q:4, r:2]) -> (m : N, p : 8) = (n, [r:2, q:4])\nprove "
             "bijective(f)\n",
             proved},
        Case{"map f(i : 8 where i % 2 == 0) -> (y : 8) = i/2\nprove injective(f)\n", proved},
        Case{"map f(i : 8 where i % 2 == 0) -> (y : 4) = i/2\nprove bijective(f)\n",
             open},  // cannot count these
        Case{"map f(i : 8) -> (y : 8) = i ^ i/2\nprove bijective(f)\n", proved},
        Case{"map f(i : 8) -> (y : 8) = i ^ i % 2\nprove bijective(f)\n", open},
        Case{"prove c: forall(l : 32, i : 8) mma.m16n8k16.b16.A(l, i).row < 16\n", proved},
        Case{"prove c: forall(l : 32, i : 8) mma.m16n8k16.b16.A(l, i).row < 15\n", open}));

INSTANTIATE_TEST_SUITE_P(
    Connectives, Direct,
    testing::Values(
        Case{"size N\nprove c: (forall(i : N) i >= 0) && (forall(i : N) i < N)\n", proved},
        Case{"size N\nprove c: (forall(i : N) i >= 0) && (forall(i : N) i < N - 1)\n", open},
        Case{"size N\nprove c: N == 1 || (forall(i : N - 1) i < N - 1)\n", proved},
        Case{"size N\nprove c: N != 1 || (forall(i : N) i == 0)\n", proved},
        Case{"size N\nprove c: N != 2 || (forall(i : N) i == 0)\n", open},
        Case{"size N\nprove c: (forall(i : N) i == 0) || (forall(i : N) i < N)\n", proved},
        Case{"size N\nprove c: N > 3 ? (forall(i : 3) i < N) : (forall(i : N) i < 4)\n", proved},
        Case{"size N\nprove c: N > 3 ? (forall(i : 5) i < N) : (forall(i : N) i < 4)\n", open},
        Case{"size N\nprove c: forall(i : N) forall(j : i) j < N - 1\n", proved},
        Case{"size N\nprove c: forall(i : N) forall(j : i + 1) j < N - 1\n", open},
        Case{"size N\nprove c: !(forall(i : N) i > 0)\n", open},  // "there is"
        Case{"size N\nprove c: forall(i : N where i % 2 == 1) i >= 1\n", proved},
        Case{"size N\nprove c: forall(i : N where 4/i == 1) i >= 3\n",
             open}));  // `where` undefined at 0

INSTANTIATE_TEST_SUITE_P(
    Tables, Direct,
    testing::Values(
        Case{"table p[4] : 8 = {0, 4, 1, 5}\nprove c: forall(i : 4) p[i] == (i % 2)*4 + i/2\n",
             proved},
        Case{"table p[4] : 8 = {0, 4, 1, 5}\nprove c: forall(i : 4) p[i] == (i % 2)*4 + i\n", open},
        Case{"table p[4] : 8 = {0, 4, 1, 5}\nprove c: forall(i : 5) p[i] < 8\n", open},
        Case{"table p[4] : 8 = {0, 4, 1, 5}\nprove injective(p)\n", proved},
        Case{"table p[4] : 8 = {0, 4, 1, 4}\nprove injective(p)\n", open},
        Case{"size K\ntable T[K] : K\nprove c: forall(k : K) T[k] < K\n", proved},
        Case{"size K\ntable T[K] : K\nprove c: forall(k : K) T[T[k]] < K\n", proved},
        Case{"size K\ntable T[K] : K\nprove c: forall(k : K) T[k] == k\n", open},
        Case{"size K\ntable T[K] : K\nprove injective(T)\n", open},
        Case{"size K\ntable T[K] : K\nrequire injective(T)\nprove injective(T)\n", proved},
        Case{"size K\ntable T[K] : K\nrequire bijective(T)\nprove c: forall(a : K, b : K) a == b "
             "|| T[a] != T[b]\n",
             proved},
        Case{"size K\ntable T[K] : K\nrequire bijective(T)\nprove c: forall(a : K, b : K) T[a] != "
             "T[b]\n",
             open},
        Case{"size K\ntable T[K] : K - 1\nrequire injective(T)\nprove c: forall(k : K) T[k] < K\n",
             vacuous}));

INSTANTIATE_TEST_SUITE_P(
    Packs, Direct,
    testing::Values(
        Case{"size N, K\ntensor W[N, K] : b16\npack P[N*K] : b16\n  for (n : N, k : K) P[n*K + k] "
             "= W[n, k]\nprove bijective(P)\n",
             proved},
        Case{"size N, K\ntensor W[N, K] : b16\npack P[N*K] : b16\n  for (n : N, k : K) P[k] = W[n, "
             "k]\nprove bijective(P)\n",
             open},
        Case{"tensor W[8] : b8\npack P[2] : b32\n  for (i : 8) P[i/4].b8[i % 4] = W[i]\nprove "
             "bijective(P)\n",
             proved},
        Case{"tensor W[8] : b8\npack P[2] : b32\n  for (i : 8) P[i/4].b8[i/2] = W[i]\nprove "
             "injective(P)\n",
             open},
        Case{"tensor W[8] : b8\npack P[3] : b32\n  for (i : 8) P[i/4].b8[i % 4] = W[i]\nprove "
             "injective(P)\n",
             proved},
        Case{"tensor W[8] : b8\npack P[3] : b32\n  for (i : 8) P[i/4].b8[i % 4] = W[i]\nprove "
             "onto(P)\n",
             open},
        Case{
            "tensor W[8] : b8\npack P[8] : b8\n  for (i : 8) P[i] = W[i/2*2]\nprove bijective(P)\n",
            open},  // W[1] lost
        Case{"tensor W[8] : b8\npack P[8] : b8\n  for (i : 8) P[i] = W[i/2*2]\nprove onto(P)\n",
             proved},
        Case{"tensor W[4] : b8\npack P[8] : b8\n  for (i : 4) P[i] = W[i]\n  for (i : 4) P[4 + i] "
             "= 0\nprove bijective(P)\n",
             proved},
        Case{"tensor W[4] : b8\npack P[8] : b8\n  for (i : 4) P[i] = W[i]\n  for (i : 4) P[3 + i] "
             "= 0\nprove injective(P)\n",
             open}));

INSTANTIATE_TEST_SUITE_P(
    Empty, Direct,
    testing::Values(
        Case{"size K\nprove c: K >= 0 where K >= 5 && K <= 4\n", vacuous},
        Case{"size K\nrequire K % 4 == 0\nprove c: K >= 0 where K % 4 == 1\n", vacuous},
        Case{"size K\nprove c: forall(i : K where i >= K) i == 7\n", vacuous},
        Case{"size K\nprove c: forall(i : K - 5) i == 7 where K == 5\n", vacuous},
        Case{"size K\nprove c: (forall(i : K - 5) i == 7) && (forall(i : K) i == i) where K == 5\n",
             proved}));

INSTANTIATE_TEST_SUITE_P(
    NotSpoken, Direct,
    testing::Values(
        Case{"map f(a : 8) -> (y : 8) = a\nprove c: forall(a : 8) f.inverse(f(a)) == a\n", open},
        Case{"map f(a : 8) -> (y) = 16*a\nprove c: ways(f, 16) == 1\n", open},
        Case{"map f(i : 4, q) -> (y)\n  carry v over q = i then v + 1\n  y = v\nprove c: forall(i "
             ": 4, q) f(i, q) == i + q\n",
             open},
        Case{"map f(a : 8) -> (y : 8) = a\nsize N\nprove c: bijective(f) == (N > 0)\n", open}));

TEST(DirectEngine, TheProofIsOneDischargedQuery) {
  const Answer found =
      answer("size N\nrequire N % 8 == 0\nrequire N <= 100\nprove c: N/8*8 == N\n");
  ASSERT_EQ(found.verdict, Verdict::Proved) << found.reason;
  ASSERT_TRUE(found.proof);
  EXPECT_EQ(found.proof->method, "smt");
  ASSERT_EQ(found.proof->steps.size(), 1U);
  EXPECT_EQ(found.proof->steps[0].lemma, "query");
  EXPECT_TRUE(found.proof->steps[0].discharged);
  EXPECT_NE(found.proof->steps[0].statement.find("N/8*8 == N"), std::string::npos);
  EXPECT_EQ(found.needs, std::vector<std::string>{"N % 8 == 0"});
  EXPECT_EQ(found.unused, std::vector<std::string>{"N <= 100"});
  EXPECT_GE(found.z3_queries, 2);  // the claim, and a model of the requires
  EXPECT_GT(found.rlimit, 0);
}

// True, but out of reach within the budget: that is UNKNOWN, and says why.
TEST(DirectEngine, GivingUpIsNotAProof) {
  const char* text = "size N, K\nmap f(n : N, k : K) -> (p : N*K) = n*K + k\nprove bijective(f)\n";
  Budget budget;
  budget.rlimit = 50;
  const Answer found = answer(text, budget);
  EXPECT_EQ(found.verdict, Verdict::Unknown);
  EXPECT_NE(found.reason.find("gave up"), std::string::npos) << found.reason;
  EXPECT_FALSE(found.proof);
  EXPECT_EQ(answer(text).verdict, Verdict::Proved);
}

TEST(DirectEngine, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  Budget budget;
  budget.stop = &stop;
  const Answer found = answer("size N\nprove c: forall(i : N) i < N\n", budget);
  EXPECT_EQ(found.verdict, Verdict::Unknown);
  EXPECT_EQ(found.reason, "interrupted");
}

// Neither does it disturb what the thread asks next.
TEST(DirectEngine, AnInterruptEndsWithItsQuestion) {
  for (int i = 0; i < 20; ++i) {
    const std::atomic<bool> stop{true};
    Budget budget;
    budget.stop = &stop;
    EXPECT_EQ(answer("size N\nprove c: forall(i : N) i < N\n", budget).verdict, Verdict::Unknown);
    EXPECT_EQ(
        solve_text("(declare-const x Int)(assert (and (> x 3) (< x 4)))(check-sat)", 1'000'000),
        Satisfiable::No);
  }
}

TEST(DirectEngine, TheQueryIsATextForAnySolver) {
  const Loaded yes = load("size N\nrequire N % 8 == 0\nprove c: forall(i : N) i/8 < N/8\n");
  const Loaded no = load("size N\nprove c: forall(i : N) i/8 < N/8\n");
  std::string reason;
  const std::string text = smt_query(yes.questions.at(0), reason);
  EXPECT_NE(text.find("(check-sat)"), std::string::npos) << text;
  EXPECT_EQ(solve_text(text, 1'000'000), Satisfiable::No);
  EXPECT_EQ(solve_text(smt_query(no.questions.at(0), reason), 1'000'000), Satisfiable::Yes);
  const Loaded other = load("map f(a : 8) -> (y) = 16*a\nprove c: ways(f, 16) == 1\n");
  EXPECT_EQ(smt_query(other.questions.at(0), reason), "");
  EXPECT_NE(reason, "");
}

}  // namespace
}  // namespace fragproof
