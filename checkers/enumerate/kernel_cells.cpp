#include "checkers/enumerate/kernel_cells.h"

#include <algorithm>

#include "checkers/enumerate/kernel_words.h"

namespace fragproof {

Finding finding_of(Trace& trace, const Operand& operand, const std::vector<std::uint8_t>& wrong,
                   std::int64_t of, const std::function<CellWords(std::size_t)>& words) {
  Finding finding;
  finding.asked = of > 0;
  finding.of = of;
  finding.wrong = std::count(wrong.begin(), wrong.end(), std::uint8_t{1});
  if (finding.wrong == 0) return finding;
  finding.failed = true;
  const auto cell = static_cast<std::size_t>(
      std::find(wrong.begin(), wrong.end(), std::uint8_t{1}) - wrong.begin());
  const CellPlace at = place_of(operand, cell);
  Counterexample example = example_at(trace, operand, cell);
  CellWords told = words(cell);
  example.expected = std::move(told.expected);
  example.found = std::move(told.found);
  example.text = slot_text(operand.grid, at.lane, at.elem) + at_text(example.at) + ": " + told.text;
  example.wrong = finding.wrong;
  example.of = finding.of;
  example.picture = picture_of(trace, operand, at.point, wrong);
  finding.example = std::move(example);
  return finding;
}

}  // namespace fragproof
