// A table from the bytes of an instance to Z3's answer.
#include "checkers/solver/answered.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace fragproof {
namespace {

constexpr std::size_t max_bytes = std::size_t{64} << 20;

struct Answered {
  std::mutex mutex;
  std::unordered_map<std::string, bool> shown;
  std::size_t bytes = 0;
};

Answered& of_this_run() {
  static Answered all;
  return all;
}

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string instance_key(Asked asked, const std::vector<Linear>& facts, const Linear& goal,
                         std::int64_t rlimit, const std::function<const std::string&(int)>& name) {
  std::string out(1, static_cast<char>(asked));
  put(out, rlimit);
  std::unordered_map<int, int> numbers;
  std::vector<std::pair<int, Int>> terms;
  const auto add = [&](const Linear& linear) {
    put(out, linear.constant);
    put(out, linear.terms.size());
    terms = linear.terms;
    std::sort(terms.begin(), terms.end(), [&](const auto& x, const auto& y) {
      const int order = name(x.first).compare(name(y.first));
      return order != 0 ? order < 0 : x.first < y.first;
    });
    for (const auto& [id, coefficient] : terms) {
      put(out, numbers.emplace(id, static_cast<int>(numbers.size())).first->second);
      put(out, coefficient);
    }
  };
  add(goal);
  for (const Linear& fact : facts) add(fact);
  return out;
}

std::optional<bool> answered(const std::string& key) {
  Answered& all = of_this_run();
  const std::lock_guard lock(all.mutex);
  const auto found = all.shown.find(key);
  if (found == all.shown.end()) return std::nullopt;
  return found->second;
}

void remember_answer(std::string key, bool shown) {
  Answered& all = of_this_run();
  const std::lock_guard lock(all.mutex);
  if (all.bytes + key.size() > max_bytes) return;
  all.bytes += key.size();
  all.shown.emplace(std::move(key), shown);
}

}  // namespace fragproof
