// Address patterns and index codes of the matrix moves.
#include "gpu_tests/probe/move_probe.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace fragproof::gpu {
namespace {

constexpr std::uint32_t poison = 0xFFFF;  // no code: there are fewer units and slots

struct Pattern {
  std::string name;
  std::array<std::uint32_t, 32> address;
};

// Where the lanes point, in bytes. All rows are distinct, also those of lanes that must be ignored.
std::vector<Pattern> patterns() {
  std::vector<Pattern> all(6);
  std::array<std::uint32_t, 32> order{};
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937 random(7);
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    all[0].address[lane] = 16 * lane;
    all[1].address[lane] = 16 * (31 - lane);
    all[2].address[lane] = 16 * order[lane];
    all[3].address[lane] = 80 * lane;                         // 64 bytes and 16 of padding
    all[4].address[lane] = 128 * lane + 16 * (3 ^ lane % 8);  // unit 3 of swizzled rows
    all[5].address[lane] = 128 * (lane % 16) + 16 * (lane / 16 ^ lane % 8);  // as for operand A
  }
  const char* names[] = {"in order", "reversed",     "shuffled",
                         "padded",   "XOR-swizzled", "two units of swizzled rows"};
  for (std::size_t i = 0; i < all.size(); ++i) all[i].name = names[i];
  return all;
}

class MoveProbe {
 public:
  MoveProbe(Device& device, const std::string& mnemonic, const Slots& slots,
            const std::vector<Slots>& companions)
      : device_(device), slots_(slots), companions_(companions) {
    outcome_.mnemonic = mnemonic;
    outcome_.entries = {slots.entry};
    outcome_.slots = slots.count();
    for (const Slots& companion : companions) {
      outcome_.entries.push_back(companion.entry);
      outcome_.slots += companion.count();
    }
    batch_.mnemonic = mnemonic;
    batch_.words = slots.words();
  }
  ProbeOutcome run();

 private:
  void check_load(const Pattern& pattern, const std::uint32_t* registers);
  void check_store(const Pattern& pattern, const std::uint32_t* memory);
  void check_transpose(const std::uint32_t* registers);
  void check_addresses(const Slots& addresses);
  void check_sides(const Slots& source, const Slots& result);
  void disagree(int slot, const std::string& found, const std::string& pattern) {
    outcome_.disagreements.push_back(
        {slots_.entry, slots_.describe(slot),
         slots_.place_text(slots_.places[static_cast<std::size_t>(slot)]),
         found + (pattern.empty() ? "" : " (row addresses " + pattern + ")")});
  }
  // "src 3, col 5" of unit `unit`: the lane that points at its row, and the unit in that row.
  [[nodiscard]] std::string row_of(const Pattern& pattern, std::uint32_t unit) const;

  Device& device_;
  const Slots& slots_;
  const std::vector<Slots>& companions_;
  MoveBatch batch_;
  ProbeOutcome outcome_;
};

std::string MoveProbe::row_of(const Pattern& pattern, std::uint32_t unit) const {
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t first = pattern.address[lane] / 2;
    if (unit >= first && unit < first + 8) {
      return "src " + std::to_string(lane) + ", col " + std::to_string(unit - first);
    }
  }
  return "16-bit unit " + std::to_string(unit) + " of memory, at which no lane points";
}

void MoveProbe::check_load(const Pattern& pattern, const std::uint32_t* registers) {
  for (int slot = 0; slot < slots_.count(); ++slot) {
    const auto& place = slots_.places[static_cast<std::size_t>(slot)];
    const std::uint32_t expected = pattern.address[static_cast<std::size_t>(place[0])] / 2 +
                                   static_cast<std::uint32_t>(place[1]);
    const auto got = static_cast<std::uint32_t>(slots_.get(registers, slot));
    if (got != expected) disagree(slot, row_of(pattern, got), pattern.name);
  }
}

void MoveProbe::check_store(const Pattern& pattern, const std::uint32_t* memory) {
  const auto unit = [&](std::uint32_t index) {
    return memory[index / 2] >> (16 * (index % 2)) & 0xFFFF;
  };
  std::vector<bool> expected(move_memory / 2, false);
  for (int slot = 0; slot < slots_.count(); ++slot) {
    const auto& place = slots_.places[static_cast<std::size_t>(slot)];
    const std::uint32_t at = pattern.address[static_cast<std::size_t>(place[0])] / 2 +
                             static_cast<std::uint32_t>(place[1]);
    expected[at] = true;
    if (unit(at) == static_cast<std::uint32_t>(slot)) continue;
    std::string found = "nowhere in memory";
    for (std::uint32_t i = 0; i < move_memory / 2; ++i) {
      if (unit(i) == static_cast<std::uint32_t>(slot)) found = row_of(pattern, i);
    }
    disagree(slot, found, pattern.name);
  }
  for (std::uint32_t i = 0; i < move_memory / 2; ++i) {
    if (expected[i] || unit(i) == poison) continue;
    const int slot = std::min(static_cast<int>(unit(i)), slots_.count() - 1);
    disagree(slot, "also " + row_of(pattern, i), pattern.name);
  }
}

void MoveProbe::check_transpose(const std::uint32_t* registers) {
  for (int slot = 0; slot < slots_.count(); ++slot) {
    const auto& place = slots_.places[static_cast<std::size_t>(slot)];
    const auto got = static_cast<int>(slots_.get(registers, slot));
    if (got == 2 * place[0] + place[1]) continue;
    disagree(slot, "src " + std::to_string(got / 2) + ", half " + std::to_string(got % 2), "");
  }
}

// The rows of each matrix are numbered in the order of the lanes that point at them.
void MoveProbe::check_addresses(const Slots& addresses) {
  std::map<int, std::set<int>> lanes_of;  // register -> lanes whose rows it gets
  for (int slot = 0; slot < slots_.count(); ++slot) {
    const int reg = slot % slots_.elems / 2;
    lanes_of[reg].insert(slots_.places[static_cast<std::size_t>(slot)][0]);
  }
  for (const auto& [reg, lanes] : lanes_of) {
    int row = 0;
    for (const int lane : lanes) {
      const std::vector<int> place = {reg, row++};
      if (lane < addresses.lanes && addresses.places[static_cast<std::size_t>(lane)] == place) {
        continue;
      }
      const bool known = lane < addresses.lanes;
      outcome_.disagreements.push_back(
          {addresses.entry, "lane " + std::to_string(lane),
           known ? addresses.place_text(addresses.places[static_cast<std::size_t>(lane)])
                 : "nothing",
           addresses.place_text(place)});
    }
  }
}

void MoveProbe::check_sides(const Slots& source, const Slots& result) {
  for (int slot = 0; slot < slots_.count(); ++slot) {
    const auto& place = slots_.places[static_cast<std::size_t>(slot)];
    const auto& before =
        source.places[static_cast<std::size_t>(place[0] * source.elems + place[1])];
    const auto& after = result.places[static_cast<std::size_t>(slot)];
    if (before == after) continue;
    outcome_.disagreements.push_back(
        {result.entry, result.describe(slot), result.place_text(after), source.place_text(before)});
  }
}

ProbeOutcome MoveProbe::run() {
  const bool store = outcome_.mnemonic.starts_with("stmatrix");
  const bool load = outcome_.mnemonic.starts_with("ldmatrix");
  batch_.memory.resize(move_memory / 4);
  for (std::uint32_t word = 0; word < batch_.memory.size(); ++word) {
    batch_.memory[word] = store ? poison << 16 | poison : (2 * word + 1) << 16 | 2 * word;
  }
  Move move;
  move.source = slots_.blank();
  for (int slot = 0; slot < slots_.count(); ++slot) {
    slots_.put(move.source, slot, static_cast<std::uint64_t>(slot));
  }
  std::vector<Pattern> used = patterns();
  if (!load && !store) used.resize(1);
  for (const Pattern& pattern : used) {
    move.address = pattern.address;
    batch_.moves.push_back(move);
  }
  std::vector<std::uint32_t> results;
  try {
    results = device_.move(batch_);
  } catch (const Refusal& refusal) {
    outcome_.reason = refusal.reason;
    outcome_.slots = 0;
    outcome_.verdict =
        refusal.of_target ? ProbeOutcome::Verdict::Skipped : ProbeOutcome::Verdict::Disagrees;
    return outcome_;
  }
  outcome_.warps = static_cast<long long>(used.size());
  const std::size_t each = results.size() / used.size();
  for (std::size_t i = 0; i < used.size() && outcome_.disagreements.empty(); ++i) {
    const std::uint32_t* own = &results[i * each];
    if (load) {
      check_load(used[i], own);
    } else if (store) {
      check_store(used[i], own);
    } else {
      check_transpose(own);
    }
  }
  // Their comparison stands on what was just seen; after a disagreement it would only repeat it.
  if (outcome_.disagreements.empty()) {
    if (companions_.size() == 1) check_addresses(companions_[0]);
    if (companions_.size() == 2) check_sides(companions_[0], companions_[1]);
  }
  if (!outcome_.disagreements.empty()) outcome_.verdict = ProbeOutcome::Verdict::Disagrees;
  return outcome_;
}

}  // namespace

ProbeOutcome probe_move(Device& device, const std::string& mnemonic, const Slots& slots,
                        const std::vector<Slots>& companions) {
  return MoveProbe(device, mnemonic, slots, companions).run();
}

}  // namespace fragproof::gpu
