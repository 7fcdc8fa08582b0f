// The obligations about what a slot's bits are: `A.whole`, `B.whole`, `types`.

#include <algorithm>
#include <set>

#include "checkers/enumerate/kernel_cells.h"
#include "checkers/enumerate/kernel_types.h"
#include "checkers/enumerate/kernel_words.h"

namespace fragproof {

namespace {

CellWords whole_words(Trace& trace, const Operand& operand, std::size_t cell) {
  const std::vector<HeldRun> runs =
      held_runs(trace, &operand.codes[cell * operand.per], operand.per, operand.granule);
  CellWords words;
  if (runs.size() == 1) {
    words.expected = expected_text(trace, operand, cell);
    if (words.expected.empty())
      words.expected = "an element of " + trace.held(operand).factor->tensor->name;
    words.found = runs[0].text;
    words.text = "expected " + words.expected + ", found " + words.found;
    return words;
  }
  // Several elements meet in one slot: the first two are named.
  words.expected = runs[0].text;
  words.found = runs[1].text;
  if (runs.size() == 2 && runs[0].bits * 2 == operand.grid.width && operand.grid.width == 32) {
    words.text = "its low half is " + runs[0].text + ", its high half is " + runs[1].text;
    return words;
  }
  for (const HeldRun& run : runs) {
    const std::string bits = run.bits == 1
                                 ? "bit " + std::to_string(run.first_bit) + " is "
                                 : "bits " + std::to_string(run.first_bit) + ".." +
                                       std::to_string(run.first_bit + run.bits - 1) + " are ";
    words.text += (words.text.empty() ? "its " : ", its ") + bits + run.text;
  }
  return words;
}

// The type that a cell's element has for the instruction: after a conversion, else its tensor's.
const ElementType& type_of(const Trace& trace, const Operand& operand, std::size_t cell) {
  const std::int64_t code = operand.codes[cell * operand.per];
  return is_converted(code) ? trace.conversions[conversion_of(code)]
                            : trace.held(operand).factor->tensor->element;
}

// The types that the whole live cells of each (point, k slot) have, few and in order of appearance.
using SlotTypes = std::vector<std::vector<const ElementType*>>;

SlotTypes types_by_slot(const Trace& trace, const Operand& operand, std::int64_t& of) {
  SlotTypes types(trace.points->point_count() * static_cast<std::size_t>(trace.depth));
  for_each_live(
      trace, operand, [&](std::size_t cell, std::size_t, std::size_t point, std::size_t slot) {
        if (operand.held[cell] != Held::Whole) return;
        ++of;
        auto& seen = types[point * static_cast<std::size_t>(trace.depth) +
                           static_cast<std::size_t>(operand.slot_k(slot))];
        const ElementType& type = type_of(trace, operand, cell);
        const auto same = [&](const ElementType* other) { return other->name == type.name; };
        if (std::none_of(seen.begin(), seen.end(), same)) seen.push_back(&type);
      });
  return types;
}

}  // namespace

std::array<Finding, 2> judge_whole(Trace& trace) {
  std::array<Finding, 2> findings;
  std::array<std::vector<std::uint8_t>, 2> marks;
  for (const bool is_a : {true, false}) {
    const Operand& operand = trace.operand(is_a);
    std::vector<std::uint8_t>& wrong = marks[is_a ? 0 : 1];
    wrong.assign(operand.held.size(), 0);
    std::int64_t of = 0;
    for_each_live(trace, operand, [&](std::size_t cell, std::size_t, std::size_t, std::size_t) {
      ++of;
      if (operand.held[cell] == Held::Bad) wrong[cell] = 1;
    });
    findings[is_a ? 0 : 1] = finding_of(trace, operand, wrong, of, [&](std::size_t cell) {
      return whole_words(trace, operand, cell);
    });
  }
  for (const bool is_a : {true, false}) {
    Operand& operand = trace.operand(is_a);
    for (std::size_t cell = 0; cell < operand.out.size(); ++cell) {
      if (marks[is_a ? 0 : 1][cell] == 0) continue;
      operand.out[cell] = 1;
      trace.left_out = true;
    }
  }
  return findings;
}

Finding judge_types(Trace& trace) {
  const std::string& type = trace.kernel.mma->type;
  std::array<std::int64_t, 2> count{};
  const SlotTypes of_a = types_by_slot(trace, trace.a, count[0]);
  const SlotTypes of_b = types_by_slot(trace, trace.b, count[1]);

  // y first: it is a question about the file, not about a slot.
  const ElementType& result = trace.kernel.result.tensor->element;
  const std::string result_fault = result_fault_of(type, result, of_a, of_b);

  std::array<std::vector<std::uint8_t>, 2> marks{std::vector<std::uint8_t>(trace.a.held.size(), 0),
                                                 std::vector<std::uint8_t>(trace.b.held.size(), 0)};
  for (const bool is_a : {true, false}) {
    const Operand& operand = trace.operand(is_a);
    const SlotTypes& others = is_a ? of_b : of_a;
    for_each_live(
        trace, operand, [&](std::size_t cell, std::size_t, std::size_t point, std::size_t slot) {
          if (operand.held[cell] != Held::Whole) return;
          const ElementType& own = type_of(trace, operand, cell);
          bool fits = takes(type, own);
          for (const ElementType* other : others[point * static_cast<std::size_t>(trace.depth) +
                                                 static_cast<std::size_t>(operand.slot_k(slot))]) {
            // Where the other operand's type is wrong by itself, this one is not to blame.
            fits = fits && (!takes(type, *other) || takes_both(type, own, *other));
          }
          if (!fits) marks[is_a ? 0 : 1][cell] = 1;
        });
  }
  // Two types that are each right but do not go together: the second factor's operand is named.
  const bool a_alone = std::any_of(of_a.begin(), of_a.end(), [&](const auto& seen) {
    return std::any_of(seen.begin(), seen.end(),
                       [&](const ElementType* own) { return !takes(type, *own); });
  });
  const bool name_a = a_alone || std::count(marks[1].begin(), marks[1].end(), std::uint8_t{1}) == 0;
  const Operand& named = trace.operand(name_a);
  Finding finding =
      finding_of(trace, named, marks[name_a ? 0 : 1], count[name_a ? 0 : 1], [&](std::size_t cell) {
        CellWords words;
        const ElementType& own = type_of(trace, named, cell);
        const std::string element = held_text(trace, named, cell);
        words.found = element + " : " + own.name;
        const CellPlace at = place_of(named, cell);
        const SlotTypes& others = name_a ? of_b : of_a;
        const auto& seen = others[at.point * static_cast<std::size_t>(trace.depth) +
                                  static_cast<std::size_t>(named.slot_k(at.slot))];
        const std::string wanted =
            takes(type, own) && !seen.empty() ? seen[0]->name : wanted_by(type);
        words.expected = element + " : " + wanted;
        words.text = "expected " + wanted + (takes(type, own) ? " as in the other operand" : "") +
                     ", found " + words.found + "; " + trace.kernel.mma->instruction +
                     " multiplies " + rule_of(type);
        return words;
      });
  if (!finding.failed && !result_fault.empty()) {
    finding.failed = finding.asked = true;
    finding.wrong = finding.of = 1;
    Counterexample example;
    example.found = trace.kernel.result.tensor->name + " : " + result.name;
    example.text = result_fault;
    example.wrong = example.of = 1;
    finding.example = std::move(example);
  }
  std::set<std::string> narrowing;
  for (const ElementType& to : trace.conversions) {
    for (const bool is_a : {true, false}) {
      const ElementType& from = trace.held(trace.operand(is_a)).factor->tensor->element;
      const Operand& operand = trace.operand(is_a);
      const bool used =
          std::any_of(operand.codes.begin(), operand.codes.end(), [&](std::int64_t code) {
            return code >= 0 && is_converted(code) &&
                   trace.conversions[conversion_of(code)].name == to.name;
          });
      if (used && narrows(from, to)) narrowing.insert(to.name + "(..) narrows " + from.name);
    }
  }
  for (const std::string& text : narrowing)
    finding.note += (finding.note.empty() ? "" : ", ") + text;

  for (const bool is_a : {true, false}) {
    Operand& operand = trace.operand(is_a);
    for (std::size_t cell = 0; cell < operand.out.size(); ++cell) {
      if (marks[is_a ? 0 : 1][cell] == 0) continue;
      operand.out[cell] = 1;
      trace.left_out = true;
    }
  }
  return finding;
}

}  // namespace fragproof
