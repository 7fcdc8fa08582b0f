// What stands inside an expression: the variables it mentions, the widths it is computed in.
#pragma once

#include <functional>
#include <vector>

#include "spec/ast.h"

namespace fragproof {

// Calls `visit` for the expression and all that stand inside it: places, units and domains
// included, bodies of the maps that it calls not.
void for_each_inside(const Expr* expr, const std::function<void(const Expr&)>& visit);
void for_each_inside(const Ref& ref, const std::function<void(const Expr&)>& visit);
void for_each_inside(const Domain& domain, const std::function<void(const Expr&)>& visit);
void for_each_inside(const Fill& fill, const std::function<void(const Expr&)>& visit);
void for_each_inside(const Value& value, const std::function<void(const Expr&)>& visit);

// The distinct variables that a fill mentions and does not bind itself, in order of appearance.
[[nodiscard]] std::vector<const Variable*> free_variables(const Fill& fill);

// Is some part of the expression an iN(..) or uN(..), in the bodies of the maps that it calls too?
[[nodiscard]] bool has_width(const Expr* expr);
[[nodiscard]] bool has_width(const Ref& ref);

// Is there an arithmetic operator outside every iN(..), so that the expression as a whole is
// computed in no width?
[[nodiscard]] bool lacks_width(const Expr& expr);

}  // namespace fragproof
