// Outcomes of many points: how those of operands and operators come together. Declared in
// columns.h.
#include <algorithm>

#include "spec/columns.h"

namespace fragproof {

void merge(Outcomes& into, const Outcomes& from, std::size_t size) {
  if (from.empty()) return;
  if (into.empty()) {
    into = from;
    return;
  }
  const auto worse = [](Outcome a, Outcome b) {
    if (a == Outcome::Undefined || b == Outcome::Undefined) return Outcome::Undefined;
    return a == Outcome::Overflow ? a : b;
  };
  if (into.size() == 1 && from.size() == 1) {
    into[0] = worse(into[0], from[0]);
    return;
  }
  if (into.size() == 1) into.assign(size, into[0]);
  for (std::size_t i = 0; i < size; ++i) {
    into[i] = worse(into[i], from[from.size() == 1 ? 0 : i]);
  }
}

void extend(Outcomes& into, const Outcomes& own, std::size_t size) {
  if (own.empty()) return;
  if (into.empty()) {
    into = own;
    return;
  }
  if (into.size() == 1 && own.size() > 1) into.assign(size, into[0]);
  for (std::size_t i = 0; i < into.size(); ++i) {
    if (into[i] == Outcome::Ok) into[i] = own[own.size() == 1 ? 0 : i];
  }
}

void mark(Outcomes& outcomes, std::size_t point, std::size_t size, Outcome outcome) {
  if (outcomes.empty()) outcomes.assign(size, Outcome::Ok);
  if (outcomes.size() == 1 && size > 1) outcomes.assign(size, outcomes[0]);
  if (outcomes.size() > 1 && size == 1) {  // one column entry for all points
    for (Outcome& old : outcomes) {
      if (old != Outcome::Undefined) old = outcome;
    }
    return;
  }
  Outcome& old = outcomes[point];
  if (old != Outcome::Undefined) old = outcome;
}

bool nowhere_defined(const Outcomes& outcomes) {
  return !outcomes.empty() && std::all_of(outcomes.begin(), outcomes.end(),
                                          [](Outcome o) { return o == Outcome::Undefined; });
}

void blank(Column& column, const Outcomes& outcomes, std::size_t size) {
  if (outcomes.empty()) return;
  if (outcomes.size() == 1) {
    if (outcomes[0] != Outcome::Ok) column = Column(Int{0});
    return;
  }
  if (std::all_of(outcomes.begin(), outcomes.end(), [](Outcome o) { return o == Outcome::Ok; }))
    return;
  if (column.is_wide()) {
    if (column.uniform()) column.wide.assign(size, column.wide[0]);
    for (std::size_t i = 0; i < size; ++i) {
      if (outcomes[i] != Outcome::Ok) column.wide[i] = 0;
    }
  } else {
    if (column.uniform()) column.narrow.assign(size, column.narrow[0]);
    for (std::size_t i = 0; i < size; ++i) {
      if (outcomes[i] != Outcome::Ok) column.narrow[i] = 0;
    }
  }
}

}  // namespace fragproof
