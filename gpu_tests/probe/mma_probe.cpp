// The experiments of one mma.sync, in the order of the header's text.
#include "gpu_tests/probe/mma_probe.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <random>

#include "gpu_tests/probe/number.h"
#include "gpu_tests/probe/products.h"

namespace fragproof::gpu {
namespace {

constexpr int random_matrices = 8;

// Bits that number the slots.
int plane_count(const Slots& slots) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(slots.count() - 1)));
}

class MmaProbe {
 public:
  MmaProbe(Device& device, const MmaMnemonic& mnemonic, const MmaOperands& operands)
      : device_(device),
        mnemonic_(mnemonic),
        a_(operands.a),
        b_(operands.b),
        c_(operands.c),
        d_(operands.d),
        type_a_(*find_number(mnemonic.a)),
        type_b_(*find_number(mnemonic.b)),
        type_c_(*find_number(mnemonic.c)),
        type_d_(*find_number(mnemonic.d)) {}

  ProbeOutcome run();

 private:
  void fill_pools();
  std::vector<RegisterImage> pool(const Slots& slots, const NumberFormat& type) const;
  void add_randoms();
  int add(int a, int b, int c);
  [[nodiscard]] std::optional<std::int64_t> result(int experiment, int d_slot) const;
  Products products(bool of_a);
  void check_c();
  void check_randoms();
  void disagree(const Slots& slots, int slot, const std::string& expected,
                const std::string& found);

  Device& device_;
  const MmaMnemonic& mnemonic_;
  const Slots &a_, &b_, &c_, &d_;
  NumberFormat type_a_, type_b_, type_c_, type_d_;
  MmaBatch batch_;
  int random_a_ = 0, random_b_ = 0, random_c_ = 0;  // first random images of the pools
  std::vector<std::vector<std::int64_t>> values_a_, values_b_, values_c_;  // [random][slot]
  std::vector<std::uint32_t> results_;
  std::vector<int> of_a_, of_b_, of_c_, of_random_;  // first experiments of each kind
  ProbeOutcome outcome_;
};

// Images: 0 zeros, 1 ones, then the bit planes of the slots' numbers, then one-hots.
std::vector<RegisterImage> MmaProbe::pool(const Slots& slots, const NumberFormat& type) const {
  const std::uint64_t one = *encode(type, 1);
  std::vector<RegisterImage> images(2, slots.blank());
  for (int slot = 0; slot < slots.count(); ++slot) slots.put(images[1], slot, one);
  for (int plane = 0; plane < plane_count(slots); ++plane) {
    images.push_back(slots.blank());
    for (int slot = 0; slot < slots.count(); ++slot) {
      if (((slot >> plane) & 1) != 0) slots.put(images.back(), slot, one);
    }
  }
  for (int slot = 0; slot < slots.count(); ++slot) {
    images.push_back(slots.blank());
    slots.put(images.back(), slot, one);
  }
  return images;
}

void MmaProbe::add_randoms() {
  std::mt19937 random(20260930);
  // So small that every partial sum is exact in D, and (f16, fp8) in whatever adds inside.
  const bool narrow = mnemonic_.d == "f16" || mnemonic_.a[0] == 'e';
  const auto limit_of = [&](const NumberFormat& type) {
    return std::min<std::int64_t>(largest_exact(type), type.is_float ? (narrow ? 4 : 8) : 127);
  };
  const auto draw = [&](const NumberFormat& type, std::int64_t limit) {
    const std::int64_t lowest = type.is_signed ? -limit - (type.is_float ? 0 : 1) : 0;
    return std::uniform_int_distribution<std::int64_t>(lowest, limit)(random);
  };
  const auto fill = [&](const Slots& slots, const NumberFormat& type, std::int64_t limit,
                        std::vector<RegisterImage>& images,
                        std::vector<std::vector<std::int64_t>>& values) {
    images.push_back(slots.blank());
    values.emplace_back();
    for (int slot = 0; slot < slots.count(); ++slot) {
      values.back().push_back(draw(type, limit));
      slots.put(images.back(), slot, *encode(type, values.back().back()));
    }
  };
  random_a_ = static_cast<int>(batch_.a.size());
  random_b_ = static_cast<int>(batch_.b.size());
  random_c_ = static_cast<int>(batch_.c.size());
  for (int i = 0; i < random_matrices; ++i) {
    fill(a_, type_a_, limit_of(type_a_), batch_.a, values_a_);
    fill(b_, type_b_, limit_of(type_b_), batch_.b, values_b_);
    fill(c_, type_c_, narrow ? 32 : 1000, batch_.c, values_c_);
  }
}

int MmaProbe::add(int a, int b, int c) {
  batch_.experiments.push_back({a, b, c});
  return static_cast<int>(batch_.experiments.size()) - 1;
}

void MmaProbe::fill_pools() {
  batch_.mnemonic = mnemonic_;
  batch_.a_words = a_.words();
  batch_.b_words = b_.words();
  batch_.c_words = c_.words();
  batch_.d_words = d_.words();
  batch_.a = pool(a_, type_a_);
  batch_.b = pool(b_, type_b_);
  batch_.c = pool(c_, type_c_);
  add_randoms();
  const int hot_a = 2 + plane_count(a_), hot_b = 2 + plane_count(b_), hot_c = 2 + plane_count(c_);
  // Row -1 is the baseline: no 1 at all.
  for (int slot = -1; slot < a_.count(); ++slot) {
    of_a_.push_back(static_cast<int>(batch_.experiments.size()));
    for (int plane = 1; plane < hot_b; ++plane) add(slot < 0 ? 0 : hot_a + slot, plane, 0);
  }
  for (int slot = -1; slot < b_.count(); ++slot) {
    of_b_.push_back(static_cast<int>(batch_.experiments.size()));
    for (int plane = 1; plane < hot_a; ++plane) add(plane, slot < 0 ? 0 : hot_b + slot, 0);
  }
  for (int slot = 0; slot < c_.count(); ++slot) of_c_.push_back(add(0, 0, hot_c + slot));
  for (int i = 0; i < random_matrices; ++i) {
    of_random_.push_back(add(random_a_ + i, random_b_ + i, random_c_ + i));
  }
}

std::optional<std::int64_t> MmaProbe::result(int experiment, int d_slot) const {
  const std::size_t image = static_cast<std::size_t>(d_.words() * d_.lanes);
  return decode(type_d_, d_.get(&results_[static_cast<std::size_t>(experiment) * image], d_slot));
}

// Which slot of the other operand each one-hot met, in each slot of D.
Products MmaProbe::products(bool of_a) {
  const Slots& own = of_a ? a_ : b_;
  const Slots& other = of_a ? b_ : a_;
  const std::vector<int>& first = of_a ? of_a_ : of_b_;
  const int planes = plane_count(other);
  Products products(own.count(), d_.count());
  for (int slot = 0; slot < own.count(); ++slot) {
    for (int d = 0; d < d_.count(); ++d) {
      int met = 0;
      bool touched = false, strange = false;
      for (int plane = 0; plane <= planes; ++plane) {  // plane 0: all ones
        const auto with = result(first[static_cast<std::size_t>(slot) + 1] + plane, d);
        const auto without = result(first[0] + plane, d);
        if (!with || !without) {
          strange = true;
          break;
        }
        // popc(a ^ b) changes by 1 - 2b where one a becomes 1, a product by b.
        const std::int64_t change = *with - *without;
        const bool bit = change == (mnemonic_.exclusive ? -1 : 1);
        if (plane == 0) {
          touched = change != 0;
          strange = touched && !bit;
        } else if (!touched) {
          strange = change != 0;
        } else if (bit) {
          met |= 1 << (plane - 1);
        } else {
          strange = change != (mnemonic_.exclusive ? 1 : 0);
        }
        if (strange) break;
      }
      if (strange) {
        products.set(slot, d, Products::strange);
      } else if (touched) {
        products.set(slot, d, met < other.count() ? met : Products::strange);
      }
    }
  }
  return products;
}

void MmaProbe::disagree(const Slots& slots, int slot, const std::string& expected,
                        const std::string& found) {
  outcome_.disagreements.push_back({slots.entry, slots.describe(slot), expected, found});
}

void MmaProbe::check_c() {
  std::map<std::vector<int>, int> slot_of;
  for (int d = 0; d < d_.count(); ++d) slot_of[d_.places[static_cast<std::size_t>(d)]] = d;
  for (int c = 0; c < c_.count(); ++c) {
    const std::vector<int>& place = c_.places[static_cast<std::size_t>(c)];
    std::string found;
    for (int d = 0; d < d_.count(); ++d) {
      const auto value = result(of_c_[static_cast<std::size_t>(c)], d);
      const std::vector<int>& at = d_.places[static_cast<std::size_t>(d)];
      if (value && *value == (at == place ? 1 : 0)) continue;
      if (value && *value == 1) {
        found = d_.place_text(at) + " (it came out at " + d_.describe(d) + ")";
        break;
      }
      if (found.empty()) found = "nothing there in D";
    }
    if (!found.empty()) disagree(c_, c, c_.place_text(place), found);
  }
}

void MmaProbe::check_randoms() {
  // Slots of each (product, k) of a row or column.
  using Key = std::vector<int>;
  const auto key_of = [](const Slots& slots, int slot, const char* without) {
    Key key;
    for (std::size_t i = 0; i < slots.names.size(); ++i) {
      if (slots.names[i] != without) key.push_back(slots.places[static_cast<std::size_t>(slot)][i]);
    }
    return key;
  };
  std::map<Key, std::vector<std::pair<int, int>>> rows, cols;  // of (k, slot)
  for (int s = 0; s < a_.count(); ++s) {
    rows[key_of(a_, s, "col")].emplace_back(
        a_.places[static_cast<std::size_t>(s)][static_cast<std::size_t>(a_.coordinate("col"))], s);
  }
  for (int s = 0; s < b_.count(); ++s) {
    cols[key_of(b_, s, "row")].emplace_back(
        b_.places[static_cast<std::size_t>(s)][static_cast<std::size_t>(b_.coordinate("row"))], s);
  }
  for (auto& [key, slots] : rows) std::sort(slots.begin(), slots.end());
  for (auto& [key, slots] : cols) std::sort(slots.begin(), slots.end());
  std::map<Key, int> c_slot;
  for (int s = 0; s < c_.count(); ++s) c_slot[c_.places[static_cast<std::size_t>(s)]] = s;
  for (std::size_t i = 0; i < random_matrices; ++i) {
    for (int d = 0; d < d_.count(); ++d) {
      const auto& row = rows[key_of(d_, d, "col")];
      const auto& col = cols[key_of(d_, d, "row")];
      std::int64_t sum =
          values_c_[i][static_cast<std::size_t>(c_slot[d_.places[static_cast<std::size_t>(d)]])];
      for (std::size_t k = 0; k < std::min(row.size(), col.size()); ++k) {
        const std::int64_t x = values_a_[i][static_cast<std::size_t>(row[k].second)];
        const std::int64_t y = values_b_[i][static_cast<std::size_t>(col[k].second)];
        sum += mnemonic_.exclusive ? x ^ y : x * y;
      }
      const auto value = result(of_random_[i], d);
      if (value && *value == sum) continue;
      // Every disagreement above leads here too; on its own it means that the arithmetic differs.
      if (outcome_.disagreements.empty()) {
        disagree(d_, d, std::to_string(sum) + " in random matrix " + std::to_string(i),
                 value ? std::to_string(*value) : "no integer");
      }
    }
  }
}

ProbeOutcome MmaProbe::run() {
  outcome_.mnemonic = mnemonic_.text;
  for (const Slots* slots : {&a_, &b_, &c_, &d_}) {
    if (std::find(outcome_.entries.begin(), outcome_.entries.end(), slots->entry) ==
        outcome_.entries.end()) {
      outcome_.entries.push_back(slots->entry);
      outcome_.slots += slots->count();
    }
  }
  fill_pools();
  try {
    results_ = device_.multiply(batch_);
  } catch (const Refusal& refusal) {
    outcome_.reason = refusal.reason;
    outcome_.slots = 0;
    outcome_.verdict =
        refusal.of_target ? ProbeOutcome::Verdict::Skipped : ProbeOutcome::Verdict::Disagrees;
    return outcome_;
  }
  outcome_.warps = static_cast<long long>(batch_.experiments.size());
  const Products met_by_a = products(true), met_by_b = products(false);
  compare_products(a_, b_, d_, met_by_a, met_by_b, outcome_.disagreements);
  check_c();
  check_randoms();
  if (!outcome_.disagreements.empty()) outcome_.verdict = ProbeOutcome::Verdict::Disagrees;
  return outcome_;
}

}  // namespace

ProbeOutcome probe_mma(Device& device, const MmaMnemonic& mnemonic, const MmaOperands& operands) {
  for (const std::string& type : {mnemonic.a, mnemonic.b, mnemonic.c, mnemonic.d}) {
    if (find_number(type)) continue;
    ProbeOutcome outcome;
    outcome.mnemonic = mnemonic.text;
    outcome.verdict = ProbeOutcome::Verdict::Disagrees;
    outcome.reason = "the probe knows no number format " + type;
    return outcome;
  }
  return MmaProbe(device, mnemonic, operands).run();
}

const char* name_of(ProbeOutcome::Verdict verdict) {
  switch (verdict) {
    case ProbeOutcome::Verdict::Agrees:
      return "AGREES";
    case ProbeOutcome::Verdict::Disagrees:
      return "DISAGREES";
    case ProbeOutcome::Verdict::Skipped:
      return "SKIPPED";
  }
  return "";
}

}  // namespace fragproof::gpu
