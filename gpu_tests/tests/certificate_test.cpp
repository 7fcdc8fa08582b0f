// The certificates in the tree are about the spec in the tree.
#include "gpu_tests/probe/certificate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gpu_tests/probe/probe.h"
#include "spec/load.h"

namespace fragproof::gpu {
namespace {

// A fragment that was changed after it was certified: run `fragproof probe --certificate` on that
// GPU again.
TEST(Certificate, EveryCertifiedEntryIsStillWhatWasCertified) {
  ASSERT_FALSE(builtin_certificates().empty());
  for (const Certificate& certificate : builtin_certificates()) {
    EXPECT_FALSE(certificate.gpu.empty());
    EXPECT_FALSE(certificate.driver.empty());
    EXPECT_FALSE(certificate.entries.empty());
    for (const CertifiedEntry& entry : certificate.entries) {
      const Map* map = find_builtin(entry.name);
      ASSERT_NE(map, nullptr) << entry.name;
      EXPECT_EQ(entry_hash(*map), entry.hash)
          << entry.name << " is not the text certified on " << certificate.gpu;
      EXPECT_EQ(slots_of(builtin_spec(), *map).count(), entry.slots) << entry.name;
    }
  }
}

TEST(Certificate, NothingInItIsUnexplained) {
  for (const Certificate& certificate : builtin_certificates()) {
    for (const ProbeOutcome& outcome : certificate.outcomes) {
      EXPECT_NE(outcome.verdict, ProbeOutcome::Verdict::Disagrees) << outcome.mnemonic;
      if (outcome.verdict == ProbeOutcome::Verdict::Skipped) {
        EXPECT_NE(outcome.reason, "") << outcome.mnemonic;
      } else {
        EXPECT_GT(outcome.warps, 0) << outcome.mnemonic;
      }
    }
  }
}

TEST(Certificate, AnyChangeOfTheTextChangesTheHash) {
  const char* const original =
      "fragment f(lane : [g:8, t:4], elem : [e:2]) -> (row : 8, col : 8) : b16\n  row = g\n  col = "
      "2*t + e\n";
  const char* const changes[] = {
      "fragment f(lane : [g:8, t:4], elem : [e:2]) -> (row : 8, col : 8) : b16\n  row = g\n  col = "
      "4*e + t\n",
      "fragment f(lane : [t:4, g:8], elem : [e:2]) -> (row : 8, col : 8) : b16\n  row = g\n  col = "
      "2*t + e\n",
      "fragment f(lane : [g:8, t:4], elem : [e:2]) -> (row : 8, col : 9) : b16\n  row = g\n  col = "
      "2*t + e\n",
      "fragment f(lane : [g:8, t:4], elem : [e:2]) -> (row : 8, col : 8) : b8\n  row = g\n  col = "
      "2*t + e\n",
      "fragment f2(lane : [g:8, t:4], elem : [e:2]) -> (row : 8, col : 8) : b16\n  row = g\n  col "
      "= 2*t + e\n",
      "fragment f(lane : [g:8, t:4], elem : [e:2]) -> (row : 8, col : 8) : b16\n  let x = 2*t\n  "
      "row = g\n  col = x + e\n",
  };
  std::set<std::string> hashes;
  const auto hash = [](const std::string& text) {
    const LoadResult loaded = load_text("f.layout", text);
    EXPECT_TRUE(loaded.spec) << text;
    return loaded.spec ? entry_hash(*loaded.spec->maps.at(0)) : "";
  };
  hashes.insert(hash(original));
  for (const char* text : changes) hashes.insert(hash(text));
  EXPECT_EQ(hashes.size(), std::size(changes) + 1);
  EXPECT_EQ(hash(std::string("# a comment\n") + original), hash(original));
}

TEST(Certificate, ThereAndBack) {
  Certificate certificate{"G", "9.0", "1.2", "13.0", "fragproof probe", {{"a.A", "0123", 64}}, {}};
  ProbeOutcome outcome;
  outcome.mnemonic = "m";
  outcome.entries = {"a.A"};
  outcome.verdict = ProbeOutcome::Verdict::Skipped;
  outcome.reason = "no";
  certificate.outcomes.push_back(outcome);
  std::string why;
  const auto read = read_certificate(to_json(certificate), why);
  ASSERT_TRUE(read) << why;
  EXPECT_EQ(to_json(*read), to_json(certificate));
}

TEST(Certificate, WhatIsNoneIsRefused) {
  std::string why;
  for (const char* text : {"", "{}", "[]", "{\"schema\": \"fragproof-certificate/2\"}",
                           "{\"schema\": \"fragproof-certificate/1\"}"}) {
    EXPECT_FALSE(read_certificate(text, why)) << text;
    EXPECT_FALSE(why.empty());
  }
}

TEST(Certificate, AContradictionCertifiesNothing) {
  const std::string name = "ldmatrix.x1";
  ProbeOutcome good, bad, skipped;
  good.entries = bad.entries = skipped.entries = {name};
  bad.verdict = ProbeOutcome::Verdict::Disagrees;
  skipped.verdict = ProbeOutcome::Verdict::Skipped;
  const auto certified = [&](std::vector<ProbeOutcome> outcomes) {
    return certified_entries(builtin_spec().maps, outcomes).size();
  };
  EXPECT_EQ(certified({good, skipped}), 1U);
  EXPECT_EQ(certified({good, bad}), 0U);
  EXPECT_EQ(certified({skipped}), 0U);
  EXPECT_EQ(certified({}), 0U);
}

}  // namespace
}  // namespace fragproof::gpu
