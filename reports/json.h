// The master record as JSON ("fragproof-report/1"), written and read back. Every other format is a
// function of it.
//
// {"schema":"fragproof-report/1","tool":{"name","version","z3"},"command",
//  "specs":{NAME:FINGERPRINT},"interrupted",
//  "checks":[{"id","kind","verdict","expected","methods","needs","time_ms","where":{"file","line","column","text"},
//             "reproduce", and where they apply:
//             "unused","reason","note","counterexample","proof","context",
//             "shapes_tried","tried","z3_queries","rlimit"}],      (one check a line)
//  "summary":{"proved","refuted","unknown","vacuous","skipped","error","ok"}}
//
// Integers from -2^63 to 2^63-1 are JSON numbers (readers that keep doubles lose digits beyond
// 2^53), larger ones decimal strings; the reader takes both. Keys keep this order. Fields that do
// not apply are left out. No clock, host or path of a machine is in it but `time_ms`. Bytes that
// are not UTF-8 become U+FFFD.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checkers/result/result.h"

namespace fragproof {

inline constexpr const char* report_schema = "fragproof-report/1";

struct JsonOptions {
  bool proofs = false;  // the steps of each proof; without, only how many steps each lemma has
  bool pictures = true;
};

// The JSON text of `record`, ending in a newline. Never throws, whatever the texts hold.
[[nodiscard]] std::string to_json(const Record& record, const JsonOptions& options = {});

struct ReadResult {
  std::optional<Record> record;  // nothing when the text is no such record
  std::string error;             // one sentence that says where and why: "checks[3].verdict: ..."
};

// Reads what to_json wrote. Strict: another schema, an unknown field, a wrong type, a missing field
// or a summary that does not count the checks is an error. Never throws.
[[nodiscard]] ReadResult record_from_json(std::string_view text);

}  // namespace fragproof
