// Domains, local bindings, and maps: what they declare, and the steps that a map's definition comes
// to.
#include <algorithm>

#include "spec/resolve.h"

namespace fragproof {

void Resolver::domain(Domain& domain, unsigned uses, const char* what) {
  for (Coordinate& coordinate : domain.coordinates) {
    unsigned mask = uses;
    if (coordinate.extent != nullptr) {
      number(*coordinate.extent);
      check_extent(*coordinate.extent, "the extent of `" + coordinate.name + "`");
    }
    std::vector<Expr*> radices;
    for (DigitBinding& digit : coordinate.digits) {
      number(*digit.radix);
      check_extent(*digit.radix, "the radix of digit `" + digit.name + "`");
      radices.push_back(digit.radix);
    }
    if (!radices.empty()) coordinate.extent = product(radices, coordinate.where);
    // What an extent depends on, the coordinate depends on too.
    if (coordinate.extent != nullptr) mask |= this->uses(coordinate.extent);
    coordinate.variable =
        new_variable(coordinate.name, Variable::Kind::Coordinate, coordinate.where, mask);
    declare(coordinate.variable, what);
    for (DigitBinding& digit : coordinate.digits) {
      digit.variable = new_variable(digit.name, Variable::Kind::Digit, digit.where, mask);
      declare(digit.variable, "digit");
    }
  }
  if (domain.where != nullptr) condition(*domain.where, "the `where` of a domain");
}

void Resolver::binding(Binding& binding) {
  resolve(*binding.value);
  unsigned mask = uses(binding.value);
  switch (binding.kind) {
    case Binding::Kind::Let:
      binding.variable = new_variable(binding.name, Variable::Kind::Let, binding.where, mask);
      binding.variable->type = binding.value->type;
      binding.variable->value = binding.value;
      charge(binding.variable, cost(binding), binding.where);
      declare(binding.variable, "let");
      break;
    case Binding::Kind::Digits:
      number(*binding.value);
      for (DigitBinding& digit : binding.digits) {
        number(*digit.radix);
        check_extent(*digit.radix, "the radix of digit `" + digit.name + "`");
        mask |= uses(digit.radix);
      }
      for (DigitBinding& digit : binding.digits) {
        digit.variable = new_variable(digit.name, Variable::Kind::Digit, digit.where, mask);
        charge(digit.variable, cost(binding), binding.where);
        declare(digit.variable, "digit");
      }
      break;
    case Binding::Kind::Carry: {
      number(*binding.value);
      const Found over = scopes_.find(binding.over_name);
      if (over.symbol == nullptr) {
        unknown_name(binding.over_name, binding.where);
      } else if (over.symbol->variable == nullptr ||
                 over.symbol->variable->kind != Variable::Kind::Coordinate) {
        if (over.symbol->kind != Symbol::Kind::Broken) {
          error(binding.where, "`carry` goes over a coordinate or index, `" + binding.over_name +
                                   "` is a " + over.symbol->what);
        }
      } else {
        binding.over = over.symbol->variable;
        mask |= uses_[binding.over];
      }
      binding.variable = new_variable(binding.name, Variable::Kind::Carry, binding.where, mask);
      declare(binding.variable, "carried value");
      number(*binding.next);
      uses_[binding.variable] = mask | uses(binding.next);
      charge(binding.variable, cost(binding), binding.where);
      break;
    }
  }
}

void Resolver::map(Map& map) {
  scopes_.push();
  domain(map.domain, uses_local, "coordinate");
  for (OutputDef& output : map.outputs) {
    if (output.codomain == nullptr) continue;
    number(*output.codomain);
    check_extent(*output.codomain, "the codomain of `" + output.name + "`");
    forbid(output.codomain, uses_points, "a codomain is about sizes, not about coordinates");
  }
  // Outputs are names of the map from its header on, values from their definition on.
  for (OutputDef& output : map.outputs) {
    output.variable = new_variable(output.name, Variable::Kind::Output, output.where, uses_local);
    output.variable->type = {};
    declare(output.variable, "output");
  }
  if (map.formula != nullptr) {
    map_formula(map);
  } else {
    map_steps(map);
  }
  scopes_.pop();
  Cost total = cost(map.domain);
  const auto add = [&](const Cost& part) {
    total.depth = std::max(total.depth, part.depth);
    total.size += part.size;
  };
  for (const Binding& binding : map.bindings) add(cost(binding));
  if (map.formula != nullptr) {
    // A formula that is no tuple written out is evaluated once an output.
    Cost formula = cost(map.formula);
    if (map.formula->kind != Expr::Kind::Tuple) {
      formula.size *= static_cast<std::int64_t>(map.outputs.size());
    }
    add(formula);
  }
  if (map.formula == nullptr) {
    for (const OutputDef& output : map.outputs) add(cost(output.value));
  }
  ++total.depth;
  charge(&map, total, map.where);
}

void Resolver::map_formula(Map& map) {
  Expr& formula = *map.formula;
  const int outputs = static_cast<int>(map.outputs.size());
  resolve(formula);
  std::vector<Expr*> values = {&formula};
  if (outputs == 1) {
    number(formula);
  } else if (formula.type.kind == Type::Kind::Tuple && formula.type.arity == outputs) {
    expand_tuples(values);
  } else if (formula.type.kind != Type::Kind::Unknown) {
    error(formula.where, "`" + map.name + "` has " + std::to_string(outputs) +
                             " outputs, its value is " + describe(formula.type));
  }
  if (values.size() != map.outputs.size()) values.assign(map.outputs.size(), &formula);
  map.steps.clear();
  for (std::size_t i = 0; i < map.outputs.size(); ++i) {
    map.outputs[i].value = values[i];
    map.outputs[i].variable->value = values[i];
    map.outputs[i].variable->type = {Type::Kind::Number, 1, 0, {}};
    map.steps.push_back({Map::Step::Kind::Output, i});
  }
}

void Resolver::map_steps(Map& map) {
  std::vector<char> defined(map.outputs.size());
  std::vector<Map::Step> steps;
  for (Map::Step step : map.steps) {
    if (step.kind == Map::Step::Kind::Binding) {
      binding(map.bindings[step.index]);
    } else {
      const std::size_t before = map.outputs.size();
      map_output(map, step, defined);
      if (step.index >= before) continue;
    }
    steps.push_back(step);
  }
  map.steps = std::move(steps);
  for (std::size_t i = 0; i < map.outputs.size(); ++i) {
    if (defined[i] != 0) continue;
    error(map.outputs[i].where,
          "output `" + map.outputs[i].name + "` of `" + map.name + "` is never defined");
  }
}

void Resolver::map_output(Map& map, Map::Step& step, std::vector<char>& defined) {
  Map::Written& written = map.written[step.index];
  number(*written.value);
  std::size_t i = 0;
  while (i < map.outputs.size() && map.outputs[i].name != written.name) ++i;
  step.index = i;
  if (i == map.outputs.size()) {
    std::string names;
    for (const OutputDef& output : map.outputs) names += (names.empty() ? "" : ", ") + output.name;
    error(written.where,
          "`" + written.name + "` is no output of `" + map.name + "` (it has " + names + ")",
          "a value with a name of its own is written `let " + written.name + " = ...`");
    return;
  }
  OutputDef& output = map.outputs[i];
  if (defined[i] != 0) {
    error(written.where, "output `" + output.name + "` of `" + map.name + "` is defined twice " +
                             scopes_.line_of(output.value->where, written.where));
    return;
  }
  defined[i] = 1;
  output.value = written.value;
  output.variable->value = written.value;
  output.variable->type = {Type::Kind::Number, 1, 0, {}};
  uses_[output.variable] = uses_local | uses(written.value);
  charge(output.variable, cost(written.value), written.where);
}

}  // namespace fragproof
