#include "checkers/enumerate/kernel_words.h"

namespace fragproof {

namespace {

std::string special_text(std::int64_t code) {
  switch (code) {
    case code_zero:
      return "zero";
    case code_unwritten:
      return "nothing (never written)";
    case code_twice:
      return "nothing (written twice)";
    case code_unloaded:
      return "nothing (not loaded)";
    case code_torn:
      return "a conversion of what is not one whole element";
    default:
      return "what failed an earlier obligation";
  }
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

}  // namespace

std::string lane_text(const Grid& grid, int lane) {
  std::string text = "lane " + std::to_string(lane);
  const std::vector<DigitBinding>& digits = grid.map->domain.coordinates[0].digits;
  std::vector<std::string> parts;
  int rest = lane;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const Expr* radix = digits[i].radix;
    if (radix == nullptr || radix->kind != Expr::Kind::Number || radix->number < 1) return text;
    const int value = static_cast<int>(radix->number);
    parts.insert(parts.begin(), digits[i].name + "=" + std::to_string(rest % value));
    rest /= value;
  }
  return parts.empty() ? text : text + " (" + joined(parts, ", ") + ")";
}

std::string register_text(const Grid& grid, int elem) {
  return grid.letter + std::to_string(elem * grid.width / grid.register_bits());
}

std::string half_text(const Grid& grid, int elem) {
  const int inside = elem * grid.width % grid.register_bits();
  if (grid.width == 16) return inside == 0 ? "low" : "high";
  const std::string number = std::to_string(inside / grid.width);
  if (grid.width == 8) return "byte " + number;
  if (grid.width == 4) return "nibble " + number;
  if (grid.width == 1) return "bit " + number;
  return "";
}

std::string slot_text(const Grid& grid, int lane, int elem) {
  std::string text = lane_text(grid, lane) + ", register " + register_text(grid, elem);
  const std::string half = half_text(grid, elem);
  if (half.empty()) return text;
  text += ", " + half + (grid.width == 16 ? " half" : "");
  return text + " (PTX element " + grid.letter + std::to_string(elem) + ")";
}

std::vector<HeldRun> held_runs(Trace& trace, const std::int64_t* codes, std::size_t count,
                               int granule) {
  std::vector<HeldRun> runs;
  for (std::size_t i = 0; i < count;) {
    std::size_t j = i + 1;
    const bool special = codes[i] < 0;
    while (j < count && codes[j] == (special ? codes[i] : codes[j - 1] + granule)) ++j;
    HeldRun run;
    run.first_bit = static_cast<int>(i) * granule;
    run.bits = static_cast<int>(j - i) * granule;
    if (special) {
      run.text = special_text(codes[i]);
    } else if (is_converted(codes[i])) {
      const ElementType& to = trace.conversions[conversion_of(codes[i])];
      const BitRun source = trace.evaluator.origin(source_of(codes[i]), 1);
      run.text = to.name + "(" +
                 trace.evaluator.describe(source_of(codes[i]), source.array->element.width) + ")";
      if (run.bits != to.width) run.text = "bits of " + run.text;
    } else {
      run.text = trace.evaluator.describe(codes[i], run.bits);
    }
    runs.push_back(std::move(run));
    i = j;
  }
  return runs;
}

std::string held_text(Trace& trace, const Operand& operand, std::size_t cell) {
  std::string text;
  for (const HeldRun& run :
       held_runs(trace, &operand.codes[cell * operand.per], operand.per, operand.granule)) {
    text += (text.empty() ? "" : " | ") + run.text;
  }
  return text;
}

std::string element_text(const FactorTrace& factor, std::int64_t element) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < factor.extents.size(); ++i) {
    parts.push_back(std::to_string(element / factor.stride[i] % factor.extents[i]));
  }
  return factor.factor->tensor->name + "[" + joined(parts, ", ") + "]";
}

std::string k_text(const Trace& trace, std::int64_t k) {
  std::vector<std::string> parts;
  for (std::size_t i = trace.summed.size(); i-- > 0;) {
    const auto& [name, extent] = trace.summed[i];
    parts.insert(parts.begin(), name + " = " + std::to_string(k % extent));
    k /= extent;
  }
  return parts.empty() ? "the only term" : joined(parts, ", ");
}

std::int64_t named_outer(const Trace& trace, const Operand& operand, std::size_t cell) {
  const CellPlace at = place_of(operand, cell);
  const std::size_t tile = trace.points->tile_of[at.point];
  const FactorTrace& factor = trace.held(operand);
  for (std::size_t slot = 0; slot < trace.c.size(); ++slot) {
    const std::int32_t line = operand.is_a ? trace.c.row[slot] : trace.c.col[slot];
    if (line != operand.line(at.slot)) continue;
    const std::int64_t element =
        trace.target[trace.pair(tile, static_cast<std::size_t>(trace.c.row[slot]),
                                static_cast<std::size_t>(trace.c.col[slot]))];
    if (element < 0) continue;
    std::int64_t outer = 0;
    for (std::size_t i = 0; i < factor.extents.size(); ++i) {
      if (factor.result_position[i] < 0) continue;
      const auto position = static_cast<std::size_t>(factor.result_position[i]);
      outer += element / trace.result.stride[position] % trace.result.extents[position] *
               factor.outer_stride[i];
    }
    return outer;
  }
  return -1;
}

std::int64_t held_k(const Trace& trace, const Operand& operand, std::size_t point,
                    std::int32_t slot) {
  const std::size_t tile = trace.points->tile_of[point];
  const std::vector<std::uint8_t>& live = operand.is_a ? trace.live_row : trace.live_col;
  const std::size_t lines = operand.is_a ? trace.m() : trace.n();
  for (std::size_t i = 0; i < operand.grid.size(); ++i) {
    const std::size_t cell = point * operand.grid.size() + i;
    if (operand.slot_k(i) == slot && operand.held[cell] == Held::Whole && operand.out[cell] == 0 &&
        live[tile * lines + static_cast<std::size_t>(operand.line(i))] != 0) {
      return operand.k[cell];
    }
  }
  return -1;
}

std::string name_element(const FactorTrace& factor, std::int64_t outer, std::int64_t k) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < factor.extents.size(); ++i) {
    const std::int64_t stride =
        factor.k_stride[i] != 0 ? factor.k_stride[i] : factor.outer_stride[i];
    const std::int64_t number = factor.k_stride[i] != 0 ? k : outer;
    parts.push_back(std::to_string(number / stride % factor.extents[i]));
  }
  return factor.factor->tensor->name + "[" + joined(parts, ", ") + "]";
}

std::string expected_text(const Trace& trace, const Operand& operand, std::size_t cell) {
  const CellPlace at = place_of(operand, cell);
  const Operand& other = operand.is_a ? trace.b : trace.a;
  std::int64_t outer = named_outer(trace, operand, cell);
  std::int64_t k = held_k(trace, other, at.point, operand.slot_k(at.slot));
  if (operand.held[cell] == Held::Whole && operand.out[cell] == 0) {
    if (k < 0) k = operand.k[cell];
    if (outer < 0) outer = operand.outer[cell];
  }
  if (outer < 0 || k < 0) return "";
  return as_converted(trace, operand, cell, name_element(trace.held(operand), outer, k));
}

std::string as_converted(const Trace& trace, const Operand& operand, std::size_t cell,
                         const std::string& element) {
  const std::int64_t code = operand.codes[cell * operand.per];
  if (is_converted(code)) return trace.conversions[conversion_of(code)].name + "(" + element + ")";
  if (code >= 0 || operand.value->kind != Value::Kind::Convert) return element;
  return operand.value->type.name + "(" + element + ")";  // what is missing would be converted
}

CellPlace place_of(const Operand& operand, std::size_t cell) {
  CellPlace at;
  at.point = cell / operand.grid.size();
  at.slot = cell % operand.grid.size();
  at.lane = static_cast<int>(at.slot) / operand.grid.elems;
  at.elem = static_cast<int>(at.slot) % operand.grid.elems;
  return at;
}

Counterexample example_at(const Trace& trace, const Operand& operand, std::size_t cell) {
  const CellPlace at = place_of(operand, cell);
  Counterexample example;
  example.at = trace.points->at_point(at.point);
  example.lane = at.lane;
  example.elem = at.elem;
  example.reg = register_text(operand.grid, at.elem);
  example.half = half_text(operand.grid, at.elem);
  return example;
}

Picture picture_of(Trace& trace, const Operand& operand, std::size_t point,
                   const std::vector<std::uint8_t>& wrong) {
  Picture picture;
  picture.title = std::string("operand ") + (operand.is_a ? "A" : "B") + " of " +
                  trace.kernel.mma->instruction + at_text(trace.points->at_point(point));
  picture.register_prefix = std::string(1, operand.grid.letter);
  picture.bits = operand.grid.width;
  picture.register_bits = operand.grid.register_bits();
  picture.lanes = operand.grid.lanes;
  picture.elems = operand.grid.elems;
  for (std::size_t slot = 0; slot < operand.grid.size(); ++slot) {
    const std::size_t cell = point * operand.grid.size() + slot;
    const CellPlace at = place_of(operand, cell);
    picture.cells.push_back({at.lane, at.elem, expected_text(trace, operand, cell),
                             held_text(trace, operand, cell), wrong[cell] != 0});
  }
  return picture;
}

std::string at_text(const NamedValues& at) {
  std::string text;
  for (const auto& [name, value] : at)
    text += (text.empty() ? " at " : ", ") + name + "=" + to_string(value);
  return text;
}

}  // namespace fragproof
