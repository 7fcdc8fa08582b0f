// A record read back from its JSON text, strictly: what is not exactly such a record is refused
// with one sentence.
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "reports/escape.h"
#include "reports/json.h"
#include "reports/summary.h"

namespace fragproof {
namespace {

using Json = nlohmann::ordered_json;

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Refused((path.empty() ? "" : path + ": ") + why);
}

std::string text_of(const Json& json, const std::string& path) {
  if (!json.is_string()) refuse(path, "must be a text");
  return json.get<std::string>();
}

bool bool_of(const Json& json, const std::string& path) {
  if (!json.is_boolean()) refuse(path, "must be true or false");
  return json.get<bool>();
}

Int integer_of(const Json& json, const std::string& path) {
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_string()) {
    if (const std::optional<Int> value = parse_int(json.get<std::string>())) return *value;
  }
  refuse(path, "must be an integer (or its decimal text)");
}

template <class T>
T whole_of(const Json& json, const std::string& path) {
  if (!json.is_number_integer()) refuse(path, "must be an integer");
  const Int value = integer_of(json, path);
  if (value < Int{std::numeric_limits<T>::min()} || value > Int{std::numeric_limits<T>::max()}) {
    refuse(path, "is out of range");
  }
  return static_cast<T>(value);
}

// The fields of one object; each is asked for once, and at the end none may be left.
class Fields {
 public:
  Fields(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json.is_object()) refuse(path_, "must be an object");
  }
  [[nodiscard]] std::string path(const char* key) const {
    return path_.empty() ? key : path_ + "." + key;
  }
  // The field, or null when it is not there.
  const Json* find(const char* key) {
    known_.insert(key);
    const auto at = json_.find(key);
    return at == json_.end() ? nullptr : &*at;
  }
  const Json& get(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) refuse(path_, std::string("field \"") + key + "\" is missing");
    return *field;
  }
  std::string text(const char* key) { return text_of(get(key), path(key)); }
  std::string text_or_none(const char* key) {
    const Json* field = find(key);
    return field == nullptr ? std::string() : text_of(*field, path(key));
  }
  template <class T>
  T whole(const char* key) {
    return whole_of<T>(get(key), path(key));
  }
  template <class T>
  std::optional<T> whole_or_none(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    return whole_of<T>(*field, path(key));
  }
  void finish() const {
    for (const auto& item : json_.items()) {
      if (!known_.contains(item.key())) {
        refuse(path_, "unknown field \"" + shorten(visible(item.key()), 60) + "\"");
      }
    }
  }

 private:
  const Json& json_;
  std::string path_;
  std::set<std::string, std::less<>> known_;
};

// Calls read(element, path) for each element of an array.
template <class Read>
void each(const Json& json, const std::string& path, Read read) {
  if (!json.is_array()) refuse(path, "must be a list");
  std::size_t i = 0;
  for (const Json& element : json) read(element, path + "[" + std::to_string(i++) + "]");
}

std::vector<std::string> texts_of(const Json& json, const std::string& path) {
  std::vector<std::string> list;
  each(json, path,
       [&](const Json& e, const std::string& where) { list.push_back(text_of(e, where)); });
  return list;
}

NamedValues values_of(const Json& json, const std::string& path) {
  if (!json.is_object()) refuse(path, "must be an object");
  NamedValues values;
  for (const auto& item : json.items()) {
    values.emplace_back(item.key(), integer_of(item.value(), path + "." + visible(item.key())));
  }
  return values;
}

Verdict verdict_of(const Json& json, const std::string& path) {
  const std::string name = text_of(json, path);
  for (const Verdict verdict : {Verdict::Proved, Verdict::Refuted, Verdict::Unknown,
                                Verdict::Vacuous, Verdict::Skipped, Verdict::Error}) {
    if (name == name_of(verdict)) return verdict;
  }
  refuse(path, "\"" + shorten(visible(name), 40) + "\" is not a verdict");
}

Picture picture_of(const Json& json, const std::string& path) {
  Fields fields(json, path);
  Picture picture;
  picture.title = fields.text("title");
  picture.register_prefix = fields.text("register_prefix");
  picture.bits = fields.whole<int>("bits");
  picture.register_bits = fields.whole<int>("register_bits");
  picture.lanes = fields.whole<int>("lanes");
  picture.elems = fields.whole<int>("elems");
  for (const auto& [key, label] : {std::pair{"expected_label", &picture.expected_label},
                                   std::pair{"found_label", &picture.found_label}}) {
    if (std::string text = fields.text_or_none(key); !text.empty()) *label = std::move(text);
  }
  each(fields.get("cells"), fields.path("cells"), [&](const Json& e, const std::string& where) {
    if (!e.is_array() || e.size() != 5) {
      refuse(where, "must be [lane, elem, expected, found, wrong]");
    }
    picture.cells.push_back({whole_of<int>(e[0], where), whole_of<int>(e[1], where),
                             text_of(e[2], where), text_of(e[3], where), bool_of(e[4], where)});
  });
  fields.finish();
  return picture;
}

Counterexample counterexample_of(const Json& json, const std::string& path) {
  Fields fields(json, path);
  Counterexample c;
  if (const Json* sizes = fields.find("sizes")) c.sizes = values_of(*sizes, fields.path("sizes"));
  if (const Json* at = fields.find("at")) c.at = values_of(*at, fields.path("at"));
  if (const Json* tables = fields.find("tables")) {
    if (!tables->is_object()) refuse(fields.path("tables"), "must be an object");
    for (const auto& item : tables->items()) {
      std::vector<Int> list;
      each(item.value(), fields.path("tables") + "." + visible(item.key()),
           [&](const Json& e, const std::string& where) { list.push_back(integer_of(e, where)); });
      c.tables.emplace_back(item.key(), std::move(list));
    }
  }
  c.lane = fields.whole_or_none<int>("lane");
  c.reg = fields.text_or_none("register");
  c.half = fields.text_or_none("half");
  c.elem = fields.whole_or_none<int>("elem");
  c.expected = fields.text_or_none("expected");
  c.found = fields.text_or_none("found");
  c.wrong = fields.whole_or_none<std::int64_t>("wrong");
  c.of = fields.whole_or_none<std::int64_t>("of");
  c.smallest = bool_of(fields.get("smallest"), fields.path("smallest"));
  c.text = fields.text_or_none("text");
  if (const Json* picture = fields.find("picture")) {
    c.picture = picture_of(*picture, fields.path("picture"));
  }
  fields.finish();
  return c;
}

Proof proof_of(const Json& json, const std::string& path) {
  Fields fields(json, path);
  Proof proof;
  proof.method = fields.text("method");
  if (const Json* notes = fields.find("notes"))
    proof.notes = texts_of(*notes, fields.path("notes"));
  std::vector<Proof::LemmaCount> lemmas;
  each(fields.get("lemmas"), fields.path("lemmas"), [&](const Json& e, const std::string& where) {
    Fields count(e, where);
    lemmas.push_back({count.text("lemma"), count.whole<std::int64_t>("steps"),
                      count.whole<std::int64_t>("discharged")});
    count.finish();
  });
  if (const Json* steps = fields.find("steps")) {
    each(*steps, fields.path("steps"), [&](const Json& e, const std::string& where) {
      Fields step(e, where);
      ProofStep one;
      one.lemma = step.text("lemma");
      one.statement = step.text("statement");
      one.discharged = bool_of(step.get("discharged"), step.path("discharged"));
      each(step.get("premises"), step.path("premises"), [&](const Json& p, const std::string& at) {
        const int premise = whole_of<int>(p, at);
        if (premise < 0 || static_cast<std::size_t>(premise) >= proof.steps.size()) {
          refuse(at, "names no earlier step");
        }
        one.premises.push_back(premise);
      });
      step.finish();
      proof.steps.push_back(std::move(one));
    });
  }
  if (proof.steps.empty()) proof.lemmas = std::move(lemmas);
  fields.finish();
  return proof;
}

Tried tried_of(const Json& json, const std::string& path) {
  Fields fields(json, path);
  Tried tried;
  tried.cases = fields.whole<std::int64_t>("cases");
  tried.failing = fields.whole<std::int64_t>("failing");
  const Json& classes = fields.get("classes");
  const std::string inside = fields.path("classes");
  if (!classes.is_object()) refuse(inside, "must be an object");
  for (const auto& item : classes.items()) {
    tried.classes.emplace_back(item.key(), whole_of<std::int64_t>(item.value(), inside));
  }
  fields.finish();
  return tried;
}

Check check_of(const Json& json, const std::string& path) {
  Fields fields(json, path);
  Check check;
  check.id = fields.text("id");
  check.kind = fields.text("kind");
  check.verdict = verdict_of(fields.get("verdict"), fields.path("verdict"));
  check.expected = verdict_of(fields.get("expected"), fields.path("expected"));
  check.methods = texts_of(fields.get("methods"), fields.path("methods"));
  check.needs = texts_of(fields.get("needs"), fields.path("needs"));
  if (const Json* unused = fields.find("unused")) {
    check.unused = texts_of(*unused, fields.path("unused"));
  }
  check.below = fields.text_or_none("below");
  check.reason = fields.text_or_none("reason");
  check.note = fields.text_or_none("note");
  const Json& time = fields.get("time_ms");
  if (!time.is_number()) refuse(fields.path("time_ms"), "must be a number");
  check.time_ms = time.get<double>();
  Fields where(fields.get("where"), fields.path("where"));
  check.file = where.text("file");
  check.line = where.whole<int>("line");
  check.column = where.whole<int>("column");
  check.source_line = where.text_or_none("text");
  where.finish();
  if (const Json* context = fields.find("context")) {
    Fields around(*context, fields.path("context"));
    check.context_line = around.whole<int>("line");
    check.context = texts_of(around.get("lines"), around.path("lines"));
    around.finish();
  }
  if (const Json* c = fields.find("counterexample")) {
    check.counterexample = counterexample_of(*c, fields.path("counterexample"));
  }
  if (const Json* proof = fields.find("proof")) {
    check.proof = proof_of(*proof, fields.path("proof"));
  }
  check.reproduce = fields.text("reproduce");
  check.shapes_tried = fields.whole_or_none<std::int64_t>("shapes_tried").value_or(0);
  if (const Json* tried = fields.find("tried")) {
    check.tried = tried_of(*tried, fields.path("tried"));
  }
  check.z3_queries = fields.whole_or_none<std::int64_t>("z3_queries").value_or(0);
  check.rlimit = fields.whole_or_none<std::int64_t>("rlimit").value_or(0);
  fields.finish();
  return check;
}

void compare_summary(const Json& json, const Record& record) {
  Fields fields(json, "summary");
  const Summary s = summary_of(record);
  const std::pair<const char*, int> counts[] = {{"proved", s.proved},   {"refuted", s.refuted},
                                                {"unknown", s.unknown}, {"vacuous", s.vacuous},
                                                {"skipped", s.skipped}, {"error", s.error}};
  for (const auto& [key, count] : counts) {
    if (fields.whole<int>(key) != count) {
      refuse(fields.path(key),
             "does not count the checks (there are " + std::to_string(count) + ")");
    }
  }
  if (bool_of(fields.get("ok"), "summary.ok") != s.ok) {
    refuse("summary.ok", "does not agree with the checks");
  }
  fields.finish();
}

Record record_of(const Json& json) {
  Fields fields(json, "");
  const Json* schema = fields.find("schema");
  if (schema == nullptr || !schema->is_string())
    refuse("", "not a fragproof report: no \"schema\"");
  if (*schema != report_schema) {
    refuse("", "the schema is \"" + shorten(visible(schema->get<std::string>()), 40) +
                   "\", this version reads \"" + report_schema + "\"");
  }
  Record record;
  Fields tool(fields.get("tool"), "tool");
  if (tool.text("name") != "fragproof") refuse("tool.name", "must be \"fragproof\"");
  record.tool_version = tool.text("version");
  record.z3_version = tool.text("z3");
  tool.finish();
  record.command = fields.text("command");
  const Json& specs = fields.get("specs");
  if (!specs.is_object()) refuse("specs", "must be an object");
  for (const auto& item : specs.items()) {
    record.specs.emplace_back(item.key(),
                              text_of(item.value(), "specs." + shorten(visible(item.key()), 60)));
  }
  record.interrupted = bool_of(fields.get("interrupted"), "interrupted");
  each(fields.get("checks"), "checks", [&](const Json& e, const std::string& where) {
    record.checks.push_back(check_of(e, where));
  });
  compare_summary(fields.get("summary"), record);
  fields.finish();
  return record;
}

// "line 3, column 7" of byte `at`, counted from 1.
std::string place_of(std::string_view text, std::size_t at) {
  at = std::min(at == 0 ? 0 : at - 1, text.size());
  std::size_t line = 1, start = 0;
  for (std::size_t i = 0; i < at; ++i) {
    if (text[i] == '\n') ++line, start = i + 1;
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(at - start + 1);
}

}  // namespace

ReadResult record_from_json(std::string_view text) {
  ReadResult result;
  try {
    result.record = record_of(Json::parse(text));
  } catch (const Refused& refused) {
    result.error = refused.what();
  } catch (const nlohmann::json::parse_error& error) {
    const bool cut = error.byte > text.size();
    result.error = cut ? "not JSON: the text ends too early, it was cut off"
                       : "not JSON: " + place_of(text, error.byte) + " cannot be read";
  } catch (const nlohmann::json::exception& error) {
    result.error = std::string("not JSON: ") + visible(error.what());
  }
  return result;
}

}  // namespace fragproof
