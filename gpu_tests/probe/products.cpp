// Votes: each triple (slot of A, slot of B, slot of D) lets two slots speak about the third.
#include "gpu_tests/probe/products.h"

#include <map>
#include <string>

namespace fragproof::gpu {
namespace {

// What the partners of one slot say about one of its coordinates.
class Votes {
 public:
  void add(int value) {
    ++count_[value];
    ++all_;
  }
  // The value that more than half of all votes give, else `own`: a slot is innocent until then.
  [[nodiscard]] int verdict(int own) const {
    for (const auto& [value, count] : count_) {
      if (2 * count > all_) return value;
    }
    return own;
  }
  [[nodiscard]] bool empty() const { return all_ == 0; }

 private:
  std::map<int, int> count_;
  int all_ = 0;
};

// One operand: its slots, and the votes on each slot's coordinates.
struct Ballot {
  const Slots& slots;
  std::vector<std::vector<Votes>> votes;  // [slot][coordinate]
  std::vector<bool> strange;              // some result that is no single product

  explicit Ballot(const Slots& of)
      : slots(of),
        votes(static_cast<std::size_t>(of.count()), std::vector<Votes>(of.names.size())),
        strange(static_cast<std::size_t>(of.count()), false) {}
  [[nodiscard]] int value(int slot, int coordinate) const {
    return slots.places[static_cast<std::size_t>(slot)][static_cast<std::size_t>(coordinate)];
  }
};

// A coordinate of one operand that must equal a coordinate of another.
struct Bond {
  Ballot *one, *two;
  int coordinate_one, coordinate_two;
};

std::vector<Bond> bonds_of(Ballot& a, Ballot& b, Ballot& d) {
  std::vector<Bond> bonds = {
      {&a, &d, a.slots.coordinate("row"), d.slots.coordinate("row")},
      {&b, &d, b.slots.coordinate("col"), d.slots.coordinate("col")},
      {&a, &b, a.slots.coordinate("col"), b.slots.coordinate("row")},
  };
  for (std::size_t i = 0; i < a.slots.names.size(); ++i) {
    const std::string& name = a.slots.names[i];
    if (name == "row" || name == "col") continue;
    const int in_a = static_cast<int>(i);
    bonds.push_back({&a, &d, in_a, d.slots.coordinate(name)});
    bonds.push_back({&b, &d, b.slots.coordinate(name), d.slots.coordinate(name)});
    bonds.push_back({&a, &b, in_a, b.slots.coordinate(name)});
  }
  return bonds;
}

void report(const Ballot& ballot, std::vector<Disagreement>& disagreements) {
  const Slots& slots = ballot.slots;
  for (int slot = 0; slot < slots.count(); ++slot) {
    const auto& place = slots.places[static_cast<std::size_t>(slot)];
    std::vector<int> found = place;
    bool silent = true;
    for (std::size_t c = 0; c < found.size(); ++c) {
      const Votes& votes = ballot.votes[static_cast<std::size_t>(slot)][c];
      silent = silent && votes.empty();
      found[c] = votes.verdict(place[c]);
    }
    std::string text;
    if (ballot.strange[static_cast<std::size_t>(slot)]) {
      text = "values that are no product of one element with another";
    } else if (silent) {
      text = "nothing: it takes part in no product";
    } else if (found != place) {
      text = slots.place_text(found);
    }
    if (!text.empty()) {
      disagreements.push_back({slots.entry, slots.describe(slot), slots.place_text(place), text});
    }
  }
}

}  // namespace

void compare_products(const Slots& a, const Slots& b, const Slots& d, const Products& met_by_a,
                      const Products& met_by_b, std::vector<Disagreement>& disagreements) {
  Ballot in_a(a), in_b(b), in_d(d);
  const std::vector<Bond> bonds = bonds_of(in_a, in_b, in_d);
  std::string first_wrong;
  long long triples = 0;
  const auto slot_in = [&](const Ballot* ballot, int sa, int sb, int sd) {
    return ballot == &in_a ? sa : ballot == &in_b ? sb : sd;
  };
  for (int sd = 0; sd < d.count(); ++sd) {
    for (int sa = 0; sa < a.count(); ++sa) {
      const int sb = met_by_a.met(sa, sd);
      if (sb == Products::none) continue;
      if (sb == Products::strange || met_by_b.met(sb, sd) != sa) {
        in_a.strange[static_cast<std::size_t>(sa)] = true;
        continue;
      }
      ++triples;
      for (const Bond& bond : bonds) {
        const int one = slot_in(bond.one, sa, sb, sd), two = slot_in(bond.two, sa, sb, sd);
        const int value_one = bond.one->value(one, bond.coordinate_one);
        const int value_two = bond.two->value(two, bond.coordinate_two);
        bond.one
            ->votes[static_cast<std::size_t>(one)][static_cast<std::size_t>(bond.coordinate_one)]
            .add(value_two);
        bond.two
            ->votes[static_cast<std::size_t>(two)][static_cast<std::size_t>(bond.coordinate_two)]
            .add(value_one);
        if (value_one != value_two && first_wrong.empty()) {
          first_wrong = a.describe(sa) + " of A times " + b.describe(sb) + " of B";
        }
      }
    }
    for (int sb = 0; sb < b.count(); ++sb) {
      if (met_by_b.met(sb, sd) == Products::strange)
        in_b.strange[static_cast<std::size_t>(sb)] = true;
    }
  }
  const std::size_t before = disagreements.size();
  for (const Ballot* ballot : {&in_a, &in_b, &in_d}) report(*ballot, disagreements);
  // As many products as D has sums of K terms.
  const long long terms =
      static_cast<long long>(d.count()) * a.extents[static_cast<std::size_t>(a.coordinate("col"))];
  if (before == disagreements.size() && (!first_wrong.empty() || triples != terms)) {
    disagreements.push_back({a.entry, first_wrong.empty() ? "all slots" : first_wrong,
                             std::to_string(terms) + " products, rows, columns and k equal",
                             std::to_string(triples) + " products, some of which differ"});
  }
}

}  // namespace fragproof::gpu
