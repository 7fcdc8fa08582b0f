// What is called and what is indexed: maps, their inverses, tables, and places in arrays.
#include <algorithm>

#include "spec/foreign.h"
#include "spec/resolve.h"

namespace fragproof {
namespace {

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
  return {arity == 1 ? Type::Kind::Number : Type::Kind::Tuple, static_cast<int>(arity), 0,
          std::move(names)};
}

}  // namespace

int Resolver::arguments(std::vector<Expr*>& args) {
  int members = 0;
  bool known = true;
  for (Expr* arg : args) {
    resolve(*arg);
    if (arg->type.kind == Type::Kind::Contents) not_a_number(*arg);
    known =
        known && arg->type.kind != Type::Kind::Unknown && arg->type.kind != Type::Kind::Contents;
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
  const std::string as = dotted_name(*e.args[0]);
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
  if (symbol.kind == Symbol::Kind::Map && found.rest.empty())
    return apply(e, *symbol.map, as, args);
  if (symbol.kind == Symbol::Kind::Map) {
    error(
        e.where,
        "`" + found.name + "` has no part `" + found.rest[0] + "` to call; it is a " + symbol.what,
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
    error(e.where, "`" + as + "` takes " + count(names.size(), "argument", "arguments") + " (" +
                       list(names) + "), " + std::to_string(given) + " given" +
                       (line.empty() ? "" : " " + line));
    return;
  }
  if (given < 0) return;
  e.kind = Expr::Kind::Apply;
  e.text = as;
  e.map = &map;
  e.args = std::move(args);
  e.type = named(map.outputs.size(), output_names(map));
}

void Resolver::inverse(Expr& e, const Symbol& symbol, const std::string& as,
                       std::vector<Expr*> args) {
  const int given = arguments(args);
  if (given < 0) return;
  const std::vector<std::string> outputs =
      symbol.map != nullptr ? output_names(*symbol.map) : std::vector<std::string>{"value"};
  if (static_cast<std::size_t>(given) != outputs.size()) {
    const std::string line = scopes_.line_of(symbol.where, e.where);
    error(e.where, "`" + as + "` takes " + count(outputs.size(), "argument", "arguments") + " (" +
                       list(outputs) + "), " + std::to_string(given) + " given" +
                       (line.empty() ? "" : " " + line));
    return;
  }
  e.kind = Expr::Kind::Inverse;
  e.text = as;
  e.map = symbol.map;
  e.table = symbol.table;
  e.args = std::move(args);
  e.type = symbol.map != nullptr
               ? named(symbol.map->domain.coordinates.size(), coordinate_names(*symbol.map))
               : named(symbol.table->extents.size(), {});
}

void Resolver::lookup(Expr& e, Table& table, std::vector<Expr*> args) {
  for (Expr* arg : args) number(*arg);
  if (args.size() != table.extents.size()) {
    error(e.where, "`" + table.name + "` has " +
                       count(table.extents.size(), "dimension", "dimensions") + ", " +
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
  const std::string as = dotted_name(*base);
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
      const int width = foreign_width(found.rest[0]);
      error(e.where, "`" + found.name + "` has no part `" + found.rest[0] + "`",
            width == 0 ? "a unit is written `.bN[..]`"
                       : "write `" + found.name + ".b" + std::to_string(width) + "[..]`");
    } else if (symbol.kind != Symbol::Kind::Broken) {
      error(e.where,
            "`" + as + "` is a " + symbol.what + ", only arrays and tables can be indexed");
    }
    return;
  }
  const std::size_t rank =
      symbol.table != nullptr ? symbol.table->extents.size() : symbol.array->extents.size();
  if (brackets.size() > 1) {
    const std::size_t given = brackets[0]->args.size() - 1;
    std::string help = as + "[";
    for (const Expr* bracket : brackets) {
      for (std::size_t i = 1; i < bracket->args.size(); ++i) {
        help += (help.back() == '[' ? "" : ", ") + to_text(*bracket->args[i]);
      }
    }
    error(e.where,
          "`" + as + "` has " + count(rank, "dimension", "dimensions") + ", " +
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
  place.name = dotted_name(*base);
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
