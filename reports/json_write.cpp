// The record as JSON text.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/json.h"
#include "reports/summary.h"

namespace fragproof {
namespace {

using Json = nlohmann::ordered_json;

Json number(Int value) {
  constexpr Int low = std::numeric_limits<std::int64_t>::min();
  constexpr Int high = std::numeric_limits<std::int64_t>::max();
  if (value >= low && value <= high) return static_cast<std::int64_t>(value);
  return to_string(value);
}

Json values(const NamedValues& named) {
  Json object = Json::object();
  for (const auto& [name, value] : named) object[valid_utf8(name)] = number(value);
  return object;
}

Json texts(const std::vector<std::string>& list) {
  Json array = Json::array();
  for (const std::string& text : list) array.push_back(valid_utf8(text));
  return array;
}

void put_text(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = valid_utf8(text);
}

void put_count(Json& object, const char* key, std::int64_t count) {
  if (count != 0) object[key] = count;
}

// Cells as [lane, elem, expected, found, wrong]: a picture has hundreds.
Json picture_json(const Picture& picture) {
  Json cells = Json::array();
  for (const PictureCell& cell : picture.cells) {
    cells.push_back(Json::array(
        {cell.lane, cell.elem, valid_utf8(cell.expected), valid_utf8(cell.found), cell.wrong}));
  }
  Json object = Json::object();
  object["title"] = valid_utf8(picture.title);
  object["register_prefix"] = valid_utf8(picture.register_prefix);
  object["bits"] = picture.bits;
  object["register_bits"] = picture.register_bits;
  object["lanes"] = picture.lanes;
  object["elems"] = picture.elems;
  const Picture usual;
  if (picture.expected_label != usual.expected_label)
    put_text(object, "expected_label", picture.expected_label);
  if (picture.found_label != usual.found_label)
    put_text(object, "found_label", picture.found_label);
  object["cells"] = std::move(cells);
  return object;
}

Json counterexample_json(const Counterexample& c, const JsonOptions& options) {
  Json object = Json::object();
  if (!c.sizes.empty()) object["sizes"] = values(c.sizes);
  if (!c.at.empty()) object["at"] = values(c.at);
  if (!c.tables.empty()) {
    Json tables = Json::object();
    for (const auto& [name, list] : c.tables) {
      Json array = Json::array();
      for (const Int value : list) array.push_back(number(value));
      tables[valid_utf8(name)] = std::move(array);
    }
    object["tables"] = std::move(tables);
  }
  if (c.lane) object["lane"] = *c.lane;
  put_text(object, "register", c.reg);
  put_text(object, "half", c.half);
  if (c.elem) object["elem"] = *c.elem;
  put_text(object, "expected", c.expected);
  put_text(object, "found", c.found);
  if (c.wrong) object["wrong"] = *c.wrong;
  if (c.of) object["of"] = *c.of;
  object["smallest"] = c.smallest;
  put_text(object, "text", c.text);
  if (c.picture && options.pictures) object["picture"] = picture_json(*c.picture);
  return object;
}

Json proof_json(const Proof& proof, const JsonOptions& options) {
  Json object = Json::object();
  object["method"] = valid_utf8(proof.method);
  Json lemmas = Json::array();
  for (const Proof::LemmaCount& count : lemma_counts(proof)) {
    Json one = Json::object();
    one["lemma"] = valid_utf8(count.lemma);
    one["steps"] = count.steps;
    one["discharged"] = count.discharged;
    lemmas.push_back(std::move(one));
  }
  object["lemmas"] = std::move(lemmas);
  if (!proof.notes.empty()) object["notes"] = texts(proof.notes);
  if (!options.proofs) return object;
  Json steps = Json::array();
  for (const ProofStep& step : proof.steps) {
    Json one = Json::object();
    one["lemma"] = valid_utf8(step.lemma);
    one["statement"] = valid_utf8(step.statement);
    one["premises"] = step.premises;
    one["discharged"] = step.discharged;
    steps.push_back(std::move(one));
  }
  object["steps"] = std::move(steps);
  return object;
}

Json check_json(const Check& check, const JsonOptions& options) {
  Json object = Json::object();
  object["id"] = valid_utf8(check.id);
  object["kind"] = valid_utf8(check.kind);
  object["verdict"] = name_of(check.verdict);
  object["expected"] = name_of(check.expected);
  object["methods"] = texts(check.methods);
  object["needs"] = texts(check.needs);
  if (!check.unused.empty()) object["unused"] = texts(check.unused);
  put_text(object, "below", check.below);
  put_text(object, "reason", check.reason);
  put_text(object, "note", check.note);
  const bool usable = std::isfinite(check.time_ms) && check.time_ms >= 0 && check.time_ms < 1e12;
  object["time_ms"] = usable ? std::round(check.time_ms * 1000) / 1000 : 0.0;
  Json where = Json::object();
  where["file"] = valid_utf8(check.file);
  where["line"] = check.line;
  where["column"] = check.column;
  put_text(where, "text", check.source_line);
  object["where"] = std::move(where);
  if (!check.context.empty()) {
    object["context"] = Json::object();
    object["context"]["line"] = check.context_line;
    object["context"]["lines"] = texts(check.context);
  }
  if (check.counterexample) {
    object["counterexample"] = counterexample_json(*check.counterexample, options);
  }
  if (check.proof) object["proof"] = proof_json(*check.proof, options);
  object["reproduce"] = valid_utf8(check.reproduce);
  put_count(object, "shapes_tried", check.shapes_tried);
  if (check.tried) {
    Json tried = Json::object();
    tried["cases"] = check.tried->cases;
    tried["failing"] = check.tried->failing;
    tried["classes"] = Json::object();
    for (const auto& [name, count] : check.tried->classes) {
      tried["classes"][valid_utf8(name)] = count;
    }
    object["tried"] = std::move(tried);
  }
  put_count(object, "z3_queries", check.z3_queries);
  put_count(object, "rlimit", check.rlimit);
  return object;
}

}  // namespace

std::string to_json(const Record& record, const JsonOptions& options) {
  const auto dump = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  Json tool = Json::object();
  tool["name"] = "fragproof";
  tool["version"] = valid_utf8(record.tool_version);
  tool["z3"] = valid_utf8(record.z3_version);
  const Summary s = summary_of(record);
  Json summary = Json::object();
  summary["proved"] = s.proved;
  summary["refuted"] = s.refuted;
  summary["unknown"] = s.unknown;
  summary["vacuous"] = s.vacuous;
  summary["skipped"] = s.skipped;
  summary["error"] = s.error;
  summary["ok"] = s.ok;
  // The outermost level by hand: one check a line reads well, diffs well, and stays small.
  std::string out = "{\"schema\":" + dump(report_schema) + ",\n \"tool\":" + dump(tool);
  out += ",\n \"command\":" + dump(valid_utf8(record.command));
  Json specs = Json::object();
  for (const auto& [name, print] : record.specs) specs[valid_utf8(name)] = valid_utf8(print);
  out += ",\n \"specs\":" + dump(specs);
  out += ",\n \"interrupted\":" + dump(record.interrupted) + ",\n \"checks\":[";
  const char* separator = "\n  ";
  for (const Check& check : record.checks) {
    out += separator + dump(check_json(check, options));
    separator = ",\n  ";
  }
  out += "],\n \"summary\":" + dump(summary) + "}\n";
  return out;
}

}  // namespace fragproof
