// From the provenance lines of the spec to single probes.
#include "gpu_tests/probe/probe.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "gpu_tests/probe/mma_probe.h"
#include "gpu_tests/probe/mnemonic.h"
#include "gpu_tests/probe/move_probe.h"

namespace fragproof::gpu {
namespace {

// "mma.m16n8k16.b16" and "A" of "mma.m16n8k16.b16.A", also "A.row"; "ldmatrix.x4" and "addr" of
// "ldmatrix.x4.addr"; a move's own fragment has no second part.
std::pair<std::string, std::string> split(const std::string& name) {
  const bool mma = name.starts_with("mma.");
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
    const std::string rest = name.substr(dot + 1);
    const bool operand = !rest.empty() && rest[0] >= 'A' && rest[0] <= 'D';
    const bool companion = rest == "addr" || rest == "src" || rest == "dst";
    if (mma ? operand : companion) return {name.substr(0, dot), rest};
  }
  return {name, ""};
}

// Do the parts of `name` (after the first) all stand in the mnemonic? ldmatrix.x4 with
// ..m8n8.x4.shared.b16.
bool speaks_of(const std::string& mnemonic, const std::string& name) {
  const std::vector<std::string> have = parts_of(mnemonic), want = parts_of(name);
  return std::all_of(want.begin(), want.end(), [&](const std::string& part) {
    return std::find(have.begin(), have.end(), part) != have.end();
  });
}

// Is `type` what operand fragments of this name hold: "bf16" for ".b16", "s8" for ".b8", "tf32" for
// ".tf32"?
bool holds(const Map& fragment, const std::string& type) {
  const int width = type == "b1" ? 1 : std::atoi(type.c_str() + type.find_first_of("0123456789"));
  const bool fp8 = type == "e4m3" || type == "e5m2";
  return fragment.element.width == (fp8 ? 8 : width);
}

void add_mma_targets(const std::string& instruction, const std::vector<const Map*>& fragments,
                     std::vector<Target>& targets) {
  // `major`: "row" or "col" where the operand has a fragment for each.
  const auto find = [&](const char* letter, const std::string& type,
                        const char* major) -> const Map* {
    for (const Map* map : fragments) {
      const std::string operand = split(map->name).second;
      const bool other_major = operand.find('.') != std::string::npos && !operand.ends_with(major);
      if (operand.starts_with(letter) && !other_major && holds(*map, type)) return map;
    }
    return nullptr;
  };
  std::vector<std::string> mnemonics;
  for (const Map* map : fragments) {
    const std::vector<std::string> expanded = expand_braces(map->provenance.instruction);
    if (expanded.empty()) {
      targets.push_back(
          {map->provenance.instruction, instruction, {map}, {}, "its braces do not match"});
    }
    for (const std::string& text : expanded) {
      if (std::find(mnemonics.begin(), mnemonics.end(), text) == mnemonics.end()) {
        mnemonics.push_back(text);
      }
    }
  }
  for (const std::string& text : mnemonics) {
    Target target{text, instruction, {}, {}, ""};
    MmaMnemonic mma;
    if (!read_mma(text, mma)) {
      target.problem = "it is no mma.sync that the probe can read";
    } else {
      target.fragments = {find("A", mma.a, mma.a_by_row ? "row" : "col"),
                          find("B", mma.b, mma.b_by_col ? "col" : "row"), find("C", mma.c, ""),
                          find("C", mma.d, "")};
      for (const Map*& map : target.fragments) {
        if (map == nullptr) target.problem = "the spec has no fragment for one of its operands";
      }
    }
    targets.push_back(std::move(target));
  }
}

void add_move_target(const std::string& instruction, const std::vector<const Map*>& fragments,
                     std::vector<Target>& targets) {
  Target target{fragments.front()->provenance.instruction, instruction, {}, {}, ""};
  for (const Map* map : fragments) {
    (map->name == instruction ? target.fragments : target.companions).push_back(map);
    const std::vector<std::string> expanded = expand_braces(map->provenance.instruction);
    const auto own = std::find_if(expanded.begin(), expanded.end(), [&](const std::string& text) {
      // Without .trans in the name, a text with .trans is another instruction.
      return speaks_of(text, instruction) &&
             (speaks_of(text, "trans") == speaks_of(instruction, "trans"));
    });
    if (own == expanded.end()) {
      target.problem = "no alternative of its text is " + instruction;
    } else {
      target.mnemonic = *own;
    }
  }
  if (target.fragments.empty()) target.problem = "the spec has no fragment " + instruction;
  targets.push_back(std::move(target));
}

}  // namespace

std::vector<Target> targets_of(const std::vector<Map*>& maps) {
  std::vector<Target> targets;
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Map*>> of_instruction;
  for (const Map* map : maps) {
    if (!map->is_fragment) continue;
    const std::string instruction = split(map->name).first;
    if (of_instruction.count(instruction) == 0) order.push_back(instruction);
    of_instruction[instruction].push_back(map);
  }
  for (const std::string& instruction : order) {
    if (instruction.starts_with("mma.")) {
      add_mma_targets(instruction, of_instruction[instruction], targets);
    } else {
      add_move_target(instruction, of_instruction[instruction], targets);
    }
  }
  return targets;
}

bool is_named(const Target& target, const std::string& name) {
  if (name == target.mnemonic || name == target.instruction) return true;
  if (target.instruction.starts_with(name + ".")) return true;
  for (const Map* map : target.fragments) {
    if (map == nullptr) continue;
    for (const std::string& type : map->provenance.types) {
      const std::string& own = target.instruction;
      if (own.substr(0, own.rfind('.') + 1) + type == name && speaks_of(target.mnemonic, type)) {
        return true;
      }
    }
  }
  return false;
}

ProbeOutcome probe(Device& device, const Spec& spec, const Target& target) {
  const auto start = std::chrono::steady_clock::now();
  ProbeOutcome outcome;
  outcome.mnemonic = target.mnemonic;
  outcome.verdict = ProbeOutcome::Verdict::Disagrees;
  outcome.reason = target.problem;
  if (target.problem.empty()) {
    std::vector<Slots> slots, companions;
    for (const Map* map : target.fragments) slots.push_back(slots_of(spec, *map));
    for (const Map* map : target.companions) companions.push_back(slots_of(spec, *map));
    MmaMnemonic mma;
    if (slots.size() == 1) {
      outcome = probe_move(device, target.mnemonic, slots[0], companions);
    } else if (read_mma(target.mnemonic, mma)) {
      outcome = probe_mma(device, mma, {slots[0], slots[1], slots[2], slots[3]});
    }
  }
  outcome.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace fragproof::gpu
