// The obligations about which elements meet: `A.rows`, `B.cols`, `A.k`, `B.k`, `pairing`.
//
// Zeros have no coordinates: they are never asked. A row (column) or slot that fails is left out as
// a whole.

#include "checkers/enumerate/kernel_cells.h"
#include "checkers/enumerate/kernel_words.h"

namespace fragproof {

namespace {

constexpr std::int64_t unset = -1;

// Leaves out all cells of an operand for which `is_out` says so.
template <class Out>
void leave_out(Trace& trace, Operand& operand, Out is_out) {
  const std::size_t slots = operand.grid.size();
  for (std::size_t cell = 0; cell < operand.out.size(); ++cell) {
    const std::size_t point = cell / slots;
    if (operand.out[cell] != 0 || !is_out(trace.points->tile_of[point], point, cell % slots))
      continue;
    operand.out[cell] = 1;
    trace.left_out = true;
  }
}

CellWords words_of(Trace& trace, const Operand& operand, std::size_t cell, std::string expected) {
  CellWords words;
  words.expected = std::move(expected);
  words.found = held_text(trace, operand, cell);
  words.text = "expected " + words.expected + ", found " + words.found;
  return words;
}

// A group of cells (a row, a slot) that must agree on a number: the first value, and whether
// another one was met.
struct Group {
  std::int64_t first = unset;
  bool bad = false;
  void meet(std::int64_t value) {
    if (first == unset) {
      first = value;
    } else if (first != value) {
      bad = true;
    }
  }
};

struct Slots {
  std::size_t depth = 0;
  std::vector<Group> groups;
  [[nodiscard]] std::size_t at(std::size_t point, std::int32_t k_slot) const {
    return point * depth + static_cast<std::size_t>(k_slot);
  }
};

Slots slots_of(const Trace& trace, const Operand& operand, std::int64_t& of) {
  Slots slots;
  slots.depth = static_cast<std::size_t>(trace.depth);
  slots.groups.resize(trace.points->point_count() * slots.depth);
  for_each_live(trace, operand,
                [&](std::size_t cell, std::size_t, std::size_t point, std::size_t slot) {
                  if (operand.held[cell] != Held::Whole) return;
                  ++of;
                  slots.groups[slots.at(point, operand.slot_k(slot))].meet(operand.k[cell]);
                });
  return slots;
}

// The first whole live cell of an operand in a k slot at a point: the one that names the slot's k.
std::size_t holder_of(const Trace& trace, const Operand& operand, std::size_t point,
                      std::int32_t k_slot) {
  std::size_t found = point * operand.grid.size();
  bool has = false;
  for_each_live(trace, operand,
                [&](std::size_t cell, std::size_t, std::size_t at, std::size_t slot) {
                  if (has || at != point || operand.slot_k(slot) != k_slot ||
                      operand.held[cell] != Held::Whole) {
                    return;
                  }
                  found = cell;
                  has = true;
                });
  return found;
}

// The picture of a pairing: in each slot of operand A its own k, and the k that operand B holds
// there. Neither is right by itself, so neither is called expected.
void show_k(const Trace& trace, std::size_t point, Picture& picture) {
  picture.title = "k, slot by slot, in operands A and B of " + trace.kernel.mma->instruction +
                  at_text(trace.points->at_point(point));
  picture.expected_label = "A holds";
  picture.found_label = "B holds";
  for (PictureCell& cell : picture.cells) {
    const auto slot = static_cast<std::size_t>(cell.lane * trace.a.grid.elems + cell.elem);
    const std::size_t at = point * trace.a.grid.size() + slot;
    const std::int64_t in_b = held_k(trace, trace.b, point, trace.a.slot_k(slot));
    const bool whole = trace.a.held[at] == Held::Whole && trace.a.out[at] == 0;
    const auto text = [&](std::int64_t k) {  // "k=8": columns are narrow
      std::string words = k_text(trace, k);
      std::erase(words, ' ');
      return words;
    };
    cell.expected = whole ? text(trace.a.k[at]) : in_b >= 0 ? text(in_b) : "";
    cell.found = in_b >= 0 ? text(in_b) : cell.expected;
  }
}

}  // namespace

std::array<Finding, 2> judge_lines(Trace& trace) {
  std::array<Finding, 2> findings;
  std::array<std::vector<Group>, 2> lines;
  for (const bool is_a : {true, false}) {
    const Operand& operand = trace.operand(is_a);
    const std::size_t count = is_a ? trace.m() : trace.n();
    std::vector<Group>& groups = lines[is_a ? 0 : 1];
    groups.resize(trace.points->tile_count() * count);
    std::int64_t of = 0;
    const auto group = [&](std::size_t tile, std::size_t slot) -> Group& {
      return groups[tile * count + static_cast<std::size_t>(operand.line(slot))];
    };
    for_each_live(trace, operand,
                  [&](std::size_t cell, std::size_t tile, std::size_t, std::size_t slot) {
                    if (operand.held[cell] != Held::Whole) return;
                    ++of;
                    group(tile, slot).meet(operand.outer[cell]);
                  });
    // In a row that does not agree with itself, what the store names is right.
    std::vector<std::int64_t> named(groups.size(), unset);
    std::vector<std::uint8_t> wrong(operand.held.size(), 0);
    for_each_live(
        trace, operand, [&](std::size_t cell, std::size_t tile, std::size_t, std::size_t slot) {
          if (operand.held[cell] != Held::Whole || !group(tile, slot).bad) return;
          std::int64_t& outer = named[tile * count + static_cast<std::size_t>(operand.line(slot))];
          if (outer == unset) outer = named_outer(trace, operand, cell);
          if (operand.outer[cell] != outer) wrong[cell] = 1;
        });
    findings[is_a ? 0 : 1] = finding_of(trace, operand, wrong, of, [&](std::size_t cell) {
      return words_of(trace, operand, cell, expected_text(trace, operand, cell));
    });
  }
  for (const bool is_a : {true, false}) {
    Operand& operand = trace.operand(is_a);
    const std::size_t count = is_a ? trace.m() : trace.n();
    leave_out(trace, operand, [&](std::size_t tile, std::size_t, std::size_t slot) {
      return lines[is_a ? 0 : 1][tile * count + static_cast<std::size_t>(operand.line(slot))].bad;
    });
  }
  return findings;
}

std::array<Finding, 2> judge_k(Trace& trace) {
  std::array<Finding, 2> findings;
  std::array<std::int64_t, 2> of{};
  const std::array<Slots, 2> slots{slots_of(trace, trace.a, of[0]),
                                   slots_of(trace, trace.b, of[1])};
  for (const bool is_a : {true, false}) {
    const Operand& operand = trace.operand(is_a);
    const Slots& own = slots[is_a ? 0 : 1];
    const Slots& other = slots[is_a ? 1 : 0];
    // In a slot that does not agree with itself, what the other operand holds is right (else the
    // first).
    const auto right = [&](std::size_t point, std::size_t slot) {
      const std::size_t at = own.at(point, operand.slot_k(slot));
      return other.groups[at].first != unset ? other.groups[at].first : own.groups[at].first;
    };
    std::vector<std::uint8_t> wrong(operand.held.size(), 0);
    for_each_live(trace, operand,
                  [&](std::size_t cell, std::size_t, std::size_t point, std::size_t slot) {
                    if (operand.held[cell] != Held::Whole ||
                        !own.groups[own.at(point, operand.slot_k(slot))].bad)
                      return;
                    if (operand.k[cell] != right(point, slot)) wrong[cell] = 1;
                  });
    findings[is_a ? 0 : 1] =
        finding_of(trace, operand, wrong, of[is_a ? 0 : 1], [&](std::size_t cell) {
          const CellPlace at = place_of(operand, cell);
          const std::string element =
              name_element(trace.held(operand), operand.outer[cell], right(at.point, at.slot));
          return words_of(trace, operand, cell, as_converted(trace, operand, cell, element));
        });
  }
  for (const bool is_a : {true, false}) {
    Operand& operand = trace.operand(is_a);
    leave_out(trace, operand, [&](std::size_t, std::size_t point, std::size_t slot) {
      const Slots& own = slots[is_a ? 0 : 1];
      return own.groups[own.at(point, operand.slot_k(slot))].bad;
    });
  }
  return findings;
}

Finding judge_pairing(Trace& trace) {
  std::int64_t unused = 0;
  const Slots a = slots_of(trace, trace.a, unused);
  const Slots b = slots_of(trace, trace.b, unused);
  const auto bad = [&](std::size_t at) {
    return a.groups[at].first != unset && b.groups[at].first != unset &&
           a.groups[at].first != b.groups[at].first;
  };
  std::int64_t of = 0;
  std::vector<std::uint8_t> wrong(trace.a.held.size(), 0);
  for_each_live(trace, trace.a,
                [&](std::size_t cell, std::size_t, std::size_t point, std::size_t slot) {
                  const std::size_t at = a.at(point, trace.a.slot_k(slot));
                  if (trace.a.held[cell] != Held::Whole || b.groups[at].first == unset) return;
                  ++of;
                  if (bad(at)) wrong[cell] = 1;
                });
  std::size_t first = 0;
  Finding finding = finding_of(trace, trace.a, wrong, of, [&](std::size_t cell) {
    first = cell;
    const CellPlace at = place_of(trace.a, cell);
    const std::size_t group = a.at(at.point, trace.a.slot_k(at.slot));
    CellWords words = words_of(trace, trace.a, cell,
                               as_converted(trace, trace.a, cell,
                                            name_element(trace.held(trace.a), trace.a.outer[cell],
                                                         b.groups[group].first)));
    const std::size_t other = holder_of(trace, trace.b, at.point, trace.a.slot_k(at.slot));
    const CellPlace there = place_of(trace.b, other);
    words.text = "operand A holds " + words.found + " there, in k slot " +
                 std::to_string(trace.a.slot_k(at.slot)) + ", and operand B holds " +
                 held_text(trace, trace.b, other) + " in that slot (" +
                 slot_text(trace.b.grid, there.lane, there.elem) +
                 "): " + k_text(trace, a.groups[group].first) + " meets " +
                 k_text(trace, b.groups[group].first) + "; either may be the one to mend";
    return words;
  });
  if (finding.example) {
    Picture& picture = finding.example->picture.emplace(
        picture_of(trace, trace.a, place_of(trace.a, first).point, wrong));
    show_k(trace, place_of(trace.a, first).point, picture);
  }
  for (const bool is_a : {true, false}) {
    Operand& operand = trace.operand(is_a);
    leave_out(trace, operand, [&](std::size_t, std::size_t point, std::size_t slot) {
      return bad(a.at(point, operand.slot_k(slot)));
    });
  }
  return finding;
}

}  // namespace fragproof
