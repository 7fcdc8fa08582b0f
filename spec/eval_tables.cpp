// Evaluation of tables and of CuTe layout literals.
#include "spec/columns.h"
#include "spec/eval.h"

namespace fragproof {
namespace {

std::string range_text(Int extent) {
  if (extent <= 0) return " is outside an empty range";
  return " is outside 0.." + to_string(extent - 1);
}

}  // namespace

Values Evaluator::eval_lookup(const Expr& expr, const Batch& batch) {
  Outcomes outcome;
  std::vector<Column> index = arguments(expr.args, batch, outcome);
  if (nowhere_defined(outcome)) return nothing(1, outcome);
  for (Column& column : index) blank(column, outcome, batch.size);
  Values values = lookup(*expr.table, index, batch.size);
  extend(outcome, values.outcome, batch.size);
  values.outcome = std::move(outcome);
  return values;
}

Values Evaluator::lookup(const Table& table, const std::vector<Column>& index, std::size_t size) {
  const auto extents = this->extents(table);
  const std::vector<Int>& entries = values(table);
  Values out(Column(Int{0}));
  Int count = 1;
  if (extents) {
    for (const Int extent : *extents) {
      if (!mul(count, extent, count)) count = -1;
    }
  }
  if (extents && !table.has_values && entries.empty() && count != 0) {
    // Nobody chose values for so large a table (or for one whose size leaves 128 bits): that says
    // nothing about it.
    set_undecided("table `" + table.name + "` has too many entries to choose them");
    out.outcome.assign(1, Outcome::Overflow);
    return out;
  }
  if (!extents || count != static_cast<Int>(entries.size()) || index.size() != extents->size()) {
    explain([&] {
      if (!extents) return "an extent of `" + table.name + "` is undefined";
      return "`" + table.name + "` has " + std::to_string(entries.size()) + " values for " +
             to_string(count) + " entries";
    });
    out.outcome.assign(1, Outcome::Undefined);
    return out;
  }
  Column flat(Int{0});
  for (std::size_t i = 0; i < index.size(); ++i) {
    const Column extent((*extents)[i]);
    Outcomes mine;
    if (mark_outside(index[i], extent, size, mine)) {
      if (mine[0] == Outcome::Undefined && out.at(0) == Outcome::Ok) {
        explain([&] {
          std::string text = table.name + "[";
          for (std::size_t k = 0; k < index.size(); ++k) {
            text += (k > 0 ? ", " : "") + to_string(index[k].at(0));
          }
          return text + "]: index " + to_string(index[i].at(0)) + range_text((*extents)[i]);
        });
      }
      extend(out.outcome, mine, size);
    }
    Outcomes none;
    flat =
        compute(Binary::Add, compute(Binary::Mul, flat, extent, size, none), index[i], size, none);
  }
  blank(flat, out.outcome, size);
  Column picked;
  picked.wide.resize(flat.size());
  for (std::size_t p = 0; p < flat.size(); ++p) {
    picked.wide[p] = entries.empty() ? Int{0} : entries[static_cast<std::size_t>(flat.at(p))];
  }
  narrow(picked);
  out.members[0] = std::move(picked);
  if (table.range != nullptr) {
    const Values range = eval(*table.range, Batch(), nullptr);
    extend(out.outcome, range.outcome, size);
    Outcomes mine;
    if (mark_outside(out.members[0], range.members[0], size, mine)) {
      if (mine[0] == Outcome::Undefined && out.at(0) == Outcome::Ok) {
        explain([&] {
          return table.name + ": value " + to_string(out.members[0].at(0)) +
                 range_text(range.members[0].at(0));
        });
      }
      extend(out.outcome, mine, size);
    }
  }
  return out;
}

namespace {

// The number of indices of a mode.
bool mode_size(const CuteMode& mode, Int& size) {
  if (mode.children.empty()) {
    size = mode.shape;
    return true;
  }
  size = 1;
  for (const CuteMode& child : mode.children) {
    Int part = 0;
    if (!mode_size(child, part) || !mul(size, part, size)) return false;
  }
  return true;
}

// The offset of an index of a mode: nested modes split it with the first child fastest.
Column mode_offset(const CuteMode& mode, Column index, std::size_t size, Outcomes& outcome) {
  if (mode.children.empty()) {
    return compute(Binary::Mul, index, Column(mode.stride), size, outcome);
  }
  Column sum(Int{0});
  for (const CuteMode& child : mode.children) {
    Int extent = 0;
    if (!mode_size(child, extent)) extent = 1;
    const Column own = compute(Binary::Mod, index, Column(extent), size, outcome);
    index = compute(Binary::Div, index, Column(extent), size, outcome);
    sum = compute(Binary::Add, sum, mode_offset(child, own, size, outcome), size, outcome);
  }
  return sum;
}

}  // namespace

Values Evaluator::eval_cute(const Expr& expr, const Batch& batch) {
  Outcomes outcome;
  const std::vector<Column> args = arguments(expr.args, batch, outcome);
  Values out(Column(Int{0}));
  for (std::size_t i = 0; i < expr.modes.size() && i < args.size(); ++i) {
    Int extent = 0;
    if (!mode_size(expr.modes[i], extent)) continue;
    Outcomes outside;
    if (mark_outside(args[i], Column(extent), batch.size, outside)) {
      if (outside[0] == Outcome::Undefined && (outcome.empty() || outcome[0] == Outcome::Ok)) {
        explain([&] {
          return "cute: index " + to_string(args[i].at(0)) + " of mode " + std::to_string(i) +
                 range_text(extent);
        });
      }
      extend(outcome, outside, batch.size);
    }
    Column index = args[i];
    blank(index, outcome, batch.size);
    out.members[0] = compute(Binary::Add, out.members[0],
                             mode_offset(expr.modes[i], std::move(index), batch.size, outcome),
                             batch.size, outcome);
  }
  out.outcome = std::move(outcome);
  return out;
}

}  // namespace fragproof
