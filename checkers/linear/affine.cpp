// One pass over an expression: see affine.h.
#include "checkers/linear/affine.h"

#include <utility>

#include "spec/syntax.h"

namespace fragproof::gf2 {
namespace {

constexpr int max_depth = 64;
constexpr Int largest = Int{1} << 120;

Bits need(std::optional<Bits> bits, const Expr& expr) {
  if (!bits) throw NotLinear{"`" + to_text(expr) + "` is not linear bit by bit"};
  return std::move(*bits);
}

std::size_t log2_extent(Int extent, const std::string& of) {
  const auto log = log2_of(extent);
  if (!log)
    throw NotLinear{"the extent " + to_string(extent) + " of " + of + " is no power of two"};
  return *log;
}

}  // namespace

Int Affine::constant(const Expr& expr, const Scope& scope) {
  const auto value = constant_of(number(expr, scope));
  if (!value) throw NotLinear{"`" + to_text(expr) + "` is not constant"};
  return *value;
}

void Affine::split(const Bits& value, const std::vector<DigitBinding>& radices, Scope& scope) {
  std::size_t low = 0;
  for (std::size_t i = radices.size(); i-- > 0;) {
    const std::size_t count =
        log2_extent(constant(*radices[i].radix, scope), "digit " + radices[i].variable->name);
    Bits digit;
    for (std::size_t b = low; b < low + count && b < value.size(); ++b) digit.push_back(value[b]);
    while (!digit.empty() && digit.back().is_zero()) digit.pop_back();
    scope[radices[i].variable] = std::move(digit);
    low += count;
  }
  if (value.size() > low) throw NotLinear{"a value may pass its digits"};
}

void Affine::bind_coordinates(const Domain& domain, const std::vector<Bits>& values, Scope& scope) {
  for (std::size_t i = 0; i < domain.coordinates.size(); ++i) {
    const Coordinate& coordinate = domain.coordinates[i];
    if (coordinate.extent != nullptr &&
        !surely_below(values[i], constant(*coordinate.extent, scope)))
      throw NotLinear{"an argument may lie outside the domain"};
    scope[coordinate.variable] = values[i];
    if (!coordinate.digits.empty()) split(values[i], coordinate.digits, scope);
  }
}

Inputs Affine::bind(const Domain& domain, Scope& scope) {
  if (domain.where != nullptr) throw NotLinear{"the domain has a `where`"};
  Inputs inputs;
  std::vector<Bits> values;
  for (const Coordinate& coordinate : domain.coordinates) {
    const std::string name = coordinate.variable->name;
    if (coordinate.extent == nullptr) throw NotLinear{"coordinate " + name + " has no extent"};
    const std::size_t count = log2_extent(constant(*coordinate.extent, scope), name);
    inputs.coordinates.push_back({coordinate.variable, 0, count});
    inputs.count += count;
  }
  if (inputs.count > max_inputs) throw NotLinear{"the domain has more than 2^127 points"};
  std::size_t end = inputs.count;
  for (Inputs::Coordinate& coordinate : inputs.coordinates) {
    end -= coordinate.count;
    coordinate.first = end;
    values.push_back(input_bits(coordinate.first, coordinate.count));
  }
  bind_coordinates(domain, values, scope);
  return inputs;
}

std::vector<Bits> Affine::apply(const Map& map, const std::vector<Bits>& arguments) {
  if (map.domain.where != nullptr) throw NotLinear{"the domain of " + map.name + " has a `where`"};
  if (depth_ > max_depth) throw NotLinear{"maps call each other too deep"};
  ++depth_;
  const int width = std::exchange(width_, 0);
  Scope scope;
  bind_coordinates(map.domain, arguments, scope);
  std::vector<Bits> outputs(map.outputs.size());
  for (const Map::Step& step : map.steps) {
    if (step.kind == Map::Step::Kind::Output) {
      const OutputDef& output = map.outputs[step.index];
      Bits value = number(*output.value, scope);
      if (output.codomain != nullptr && !surely_below(value, constant(*output.codomain, scope)))
        throw NotLinear{"output " + output.name + " of " + map.name + " may leave its range"};
      outputs[step.index] = value;
      scope[output.variable] = std::move(value);
      continue;
    }
    const Binding& binding = map.bindings[step.index];
    if (binding.kind == Binding::Kind::Carry) throw NotLinear{"a `carry`"};
    const Bits value = number(*binding.value, scope);
    if (binding.kind == Binding::Kind::Digits) {
      split(value, binding.digits, scope);
    } else {
      scope[binding.variable] = value;
    }
  }
  width_ = width;
  --depth_;
  return outputs;
}

Bits Affine::digits(const Expr& expr, const Scope& scope) {
  Bits out;
  std::size_t low = 0;
  for (std::size_t i = expr.args.size() / 2; i-- > 0;) {
    const Int radix = constant(*expr.args[2 * i + 1], scope);
    const Bits digit = number(*expr.args[2 * i], scope);
    if (!surely_below(digit, radix)) throw NotLinear{"a digit may pass its radix"};
    const auto log = log2_of(radix);
    if (!log && i > 0) throw NotLinear{"the radix " + to_string(radix) + " is no power of two"};
    if (low + digit.size() > max_inputs - 1) throw NotLinear{"a number beyond 126 bits"};
    if (!digit.empty()) {
      out.resize(low);
      out.insert(out.end(), digit.begin(), digit.end());
    }
    low += log.value_or(0);
  }
  return out;
}

Bits Affine::cute(const Expr& expr, const Scope& scope) {
  Bits sum;
  const auto add_mode = [&](const auto& self, const CuteMode& mode, Bits& rest) -> void {
    if (!mode.children.empty()) {
      for (const CuteMode& child : mode.children) self(self, child, rest);
      return;
    }
    const std::size_t count = log2_extent(mode.shape, "a CuTe mode");
    Bits digit(rest.begin(),
               rest.begin() + static_cast<std::ptrdiff_t>(std::min(count, rest.size())));
    while (!digit.empty() && digit.back().is_zero()) digit.pop_back();
    rest.erase(rest.begin(),
               rest.begin() + static_cast<std::ptrdiff_t>(std::min(count, rest.size())));
    if (mode.stride < 0) throw NotLinear{"a CuTe stride below zero"};
    const auto term = multiply(digit, constant_bits(mode.stride));
    const auto total = term ? add(sum, *term) : std::nullopt;
    sum = need(total, expr);
  };
  for (std::size_t i = 0; i < expr.modes.size(); ++i) {
    Bits rest = number(*expr.args[i], scope);
    add_mode(add_mode, expr.modes[i], rest);
    if (!rest.empty()) throw NotLinear{"an argument may pass its CuTe shape"};
  }
  return sum;
}

std::vector<Bits> Affine::inverse(const Expr& expr, const Scope& scope) {
  if (expr.map == nullptr) throw NotLinear{"the inverse of a table"};
  std::vector<Bits> wanted;
  for (const Expr* arg : expr.args) {
    const std::vector<Bits> members = tuple(*arg, scope);
    wanted.insert(wanted.end(), members.begin(), members.end());
  }
  Scope inner;
  const Inputs inputs = bind(expr.map->domain, inner);
  std::vector<Bits> arguments;
  for (const Inputs::Coordinate& coordinate : inputs.coordinates)
    arguments.push_back(input_bits(coordinate.first, coordinate.count));
  const std::vector<Bits> outputs = apply(*expr.map, arguments);
  if (wanted.size() != outputs.size()) throw NotLinear{"an inverse of other arguments"};
  std::vector<Form> forms, values;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    for (std::size_t b = 0; b < std::max(outputs[o].size(), wanted[o].size()); ++b) {
      forms.push_back(b < outputs[o].size() ? outputs[o][b] : Form{});
      values.push_back(b < wanted[o].size() ? wanted[o][b] : Form{});
    }
  }
  const auto solution = solve(forms, values, inputs.count);
  if (!solution) throw NotLinear{"an inverse that is not one point for every value"};
  std::vector<Bits> out;
  for (const Inputs::Coordinate& coordinate : inputs.coordinates) {
    Bits bits(solution->begin() + static_cast<std::ptrdiff_t>(coordinate.first),
              solution->begin() + static_cast<std::ptrdiff_t>(coordinate.first + coordinate.count));
    while (!bits.empty() && bits.back().is_zero()) bits.pop_back();
    out.push_back(std::move(bits));
  }
  return out;
}

std::vector<Bits> Affine::tuple(const Expr& expr, const Scope& scope) {
  switch (expr.kind) {
    case Expr::Kind::Tuple: {
      std::vector<Bits> out;
      for (const Expr* arg : expr.args) {
        const std::vector<Bits> members = tuple(*arg, scope);
        out.insert(out.end(), members.begin(), members.end());
      }
      return out;
    }
    case Expr::Kind::Apply: {
      std::vector<Bits> arguments;
      for (const Expr* arg : expr.args) {
        const std::vector<Bits> members = tuple(*arg, scope);
        arguments.insert(arguments.end(), members.begin(), members.end());
      }
      if (arguments.size() != expr.map->domain.coordinates.size())
        throw NotLinear{"`" + to_text(expr) + "`"};
      return apply(*expr.map, arguments);
    }
    case Expr::Kind::Inverse:
      return inverse(expr, scope);
    default:
      return {number(expr, scope)};
  }
}

Bits Affine::number(const Expr& expr, const Scope& scope) {
  const auto limited = [&](Bits bits) {
    if (width_ > 0 && bits.size() > static_cast<std::size_t>(width_))
      throw NotLinear{"a value may pass its width"};
    return bits;
  };
  switch (expr.kind) {
    case Expr::Kind::Number:
      if (expr.number < 0 || expr.number > largest)
        throw NotLinear{"the number " + to_string(expr.number)};
      return limited(constant_bits(expr.number));
    case Expr::Kind::Variable: {
      const auto known = scope.find(expr.variable);
      if (known != scope.end()) return limited(known->second);
      if (expr.variable->kind == Variable::Kind::FileLet && expr.variable->value != nullptr)
        return limited(number(*expr.variable->value, {}));
      throw NotLinear{expr.variable->kind == Variable::Kind::Size
                          ? "size " + expr.variable->name + " is not fixed"
                          : "`" + expr.variable->name + "`"};
    }
    case Expr::Kind::Binary:
      return limited(binary(expr, scope));
    case Expr::Kind::Width: {
      const int bits = expr.width - (expr.is_signed ? 1 : 0);
      const int outer = std::exchange(width_, width_ == 0 ? bits : std::min(width_, bits));
      Bits value = number(*expr.args[0], scope);
      width_ = outer;
      return value;
    }
    case Expr::Kind::Conditional: {
      const Expr& test = *expr.args[0];
      if (test.kind != Expr::Kind::Binary || test.type.kind != Type::Kind::Condition)
        throw NotLinear{"`" + to_text(test) + "`"};
      const Int value = constant(test, scope);
      return number(*expr.args[value != 0 ? 1 : 2], scope);
    }
    case Expr::Kind::Field: {
      const std::vector<Bits> members = tuple(*expr.args[0], scope);
      return limited(members.at(static_cast<std::size_t>(expr.field)));
    }
    case Expr::Kind::Apply:
    case Expr::Kind::Inverse: {
      const std::vector<Bits> members = tuple(expr, scope);
      if (members.size() != 1) throw NotLinear{"`" + to_text(expr) + "`"};
      return limited(members[0]);
    }
    case Expr::Kind::Digits:
      return limited(digits(expr, scope));
    case Expr::Kind::Cute:
      return limited(cute(expr, scope));
    default:
      throw NotLinear{"`" + to_text(expr) + "` is not linear bit by bit"};
  }
}

Bits Affine::binary(const Expr& expr, const Scope& scope) {
  const Bits a = number(*expr.args[0], scope);
  const Bits b = number(*expr.args[1], scope);
  switch (expr.binary) {
    case Binary::Add:
      return need(add(a, b), expr);
    case Binary::Sub:
      return need(subtract(a, b), expr);
    case Binary::Mul:
      return need(multiply(a, b), expr);
    case Binary::Div:
      return need(divide(a, b), expr);
    case Binary::Mod:
      return need(remainder(a, b), expr);
    case Binary::ShiftLeft:
      return need(shift_left(a, b), expr);
    case Binary::ShiftRight:
      return need(shift_right(a, b), expr);
    case Binary::And:
      return need(bitwise_and(a, b), expr);
    case Binary::Or:
      return need(bitwise_or(a, b), expr);
    case Binary::Xor:
      return bitwise_xor(a, b);
    case Binary::Equal:
    case Binary::NotEqual: {
      const auto x = constant_of(a);
      const auto y = constant_of(b);
      if (!x || !y) break;
      return constant_bits((*x == *y) == (expr.binary == Binary::Equal) ? 1 : 0);
    }
    case Binary::Less:
      if (const auto y = constant_of(b); y && surely_below(a, *y)) return constant_bits(1);
      break;
    default:
      break;
  }
  throw NotLinear{"`" + to_text(expr) + "` is not linear bit by bit"};
}

}  // namespace fragproof::gf2
