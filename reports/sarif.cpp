// SARIF 2.1.0, as GitHub code scanning takes it: only findings, each with a place, a fingerprint
// that does not move with the lines, and the way to the wrong slot as a code flow.
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>

#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/hash.h"
#include "reports/phrase.h"
#include "reports/sarif_rules.h"
#include "reports/summary.h"

namespace fragproof {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_results = 5'000;  // GitHub shows no more of a run
constexpr std::size_t longest_text = 2'000;

std::string text_of(std::string_view raw, std::size_t width = longest_text) {
  return shorten(visible(raw, true), width);
}

Json message(std::string_view raw, std::size_t width = longest_text) {
  return Json{{"text", text_of(raw, width)}};
}

// A URI reference: relative paths stay relative (GitHub matches them with the repository's files).
std::string uri_of(const std::string& file) {
  std::string path = valid_utf8(file).substr(0, 2'000);
  while (path.rfind("./", 0) == 0 && path.size() > 2) path.erase(0, 2);
  static constexpr std::string_view plain = "-._~/!$&'()*+,;=@";
  static constexpr std::string_view hex = "0123456789ABCDEF";
  std::string uri = path.rfind('/', 0) == 0 ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || plain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += {'%', hex[byte >> 4], hex[byte & 15u]};
    }
  }
  return uri.empty() ? "unknown" : uri;
}

Json location(const Check& check) {
  Json region = Json::object();
  region["startLine"] = check.line > 0 ? check.line : 1;
  if (check.line > 0 && check.column > 0) {
    const auto before = static_cast<std::size_t>(check.column) - 1;
    const std::size_t columns =
        display_width(valid_utf8(std::string_view(check.source_line).substr(0, before)));
    region["startColumn"] = check.source_line.empty() ? check.column : columns + 1;
    if (!check.source_line.empty()) {
      region["endColumn"] = display_width(valid_utf8(check.source_line)) + 1;
      if (region["endColumn"] <= region["startColumn"]) region.erase("endColumn");
    }
  }
  if (!check.source_line.empty()) region["snippet"] = message(check.source_line);
  Json physical = {{"artifactLocation", {{"uri", uri_of(check.file)}}}, {"region", region}};
  if (!check.context.empty() && check.context_line > 0) {
    std::string lines;
    for (const std::string& line : check.context) lines += shorten(valid_utf8(line), 300) + "\n";
    const std::int64_t last =
        std::int64_t{check.context_line} + static_cast<std::int64_t>(check.context.size()) - 1;
    if (check.context_line <= check.line && check.line <= last) {
      physical["contextRegion"] = {
          {"startLine", check.context_line}, {"endLine", last}, {"snippet", message(lines, 4'000)}};
    }
  }
  return {{"physicalLocation", physical},
          {"logicalLocations", {{{"fullyQualifiedName", text_of(check.id, 500)}}}}};
}

// The way to the wrong slot, step by step: the shape, the loop indices, the register, what is
// expected there, what is there.
Json code_flow(const Check& check, const Counterexample& c) {
  Json steps = Json::array();
  const auto step = [&](const std::string& text) {
    if (text.empty()) return;
    Json where = location(check);
    where["message"] = message(text);
    steps.push_back({{"location", where}});
  };
  const std::string shape = values_phrase(c.sizes);
  if (!shape.empty()) step("shape " + shape + (c.smallest ? " (the smallest)" : ""));
  step(tables_phrase(c));
  const std::string at = values_phrase(c.at);
  if (!at.empty()) step("at " + at);
  step(place_phrase(c));
  if (!c.expected.empty()) step("expected " + c.expected);
  if (!c.found.empty()) step("found " + c.found);
  if (steps.empty()) return Json();
  return {{"threadFlows", {{{"locations", steps}}}}};
}

// The first sentence is the alert's title.
std::string result_text(const Check& check) {
  std::string text = shorten(visible(check.id), 200) + ": " + name_of(check.verdict) + ", " +
                     finding_phrase(check);
  text += text.back() == '.' ? "" : ".";
  if (check.counterexample) {
    const Counterexample& c = *check.counterexample;
    const std::string point = point_phrase(c);
    if (!point.empty())
      text += " At " + shorten(visible(point), 400) + (c.smallest ? " (the smallest)." : ".");
    if (c.wrong || c.of) text += " " + count_phrase(c) + ".";
    const bool told = c.expected.empty() && c.found.empty();
    if (!c.text.empty() && !told) text += " " + c.text;
  }
  if (!check.reproduce.empty()) text += "\nReproduce: " + check.reproduce;
  return text;
}

Json rule(const std::string& kind) {
  const RuleText text = rule_of_kind(kind);
  Json rule = Json::object();
  rule["id"] = "fragproof/" + text_of(kind, 100);
  rule["name"] = text.name;
  rule["shortDescription"] = message(text.short_text);
  rule["fullDescription"] = message(text.short_text +
                                    " fragproof evaluated the counterexample; it "
                                    "did not guess it.");
  rule["help"] = {{"text", text.help},
                  {"markdown", text.help + "\n\nThe picture of expected and found registers is in "
                                           "the HTML report; the reproduce line in the message "
                                           "runs this claim alone."}};
  rule["defaultConfiguration"] = {{"level", "error"}};
  rule["properties"] = {{"precision", "very-high"},
                        {"problem.severity", "error"},
                        {"tags", {"correctness", "gpu", "layout"}}};
  return rule;
}

Json driver(const Record& record, const std::vector<std::string>& kinds) {
  Json driver = Json::object();
  driver["name"] = "fragproof";
  const std::string version = text_of(record.tool_version, 60);
  if (!version.empty()) {
    driver["version"] = version;
    driver["semanticVersion"] = version;
  }
  driver["rules"] = Json::array();
  for (const std::string& kind : kinds) driver["rules"].push_back(rule(kind));
  return driver;
}

}  // namespace

std::string to_sarif(const Record& record) {
  std::vector<std::string> kinds;
  std::map<std::string, std::size_t> rule_index;
  Json results = Json::array();
  std::size_t left_out = 0;
  for (const std::size_t i : failures_first(record)) {
    const Check& check = record.checks[i];
    const CiResult outcome = ci_result(check);
    if (outcome != CiResult::Failed && outcome != CiResult::Undecided) continue;
    if (results.size() == most_results) {
      ++left_out;
      continue;
    }
    const auto [at, is_new] = rule_index.try_emplace(text_of(check.kind, 100), kinds.size());
    if (is_new) kinds.push_back(check.kind);
    Json result = Json::object();
    result["ruleId"] = "fragproof/" + text_of(check.kind, 100);
    result["ruleIndex"] = at->second;
    result["level"] = outcome == CiResult::Failed ? "error" : "warning";
    result["message"] = message(result_text(check), 4'000);
    result["locations"] = Json::array({location(check)});
    result["partialFingerprints"] = {
        {"primaryLocationLineHash", fingerprint(check.kind + "\n" + check.id) + ":1"}};
    if (check.counterexample) {
      const Json flow = code_flow(check, *check.counterexample);
      if (!flow.is_null()) result["codeFlows"] = Json::array({flow});
    }
    result["properties"] = {{"verdict", name_of(check.verdict)},
                            {"expected", name_of(check.expected)},
                            {"reproduce", text_of(check.reproduce)}};
    results.push_back(std::move(result));
  }

  const int code = exit_code_of(record);
  Json invocation = {{"executionSuccessful", code == 0 || code == 1 || code == 3},
                     {"exitCode", code}};
  if (!record.command.empty()) invocation["commandLine"] = text_of(record.command);
  if (left_out > 0) {
    invocation["toolExecutionNotifications"] = Json::array(
        {{{"level", "warning"},
          {"message", message(std::to_string(left_out) + " more findings are left out.")}}});
  }
  Json run = Json::object();
  run["tool"]["driver"] = driver(record, kinds);
  run["automationDetails"]["id"] = "fragproof/";
  run["columnKind"] = "unicodeCodePoints";
  run["invocations"] = Json::array({invocation});
  run["results"] = std::move(results);
  Json log = Json::object();
  log["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  log["version"] = "2.1.0";
  log["runs"] = Json::array({run});
  return log.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fragproof
