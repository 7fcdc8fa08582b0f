// Claims and what only they may say: predicates of maps, tables and packs, metrics of addresses,
// obligations of kernels.
#include <algorithm>
#include <array>

#include "spec/resolve.h"
#include "spec/suggest.h"

namespace fragproof {
namespace {

constexpr std::array predicates = {Predicate::Total, Predicate::Injective, Predicate::Onto,
                                   Predicate::Bijective};
constexpr std::array metrics = {Metric::Ways, Metric::Sectors, Metric::Coalesced};

std::vector<std::string> obligation_names() {
  std::vector<std::string> names;
  for (int i = 0; i < obligation_count; ++i)
    names.emplace_back(name_of(static_cast<Obligation>(i)));
  return names;
}

std::string join(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

}  // namespace

bool Resolver::atom_call(Expr& e, const std::string& function, std::vector<Expr*> args) {
  for (const Predicate candidate : predicates) {
    if (function == name_of(candidate)) return predicate(e, candidate, std::move(args)), true;
  }
  for (const Metric candidate : metrics) {
    if (function == name_of(candidate)) return metric(e, candidate, std::move(args)), true;
  }
  return false;
}

void Resolver::predicate(Expr& e, Predicate predicate, std::vector<Expr*> args) {
  const std::string what = name_of(predicate);
  if (args.size() != 1) {
    error(e.where, "`" + what + "` takes the name of one map, table or pack, " +
                       std::to_string(args.size()) + " given");
    return;
  }
  const std::string as = dotted_name(*args[0]);
  if (as.empty()) {
    error(args[0]->where,
          "`" + what + "` takes the name of a map, table or pack, not an expression");
    return;
  }
  const Found found = scopes_.find(as);
  if (found.symbol == nullptr || (found.symbol->map != nullptr && !found.rest.empty())) {
    return unknown_name(as, args[0]->where);
  }
  const Symbol& symbol = *found.symbol;
  if (symbol.kind == Symbol::Kind::Broken) return;
  const bool is_pack = symbol.array != nullptr && symbol.array->kind == Array::Kind::Pack;
  if ((symbol.map == nullptr && symbol.table == nullptr && !is_pack) || !found.rest.empty()) {
    error(args[0]->where, "`" + what + "` takes the name of a map, table or pack; `" + as +
                              "` is a " +
                              (found.rest.empty() ? symbol.what : "part of a " + symbol.what));
    return;
  }
  if (symbol.map != nullptr) bounded(*symbol.map, as, predicate, args[0]->where);
  const bool onto = predicate == Predicate::Onto || predicate == Predicate::Bijective;
  if (symbol.table != nullptr && onto && symbol.table->range == nullptr) {
    error(args[0]->where, "the values of `" + as + "` have no range: write `table " + as +
                              "[..] : R`, or ask `injective(" + as + ")`");
  }
  e.kind = Expr::Kind::Predicate;
  e.text = as;
  e.predicate = predicate;
  e.map = symbol.map;
  e.table = symbol.table;
  e.array = symbol.array;
  e.args.clear();
  e.type = {Type::Kind::Condition, 1, 0, {}};
}

void Resolver::bounded(const Map& map, const std::string& as, Predicate predicate,
                       const Span& where) {
  if (predicate == Predicate::Onto || predicate == Predicate::Bijective) {
    for (std::size_t i = 0; i < map.outputs.size(); ++i) {
      if (map.outputs[i].codomain != nullptr) continue;
      // A guess that fits most maps: as many values as the coordinates have.
      std::string extent = "EXTENT";
      if (map.outputs.size() == 1) {
        std::string all;
        for (const Coordinate& c : map.domain.coordinates) {
          if (c.extent != nullptr) all += (all.empty() ? "" : "*") + to_text(*c.extent);
        }
        if (!all.empty() && all.size() < 40) extent = all;
      }
      const std::string& output = map.outputs[i].name;
      error(where, "output `" + output + "` of `" + as + "` has no codomain: write `-> (" + output +
                       " : " + extent + ")`, or ask `injective(" + as + ")`");
      return;
    }
  }
  for (const Coordinate& coordinate : map.domain.coordinates) {
    if (coordinate.extent != nullptr || !coordinate.digits.empty()) continue;
    error(where, "coordinate `" + coordinate.name + "` of `" + as +
                     "` has no extent: a predicate needs a bounded domain");
    return;
  }
}

void Resolver::metric(Expr& e, Metric metric, std::vector<Expr*> args) {
  const std::string what = name_of(metric);
  const std::string usage = "`" + what + "` takes a map and the bytes of an access, `" + what +
                            "(f, 16)`, or a load of a kernel, `" + what + "(K.x)`";
  const std::string as = args.empty() ? "" : dotted_name(*args[0]);
  if (as.empty() || args.size() > 2) {
    error(e.where, usage);
    return;
  }
  const Found found = scopes_.find(as);
  if (found.symbol == nullptr) return unknown_name(as, args[0]->where);
  const Symbol& symbol = *found.symbol;
  if (symbol.kind == Symbol::Kind::Broken) return;
  if (symbol.map != nullptr && found.rest.empty()) {
    if (args.size() != 2) {
      error(e.where, usage, "`" + what + "(" + as + ", 16)`?");
      return;
    }
    const Map& map = *symbol.map;
    number(*args[1]);
    if (const std::optional<Int> bytes = constant(*args[1]); bytes && *bytes < 1) {
      error(args[1]->where,
            "an access has at least 1 byte, " + quote(*args[1]) + " is " + to_string(*bytes));
    }
    if (map.outputs.size() != 1) {
      error(args[0]->where, "`" + what + "` takes a map to one byte address; `" + as + "` has " +
                                std::to_string(map.outputs.size()) + " outputs");
    }
    const Coordinate& lanes = map.domain.coordinates.front();
    if (lanes.extent == nullptr && lanes.digits.empty()) {
      error(args[0]->where,
            "coordinate `" + lanes.name + "` of `" + as +
                "` has no extent: the first coordinate counts the lanes of an access");
    }
    e.map = symbol.map;
    e.args = {args[1]};
  } else if (symbol.kernel != nullptr && args.size() == 1) {
    const std::string load = join(found.rest, ".");
    if (!claims_) {
      error(e.where, "a load of a kernel stands in claims only");
      return;
    }
    std::vector<std::string> names;
    for (Load* candidate : symbol.kernel->loads) {
      names.push_back(candidate->name);
      if (candidate->name == load) e.load = candidate;
    }
    if (e.load == nullptr) {
      const std::string near = closest(load, names);
      error(args[0]->where,
            load.empty() ? usage
                         : "kernel `" + found.name + "` has no load `" + load + "`; it has " +
                               (names.empty() ? "none" : join(names, ", ")),
            near.empty() ? "" : "did you mean `" + found.name + "." + near + "`?");
      return;
    }
    e.kernel = symbol.kernel;
    e.args.clear();
  } else {
    error(e.where, usage);
    return;
  }
  e.kind = Expr::Kind::Metric;
  e.text = as;
  e.metric = metric;
  e.type = {metric == Metric::Coalesced ? Type::Kind::Condition : Type::Kind::Number, 1, 0, {}};
}

void Resolver::kernel_name(Expr& e, const Found& found, const std::string& as) {
  if (!claims_) {
    error(e.where, "`" + as + "` speaks of a kernel, which only a claim can do");
    return;
  }
  const std::string rest = join(found.rest, ".");
  if (!rest.empty()) {
    const std::vector<std::string> names = obligation_names();
    const auto at = std::find(names.begin(), names.end(), rest);
    if (at == names.end()) {
      const std::string near = closest(rest, names);
      std::string help = near.empty() ? "" : "did you mean `" + found.name + "." + near + "`?";
      for (const Load* load : found.symbol->kernel->loads) {
        if (load->name == rest)
          help = "`" + rest + "` is a load: ask `ways(" + as + ")`, `sectors` or `coalesced` of it";
      }
      error(e.where,
            "kernel `" + found.name + "` has no obligation `" + rest + "`; it has " +
                join(names, ", "),
            help);
      return;
    }
    e.obligation = static_cast<Obligation>(at - names.begin());
  }
  e.kind = Expr::Kind::Kernel;
  e.text = as;
  e.kernel = found.symbol->kernel;
  e.type = {Type::Kind::Condition, 1, 0, {}};
}

std::optional<std::string> Resolver::claim_name(const Expr& condition) const {
  switch (condition.kind) {
    case Expr::Kind::Kernel:
      return condition.text;
    case Expr::Kind::Predicate:
      return std::string(name_of(condition.predicate)) + "(" + condition.text + ")";
    case Expr::Kind::Metric:
      if (condition.metric != Metric::Coalesced) return std::nullopt;
      return std::string(name_of(condition.metric)) + "(" + condition.text +
             (condition.args.empty() ? "" : ", " + to_text(*condition.args[0])) + ")";
    default:
      return std::nullopt;
  }
}

void Resolver::claim(Claim& claim) {
  claims_ = true;
  condition(*claim.condition, "a claim");
  claims_ = false;
  if (claim.where_clause != nullptr) {
    where_of_ = &claim;
    condition(*claim.where_clause, "the `where` of a claim");
    where_of_ = nullptr;
  }
  const bool known = claim.condition->type.kind == Type::Kind::Condition;
  if (claim.name.empty() && known) {
    const std::optional<std::string> name = claim_name(*claim.condition);
    if (!name) {
      error(claim.where, "give the claim a name: `" +
                             std::string(claim.refute ? "refute" : "prove") +
                             " NAME: ...` (only single predicates name themselves)");
      return;
    }
    claim.name = *name;
  }
  if (!claim.name.empty()) {
    const auto [other, fresh] = claim_names_.try_emplace(claim.name, claim.where);
    if (!fresh) {
      error(claim.where, "there is already a claim `" + claim.name + "` " +
                             scopes_.line_of(other->second, claim.where) +
                             ": give this one a name of its own, `" +
                             (claim.refute ? "refute" : "prove") + " NAME: ...`");
    }
  }
  charge(&claim, cost(claim.condition), claim.where);
  if (claim.where_clause != nullptr) charge(&claim, cost(claim.where_clause), claim.where);
  spec_.claims.push_back(claim);
}

}  // namespace fragproof
