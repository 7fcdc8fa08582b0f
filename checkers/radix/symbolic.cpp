// Expressions over polynomials, operator by operator.
#include "checkers/radix/symbolic.h"

#include "checkers/radix/solve.h"
#include "spec/syntax.h"

namespace fragproof::radix {

namespace {

Evaluator::Value of(const Poly& p) {
  Evaluator::Value v;
  v.number = p;
  return v;
}

Evaluator::Value of(const ConditionPtr& c) {
  Evaluator::Value v;
  v.kind = Evaluator::Value::Kind::Condition;
  v.condition = c;
  return v;
}

Evaluator::Value of(std::vector<Poly> members) {
  Evaluator::Value v;
  if (members.size() == 1) return of(members[0]);
  v.kind = Evaluator::Value::Kind::Tuple;
  v.tuple = std::move(members);
  return v;
}

}  // namespace

namespace {

// The number of indices of a CuTe mode.
Int size_of(const CuteMode& mode) {
  if (mode.children.empty()) return mode.shape;
  Int size = 1;
  for (const CuteMode& child : mode.children) size = checked_mul(size, size_of(child));
  return size;
}

}  // namespace

Evaluator::Evaluator(Context& c, const Spec& s) : context(c), spec(s), granule_(granule_of(s)) {}

void Evaluator::set(const Variable* variable, const Poly& value) { env_[variable] = of(value); }

void Evaluator::need(const Poly& p, const std::string& what) {
  if (context.nonnegative(p)) return;
  throw GiveUp{"not shown: " + what + " (" + context.text(p) + " >= 0 stays open)"};
}

Poly Evaluator::number(const Expr& e) {
  const Value v = value(e);
  if (v.kind == Value::Kind::Condition) return as_number(context, v.condition);
  if (v.kind != Value::Kind::Number) throw GiveUp{"`" + to_text(e) + "` is no single number"};
  return v.number;
}

ConditionPtr Evaluator::condition(const Expr& e) {
  const Value v = value(e);
  if (v.kind != Value::Kind::Condition) throw GiveUp{"`" + to_text(e) + "` is no condition"};
  return v.condition;
}

std::vector<Poly> Evaluator::numbers(const std::vector<Expr*>& args) {
  std::vector<Poly> out;
  for (const Expr* arg : args) {
    const Value v = value(*arg);
    if (v.kind == Value::Kind::Tuple) {
      out.insert(out.end(), v.tuple.begin(), v.tuple.end());
    } else {
      out.push_back(v.kind == Value::Kind::Condition ? as_number(context, v.condition) : v.number);
    }
  }
  return out;
}

Evaluator::Value Evaluator::computed(Value v) {
  if (width_ && v.kind == Value::Kind::Number) {
    need(v.number - Poly(width_->low), "the value fits its width from below");
    need(Poly(width_->high) - v.number, "the value fits its width");
  }
  return v;
}

Evaluator::Value Evaluator::variable(const Expr& e) {
  const Variable* v = e.variable;
  if (v->kind == Variable::Kind::Size) return of(context.parameter(v->name, 1));
  const auto it = env_.find(v);
  if (it != env_.end()) return it->second;
  const auto carry = carries_.find(v);
  if (carry != carries_.end()) return of(carried(*carry->second));
  if (v->kind == Variable::Kind::FileLet && v->value != nullptr) {
    const std::optional<Width> outer = std::exchange(width_, std::nullopt);
    Value result = value(*v->value);
    width_ = outer;
    return result;
  }
  throw GiveUp{"`" + v->name + "` has no value here"};
}

Evaluator::Value Evaluator::value(const Expr& e) {
  if (++depth_ > 300) throw GiveUp{"an expression is nested too deeply"};
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } leave{depth_};
  context.spend(1);
  // Names and calls inside a width count as values already computed.
  const auto aside = [&](auto&& function) {
    const std::optional<Width> outer = std::exchange(width_, std::nullopt);
    auto result = function();
    width_ = outer;
    return result;
  };
  switch (e.kind) {
    case Expr::Kind::Number:
      return of(Poly(e.number));
    case Expr::Kind::Variable:
      return variable(e);
    case Expr::Kind::Unary: {
      if (e.unary == Unary::Not) return of(negate(condition(*e.args[0])));
      const Poly x = number(*e.args[0]);
      return computed(of(e.unary == Unary::Negate ? -x : -x - 1));
    }
    case Expr::Kind::Binary:
      return binary(e);
    case Expr::Kind::Conditional: {
      const ConditionPtr c = condition(*e.args[0]);
      if (is_true(c)) return value(*e.args[1]);
      if (is_false(c)) return value(*e.args[2]);
      if (e.type.kind == Type::Kind::Contents) split_on(c);  // which place is read: a case each
      // Each arm is evaluated where C evaluates it.
      const std::size_t mark = context.mark();
      std::optional<Value> first;
      std::optional<Value> second;
      const Poly weight = as_number(context, c);
      // Where one arm is a condition and the other a number, the condition is 0 or 1.
      const auto arm = [&](const Expr& of_arm) {
        const bool as_condition = e.type.kind == Type::Kind::Condition;
        Value v = value(of_arm);
        return v.kind == Value::Kind::Condition && !as_condition
                   ? of(as_number(context, v.condition))
                   : v;
      };
      assume(context, c);
      first = arm(*e.args[1]);
      context.release(mark);
      assume(context, negate(c));
      second = arm(*e.args[2]);
      context.release(mark);
      if (first->kind == Value::Kind::Condition && second->kind == Value::Kind::Condition) {
        return of(either(both(c, first->condition), both(negate(c), second->condition)));
      }
      if (first->kind == Value::Kind::Tuple) {
        std::vector<Poly> members;
        for (std::size_t i = 0; i < first->tuple.size(); ++i) {
          members.push_back(weight * first->tuple[i] + (Poly(1) - weight) * second->tuple[i]);
        }
        return of(std::move(members));
      }
      return of(weight * first->number + (Poly(1) - weight) * second->number);
    }
    case Expr::Kind::Builtin: {
      std::vector<Poly> args;
      for (const Expr* arg : e.args) args.push_back(number(*arg));
      if (e.builtin == Builtin::CeilDiv) {
        need(args[0], "`" + to_text(*e.args[0]) + "` is not negative");
        need(args[1] - 1, "`" + to_text(*e.args[1]) + "` is at least 1");
        return computed(of(ceiling_divide(context, args[0], args[1])));
      }
      Poly out = args[0];
      for (std::size_t i = 1; i < args.size(); ++i) {
        const bool cases = may_split && !context.existential(out - args[i]);
        out = e.builtin == Builtin::Min ? minimum(context, out, args[i], cases)
                                        : maximum(context, out, args[i], cases);
      }
      return computed(of(out));
    }
    case Expr::Kind::Width: {
      if (!check_widths) return aside([&] { return value(*e.args[0]); });
      const std::optional<Width> outer = width_;
      if (e.width > 126) return value(*e.args[0]);
      const Int half = static_cast<Int>(1) << (e.width - (e.is_signed ? 1 : 0));
      width_ = Width{e.is_signed ? -half : Int{0}, half - 1};
      Value v = value(*e.args[0]);
      if (v.kind == Value::Kind::Condition) v = of(as_number(context, v.condition));
      v = computed(v);
      width_ = outer;
      return v;
    }
    case Expr::Kind::Apply:
      return aside([&] { return of(apply(*e.map, numbers(e.args))); });
    case Expr::Kind::Inverse:
      return aside([&] {
        const std::vector<Poly> args = numbers(e.args);
        if (e.map != nullptr) return of(inverse(*e.map, args));
        // A fixed table: search its values.
        const Table& table = *e.table;
        if (table.numbers.empty() || args.size() != 1)
          throw GiveUp{"the inverse of a table without values"};
        const auto bits = bits_of(context, args, 10);
        if (!bits)
          throw GiveUp{"the inverse of a table at a value that is no function of few bits"};
        bool missing = false;
        const Poly out = apply_over_bits(*bits, args, [&](const std::vector<Int>& x) {
          Int found = -1;
          for (std::size_t i = 0; i < table.numbers.size(); ++i) {
            if (table.numbers[i] != x[0]) continue;
            missing = missing || found >= 0;
            found = static_cast<Int>(i);
          }
          missing = missing || found < 0;
          return found;
        });
        if (missing) throw GiveUp{"the table has no inverse at some value"};
        return of(out);
      });
    case Expr::Kind::Field: {
      const Value v = value(*e.args[0]);
      if (v.kind != Value::Kind::Tuple) return v;
      return of(v.tuple.at(static_cast<std::size_t>(e.field)));
    }
    case Expr::Kind::Lookup:
      return aside([&] { return of(lookup(e)); });
    case Expr::Kind::Contents: {
      Value v;
      v.kind = Value::Kind::Place;
      v.place = &e.ref;
      return v;
    }
    case Expr::Kind::Tuple:
      return of(numbers(e.args));
    case Expr::Kind::Digits: {
      Poly out;
      for (std::size_t i = 0; i + 1 < e.args.size(); i += 2) {
        const Poly digit = number(*e.args[i]);
        const Poly radix = number(*e.args[i + 1]);
        need(digit, "digit `" + to_text(*e.args[i]) + "` is not negative");
        need(radix - 1 - digit, "digit `" + to_text(*e.args[i]) + "` is below its radix");
        out = out * radix + digit;
      }
      return computed(of(out));
    }
    case Expr::Kind::Cute: {
      Poly out;
      for (std::size_t i = 0; i < e.modes.size(); ++i) {
        const Poly index = number(*e.args[i]);
        need(index, "a CuTe index is not negative");
        need(Poly(size_of(e.modes[i])) - 1 - index, "a CuTe index is inside its mode");
        out += cute(e.modes[i], index);
      }
      return of(out);
    }
    case Expr::Kind::Forall:
      return of(forall(e));
    case Expr::Kind::Predicate:
      show_predicate(e);
      return of(always());
    case Expr::Kind::Metric:
      if (e.metric == Metric::Coalesced) {
        if (metric(e) == Poly(1)) return of(always());
        throw GiveUp{"not shown: `" + to_text(e) + "`"};
      }
      return of(metric(e));
    case Expr::Kind::Kernel:
      throw GiveUp{"an obligation of a kernel inside a larger condition"};
    default:
      throw GiveUp{"`" + to_text(e) + "` was not resolved"};
  }
}

Poly Evaluator::shift_factor(const Expr& amount) {
  const Poly n = number(amount);
  need(n, "the shift `" + to_text(amount) + "` is not negative");
  if (n.is_constant()) {
    if (n.constant() > 100) throw GiveUp{"a shift by more than 100 bits"};
    return Poly(static_cast<Int>(1) << static_cast<int>(n.constant()));
  }
  if (const std::set<Sym> symbols = n.symbols(); !symbols.empty()) {
    bool bits = symbols.size() <= 6;
    for (const Sym s : symbols) bits = bits && is_bit(s);
    if (bits) {
      return apply_over_bits({symbols.begin(), symbols.end()}, {n}, [](const std::vector<Int>& x) {
        return static_cast<Int>(1) << static_cast<int>(x[0] < 0 ? 0 : x[0]);
      });
    }
    // A size with few values: one proof a value, smallest first.
    for (const Sym s : symbols) {
      const Symbol& symbol = context.at(s);
      if (symbol.kind != Symbol::Kind::Parameter) continue;
      for (Int k = symbol.lower; k <= symbol.lower + 40; ++k) {
        const Poly below = Poly(k) - Poly::symbol(s);
        if (context.nonnegative(-below)) {
          // s >= k: is it k?
          if (context.nonnegative(below)) throw Substitute{s, Poly(k)};
          if (context.nonnegative(-below - 1)) continue;
          throw Split{below};
        }
      }
    }
  }
  throw GiveUp{"a shift by `" + to_text(amount) + "`, which has no few values"};
}

Evaluator::Value Evaluator::binary(const Expr& e) {
  const Expr& left = *e.args[0];
  const Expr& right = *e.args[1];
  switch (e.binary) {
    case Binary::LogicalAnd: {
      const ConditionPtr a = condition(left);
      if (is_false(a)) return of(a);
      const std::size_t mark = context.mark();
      assume(context, a);
      const ConditionPtr b = condition(right);
      context.release(mark);
      return of(both(a, b));
    }
    case Binary::LogicalOr: {
      const ConditionPtr a = condition(left);
      if (is_true(a)) return of(a);
      const std::size_t mark = context.mark();
      assume(context, negate(a));
      const ConditionPtr b = condition(right);
      context.release(mark);
      return of(either(a, b));
    }
    default:
      break;
  }
  const Value a = value(left);
  const Value b = value(right);
  if (e.binary == Binary::Equal || e.binary == Binary::NotEqual) {
    ConditionPtr same;
    if (a.kind == Value::Kind::Place) {
      same = same_contents(*a.place, *b.place);
    } else if (a.kind == Value::Kind::Tuple || b.kind == Value::Kind::Tuple) {
      same = always();
      for (std::size_t i = 0; i < a.tuple.size(); ++i) {
        same = both(same, zero(context, a.tuple[i] - b.tuple.at(i)));
      }
    } else if (a.kind == Value::Kind::Condition && b.kind == Value::Kind::Condition) {
      same =
          both(either(negate(a.condition), b.condition), either(a.condition, negate(b.condition)));
    } else {
      const Poly x = a.kind == Value::Kind::Condition ? as_number(context, a.condition) : a.number;
      const Poly y = b.kind == Value::Kind::Condition ? as_number(context, b.condition) : b.number;
      same = zero(context, x - y);
    }
    return of(e.binary == Binary::Equal ? same : negate(same));
  }
  if (a.kind == Value::Kind::Condition && b.kind == Value::Kind::Condition) {
    switch (e.binary) {
      case Binary::And:
        return of(both(a.condition, b.condition));
      case Binary::Or:
        return of(either(a.condition, b.condition));
      case Binary::Xor:
        return of(
            either(both(a.condition, negate(b.condition)), both(negate(a.condition), b.condition)));
      default:
        break;
    }
  }
  const Poly x = a.kind == Value::Kind::Condition ? as_number(context, a.condition) : a.number;
  const Poly y = b.kind == Value::Kind::Condition ? as_number(context, b.condition) : b.number;
  switch (e.binary) {
    case Binary::Add:
      return computed(of(x + y));
    case Binary::Sub:
      return computed(of(x - y));
    case Binary::Mul:
      return computed(of(x * y));
    case Binary::Div:
    case Binary::Mod: {
      need(x, "`" + to_text(left) + "` is not negative");
      need(y - 1, "`" + to_text(right) + "` is at least 1");
      const auto [q, r] = divide(context, x, y);
      return computed(of(e.binary == Binary::Div ? q : r));
    }
    case Binary::ShiftLeft:
      need(x, "`" + to_text(left) + "` is not negative");
      return computed(of(x * shift_factor(right)));
    case Binary::ShiftRight:
      need(x, "`" + to_text(left) + "` is not negative");
      return computed(of(divide(context, x, shift_factor(right)).first));
    case Binary::And:
      return computed(of(bitwise(context, Bitwise::And, x, y)));
    case Binary::Or:
      return computed(of(bitwise(context, Bitwise::Or, x, y)));
    case Binary::Xor:
      return computed(of(bitwise(context, Bitwise::Xor, x, y)));
    case Binary::Less:
      return of(at_least_zero(context, y - x - 1));
    case Binary::LessEqual:
      return of(at_least_zero(context, y - x));
    case Binary::Greater:
      return of(at_least_zero(context, x - y - 1));
    case Binary::GreaterEqual:
      return of(at_least_zero(context, x - y));
    default:
      throw GiveUp{"operator `" + std::string(symbol_of(e.binary)) + "` of mixed kinds"};
  }
}

Poly Evaluator::cute(const CuteMode& mode, const Poly& index) {
  if (mode.children.empty()) {
    return Poly(mode.stride) * index;
  }
  // The first child is the fastest digit; the last takes what is left.
  Poly out;
  Poly rest = index;
  for (std::size_t i = 0; i < mode.children.size(); ++i) {
    const CuteMode& child = mode.children[i];
    const Int size = size_of(child);
    if (i + 1 == mode.children.size()) {
      out += cute(child, rest);
      break;
    }
    need(rest, "a CuTe index is not negative");
    const auto [q, r] = divide(context, rest, Poly(size));
    out += cute(child, r);
    rest = q;
  }
  return out;
}

Poly Evaluator::lookup(const Expr& e) {
  const Table& table = *e.table;
  const std::vector<Poly> args = numbers(e.args);
  Poly index;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Poly extent = number(*table.extents.at(i));
    need(args[i], "the index of `" + table.name + "` is not negative");
    need(extent - 1 - args[i], "the index of `" + table.name + "` is inside");
    index = index * extent + args[i];
  }
  return table_value(table, index, args);
}

Poly Evaluator::table_value(const Table& table, const Poly& index, const std::vector<Poly>& args) {
  if (!table.numbers.empty()) {
    if (index.is_constant())
      return Poly(table.numbers.at(static_cast<std::size_t>(index.constant())));
    const auto bits = bits_of(context, {index}, 12);
    if (!bits) throw GiveUp{"the index of table `" + table.name + "` is no function of few bits"};
    return apply_over_bits(*bits, {index}, [&](const std::vector<Int>& x) {
      const Int at = x[0];
      return at >= 0 && at < static_cast<Int>(table.numbers.size())
                 ? table.numbers[static_cast<std::size_t>(at)]
                 : Int{0};
    });
  }
  // An unknown table: its value at this index is a number of its own, in range.
  std::string name = table.name + "[";
  for (std::size_t i = 0; i < args.size(); ++i)
    name += (i == 0 ? "" : ", ") + context.text(args[i]);
  name += "]";
  bool existential = false;
  for (const Poly& arg : args) existential = existential || context.existential(arg);
  // Two indices may print alike: the key holds the symbols' numbers.
  std::string key = table.name + " ";
  for (const Poly& arg : args) key += Context::key_of(arg) + ";";
  key = "table " + key + "/" + name;
  const Poly value = table.range == nullptr ? context.index(key, 0, existential)
                                            : context.digit(key, number(*table.range), existential);
  context.set_arguments(key, value, args);
  table_values.push_back({&table, value, args});
  return value;
}

ConditionPtr Evaluator::forall(const Expr& e) {
  const std::size_t mark = context.mark();
  const BoundDomain domain = bind(e.domain, path + "/", false);
  // No point in this case: true. Whether there is a point at all is the enumerator's to say.
  if (!domain.empty && enter(context, domain.guard)) {
    const ConditionPtr body = condition(*e.args[0]);
    if (!holds(context, body)) {
      // A disjunction may hold for another reason at each value of a few bits.
      const std::set<Sym> bits = universal_bits(context, body);
      if (!bits.empty() && bits.size() <= 6 && may_split)
        throw Split{Poly::symbol(*bits.begin()) - 1};
      throw GiveUp{"not shown: " + text(context, body)};
    }
  }
  context.release(mark);
  return always();
}

}  // namespace fragproof::radix
