// The predicates of a pack at one shape: see pack_predicate.h.
#include "checkers/enumerate/pack_predicate.h"

#include <algorithm>
#include <set>

namespace fragproof {
namespace {

// The tensors behind a pack, in order of appearance.
void tensors_of(const Array& array, std::vector<const Array*>& out, std::set<const Array*>& seen) {
  if (!seen.insert(&array).second) return;
  if (array.kind == Array::Kind::Tensor) {
    out.push_back(&array);
    return;
  }
  for (const Fill& fill : array.fills) {
    if (fill.source) tensors_of(*fill.source->array, out, seen);
  }
}

class PackJudge {
 public:
  PackJudge(Evaluator& evaluator, const Array& pack, bool explain)
      : evaluator_(evaluator), pack_(pack), image_(evaluator.image(pack)), explain_(explain) {}

  AtomVerdict judge(Predicate predicate) {
    if (image_.outcome == Outcome::Overflow) {
      verdict_.outcome = Outcome::Overflow;
      verdict_.reason = image_.reason;
      return verdict_;
    }
    ++evaluator_.domains_met;
    if (!image_.cells.empty()) ++evaluator_.domains_with_points;
    if (image_.outcome == Outcome::Undefined) return fail(image_.reason, "undefined");
    if (image_.place_failed) return fail(image_.place_reason, "undefined");
    if (image_.source_failed) return fail(image_.source_reason, "undefined");
    if (image_.written_twice && !wrong_cells(code_twice, "written twice")) return verdict_;
    const bool onto = predicate == Predicate::Onto || predicate == Predicate::Bijective;
    if (onto && !wrong_cells(code_unwritten, "never written")) return verdict_;
    if (predicate == Predicate::Bijective && !each_element_once()) return verdict_;
    verdict_.value = 1;
    return verdict_;
  }

 private:
  AtomVerdict fail(const std::string& text, const char* found) {
    if (explain_) {
      Counterexample& why = verdict_.why.emplace();
      why.text = text;
      why.found = found;
    }
    return verdict_;
  }

  // Is no cell so? Else says which is the first and how many are.
  bool wrong_cells(std::int64_t bad, const char* what) {
    std::int64_t wrong = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < image_.cells.size(); ++i) {
      if (image_.code(i) != bad) continue;
      if (wrong++ == 0) first = i;
      if (!explain_) return false;
    }
    if (wrong == 0) return true;
    Counterexample& why = verdict_.why.emplace();
    const Int bit = static_cast<Int>(first) * image_.granule;
    const int element = pack_.element.width;
    std::string name = pack_.name + "[";
    for (const Int index : evaluator_.coordinates(pack_, bit)) {
      name += (name.back() == '[' ? "" : ", ") + to_string(index);
    }
    name += "]";
    if (image_.granule != element) {
      const Int low = bit % element;
      name = "bits " + to_string(low) + ".." + to_string(low + image_.granule - 1) + " of " + name;
    }
    why.found = what;
    why.expected = "written once";
    why.text = name + (image_.granule == element || image_.granule == 1 ? " is " : " are ") + what;
    why.wrong = wrong;
    why.of = static_cast<std::int64_t>(image_.cells.size());
    return false;
  }

  // Is each bit of each tensor behind the pack in exactly one cell?
  bool each_element_once() {
    std::vector<const Array*> tensors;
    std::set<const Array*> seen;
    tensors_of(pack_, tensors, seen);
    for (const Array* tensor : tensors) {
      const auto base = std::find_if(image_.bases.begin(), image_.bases.end(),
                                     [&](const Image::Base& b) { return b.tensor == tensor; });
      const auto bits = evaluator_.bits(*tensor);
      if (!bits) continue;  // its places are undefined: the fills have failed
      const auto cells = static_cast<std::size_t>(*bits / image_.granule);
      std::vector<bool> met(cells);
      if (base != image_.bases.end()) {
        for (const std::uint32_t cell : image_.cells) {
          if (cell < base->first || cell - base->first >= cells) continue;
          if (met[cell - base->first])
            return element_wrong(*tensor, cell - base->first, "stored twice");
          met[cell - base->first] = true;
        }
      }
      const auto missing = std::find(met.begin(), met.end(), false);
      if (missing != met.end()) {
        return element_wrong(*tensor, static_cast<std::size_t>(missing - met.begin()),
                             "never stored");
      }
    }
    return true;
  }
  bool element_wrong(const Array& tensor, std::size_t cell, const char* what) {
    if (!explain_) return false;
    Counterexample& why = verdict_.why.emplace();
    const std::int64_t code = evaluator_.code(tensor, static_cast<Int>(cell) * image_.granule);
    const std::string element = evaluator_.describe(code, image_.granule);
    why.expected = "stored once";
    why.found = what;
    why.text = element + " is " + what + " in " + pack_.name;
    return false;
  }

  Evaluator& evaluator_;
  const Array& pack_;
  const Image& image_;
  bool explain_;
  AtomVerdict verdict_;
};

}  // namespace

AtomVerdict judge_pack(Evaluator& evaluator, const Array& pack, Predicate predicate, bool explain) {
  return PackJudge(evaluator, pack, explain).judge(predicate);
}

}  // namespace fragproof
