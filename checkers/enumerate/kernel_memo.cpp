// A bounded table from (spec, kernel, shape) to the verdicts on its obligations.
#include "checkers/enumerate/kernel_memo.h"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fragproof {
namespace {

constexpr std::size_t max_entries = 4096;

struct Entry {
  std::shared_ptr<void>
      nodes;  // of the spec: keeps the addresses in the key from meaning another kernel
  std::vector<KernelVerdict> verdicts;
  std::int64_t points = 0;
};

class Memo {
 public:
  static Memo& of_this_run() {
    static Memo memo;
    return memo;
  }
  [[nodiscard]] std::shared_ptr<const Entry> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto it = entries_.find(key);
    return it == entries_.end() ? nullptr : it->second;
  }
  void add(const std::string& key, std::shared_ptr<const Entry> entry) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= max_entries) entries_.clear();
    entries_[key] = std::move(entry);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Entry>> entries_;
};

std::string key_of(const Spec& spec, const Kernel& kernel, const Shape& shape) {
  std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(spec.arena.get())) + "/" +
                    std::to_string(reinterpret_cast<std::uintptr_t>(&kernel));
  for (const auto& [size, value] : shape.sizes) key += ";" + size->name + "=" + to_string(value);
  return key;
}

}  // namespace

KernelVerdict judge_kernel_once(const Spec& spec, Evaluator& evaluator, const Kernel& kernel,
                                Obligation obligation, bool alone, std::int64_t& points) {
  if (spec.arena == nullptr || !evaluator.shape().tables.empty()) {
    return judge_kernel(evaluator, kernel, obligation, points);
  }
  const std::string key = key_of(spec, kernel, evaluator.shape());
  const auto index = static_cast<std::size_t>(obligation);
  if (const auto known = Memo::of_this_run().find(key)) {
    evaluator.spend(known->points);
    points += known->points;
    return known->verdicts[index];
  }
  if (alone) return judge_kernel(evaluator, kernel, obligation, points);
  KernelJudge judge(evaluator, kernel);
  auto entry = std::make_shared<Entry>();
  entry->nodes = spec.arena;
  bool complete = true;
  // The one that was asked for first: a budget that ends early must end on it as it would alone.
  KernelVerdict asked = judge.judge(obligation);
  for (int o = 0; o < obligation_count && complete && !asked.unknown; ++o) {
    entry->verdicts.push_back(judge.judge(static_cast<Obligation>(o)));
    complete = !entry->verdicts.back().unknown;
  }
  entry->points = judge.points();
  points += entry->points;
  evaluator.spend(entry->points);
  if (complete && !asked.unknown) Memo::of_this_run().add(key, std::move(entry));
  return asked;
}

}  // namespace fragproof
