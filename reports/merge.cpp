// Joining records, with suspicion.
#include "reports/merge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "reports/escape.h"

namespace fragproof {
namespace {

std::string quoted(const std::string& text) { return "'" + shorten(visible(text), 200) + "'"; }

std::string differ(const NamedRecord& a, const NamedRecord& b, const std::string& what) {
  return quoted(a.name) + " and " + quoted(b.name) + " are records of different " + what;
}

bool is_decided(const Check& check) {
  return check.verdict != Verdict::Unknown && check.verdict != Verdict::Skipped;
}

void join(std::string& text, const std::string& more) {
  if (!more.empty()) text += (text.empty() ? "" : "; ") + more;
}

// UNKNOWN says more than SKIPPED.
int weight(const Check& check) {
  return is_decided(check) ? 2 : check.verdict == Verdict::Unknown ? 1 : 0;
}

// Two parts of a fuzz run together; nothing where neither is one.
std::optional<Tried> sum_of(const std::optional<Tried>& a, const std::optional<Tried>& b) {
  if (!a || !b) return a ? a : b;
  Tried sum = *a;
  sum.cases += b->cases;
  sum.failing += b->failing;
  for (const auto& [name, count] : b->classes) {
    const auto at = std::find_if(sum.classes.begin(), sum.classes.end(),
                                 [&](const auto& other) { return other.first == name; });
    if (at == sum.classes.end()) {
      sum.classes.emplace_back(name, count);
    } else {
      at->second += count;
    }
  }
  return sum;
}

// Where a text's fingerprint was first seen.
struct Seen {
  std::string print;
  const NamedRecord* in = nullptr;
};

struct Merger {
  Record record;
  std::map<std::string, Seen> specs;
  std::map<std::string, std::pair<std::size_t, const NamedRecord*>> checks;  // id -> index, origin

  std::string add_specs(const NamedRecord& shard) {
    bool names_spec = false;
    for (const auto& [name, print] : shard.record.specs) {
      names_spec = names_spec || name == "instructions";
      const auto [at, is_new] = specs.try_emplace(name, Seen{print, &shard});
      if (is_new) record.specs.emplace_back(name, print);
      if (at->second.print != print) {
        return differ(*at->second.in, shard,
                      "specs: " + quoted(name) + " is " + quoted(at->second.print) +
                          " in one and " + quoted(print) + " in the other");
      }
    }
    return names_spec ? "" : quoted(shard.name) + " does not say which spec it is of";
  }

  std::string add_check(const Check& check, const NamedRecord& shard) {
    const auto [at, is_new] = checks.try_emplace(check.id, record.checks.size(), &shard);
    if (is_new) {
      record.checks.push_back(check);
      return "";
    }
    Check& known = record.checks[at->second.first];
    if (at->second.second == &shard) {  // of one record: its own business
      record.checks.push_back(check);
      return "";
    }
    const bool judged = known.verdict != Verdict::Skipped && check.verdict != Verdict::Skipped;
    if ((judged && known.expected != check.expected) || known.kind != check.kind) {
      return differ(*at->second.second, shard, "claims under the id " + quoted(check.id));
    }
    if (is_decided(known) && is_decided(check) && known.verdict != check.verdict) {
      return quoted(at->second.second->name) + " and " + quoted(shard.name) +
             " contradict: " + quoted(check.id) + " is " + name_of(known.verdict) + " in one and " +
             name_of(check.verdict) + " in the other";
    }
    const std::optional<Tried> sum = sum_of(known.tried, check.tried);
    const std::int64_t tried = known.shapes_tried + check.shapes_tried;
    const double time_ms = known.time_ms + check.time_ms;
    const bool adds_up = check.kind == "fuzz";  // each shard tried shapes of its own
    if (weight(check) > weight(known)) known = check;
    if (adds_up) {
      known.tried = sum;
      known.shapes_tried = tried;
      known.time_ms = time_ms;
    }
    return "";
  }
};

}  // namespace

MergeResult merge_records(const std::vector<NamedRecord>& shards) {
  Merger merger;
  merger.record.tool_version = shards.front().record.tool_version;
  std::set<std::string> z3_versions;
  bool interrupted = false;
  for (const NamedRecord& shard : shards) {
    const Record& first = shards.front().record;
    if (shard.record.tool_version != first.tool_version)
      return {std::nullopt, differ(shards.front(), shard, "versions of fragproof")};
    std::string error = merger.add_specs(shard);
    if (!error.empty()) return {std::nullopt, error};
    for (const Check& check : shard.record.checks) {
      error = merger.add_check(check, shard);
      if (!error.empty()) return {std::nullopt, error};
    }
    interrupted = interrupted || shard.record.interrupted;
    join(merger.record.command, shard.record.command);
    if (z3_versions.insert(shard.record.z3_version).second)
      join(merger.record.z3_version, shard.record.z3_version);
  }
  bool skipped = false;
  for (const Check& check : merger.record.checks)
    skipped = skipped || check.verdict == Verdict::Skipped;
  merger.record.interrupted = interrupted && skipped;
  return {std::move(merger.record), ""};
}

}  // namespace fragproof
