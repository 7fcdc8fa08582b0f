// Which tables an uninterpreted table is tried as, at one shape: all of them when they are few.
#pragma once

#include <map>
#include <vector>

#include "spec/eval.h"

namespace fragproof {

struct TableChoices {
  std::vector<std::map<const Table*, std::vector<Int>>> choices;
  bool all = true;  // no other table is possible
};

// Tables for `tables` at the sizes of `evaluator`. `conjuncts` may say that one is injective or
// bijective; all else that they say is for the caller to check. At most about `limit` choices.
[[nodiscard]] TableChoices choose_tables(Evaluator& evaluator,
                                         const std::vector<const Table*>& tables,
                                         const std::vector<const Expr*>& conjuncts,
                                         std::size_t limit);

}  // namespace fragproof
