// Conditions over polynomials: what an undecided comparison becomes.
#pragma once

#include <memory>
#include <string>

#include "checkers/radix/context.h"

namespace fragproof::radix {

struct Condition;
using ConditionPtr = std::shared_ptr<const Condition>;

struct Condition {
  enum class Kind { True, False, AtLeastZero, Zero, NonZero, And, Or };
  Kind kind = Kind::True;
  Poly p;             // AtLeastZero, Zero, NonZero
  ConditionPtr a, b;  // And, Or
};

[[nodiscard]] ConditionPtr always();
[[nodiscard]] ConditionPtr never();
[[nodiscard]] ConditionPtr at_least_zero(Context& context,
                                         const Poly& p);  // decided where that is possible
[[nodiscard]] ConditionPtr zero(Context& context, const Poly& p);
[[nodiscard]] ConditionPtr both(const ConditionPtr& a, const ConditionPtr& b);
[[nodiscard]] ConditionPtr either(const ConditionPtr& a, const ConditionPtr& b);
[[nodiscard]] ConditionPtr negate(const ConditionPtr& c);
[[nodiscard]] ConditionPtr substitute(const ConditionPtr& c, const std::map<Sym, Poly>& values);
[[nodiscard]] inline bool is_true(const ConditionPtr& c) {
  return c->kind == Condition::Kind::True;
}
[[nodiscard]] inline bool is_false(const ConditionPtr& c) {
  return c->kind == Condition::Kind::False;
}

// Shows `c` in every point of the case in hand; false when that did not succeed.
[[nodiscard]] bool holds(Context& context, const ConditionPtr& c);
// 0 or 1 as a polynomial; a Split where it is undecided and not a function of few bits.
[[nodiscard]] Poly as_number(Context& context, const ConditionPtr& c);
// Adds what `c` says to the facts in hand; what is no conjunction is left out (which asks for no
// less).
void assume(Context& context, const ConditionPtr& c);
// The same with nothing left out: what cannot be assumed as it is becomes cases. Throws NoPoint
// where `c` is false. A `hypothesis` of the whole claim (about sizes and tables) may also leave out
// what it excludes for good: an equation is a Substitute then, and a choice of values an Enumerate.
// Elsewhere that would lose the points that the condition excludes here and nowhere else.
void assume_fully(Context& context, const ConditionPtr& c, bool hypothesis = false);
// Is there a point left? assume_fully() without the exception.
[[nodiscard]] bool enter(Context& context, const ConditionPtr& c);
// The bits (of nothing that is solved for) that `c` speaks of.
[[nodiscard]] std::set<Sym> universal_bits(const Context& context, const ConditionPtr& c);
// Throws Split on some undecided part of `c`.
[[noreturn]] void split_on(const ConditionPtr& c);

[[nodiscard]] std::string text(const Context& context, const ConditionPtr& c);

}  // namespace fragproof::radix
