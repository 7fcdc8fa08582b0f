// From an operand's slot back to the tensor: fragment, value parts, load, array, fill.
#include "checkers/radix/operands.h"

#include <algorithm>

#include "checkers/radix/solve.h"
#include "spec/syntax.h"

namespace fragproof::radix {

namespace {

void roots_of(const Array* array, std::set<const Array*>& out, int depth = 0) {
  if (array == nullptr || depth > 64) return;
  if (array->kind == Array::Kind::Tensor) {
    out.insert(array);
    return;
  }
  for (const Fill& fill : array->fills) {
    if (fill.source) roots_of(fill.source->array, out, depth + 1);
  }
}

void roots_of(const fragproof::Value& value, std::set<const Array*>& out) {
  if (value.load != nullptr) roots_of(value.load->from.array, out);
  for (const fragproof::Value& part : value.parts) roots_of(part, out);
}

Poly dimension(Evaluator& e, const Map& map, std::size_t output) {
  return e.number(*map.outputs.at(output).codomain);
}

}  // namespace

std::set<const Array*> roots_of(const fragproof::Value& value) {
  std::set<const Array*> out;
  roots_of(value, out);
  return out;
}

KernelPoint::KernelPoint(Evaluator& evaluator, const Kernel& kernel)
    : e_(evaluator), context_(evaluator.context), kernel_(kernel) {
  of_lane_.insert(kernel.lane);
  for (const Kernel::Step& step : kernel.steps) {
    if (step.kind != Kernel::Step::Kind::Binding) continue;
    const Binding& binding = kernel.bindings[step.index];
    if (binding.kind == Binding::Kind::Carry) continue;  // read where it is used
    if (!depends_on_lane(binding.value)) continue;
    if (binding.variable != nullptr) of_lane_.insert(binding.variable);
    for (const DigitBinding& digit : binding.digits) of_lane_.insert(digit.variable);
    lane_bindings_.push_back(&binding);
  }
  // A value carried from a start that speaks of the lane makes what uses it speak of the lane too.
  for (const Binding& binding : kernel.bindings) {
    if (binding.kind != Binding::Kind::Carry) continue;
    if (depends_on_lane(binding.value) || depends_on_lane(binding.next))
      of_lane_.insert(binding.variable);
  }
}

bool KernelPoint::depends_on_lane(const Domain& d) const {
  for (const Coordinate& c : d.coordinates) {
    if (depends_on_lane(c.extent)) return true;
  }
  return depends_on_lane(d.where);
}

bool KernelPoint::depends_on_lane(const Expr* e, int depth) const {
  if (e == nullptr || depth > 300) return false;
  if (e->kind == Expr::Kind::Variable && of_lane_.count(e->variable) != 0) return true;
  if (e->kind == Expr::Kind::Contents) {
    for (const Expr* arg : e->ref.index) {
      if (depends_on_lane(arg, depth + 1)) return true;
    }
  }
  return std::any_of(e->args.begin(), e->args.end(),
                     [&](const Expr* arg) { return depends_on_lane(arg, depth + 1); });
}

void KernelPoint::bind(Mode parallel, Mode reduce, const std::string& copy) {
  parallel_ = {};
  reduce_ = {};
  for (const Kernel::Step& step : kernel_.steps) {
    switch (step.kind) {
      case Kernel::Step::Kind::Binding: {
        const Binding& binding = kernel_.bindings[step.index];
        const bool later = std::find(lane_bindings_.begin(), lane_bindings_.end(), &binding) !=
                           lane_bindings_.end();
        if (!later) e_.bind_let(binding);
        break;
      }
      case Kernel::Step::Kind::Parallel:
        parallel_ =
            e_.bind(*kernel_.parallel, parallel == Mode::All ? "parallel/" : "parallel solved/",
                    parallel == Mode::Solved);
        if (parallel_.empty && parallel == Mode::Solved)
          throw GiveUp{"there are no tiles in some case"};
        // Nothing to judge in this case: what is asked is asked of each point.
        if (parallel_.empty || (parallel == Mode::All && !enter(context_, parallel_.guard)))
          throw EmptyCase{};
        break;
      case Kernel::Step::Kind::Reduce:
        reduce_ = e_.bind(*kernel_.reduce,
                          (reduce == Mode::All ? "reduce" : "reduce solved") + copy + "/",
                          reduce == Mode::Solved);
        if (reduce_.empty && reduce == Mode::Solved)
          throw GiveUp{"there is nothing to sum over in some case"};
        if (reduce_.empty || (reduce == Mode::All && !enter(context_, reduce_.guard)))
          throw EmptyCase{};
        break;
      default:
        break;
    }
  }
}

std::set<Sym> KernelPoint::symbols_of(const Evaluator::BoundDomain& domain) const {
  std::set<Sym> out;
  for (const auto& c : domain.coordinates) {
    const std::set<Sym> more = c.value.symbols();
    out.insert(more.begin(), more.end());
  }
  return out;
}

void KernelPoint::set_lane(const Poly& lane) {
  lane_ = lane;
  e_.set(kernel_.lane, lane);
  for (const Binding* binding : lane_bindings_) e_.bind_let(*binding);
}

const Map& KernelPoint::fragment(char operand) const {
  const Mma& mma = *kernel_.mma;
  return *(operand == 'A' ? mma.a : operand == 'B' ? mma.b : mma.c);
}

Poly KernelPoint::row(Mode mode, const std::string& copy) {
  return context_.digit("row" + std::string(mode == Mode::All ? "" : " solved") + copy + "/row",
                        dimension(e_, fragment('A'), 0), mode == Mode::Solved);
}

Poly KernelPoint::slot(Mode mode, const std::string& copy) {
  return context_.digit("slot" + std::string(mode == Mode::All ? "" : " solved") + copy + "/slot",
                        dimension(e_, fragment('A'), 1), mode == Mode::Solved);
}

Poly KernelPoint::column(Mode mode, const std::string& copy) {
  return context_.digit(
      "column" + std::string(mode == Mode::All ? "" : " solved") + copy + "/column",
      dimension(e_, fragment('B'), 1), mode == Mode::Solved);
}

KernelPoint::Piece KernelPoint::locate_load(const Load& load, const Poly& offset, int width) {
  Piece piece;
  piece.array = load.from.array;
  piece.else_zero = load.else_zero;
  piece.source_width = width;
  if (load.instruction == nullptr) {
    if (load.condition != nullptr) piece.loaded = e_.condition(*load.condition);
    if (is_false(piece.loaded) && load.else_zero) {
      piece.never = true;
      return piece;
    }
    const std::size_t mark = context_.mark();
    assume(context_, piece.loaded);
    piece.address = e_.address(load.from) + offset;
    context_.release(mark);
    return piece;
  }
  const int units = 16 / e_.granule_bits();
  const auto [elem, sub] = divide(context_, offset, Poly(units));
  const Poly lane = lane_;
  const std::vector<Poly> from = e_.apply(*load.instruction, {lane, elem});
  set_lane(from.at(0));
  if (load.condition != nullptr) piece.loaded = e_.condition(*load.condition);
  const std::size_t mark = context_.mark();
  assume(context_, piece.loaded);
  piece.address = e_.address(load.from) + Poly(units) * from.at(1) + sub;
  context_.release(mark);
  set_lane(lane);
  return piece;
}

KernelPoint::Piece KernelPoint::locate_join(const fragproof::Value& value, const Poly& offset,
                                            int width) {
  const int first_width = value.parts.at(0).width;
  if (std::any_of(value.parts.begin(), value.parts.end(),
                  [&](const fragproof::Value& part) { return part.width != first_width; })) {
    throw GiveUp{"an operand joined from parts of different widths"};
  }
  const auto [which, inner] = divide(context_, offset, Poly(first_width / e_.granule_bits()));
  if (which.is_constant()) {
    return locate(value.parts.at(static_cast<std::size_t>(which.constant())), inner, width);
  }
  const auto bits = bits_of(context_, {which}, 8);
  if (!bits) throw GiveUp{"which part of the operand is no function of few bits"};
  const std::vector<Poly> numbers = tabulate(which, *bits);
  std::vector<Poly> addresses;
  std::vector<ConditionPtr> loaded;
  std::optional<Piece> first;
  std::map<Int, Piece> known;
  for (std::size_t x = 0; x < numbers.size(); ++x) {
    const Int n = numbers[x].constant();
    const auto it = known.find(n);
    const Piece piece = it != known.end()
                            ? it->second
                            : locate(value.parts.at(static_cast<std::size_t>(n)), inner, width);
    known.emplace(n, piece);
    if (piece.never) {
      addresses.emplace_back();
      loaded.push_back(never());
      continue;
    }
    if (!first) first = piece;
    if (piece.array != first->array || piece.else_zero != first->else_zero ||
        piece.source_width != first->source_width || piece.converted != first->converted) {
      throw Split{Poly::symbol((*bits)[0]) - 1};  // parts of different kinds: one case each
    }
    std::map<Sym, Poly> here;
    for (std::size_t i = 0; i < bits->size(); ++i)
      here.emplace((*bits)[i], Poly(static_cast<int>(x >> i & 1U)));
    addresses.push_back(piece.address.substitute(here));
    loaded.push_back(substitute(piece.loaded, here));
  }
  if (!first) return known.begin()->second;
  if (std::any_of(loaded.begin(), loaded.end(),
                  [](const ConditionPtr& c) { return is_false(c); })) {
    throw Split{Poly::symbol((*bits)[0]) - 1};  // some parts are zero, others are not
  }
  Piece out = *first;
  for (const Sym b : *bits) out.joined.insert(b);
  out.address = interpolate(*bits, std::move(addresses));
  // One comparison whose two sides follow the bits, where all parts have one; else part by part.
  if (std::all_of(loaded.begin(), loaded.end(), [](const ConditionPtr& c) {
        return c->kind == radix::Condition::Kind::AtLeastZero;
      })) {
    std::vector<Poly> sides;
    for (const ConditionPtr& c : loaded) sides.push_back(c->p);
    out.loaded = at_least_zero(context_, interpolate(*bits, std::move(sides)));
  } else if (std::all_of(loaded.begin(), loaded.end(),
                         [](const ConditionPtr& c) { return is_true(c); })) {
    out.loaded = always();
  } else {
    out.loaded = always();
    for (std::size_t x = 0; x < loaded.size(); ++x) {
      std::vector<Poly> table(loaded.size());
      table[x] = Poly(1);
      const Poly here = interpolate(*bits, std::move(table));
      out.loaded = both(out.loaded, either(at_least_zero(context_, -here), loaded[x]));
    }
  }
  return out;
}

KernelPoint::Piece KernelPoint::locate(const fragproof::Value& value, Poly offset, int width) {
  context_.spend(4);
  for (const Unit& unit : value.units) {
    offset += e_.number(*unit.index) * Poly(unit.width / e_.granule_bits());
  }
  switch (value.kind) {
    case fragproof::Value::Kind::Load:
      return locate_load(*value.load, offset, width);
    case fragproof::Value::Kind::Convert: {
      if (width != value.type.width || !context_.is_zero(offset)) {
        throw GiveUp{"an operand element that is part of a converted value"};
      }
      const fragproof::Value& inner = value.parts.at(0);
      Piece piece = locate(inner, Poly(), inner.width);
      piece.converted = true;
      piece.source_width = inner.width;
      return piece;
    }
    case fragproof::Value::Kind::Join:
      return locate_join(value, offset, width);
  }
  throw GiveUp{"an unusual operand"};
}

const Factor& KernelPoint::factor(char operand) const {
  if (kernel_.first.tensor == kernel_.second.tensor)
    return operand == 'A' ? kernel_.first : kernel_.second;
  const std::set<const Array*> a = roots_of(kernel_.mma->value_a);
  const std::set<const Array*> b = roots_of(kernel_.mma->value_b);
  if (a.size() != 1 || b.size() != 1 || *a.begin() == *b.begin()) {
    throw GiveUp{"the operands do not hold one factor each"};
  }
  const Array* mine = *(operand == 'A' ? a : b).begin();
  if (mine == kernel_.first.tensor) return kernel_.first;
  if (mine == kernel_.second.tensor) return kernel_.second;
  throw GiveUp{"operand " + std::string(1, operand) + " holds `" + mine->name +
               "`, which is no factor"};
}

namespace {

// Do the bits of one element of `width` bits come from more than one place of this value?
bool finer(const fragproof::Value& value, int width) {
  switch (value.kind) {
    case fragproof::Value::Kind::Load:
      return value.load->instruction != nullptr && width > 16;
    case fragproof::Value::Kind::Convert:
      return finer(value.parts.at(0), value.parts.at(0).width);
    case fragproof::Value::Kind::Join:
      break;
  }
  return std::any_of(value.parts.begin(), value.parts.end(), [&](const fragproof::Value& part) {
    return part.width % width != 0 || finer(part, width);
  });
}

bool same(const ConditionPtr& x, const ConditionPtr& y) {
  if (x->kind != y->kind || !(x->p == y->p)) return false;
  if (x->kind != radix::Condition::Kind::And && x->kind != radix::Condition::Kind::Or) return true;
  return same(x->a, y->a) && same(x->b, y->b);
}

}  // namespace

Element KernelPoint::element(char operand, const Poly& outer, const Poly& slot) {
  const Map& map = fragment(operand);
  const fragproof::Value& value = operand == 'A' ? kernel_.mma->value_a : kernel_.mma->value_b;
  const Factor& holds_factor = factor(operand);
  const std::vector<Poly> at =
      operand == 'A' ? e_.inverse(map, {outer, slot}) : e_.inverse(map, {slot, outer});
  set_lane(at.at(0));
  const int width = map.element.width;
  const Poly offset = at.at(1) * Poly(width / e_.granule_bits());
  const Piece piece = locate(value, offset, width);
  Element out;
  if (is_false(piece.loaded) && piece.else_zero) {
    out.zero = true;
    out.nonzero = never();
    return out;
  }
  if (!piece.else_zero && !holds(context_, piece.loaded)) {
    throw GiveUp{"not shown: the load happens wherever its bits are used"};
  }
  const std::size_t mark = context_.mark();
  if (piece.else_zero) {
    assume(context_, piece.loaded);
    out.nonzero = piece.loaded;
  }
  const int parts = piece.source_width / e_.granule_bits();
  const Poly h = context_.digit("part/h", Poly(parts));
  if (parts > 1 && context_.case_speaks_of("part"))
    throw GiveUp{"the parts of an operand element differ in kind"};
  Poly place = piece.address + h;
  if (parts > 1 && finer(value, width)) {
    if (piece.converted) throw GiveUp{"a conversion of what comes from several places"};
    const Piece part = locate(value, offset + h, width);
    if (part.never || part.array != piece.array || part.else_zero != piece.else_zero ||
        part.source_width != piece.source_width || !same(part.loaded, piece.loaded)) {
      throw GiveUp{"the parts of an operand element come from different loads"};
    }
    place = part.address;
  }
  const Origin origin = e_.origin(*piece.array, place);
  if (origin.tensor == nullptr) {
    context_.release(mark);
    out.zero = true;
    out.nonzero = never();
    return out;
  }
  const Array& tensor = *origin.tensor;
  if (&tensor != holds_factor.tensor)
    throw GiveUp{"an operand holds elements of `" + tensor.name + "`"};
  if (tensor.element.width != piece.source_width) {
    throw GiveUp{"an operand element is made of bits of several elements of `" + tensor.name + "`"};
  }
  // Part h of the operand's element must be part h of one tensor element.
  const auto [index, sub] = divide(context_, origin.granule, Poly(parts));
  if (!context_.is_zero(sub - h)) throw GiveUp{"the parts of an element are not in order"};
  if (context_.depends(index, h.symbols())) {
    throw GiveUp{"the parts of an operand element come from different elements"};
  }
  context_.log_identity("whole", sub, h);
  out.tensor = &tensor;
  out.coordinates.resize(tensor.extents.size());
  Poly rest = index;
  for (std::size_t d = tensor.extents.size(); d-- > 1;) {
    const Poly extent = e_.number(*tensor.extents[d]);
    const auto [q, r] = divide(context_, rest, extent);
    // An address that is no clean digit may be one for each part of a joined operand.
    for (const Sym s : q.symbols()) {
      if (context_.at(s).kind != Symbol::Kind::Atom || rest.contains(s)) continue;
      for (const Sym b : piece.joined) throw Split{Poly::symbol(b) - 1};
    }
    out.coordinates[d] = r;
    rest = q;
  }
  out.coordinates[0] = rest;
  context_.release(mark);
  return out;
}

ConditionPtr KernelPoint::stored(const Poly& i, const Poly& j) {
  const std::vector<Poly> at = e_.inverse(fragment('C'), {i, j});
  set_lane(at.at(0));
  e_.set(kernel_.elem, at.at(1));
  e_.set(kernel_.row, i);
  e_.set(kernel_.col, j);
  if (kernel_.store->condition == nullptr) return always();
  return e_.condition(*kernel_.store->condition);
}

std::vector<Poly> KernelPoint::store_index() { return e_.numbers(kernel_.store->to.index); }

std::vector<std::string> KernelPoint::outer_names(char operand) const {
  std::vector<std::string> out;
  for (const std::string& name : factor(operand).indices) {
    if (std::find(kernel_.summed.begin(), kernel_.summed.end(), name) == kernel_.summed.end())
      out.push_back(name);
  }
  return out;
}

std::vector<Poly> KernelPoint::named(char operand, const Element& element,
                                     const std::vector<std::string>& names) const {
  const std::vector<std::string>& indices = factor(operand).indices;
  std::vector<Poly> out;
  for (const std::string& name : names) {
    const auto it = std::find(indices.begin(), indices.end(), name);
    if (it == indices.end()) throw GiveUp{"index `" + name + "` is not in the factor"};
    out.push_back(element.coordinates.at(static_cast<std::size_t>(it - indices.begin())));
  }
  return out;
}

}  // namespace fragproof::radix
