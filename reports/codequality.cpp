// GitLab's subset of the Code Climate format.
#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/hash.h"
#include "reports/phrase.h"
#include "reports/summary.h"

namespace fragproof {
namespace {

using Json = nlohmann::ordered_json;

const char* severity_of(const Check& check) {
  switch (check.verdict) {
    case Verdict::Error:
      return "blocker";
    case Verdict::Vacuous:
      return "major";
    case Verdict::Unknown:
      return "minor";
    default:
      return "critical";
  }
}

// GitLab compares paths as text and knows no "./".
std::string path_of(const Check& check) {
  std::string path = shorten(visible(check.file.empty() ? "(no file)" : check.file), 1000);
  while (path.rfind("./", 0) == 0 && path.size() > 2) path.erase(0, 2);
  return path;
}

}  // namespace

std::string to_code_quality(const Record& record) {
  std::string out = "[";
  const char* separator = "\n ";
  for (const std::size_t i : failures_first(record)) {
    const Check& check = record.checks[i];
    const CiResult result = ci_result(check);
    if (result != CiResult::Failed && result != CiResult::Undecided) continue;
    Json finding = Json::object();
    finding["description"] = shorten(visible(check.id), 200) + ": " + name_of(check.verdict) +
                             ": " + finding_phrase(check);
    finding["check_name"] = shorten(visible(check.kind), 200);
    finding["fingerprint"] = fingerprint(check.kind + "\n" + check.id);
    finding["severity"] = severity_of(check);
    finding["location"]["path"] = path_of(check);
    finding["location"]["lines"]["begin"] = check.line > 0 ? check.line : 1;
    out += separator + finding.dump(-1, ' ', false, Json::error_handler_t::replace);
    separator = ",\n ";
  }
  return out + (out.size() > 1 ? "\n]\n" : "]\n");
}

}  // namespace fragproof
