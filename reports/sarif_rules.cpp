// What each kind of check asks, in words.
#include "reports/sarif_rules.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "reports/escape.h"

namespace fragproof {
namespace {

struct Known {
  const char* kind;
  const char* question;
  const char* remedy;
};

constexpr std::array<Known, 24> known = {{
    {"bounds", "Every access of the kernel stays inside its array.",
     "Clamp the index or guard the access; the counterexample names the access and the index."},
    {"storage", "Every place that is read was written.",
     "Something is loaded that the pack or the shared tile never stored."},
    {"alignment", "Every access is aligned to its size.",
     "A vector load needs an address that its width divides: pad the rows or load less at once."},
    {"overflow", "No index expression leaves the width that it declares.",
     "Compute the product in a wider type before it is added to a pointer."},
    {"A.whole", "The registers of operand A hold whole elements.",
     "Two elements share a register slot, or one is cut: look at the width of the load."},
    {"B.whole", "The registers of operand B hold whole elements.",
     "Two elements share a register slot, or one is cut: look at the width of the load."},
    {"types", "The operands have the element types that the instruction takes.",
     "Convert, or choose the instruction for this type."},
    {"A.rows", "Each row of the A fragment is one row of the matrix.",
     "Compare expected with found in the picture: a register, half or lane holds another row."},
    {"B.cols", "Each column of the B fragment is one column of the matrix.",
     "Compare expected with found in the picture: a register, half or lane holds another column."},
    {"A.k", "Each k slot of operand A is one k of the matrix.",
     "Two lanes or registers disagree about which k their slot is."},
    {"B.k", "Each k slot of operand B is one k of the matrix.",
     "Two lanes or registers disagree about which k their slot is."},
    {"pairing", "Both operands hold the same k in each slot.",
     "A permutation of k must be applied to both operands, or to none."},
    {"cover", "Each k is counted exactly once for each result.",
     "Blocks are skipped or counted twice: look at the loop bounds, the split and the tail."},
    {"output", "Each result is stored exactly once, where it belongs.",
     "Look at the store's index and at its guard."},
    {"bijective", "Each place is hit by exactly one element.",
     "The counterexample names two elements at one place, or a place that nothing reaches."},
    {"injective", "No two elements share a place.", "The counterexample names two that do."},
    {"surjective", "Every place is reached.", "The counterexample names one that is not."},
    {"total", "The map is defined and in range everywhere.",
     "The counterexample names a point where it is not."},
    {"coalesced", "What a warp loads is one gapless run of memory.",
     "Let neighbouring lanes load neighbouring units."},
    {"forall", "The condition holds at every point.", "The counterexample names one where not."},
    {"condition", "The condition holds for all sizes.",
     "The counterexample names sizes where not."},
    {"kernel", "All obligations of the kernel together.",
     "Prove them one by one to see which fails."},
    {"file", "The file can be read.", "The message names the place and the remedy."},
    {"fuzz", "The kernel computes the contraction on the shapes that were tried.",
     "The counterexample is the smallest configuration that fails; the reproduce line runs it."},
}};

// "A.rows" -> "ARows": a name in Pascal case, as SARIF wants it.
std::string pascal(const std::string& kind) {
  std::string name;
  bool upper = true;
  for (const char c : kind.substr(0, 60)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) == 0) {
      upper = true;
      continue;
    }
    name += upper ? static_cast<char>(std::toupper(byte)) : c;
    upper = false;
  }
  return name.empty() ? "Claim" : name;
}

}  // namespace

RuleText rule_of_kind(const std::string& kind) {
  const auto at = std::find_if(known.begin(), known.end(),
                               [&](const Known& entry) { return kind == entry.kind; });
  if (at == known.end()) {
    return {pascal(kind), "A claim of kind " + shorten(visible(kind), 60) + " holds.",
            "The counterexample names the smallest point where it does not."};
  }
  return {pascal(kind), at->question, at->remedy};
}

}  // namespace fragproof
