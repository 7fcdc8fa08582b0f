// An example file, edited: what the mutation tests share.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "checkers/enumerate/enumerate.h"
#include "checkers/portfolio.h"
#include "spec/load.h"

namespace fragproof::mutations {

struct Edit {
  std::string from;
  std::string to;
};

inline std::string example_path(const std::string& file) {
  return std::string(FRAGPROOF_SOURCE_DIR) + "/examples/" + file;
}

// The text of an example with each edit made; each must fit exactly once, or the mutant is not the
// one we think.
inline std::string edited(const std::string& file, const std::vector<Edit>& edits) {
  std::ifstream in(example_path(file), std::ios::binary);
  std::stringstream buffer;
  buffer << in.rdbuf();
  std::string text = buffer.str();
  for (const Edit& edit : edits) {
    const std::size_t at = text.find(edit.from);
    if (at == std::string::npos) {
      ADD_FAILURE() << file << " has no `" << edit.from << "`";
      continue;
    }
    EXPECT_EQ(text.find(edit.from, at + 1), std::string::npos)
        << "twice in " << file << ": " << edit.from;
    text.replace(at, edit.from.size(), edit.to);
  }
  return text;
}

// A mutant with its questions. Keep it as long as they are used.
struct Mutant {
  LoadResult loaded;
  std::vector<Question> questions;

  Mutant(const std::string& file, const std::vector<Edit>& edits)
      : loaded(load_text(example_path(file), edited(file, edits))) {
    for (const Diagnostic& diagnostic : loaded.diagnostics) {
      ADD_FAILURE() << render(*loaded.sources, diagnostic);
    }
    if (loaded.spec != nullptr)
      questions = questions_of(*loaded.spec, file.substr(0, file.find('.')));
  }
  // The check of the question whose id ends in `/name`.
  [[nodiscard]] Check check(const std::string& name, const NamedValues& at = {}) const {
    for (const Question& question : questions) {
      if (question.id.substr(question.id.find('/') + 1) != name) continue;
      PortfolioOptions options;
      options.at = at;
      options.claim_seconds =
          60;  // builds with sanitizers are slow; the verdict must not depend on it
      options.file_seconds = 0;
      options.workers = 1;
      return judge(question, options);
    }
    ADD_FAILURE() << "no claim " << name;
    return {};
  }
};

inline std::string text_of(const NamedValues& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    if (!text.empty()) text += ' ';
    text += name + "=" + to_string(value);
  }
  return text;
}

// What a refutation must say. A field left empty, or -1, is not looked at.
struct Expected {
  std::string sizes = "";
  std::string at = "";
  int lane = -1;
  int elem = -1;
  std::string reg = "";
  std::string half = "";
  std::string expected = "";
  std::string found = "";
  std::int64_t wrong = -1;
  std::int64_t of = -1;
};

inline void expect_refuted(const Check& check, const Expected& want) {
  SCOPED_TRACE(check.id);
  ASSERT_EQ(check.verdict, Verdict::Refuted) << check.reason;
  ASSERT_TRUE(check.counterexample.has_value());
  const Counterexample& got = *check.counterexample;
  SCOPED_TRACE(got.text);
  EXPECT_TRUE(got.smallest);
  EXPECT_FALSE(got.text.empty());
  EXPECT_NE(check.reproduce.find("--only"), std::string::npos) << check.reproduce;
  if (!want.sizes.empty()) {
    EXPECT_EQ(text_of(got.sizes), want.sizes);
  }
  if (!want.at.empty()) {
    EXPECT_EQ(text_of(got.at), want.at);
  }
  if (want.lane >= 0) {
    EXPECT_EQ(got.lane, std::optional<int>(want.lane));
  }
  if (want.elem >= 0) {
    EXPECT_EQ(got.elem, std::optional<int>(want.elem));
  }
  if (!want.reg.empty()) {
    EXPECT_EQ(got.reg, want.reg);
  }
  if (!want.half.empty()) {
    EXPECT_EQ(got.half, want.half);
  }
  if (!want.expected.empty()) {
    EXPECT_EQ(got.expected, want.expected);
  }
  if (!want.found.empty()) {
    EXPECT_EQ(got.found, want.found);
  }
  if (want.wrong >= 0) {
    EXPECT_EQ(got.wrong, std::optional<std::int64_t>(want.wrong));
  }
  if (want.of >= 0) {
    EXPECT_EQ(got.of, std::optional<std::int64_t>(want.of));
  }
}

// None of the obligations before the one that is refuted may be refuted as well: the report names
// the first cause. A look at the smallest shapes, where the fault itself shows.
inline void expect_not_refuted(const Mutant& mutant, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    bool found = false;
    for (const Question& question : mutant.questions) {
      if (question.id.substr(question.id.find('/') + 1) != name) continue;
      found = true;
      const Budget look{.points = 2'000'000, .shapes = 60};
      EXPECT_NE(enumerate(question, look).verdict, Verdict::Refuted) << name;
    }
    EXPECT_TRUE(found) << "no claim " << name;
  }
}

}  // namespace fragproof::mutations
