// The declarations of a file, in order.
#include "spec/resolve.h"

#include <algorithm>

namespace fragproof {

Resolver::Resolver(Spec& spec, Arena& arena, const SourceSet& sources, const FragmentNames* builtin,
                   Reporter& reporter, ResolveHost host)
    : spec_(spec),
      arena_(arena),
      sources_(sources),
      reporter_(reporter),
      host_(std::move(host)),
      scopes_(reporter, sources, builtin) {}

void Resolver::file(int file, SyntaxTree& tree, bool is_main,
                    const std::vector<std::string>& broken) {
  scopes_.enter_file(file);
  for (const std::string& name : broken) scopes_.poison(name);
  announce(tree);
  for (Declaration& item : tree.declarations) {
    if (reporter_.full()) break;
    declaration(item, is_main);
    declaring_.clear();
  }
  scopes_.leave_file();
}

void Resolver::announce(const SyntaxTree& tree) {
  for (const Declaration& item : tree.declarations) {
    for (const Variable* size : item.sizes) scopes_.announce(size->name, size->where);
    for (const Binding& binding : item.lets) scopes_.announce(binding.name, binding.where);
    if (item.table != nullptr) scopes_.announce(item.table->name, item.table->where);
    if (item.map != nullptr) scopes_.announce(item.map->name, item.map->where);
    if (item.array != nullptr) scopes_.announce(item.array->name, item.array->where);
    if (item.kernel != nullptr) scopes_.announce(item.kernel->name, item.kernel->where);
    if (item.kind == Declaration::Kind::Use) scopes_.announce(item.alias, item.where);
  }
}

Variable* Resolver::new_variable(const std::string& name, Variable::Kind kind, const Span& where,
                                 unsigned uses) {
  Variable* variable = arena_.make<Variable>();
  variable->name = name;
  variable->kind = kind;
  variable->index = spec_.variable_count++;
  variable->where = where;
  variable->type = {Type::Kind::Number, 1, 0, {}};
  uses_[variable] = uses;
  return variable;
}

bool Resolver::declare(Variable* variable, const char* what) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::Variable;
  symbol.what = what;
  symbol.where = variable->where;
  symbol.variable = variable;
  return scopes_.declare(variable->name, std::move(symbol));
}

bool Resolver::may_name_callable(const std::string& name, const Span& where) {
  if (!find_type(name)) return true;
  error(where, "`" + name + "` is a type: maps, tables and arrays have other names");
  return false;
}

void Resolver::declaration(Declaration& item, bool is_main) {
  Symbol symbol;
  switch (item.kind) {
    case Declaration::Kind::Include:
      host_.include(item);
      break;
    case Declaration::Kind::Use:
      use(item);
      break;
    case Declaration::Kind::Size:
      for (Variable* size : item.sizes) {
        size->kind = Variable::Kind::Size;
        size->index = spec_.variable_count++;
        size->type = {Type::Kind::Number, 1, 0, {}};
        if (declare(size, "size")) spec_.sizes.push_back(size);
      }
      break;
    case Declaration::Kind::Let:
      for (Binding& binding : item.lets) {
        declaring_ = binding.name;
        if (binding.kind == Binding::Kind::Digits) {
          file_digits(binding);
        } else {
          file_let(binding);
        }
      }
      break;
    case Declaration::Kind::Require:
      condition(*item.require, "`require`");
      charge(item.require, cost(item.require), item.where);
      spec_.requires_.push_back(item.require);
      break;
    case Declaration::Kind::Table:
      declaring_ = item.table->name;
      table(*item.table);
      symbol.kind = Symbol::Kind::Table;
      symbol.what = "table";
      symbol.where = item.table->where;
      symbol.table = item.table;
      may_name_callable(item.table->name, item.table->where);
      scopes_.declare(item.table->name, symbol);
      spec_.tables.push_back(item.table);
      break;
    case Declaration::Kind::Map:
      declaring_ = item.map->name;
      map(*item.map);
      symbol.kind = Symbol::Kind::Map;
      symbol.what = item.map->is_fragment ? "fragment" : "map";
      symbol.where = item.map->where;
      symbol.map = item.map;
      may_name_callable(item.map->name, item.map->where);
      scopes_.declare(item.map->name, symbol);
      spec_.maps.push_back(item.map);
      break;
    case Declaration::Kind::Array:
      declaring_ = item.array->name;
      array(*item.array);
      symbol.kind = Symbol::Kind::Array;
      symbol.what = item.array->kind == Array::Kind::Tensor ? "tensor" : "pack";
      symbol.where = item.array->where;
      symbol.array = item.array;
      may_name_callable(item.array->name, item.array->where);
      scopes_.declare(item.array->name, symbol);
      spec_.arrays.push_back(item.array);
      break;
    case Declaration::Kind::Kernel:
      declaring_ = item.kernel->name;
      kernel(*item.kernel);
      symbol.kind = Symbol::Kind::Kernel;
      symbol.what = "kernel";
      symbol.where = item.kernel->where;
      symbol.kernel = item.kernel;
      scopes_.declare(item.kernel->name, symbol);
      spec_.kernels.push_back(item.kernel);
      break;
    case Declaration::Kind::Claim:
      if (is_main) claim(item.claim);
      break;
  }
}

void Resolver::use(const Declaration& item) {
  const std::string target = scopes_.expand(item.name);
  if (!scopes_.is_prefix(target)) {
    unknown_prefix(item);
    scopes_.poison(item.alias);
    return;
  }
  Symbol symbol;
  symbol.kind = Symbol::Kind::Alias;
  symbol.what = "short name of `" + target + "`";
  symbol.where = item.where;
  symbol.target = target;
  if (!scopes_.declare(item.alias, symbol)) scopes_.poison(item.alias);
}

// The near miss of a prefix is a prefix: as many parts of a fragment's name as were written.
void Resolver::unknown_prefix(const Declaration& item) {
  if (scopes_.is_poisoned(item.name)) return;
  std::optional<Suggestion> near = scopes_.suggest(item.name);
  if (!near) near = scopes_.suggest(item.name + ".A");
  std::string help;
  if (near) {
    const auto parts = std::count(item.name.begin(), item.name.end(), '.');
    std::size_t end = 0;
    for (auto i = parts; i >= 0 && end != std::string::npos; --i)
      end = near->name.find('.', end == 0 ? 0 : end + 1);
    help = "did you mean `" + near->name.substr(0, end) + "`?";
  }
  error(item.where, "unknown name `" + item.name + "`", help);
}

void Resolver::file_let(Binding& binding) {
  resolve(*binding.value);
  binding.variable = new_variable(binding.name, Variable::Kind::FileLet, binding.where);
  binding.variable->type = binding.value->type;
  binding.variable->value = binding.value;
  charge(binding.variable, cost(binding), binding.where);
  declare(binding.variable, "let");
}

// `let [a:A, b:B] = x` at file level: its digits are undefined when x is out of range, only where
// they are used. That is what a map says, so a map it becomes: `map [a, b](x : [a:A, b:B]) -> (a,
// b) = (a, b)`.
void Resolver::file_digits(Binding& binding) {
  number(*binding.value);
  Map* split = arena_.make<Map>();
  split->where = binding.where;
  Coordinate whole;
  whole.name = "value";
  whole.where = binding.where;
  whole.digits = binding.digits;
  split->domain.span = binding.where;
  split->domain.coordinates.push_back(whole);
  std::vector<Expr*> radices;
  std::vector<std::string> names;
  for (DigitBinding& digit : split->domain.coordinates[0].digits) {
    number(*digit.radix);
    check_extent(*digit.radix, "the radix of digit `" + digit.name + "`");
    radices.push_back(digit.radix);
    names.push_back(digit.name);
    split->name += (split->name.empty() ? "[" : ", ") + digit.name;
  }
  split->name += "]";
  Coordinate& coordinate = split->domain.coordinates[0];
  coordinate.extent = product(radices, binding.where);
  coordinate.variable =
      new_variable(coordinate.name, Variable::Kind::Coordinate, binding.where, uses_local);
  for (DigitBinding& digit : coordinate.digits) {
    digit.variable = new_variable(digit.name, Variable::Kind::Digit, digit.where, uses_local);
    OutputDef output;
    output.name = digit.name;
    output.where = digit.where;
    output.variable = new_variable(digit.name, Variable::Kind::Output, digit.where, uses_local);
    output.codomain = digit.radix;
    output.value = variable_use(digit.variable, digit.where);
    output.variable->value = output.value;
    split->steps.push_back({Map::Step::Kind::Output, split->outputs.size()});
    split->outputs.push_back(output);
  }
  charge(split, cost(split->domain), binding.where);
  Expr* applied = arena_.make<Expr>();
  applied->kind = Expr::Kind::Apply;
  applied->where = binding.value->where;
  applied->text = split->name;
  applied->map = split;
  applied->args = {binding.value};
  const int arity = static_cast<int>(names.size());
  applied->type = {arity == 1 ? Type::Kind::Number : Type::Kind::Tuple, arity, 0, names};
  for (std::size_t i = 0; i < binding.digits.size(); ++i) {
    Expr* part = applied;
    if (arity > 1) {
      part = arena_.make<Expr>();
      part->kind = Expr::Kind::Field;
      part->where = binding.digits[i].where;
      part->text = names[i];
      part->args = {applied};
      part->field = static_cast<int>(i);
      part->type = {Type::Kind::Number, 1, 0, {}};
    }
    Variable* digit = new_variable(names[i], Variable::Kind::FileLet, binding.digits[i].where);
    digit->value = part;
    binding.digits[i].variable = digit;
    charge(digit, cost(part), binding.where);
    declare(digit, "digit");
  }
}

}  // namespace fragproof
