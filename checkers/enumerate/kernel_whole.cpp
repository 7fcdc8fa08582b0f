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
    if (operand.codes[cell * operand.per] == code_unloaded)
      words.text += "; where its load's `if` is false it would be zero with `else 0`";
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

// The element types that meet in a kernel, numbered: those of A's and B's tensor, then the
// conversions'.
class MetTypes {
 public:
  MetTypes(const Trace& trace, const std::string& instruction) {
    for (const Operand* operand : {&trace.a, &trace.b}) {
      types_.push_back(&trace.held(*operand).factor->tensor->element);
    }
    for (const ElementType& type : trace.conversions) types_.push_back(&type);
    for (const ElementType* own : types_) {
      alone_.push_back(takes(instruction, *own));
      std::uint64_t clash = 0;
      for (std::size_t other = 0; other < types_.size(); ++other) {
        if (takes(instruction, *types_[other]) && !takes_both(instruction, *own, *types_[other])) {
          clash |= std::uint64_t{1} << other;
        }
      }
      clash_.push_back(clash);
    }
  }

  // The number of a cell's type: after a conversion, else its tensor's.
  [[nodiscard]] static std::size_t number(const Operand& operand, std::size_t cell) {
    const std::int64_t code = operand.codes[cell * operand.per];
    if (is_converted(code)) return 2 + conversion_of(code);
    return operand.is_a ? 0 : 1;
  }
  [[nodiscard]] const ElementType& operator[](std::size_t number) const { return *types_[number]; }
  [[nodiscard]] bool taken(std::size_t number) const { return alone_[number]; }
  // Does the instruction take this type beside these? (One that it does not take at all is not this
  // one's fault.)
  [[nodiscard]] bool fits(std::size_t number, std::uint64_t others) const {
    return alone_[number] && (clash_[number] & others) == 0;
  }
  [[nodiscard]] std::vector<const ElementType*> in(std::uint64_t set) const {
    std::vector<const ElementType*> types;
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if ((set >> i & 1) != 0) types.push_back(types_[i]);
    }
    return types;
  }

 private:
  std::vector<const ElementType*> types_;
  std::vector<bool> alone_;
  std::vector<std::uint64_t> clash_;  // types that do not go with this one
};

// The types of an operand by (point, k slot), as sets of numbers.
struct SlotTypes {
  std::vector<std::uint64_t> sets;
  std::uint64_t all = 0;
  std::int64_t of = 0;  // cells that have a type
};

std::size_t group_at(const Trace& trace, const Operand& operand, std::size_t point,
                     std::size_t slot) {
  return point * static_cast<std::size_t>(trace.depth) +
         static_cast<std::size_t>(operand.slot_k(slot));
}

SlotTypes types_by_slot(const Trace& trace, const Operand& operand) {
  SlotTypes types;
  types.sets.assign(trace.points->point_count() * static_cast<std::size_t>(trace.depth), 0);
  for_each_live(trace, operand,
                [&](std::size_t cell, std::size_t, std::size_t point, std::size_t slot) {
                  if (operand.held[cell] != Held::Whole) return;
                  ++types.of;
                  types.sets[group_at(trace, operand, point, slot)] |=
                      std::uint64_t{1} << MetTypes::number(operand, cell);
                });
  for (const std::uint64_t set : types.sets) types.all |= set;
  return types;
}

// "f16(..) narrows bf16" of each conversion that does.
std::string narrowing_note(const Trace& trace, const MetTypes& met,
                           const std::array<SlotTypes, 2>& types) {
  std::set<std::string> notes;
  for (const std::size_t tensor : {0U, 1U}) {
    for (std::size_t i = 0; i < trace.conversions.size(); ++i) {
      if ((types[tensor].all >> (2 + i) & 1) == 0 || !narrows(met[tensor], met[2 + i])) continue;
      notes.insert(met[2 + i].name + "(..) narrows " + met[tensor].name);
    }
  }
  std::string text;
  for (const std::string& note : notes) text += (text.empty() ? "" : ", ") + note;
  return text;
}

// Leaves out what is marked.
void leave_out(Trace& trace, bool is_a, const std::vector<std::uint8_t>& marks) {
  Operand& operand = trace.operand(is_a);
  for (std::size_t cell = 0; cell < marks.size(); ++cell) {
    if (marks[cell] == 0) continue;
    operand.out[cell] = 1;
    trace.left_out = true;
  }
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
  for (const bool is_a : {true, false}) leave_out(trace, is_a, marks[is_a ? 0 : 1]);
  return findings;
}

Finding judge_types(Trace& trace) {
  const std::string& type = trace.kernel.mma->type;
  const MetTypes met(trace, type);
  const std::array<SlotTypes, 2> types{types_by_slot(trace, trace.a),
                                       types_by_slot(trace, trace.b)};
  std::array<std::vector<std::uint8_t>, 2> marks;
  for (const bool is_a : {true, false}) {
    const Operand& operand = trace.operand(is_a);
    const SlotTypes& others = types[is_a ? 1 : 0];
    std::vector<std::uint8_t>& wrong = marks[is_a ? 0 : 1];
    wrong.assign(operand.held.size(), 0);
    for_each_live(trace, operand,
                  [&](std::size_t cell, std::size_t, std::size_t point, std::size_t slot) {
                    if (operand.held[cell] != Held::Whole) return;
                    const std::uint64_t beside = others.sets[group_at(trace, operand, point, slot)];
                    if (!met.fits(MetTypes::number(operand, cell), beside)) wrong[cell] = 1;
                  });
  }
  // Of two types that are each right but do not go together, operand B's is named.
  bool a_alone = false;
  for (const ElementType* own : met.in(types[0].all)) a_alone = a_alone || !takes(type, *own);
  const bool name_a = a_alone || std::count(marks[1].begin(), marks[1].end(), std::uint8_t{1}) == 0;
  const Operand& named = trace.operand(name_a);
  const SlotTypes& own_types = types[name_a ? 0 : 1];
  Finding finding =
      finding_of(trace, named, marks[name_a ? 0 : 1], own_types.of, [&](std::size_t cell) {
        const std::size_t own = MetTypes::number(named, cell);
        const CellPlace at = place_of(named, cell);
        const auto beside =
            met.in(types[name_a ? 1 : 0].sets[group_at(trace, named, at.point, at.slot)]);
        const bool clash = met.taken(own) && !beside.empty();
        const std::string wanted = clash ? beside[0]->name : wanted_by(type);
        const std::string element = held_text(trace, named, cell);
        CellWords words;
        words.found = element + " : " + met[own].name;
        words.expected = element + " : " + wanted;
        words.text = "expected " + wanted + (clash ? " as in the other operand" : "") + ", found " +
                     words.found + "; " + trace.kernel.mma->instruction + " multiplies " +
                     rule_of(type);
        return words;
      });
  const ElementType& result = trace.kernel.result.tensor->element;
  const ResultFault fault = result_fault_of(type, result, met.in(types[0].all | types[1].all));
  if (!finding.failed && !fault.text.empty()) {
    finding.failed = finding.asked = true;
    finding.wrong = finding.of = 1;
    Counterexample example;
    const std::string& y = trace.kernel.result.tensor->name;
    example.expected = y + " : " + fault.wanted;
    example.found = y + " : " + result.name;
    example.text = fault.text;
    example.wrong = example.of = 1;
    finding.example = std::move(example);
  }
  finding.note = narrowing_note(trace, met, types);
  for (const bool is_a : {true, false}) leave_out(trace, is_a, marks[is_a ? 0 : 1]);
  return finding;
}

}  // namespace fragproof
