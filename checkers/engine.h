// What an engine is asked and what it answers. Engines share the resolved spec and nothing else.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checkers/result/result.h"
#include "spec/ast.h"

namespace fragproof {

// One check: a claim, or one obligation of a kernel that a claim names. The question is always "is
// `condition` (or that obligation) defined and true for all sizes and tables that satisfy the
// requires and `where_clause`?".
struct Question {
  const Spec* spec = nullptr;
  const Claim* claim = nullptr;
  std::string id;  // "gemv/gemv.A.rows"
  std::string kind;
  // Set when the claim is `prove K` (one question an obligation) or `prove K.A.rows` alone.
  const Kernel* kernel = nullptr;
  std::optional<Obligation> obligation;
  const Expr* condition =
      nullptr;  // the claim's condition (of the whole claim also for an obligation)
  const Expr* where_clause = nullptr;  // may be null
  // All requires that restrict this question: the file's, then those of the kernels that the
  // condition speaks of.
  std::vector<const Expr*> requires_;
};

struct Budget {
  std::int64_t points = 20'000'000;  // evaluations that `enumerate` may spend on one question
  std::int64_t shapes = 4'000;       // shapes it may try
  std::int64_t rlimit = 4'000'000;   // of Z3, for one question
  bool replay = false;               // write the proof for fragproof-check (Proof::replay)
  const std::atomic<bool>* stop = nullptr;  // set: give up with Unknown("interrupted")
};

struct Answer {
  Verdict verdict =
      Verdict::Unknown;  // Proved, Refuted (with a counterexample), Vacuous or Unknown
  std::string reason;
  std::optional<Counterexample> counterexample;
  std::optional<Proof> proof;
  std::vector<std::string> needs;  // requires used, as written in the text
  std::vector<std::string> unused;
  std::string note;
  std::int64_t shapes_tried = 0;
  bool only_vacuous =
      false;  // enumerate: shapes were judged, and at none was anything left to judge
  std::int64_t points = 0;
  std::int64_t z3_queries = 0;
  std::int64_t rlimit = 0;
};

// The questions of a spec in order: one a claim, one an obligation for a claim that is a whole
// kernel and a `prove`. `stem` is what ids start with ("gemv"). Defined in checkers/questions.cpp.
[[nodiscard]] std::vector<Question> questions_of(const Spec& spec, const std::string& stem);

}  // namespace fragproof
