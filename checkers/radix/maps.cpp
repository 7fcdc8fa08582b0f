// Domains and maps: coordinates bound to fresh symbols or to values, outputs, inverses, carried
// values.
#include "checkers/radix/solve.h"
#include "checkers/radix/symbolic.h"

namespace fragproof::radix {

Evaluator::BoundDomain Evaluator::bind(const Domain& domain, const std::string& key,
                                       bool existential) {
  BoundDomain out;
  for (const Coordinate& c : domain.coordinates) {
    BoundCoordinate bound;
    bound.variable = c.variable;
    if (!c.digits.empty()) {
      Poly value;
      Poly extent(1);
      for (const DigitBinding& d : c.digits) {
        const Poly radix = number(*d.radix);
        need(radix, "the extent of digit `" + d.name + "` is not negative");
        out.empty = out.empty || radix.is_zero();
        if (out.empty) continue;
        const Poly digit = context.digit(key + d.name, radix, existential);
        set(d.variable, digit);
        value = value * radix + digit;
        extent = extent * radix;
      }
      if (out.empty) return out;
      bound.value = value;
      bound.extent = extent;
    } else if (c.extent != nullptr) {
      const Poly extent = number(*c.extent);
      need(extent, "the extent of `" + c.name + "` is not negative");
      out.empty = extent.is_zero();
      if (out.empty) return out;
      bound.value = context.digit(key + c.name, extent, existential);
      bound.extent = extent;
    } else {
      bound.value = context.index(key + c.name, 0, existential);
    }
    set(c.variable, bound.value);
    out.coordinates.push_back(bound);
  }
  if (domain.where != nullptr) out.guard = condition(*domain.where);
  return out;
}

bool Evaluator::surely_some(const Domain& domain) {
  for (const Coordinate& c : domain.coordinates) {
    if (c.digits.empty() && c.extent != nullptr && !context.positive(number(*c.extent)))
      return false;
    for (const DigitBinding& d : c.digits) {
      if (!context.positive(number(*d.radix))) return false;
      set(d.variable, Poly());
    }
    set(c.variable, Poly());
  }
  return domain.where == nullptr || holds(context, condition(*domain.where));
}

void Evaluator::bind_digits(const std::vector<DigitBinding>& digits, const Poly& value,
                            const std::string& what) {
  Poly rest = value;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const Poly radix = number(*digits[i].radix);
    if (i == 0) {
      need(rest, what + " is not negative");
      need(radix - 1 - rest, what + " is below the product of its radices");
      set(digits[i].variable, rest);
      break;
    }
    need(rest, what + " is not negative");
    need(radix - 1, "the radix of `" + digits[i].name + "` is at least 1");
    const auto [q, r] = divide(context, rest, radix);
    set(digits[i].variable, r);
    rest = q;
  }
}

void Evaluator::bind_to(const Domain& domain, const std::vector<Poly>& values,
                        const std::string& what) {
  for (std::size_t i = 0; i < domain.coordinates.size(); ++i) {
    const Coordinate& c = domain.coordinates[i];
    if (!c.digits.empty()) {
      bind_digits(c.digits, values.at(i), "`" + c.name + "` of " + what);
    } else if (c.extent != nullptr) {
      const Poly extent = number(*c.extent);
      need(values.at(i), "`" + c.name + "` of " + what + " is not negative");
      need(extent - 1 - values[i], "`" + c.name + "` of " + what + " is below its extent");
    } else {
      need(values.at(i), "`" + c.name + "` of " + what + " is not negative");
    }
    set(c.variable, values[i]);
  }
  if (domain.where != nullptr && !holds(context, condition(*domain.where))) {
    throw GiveUp{"not shown: the `where` of " + what};
  }
}

void Evaluator::bind_let(const Binding& binding) {
  switch (binding.kind) {
    case Binding::Kind::Let:
      env_[binding.variable] = value(*binding.value);
      break;
    case Binding::Kind::Digits:
      bind_digits(binding.digits, number(*binding.value), "the split number");
      break;
    case Binding::Kind::Carry:
      carries_[binding.variable] = &binding;
      break;
  }
}

// v = first at q = 0 and v + d from each q to the next, d free of v and q: v = first + q*d.
Poly Evaluator::carried(const Binding& binding) {
  const Value saved = env_.at(binding.over);
  const Poly q = saved.number;
  const Poly marker = context.index(
      "carry/" + binding.variable->name + "@" + std::to_string(binding.variable->index), 0);
  // The step is evaluated at a value and an index of its own.
  const Poly step_index = context.index(
      "carry/" + binding.over->name + "@" + std::to_string(binding.variable->index), 0);
  const Binding* self = &binding;
  carries_.erase(binding.variable);
  set(binding.variable, marker);
  set(binding.over, step_index);
  Poly next;
  try {
    next = number(*binding.next);
  } catch (...) {
    env_.erase(binding.variable);
    env_[binding.over] = saved;
    carries_[binding.variable] = self;
    throw;
  }
  set(binding.over, Poly(0));
  const Poly first = number(*binding.value);
  env_.erase(binding.variable);
  env_[binding.over] = saved;
  carries_[binding.variable] = self;
  const Poly step = next - marker;
  std::set<Sym> own = marker.symbols();
  own.merge(step_index.symbols());
  if (context.depends(step, own)) {
    throw GiveUp{"the carried value `" + binding.variable->name + "` does not grow by a constant"};
  }
  need(first, "the carried value starts at 0 or more");
  need(step, "the carried value does not fall");
  return first + q * step;
}

std::vector<Poly> Evaluator::outputs(const Map& map) {
  std::vector<Poly> out(map.outputs.size());
  for (const Map::Step& step : map.steps) {
    if (step.kind == Map::Step::Kind::Binding) {
      bind_let(map.bindings[step.index]);
      continue;
    }
    const OutputDef& output = map.outputs[step.index];
    const Poly y = number(*output.value);
    if (output.codomain != nullptr) {
      need(y, "output `" + output.name + "` of `" + map.name + "` is not negative");
      need(number(*output.codomain) - 1 - y,
           "output `" + output.name + "` of `" + map.name + "` is in its codomain");
    }
    set(output.variable, y);
    out[step.index] = y;
  }
  return out;
}

std::vector<Poly> Evaluator::apply(const Map& map, const std::vector<Poly>& args) {
  bind_to(map.domain, args, "`" + map.name + "`");
  return outputs(map);
}

std::vector<Poly> Evaluator::inverse(const Map& map, const std::vector<Poly>& args) {
  const bool outer_split = std::exchange(may_split, false);
  // What the arguments speak of is given, also where it is itself solved for further out.
  const std::set<Sym> outer_held = context.held();
  std::set<Sym> held = outer_held;
  for (const Poly& arg : args) held.merge(arg.symbols());
  context.hold(held);
  const BoundDomain domain = bind(map.domain, "inverse " + map.name + "/", true);
  if (domain.empty) throw GiveUp{"the inverse of a map without points"};
  if (!is_true(domain.guard)) throw GiveUp{"the inverse of a map with a `where`"};
  const std::vector<Poly> values = outputs(map);
  may_split = outer_split;
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < values.size(); ++i) equations.push_back({values[i], args.at(i)});
  const auto solution = solve(context, equations);
  if (!solution) throw GiveUp{"no inverse of `" + map.name + "` was found digit by digit"};
  Poly open;
  if (verified(context, equations, *solution, &open) != Fit::Inside) {
    throw GiveUp{"not shown: `" + map.name + "` has a point there (" + context.text(open) +
                 " >= 0 stays open)"};
  }
  std::vector<Poly> out;
  for (const BoundCoordinate& c : domain.coordinates) {
    const Poly value = c.value.substitute(*solution);
    for (const Sym s : value.symbols()) {
      if (context.unknown(s)) throw GiveUp{"the inverse of `" + map.name + "` is not determined"};
    }
    out.push_back(value);
  }
  context.hold(outer_held);
  return out;
}

}  // namespace fragproof::radix
