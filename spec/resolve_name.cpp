// Names in expressions, and what may follow them: calls, indices, members, units.
#include <algorithm>

#include "spec/resolve.h"
#include "spec/suggest.h"

namespace fragproof {
namespace {

// The dotted name that `e` spells, or "".
std::string dotted(const Expr& e) {
  std::string tail;
  const Expr* at = &e;
  while (at->kind == Expr::Kind::Member) {
    tail = "." + at->text + tail;
    at = at->args[0];
  }
  return at->kind == Expr::Kind::Name ? at->text + tail : "";
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string count(std::size_t n, const std::string& noun, const std::string& plural) {
  return std::to_string(n) + " " + (n == 1 ? noun : plural);
}

std::vector<std::string> coordinate_names(const Map& map) {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : map.domain.coordinates) names.push_back(coordinate.name);
  return names;
}

std::vector<std::string> output_names(const Map& map) {
  std::vector<std::string> names;
  for (const OutputDef& output : map.outputs) names.push_back(output.name);
  return names;
}

std::vector<Expr*> behind_first(const Expr& e) { return {e.args.begin() + 1, e.args.end()}; }

// One number is a number, several are a tuple; the names serve `.row` either way.
Type named(std::size_t arity, std::vector<std::string> names) {
  return {arity == 1 ? Type::Kind::Number : Type::Kind::Tuple, static_cast<int>(arity), 0, std::move(names)};
}

}  // namespace

void Resolver::unknown_name(const std::string& name, const Span& where, bool called) {
  if (scopes_.is_poisoned(name)) return;
  const std::string first = name.substr(0, name.find('.'));
  const std::string text = "unknown name `" + name + "`";
  if (first == "threadIdx" || first == "blockIdx" || first == "blockDim" || first == "gridDim") {
    error(where, text, "indices are named, not taken from the hardware: `let tid = 32*warp + lane`");
    return;
  }
  if (where_of_ != nullptr) {
    // The coordinates of a `forall` end with it.
    std::vector<const Expr*> pending = {where_of_->condition};
    while (!pending.empty()) {
      const Expr* e = pending.back();
      pending.pop_back();
      pending.insert(pending.end(), e->args.begin(), e->args.end());
      for (const Coordinate& coordinate : e->domain.coordinates) {
        const bool digit = std::any_of(coordinate.digits.begin(), coordinate.digits.end(),
                                       [&](const DigitBinding& d) { return d.name == first; });
        if (coordinate.name != first && !digit) continue;
        std::string domain;
        for (const Coordinate& c : e->domain.coordinates) {
          domain += domain.empty() ? "" : ", ";
          domain += c.name + (c.extent == nullptr ? "" : " : " + to_text(*c.extent));
        }
        error(where, text, "the `where` of a claim is about sizes: `forall(" + domain + " where " +
                               to_text(*where_of_->where_clause) + ") P`");
        return;
      }
    }
  }
  if (name == declaring_) {
    error(where, text, "`" + name + "` is visible only behind its own declaration");
    return;
  }
  if (const std::optional<Span> later = scopes_.announced(first); later && later->line > where.line) {
    error(where, text, "`" + first + "` is declared below " + scopes_.line_of(*later, where) +
                           ": move its declaration up");
    return;
  }
  std::vector<std::string> extra;
  if (called) {
    extra = {"min", "max", "ceildiv", "total", "injective", "onto", "bijective", "ways", "sectors", "coalesced"};
  }
  std::optional<Suggestion> near = scopes_.suggest(name, extra);
  if (!near && first != name) near = scopes_.suggest(first);
  std::string help;
  if (near) {
    const std::string line = scopes_.line_of(near->where, where);
    help = "did you mean `" + near->name + "`" + (line.empty() ? "" : " " + line) + "?";
  }
  error(where, text, help);
}

void Resolver::wrong_kind(const Symbol& symbol, const std::string& name, const Span& where) {
  const std::string text = "`" + name + "` is a " + symbol.what + ", not a number";
  switch (symbol.kind) {
    case Symbol::Kind::Map:
      error(where, text + ": call it", "`" + name + "(" + list(coordinate_names(*symbol.map)) + ")`");
      return;
    case Symbol::Kind::Table: error(where, text + ": index it", "`" + name + "[..]`"); return;
    case Symbol::Kind::Array: error(where, text + ": name a place in it", "`" + name + "[..]` or `" + name + ".bN[..]`"); return;
    case Symbol::Kind::Variable:
    case Symbol::Kind::Kernel:
    case Symbol::Kind::Load:
    case Symbol::Kind::Accumulator: error(where, text); return;
    case Symbol::Kind::Alias:
    case Symbol::Kind::Broken: return;
  }
}

void Resolver::name(Expr& e) {
  const std::string as = e.text;
  const Found found = scopes_.find(as);
  if (found.symbol == nullptr) {
    const std::string expanded = scopes_.expand(as);
    if (expanded != as && scopes_.is_prefix(expanded)) {
      error(e.where, "`" + as + "` shortens `" + expanded + "`, which is no name by itself");
    } else {
      unknown_name(as, e.where);
    }
    return;
  }
  const Symbol& symbol = *found.symbol;
  const std::string root = as.substr(0, as.size() - [&] {
    std::size_t tail = 0;
    for (const std::string& part : found.rest) tail += part.size() + 1;
    return tail;
  }());
  if (symbol.kind == Symbol::Kind::Kernel) return kernel_name(e, found, as);
  if (symbol.kind != Symbol::Kind::Variable) return wrong_kind(symbol, root, e.where);
  const Variable::Kind kind = symbol.variable->kind;
  if ((kind == Variable::Kind::Row || kind == Variable::Kind::Col || kind == Variable::Kind::Elem) && !in_store_) {
    error(e.where, "`" + root + "` stands for a place in the accumulator tile and can be used in `store` only");
    return;
  }
  e.kind = Expr::Kind::Variable;
  e.variable = symbol.variable;
  e.type = e.variable->type;
  if (e.type.kind == Type::Kind::Unknown) return;
  // Contents are not kept in variables: a `let` of contents stands for its expression.
  if (e.type.kind == Type::Kind::Contents && e.variable->value != nullptr) {
    const Span where = e.where;
    const Expr copy = *e.variable->value;
    e = copy;
    e.where = where;
  }
  std::string of = root;
  for (const std::string& part : found.rest) {
    field(e, part, of);
    if (e.type.kind == Type::Kind::Unknown) return;
    of += "." + part;
  }
}

void Resolver::field(Expr& e, const std::string& name, const std::string& of) {
  const Type type = e.type;
  const auto at = std::find(type.names.begin(), type.names.end(), name);
  if (at == type.names.end()) {
    const bool is_map = e.kind == Expr::Kind::Apply;
    std::string text = "`" + of + "` has no " + (is_map ? "output" : "member") + " `" + name + "`";
    if (!type.names.empty()) text += " (it has " + list(type.names) + ")";
    if (type.names.empty()) text = "`" + of + "` is " + describe(type) + ", it has no member `" + name + "`";
    const std::string near = closest(name, type.names);
    error(e.where, text, near.empty() ? "" : "`." + near + "`?");
    e.type = {};
    return;
  }
  if (type.kind == Type::Kind::Number) {  // the one output is the number
    e.type.names.clear();
    return;
  }
  Expr* whole = arena_.make<Expr>(e);
  Expr member;
  member.kind = Expr::Kind::Field;
  member.where = e.where;
  member.text = name;
  member.args = {whole};
  member.field = static_cast<int>(at - type.names.begin());
  member.type = {Type::Kind::Number, 1, 0, {}};
  e = member;
}

void Resolver::member(Expr& e) {
  const std::string spelt = dotted(e);
  if (!spelt.empty()) {
    e.kind = Expr::Kind::Name;
    e.text = spelt;
    e.args.clear();
    return name(e);
  }
  Expr& whole = *e.args[0];
  resolve(whole);
  if (whole.type.kind == Type::Kind::Unknown) return;
  const std::string part = e.text;
  std::string of = to_text(whole);
  if (whole.kind == Expr::Kind::Apply) of = whole.text.empty() ? whole.map->name : whole.text;
  const Span where = e.where;
  e = Expr(whole);
  e.where = where;
  field(e, part, of.size() > 60 ? of.substr(0, 57) + "..." : of);
}

int Resolver::arguments(std::vector<Expr*>& args) {
  int members = 0;
  bool known = true;
  for (Expr* arg : args) {
    resolve(*arg);
    if (arg->type.kind == Type::Kind::Contents) not_a_number(*arg);
    known = known && arg->type.kind != Type::Kind::Unknown && arg->type.kind != Type::Kind::Contents;
    members += arg->type.kind == Type::Kind::Tuple ? arg->type.arity : 1;
  }
  return known ? members : -1;
}

void Resolver::expand_tuples(std::vector<Expr*>& args) {
  std::vector<Expr*> members;
  for (Expr* arg : args) {
    if (arg->type.kind != Type::Kind::Tuple) {
      members.push_back(arg);
      continue;
    }
    for (int i = 0; i < arg->type.arity; ++i) {
      if (arg->kind == Expr::Kind::Tuple) {
        members.push_back(arg->args[static_cast<std::size_t>(i)]);
        continue;
      }
      Expr* part = arena_.make<Expr>();
      part->kind = Expr::Kind::Field;
      part->where = arg->where;
      part->args = {arg};
      part->field = i;
      if (!arg->type.names.empty()) part->text = arg->type.names[static_cast<std::size_t>(i)];
      part->type = {Type::Kind::Number, 1, 0, {}};
      members.push_back(part);
    }
  }
  args = std::move(members);
}

void Resolver::call(Expr& e) {
  const std::string as = dotted(*e.args[0]);
  const std::vector<Expr*> args = behind_first(e);
  if (as.empty()) {
    error(e.where, "only a map can be called, and by its name");
    return;
  }
  if (as == "min" || as == "max" || as == "ceildiv") {
    e.kind = Expr::Kind::Builtin;
    e.builtin = as == "min" ? Builtin::Min : as == "max" ? Builtin::Max : Builtin::CeilDiv;
    e.args = args;
    return builtin(e);
  }
  if (atom_call(e, as, args)) return;
  const Found found = scopes_.find(as);
  if (found.symbol == nullptr) {
    if (const std::optional<ElementType> type = find_type(as); type) {
      if (as[0] != 'i' && as[0] != 'u') {
        error(e.where, "`" + as + "(..)` converts an operand, in `acc += X(..)` only",
              "to say in how many bits an expression is computed: `i32(..)`");
        return;
      }
      e.kind = Expr::Kind::Width;
      e.width = type->width;
      e.is_signed = as[0] == 'i';
      e.args = args;
      return width(e);
    }
    return unknown_name(as, e.args[0]->where, true);
  }
  const Symbol& symbol = *found.symbol;
  const bool inverted = found.rest.size() == 1 && found.rest[0] == "inverse" &&
                        (symbol.kind == Symbol::Kind::Map || symbol.kind == Symbol::Kind::Table);
  if (inverted) return inverse(e, symbol, as, args);
  if (symbol.kind == Symbol::Kind::Map && found.rest.empty()) return apply(e, *symbol.map, as, args);
  if (symbol.kind == Symbol::Kind::Map) {
    error(e.where, "`" + found.name + "` has no part `" + found.rest[0] + "` to call; it is a " + symbol.what,
          "`" + found.name + "(..)`, `" + found.name + ".inverse(..)`");
    return;
  }
  if (symbol.kind == Symbol::Kind::Table || symbol.kind == Symbol::Kind::Array) {
    error(e.where, "`" + as + "` is a " + symbol.what + ", not a map: index it with `[ ]`");
    return;
  }
  if (symbol.kind != Symbol::Kind::Broken) {
    error(e.where, "`" + as + "` is a " + symbol.what + ", only maps can be called");
  }
}

void Resolver::apply(Expr& e, Map& map, const std::string& as, std::vector<Expr*> args) {
  const int given = arguments(args);
  const std::vector<std::string> names = coordinate_names(map);
  if (given >= 0 && static_cast<std::size_t>(given) != names.size()) {
    const std::string line = scopes_.line_of(map.where, e.where);
    error(e.where, "`" + as + "` takes " + count(names.size(), "argument", "arguments") + " (" + list(names) + "), " +
                       std::to_string(given) + " given" + (line.empty() ? "" : " " + line));
    return;
  }
  if (given < 0) return;
  e.kind = Expr::Kind::Apply;
  e.text = as;
  e.map = &map;
  e.args = std::move(args);
  e.type = named(map.outputs.size(), output_names(map));
}

void Resolver::inverse(Expr& e, const Symbol& symbol, const std::string& as, std::vector<Expr*> args) {
  const int given = arguments(args);
  if (given < 0) return;
  const std::vector<std::string> outputs =
      symbol.map != nullptr ? output_names(*symbol.map) : std::vector<std::string>{"value"};
  if (static_cast<std::size_t>(given) != outputs.size()) {
    const std::string line = scopes_.line_of(symbol.where, e.where);
    error(e.where, "`" + as + "` takes " + count(outputs.size(), "argument", "arguments") + " (" + list(outputs) +
                       "), " + std::to_string(given) + " given" + (line.empty() ? "" : " " + line));
    return;
  }
  e.kind = Expr::Kind::Inverse;
  e.text = as;
  e.map = symbol.map;
  e.table = symbol.table;
  e.args = std::move(args);
  e.type = symbol.map != nullptr ? named(symbol.map->domain.coordinates.size(), coordinate_names(*symbol.map))
                                 : named(symbol.table->extents.size(), {});
}

void Resolver::lookup(Expr& e, Table& table, std::vector<Expr*> args) {
  if (arguments(args) < 0) return;
  expand_tuples(args);
  if (args.size() != table.extents.size()) {
    error(e.where, "`" + table.name + "` has " + count(table.extents.size(), "dimension", "dimensions") + ", " +
                       count(args.size(), "index", "indices") + " given");
    return;
  }
  e.kind = Expr::Kind::Lookup;
  e.text = table.name;
  e.table = &table;
  e.args = std::move(args);
  e.type = {Type::Kind::Number, 1, 0, {}};
}

void Resolver::index(Expr& e) {
  // W[n][k]: all brackets in a row belong to one array.
  std::vector<const Expr*> brackets;
  const Expr* base = &e;
  while (base->kind == Expr::Kind::Index) {
    brackets.push_back(base);
    base = base->args[0];
  }
  std::reverse(brackets.begin(), brackets.end());
  const std::string as = dotted(*base);
  if (as.empty()) {
    error(e.where, "only an array or a table can be indexed, and by its name");
    return;
  }
  const Found found = scopes_.find(as);
  if (found.symbol == nullptr) return unknown_name(as, base->where);
  const Symbol& symbol = *found.symbol;
  const bool indexed = symbol.kind == Symbol::Kind::Table || symbol.kind == Symbol::Kind::Array;
  if (!indexed || !found.rest.empty()) {
    if (symbol.kind == Symbol::Kind::Map) {
      error(e.where, "`" + as + "` is a " + symbol.what + ": call it with `( )`");
    } else if (indexed) {
      error(e.where, "`" + found.name + "` has no part `" + found.rest[0] + "`", "a unit is written `.bN[..]`");
    } else if (symbol.kind != Symbol::Kind::Broken) {
      error(e.where, "`" + as + "` is a " + symbol.what + ", only arrays and tables can be indexed");
    }
    return;
  }
  const std::size_t rank = symbol.table != nullptr ? symbol.table->extents.size() : symbol.array->extents.size();
  if (brackets.size() > 1) {
    const std::size_t given = brackets[0]->args.size() - 1;
    std::string help = as + "[";
    for (const Expr* bracket : brackets) {
      for (std::size_t i = 1; i < bracket->args.size(); ++i) {
        help += (help.back() == '[' ? "" : ", ") + to_text(*bracket->args[i]);
      }
    }
    error(e.where, "`" + as + "` has " + count(rank, "dimension", "dimensions") + ", " +
                       count(given, "index", "indices") + " given",
          help.size() > 72 ? "all indices stand in one pair of brackets" : "`" + help + "]`");
    return;
  }
  if (symbol.table != nullptr) return lookup(e, *symbol.table, behind_first(e));
  e.ref.name = as;
  e.ref.index = behind_first(e);
  e.ref.where = e.where;
  if (!ref(e.ref)) return;
  e.kind = Expr::Kind::Contents;
  e.args.clear();
  e.type = {Type::Kind::Contents, 1, e.ref.width, {}};
}

void Resolver::unit_access(Expr& e) {
  std::vector<Unit> units;
  const Expr* base = &e;
  while (base->kind == Expr::Kind::UnitAccess) {
    units.push_back({base->width, base->args[1], base->where});
    base = base->args[0];
  }
  std::reverse(units.begin(), units.end());
  Ref place;
  if (base->kind == Expr::Kind::Index) {
    place.index = behind_first(*base);
    base = base->args[0];
  }
  place.name = dotted(*base);
  place.units = std::move(units);
  place.where = e.where;
  if (place.name.empty()) {
    error(e.where, "a unit `.bN[..]` is a part of an array, of an element, or of another unit");
    return;
  }
  if (!ref(place)) return;
  e.kind = Expr::Kind::Contents;
  e.ref = std::move(place);
  e.args.clear();
  e.type = {Type::Kind::Contents, 1, e.ref.width, {}};
}

}  // namespace fragproof
