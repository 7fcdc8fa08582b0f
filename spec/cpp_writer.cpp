// What every struct of the generated header needs: functions, parameters, comments, callees.
#include "spec/cpp_writer.h"

#include <algorithm>

#include "spec/cpp_names.h"
#include "spec/load.h"

namespace fragproof {
namespace {

constexpr std::size_t columns = 96;  // of a line inside its struct and namespace
constexpr int longest_comment = 60;  // lines of a declaration's text

// Text that may stand behind `//`: nothing that a compiler could take for the line's continuation.
std::string harmless(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 32 || c == '\\') c = ' ';
  }
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// Without the comment of the language that ends it.
std::string code_of(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '#' && !quoted) line = line.substr(0, i);
  }
  return harmless(std::string(line));
}

// The constants of a body that nothing behind them mentions go: the top digit of a number does not
// need its radix, and compilers tell about each.
std::vector<std::string> without_unused(const std::vector<std::string>& body) {
  std::vector<std::string> kept;
  std::string behind;
  for (auto line = body.rbegin(); line != body.rend(); ++line) {
    const std::size_t equals = line->find(" = ");
    const bool constant = line->starts_with("const ") && equals != std::string::npos;
    const std::size_t name = constant ? line->rfind(' ', equals - 1) + 1 : 0;
    if (constant && !cpp_mentions(behind, line->substr(name, equals - name))) continue;
    kept.insert(kept.begin(), *line);
    behind += *line + "\n";
  }
  return kept;
}

// The operands of instructions that have several.
constexpr std::string_view operands[] = {".A.row", ".A.col", ".B.row", ".B.col",
                                         ".C16",   ".A",     ".B",     ".C"};

}  // namespace

std::vector<std::string> cpp_comment(const Spec& spec, const Span& where) {
  std::vector<std::string> lines;
  if (where.file < 0) return lines;
  const SourceSet::File& file = spec.sources->file(where.file);
  for (std::size_t i = static_cast<std::size_t>(where.line) - 1;
       i < file.lines.size() && lines.size() < longest_comment; ++i) {
    const std::string code = code_of(file.lines[i]);
    const bool first = lines.empty();
    if (!first && (file.lines[i].empty() || file.lines[i].front() != ' ')) break;
    if (!code.empty()) lines.push_back("// " + code);
  }
  return lines;
}

void cpp_indent(const std::vector<std::string>& lines, std::vector<std::string>& into) {
  for (const std::string& line : lines) into.push_back(line.empty() ? line : "  " + line);
}

CppInstruction cpp_instruction(const Map& builtin) {
  for (const std::string_view operand : operands) {
    if (!builtin.name.ends_with(operand)) continue;
    const std::size_t dot = builtin.name.size() - operand.size();
    return {cpp_identifier(builtin.name.substr(0, dot)), cpp_identifier(operand)};
  }
  return {cpp_identifier(builtin.name), ""};
}

CppWriter::CppWriter(const Spec& spec, std::set<const Map*>& uses) : spec_(spec), uses_(uses) {}

const CppCallee& CppWriter::callee(const Map& map) {
  const auto known = callees_.find(&map);
  if (known != callees_.end()) return known->second;
  if (const auto why = failed_.find(&map); why != failed_.end()) {
    throw CppUnsupported("`" + map.name + "` is not in the header");
  }
  if (map.is_builtin) {
    uses_.insert(&map);
    const CppInstruction instruction = cpp_instruction(map);
    CppCallee callee;
    callee.name = "::fragproof::" + instruction.name +
                  (instruction.operand.empty() ? "" : "::" + instruction.operand);
    for (const OutputDef& output : map.outputs) {
      callee.outputs.push_back(cpp_identifier(output.name));
    }
    for (const Coordinate& coordinate : map.domain.coordinates) {
      callee.inverse.push_back(cpp_identifier(coordinate.name));
    }
    return callees_.emplace(&map, std::move(callee)).first->second;
  }
  // A map that the file does not list: the digits of a `let` of the file.
  const Lines lines = this->map(map, "");
  pending_.insert(pending_.end(), lines.begin(), lines.end());
  pending_.emplace_back();
  return callees_.at(&map);
}

std::string CppWriter::table_name(const Table& table) {
  const auto known = tables_.find(&table);
  if (known == tables_.end())
    throw CppUnsupported("table `" + table.name + "` is not in the header");
  return known->second;
}

CppWriter::Parameters CppWriter::parameters(const CppMentions& mentions) {
  std::map<int, const Variable*> sizes;
  std::set<const Table*> tables;
  std::set<const Variable*> seen;
  const std::function<void(const CppMentions&)> add = [&](const CppMentions& of) {
    for (const Variable* variable : of.variables) {
      if (variable->kind == Variable::Kind::Size) sizes[variable->index] = variable;
      if (variable->kind != Variable::Kind::FileLet || !seen.insert(variable).second) continue;
      CppMentions inside;
      inside.add(*variable->value);
      add(inside);
    }
    for (const Map* map : of.maps) {
      const CppCallee& called = callee(*map);
      for (const Variable* size : called.sizes) sizes[size->index] = size;
      tables.insert(called.tables.begin(), called.tables.end());
    }
    for (const Table* table : of.tables) {
      if (!table->has_values) tables.insert(table);
    }
  };
  add(mentions);
  Parameters parameters;
  for (const auto& [index, size] : sizes) parameters.sizes.push_back(size);
  for (const Table* table : spec_.tables) {
    if (tables.contains(table)) parameters.tables.push_back(table);
  }
  return parameters;
}

CppScope CppWriter::scope(const Parameters& parameters) {
  CppScope scope;
  for (const Variable* size : parameters.sizes) scope.names[size] = cpp_identifier(size->name);
  for (const Table* table : parameters.tables) {
    scope.pointers[table] = cpp_identifier(table->name);
  }
  scope.map = [this](const Map& map) -> const CppCallee& { return callee(map); };
  scope.table = [this](const Table& table) { return table_name(table); };
  return scope;
}

void CppWriter::function(const Function& given, const Parameters& parameters, Lines& lines) {
  Function function = given;
  function.body = without_unused(given.body);
  std::string body;
  for (const std::string& line : function.body) body += line + "\n";
  std::vector<std::string> list;
  const auto add = [&](const std::string& type, const std::string& name) {
    const bool used = cpp_mentions(body, name);
    if (used || !function.lean) list.push_back(type + (used ? name : "/*" + name + "*/"));
  };
  for (const std::string& argument : function.arguments) add("int64_t ", argument);
  for (const Variable* size : parameters.sizes) add("int64_t ", cpp_identifier(size->name));
  for (const Table* table : parameters.tables) {
    add("const int64_t* ", cpp_identifier(table->name));
  }
  if (!function.comment.empty()) lines.push_back("// " + function.comment);
  std::string line = "FRAGPROOF_HD static constexpr " + function.result + " " + function.name + "(";
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string item = list[i] + (i + 1 < list.size() ? "," : ") {");
    if (line.size() + item.size() + 1 > columns) {
      lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
      line = "    " + item;
    } else {
      line += (line.back() == '(' || line.back() == ' ' ? "" : " ") + item;
    }
  }
  if (list.empty()) line += ") {";
  const bool short_body =
      function.body.size() == 1 && line.size() + function.body[0].size() + 3 <= columns;
  if (short_body) {
    lines.push_back(line + " " + function.body[0] + " }");
    return;
  }
  lines.push_back(line);
  cpp_indent(function.body, lines);
  lines.emplace_back("}");
}

void CppWriter::count(const std::string& name, const Expr* extent, const Parameters& parameters,
                      Lines& lines) {
  if (extent == nullptr) return;
  CppBody body({}, scope(parameters));
  body.need(*extent);
  Function function;
  function.name = name + "_count";
  try {
    function.body = body.locals();
    function.body.push_back("return " + cpp_number(*extent, body.scope()) + ";");
  } catch (const CppUnsupported&) {
    return;  // it depends on a coordinate before it
  }
  this->function(function, parameters, lines);
}

void CppWriter::value(const std::string& comment, const std::string& result,
                      const std::string& name, const CppFrame& frame,
                      const std::vector<const Variable*>& arguments, const Expr& expr,
                      const Parameters& parameters, Lines& lines, bool lean) {
  CppBody body(frame, scope(parameters));
  for (const Variable* argument : arguments) {
    if (!body.scope().names.contains(argument)) body.add(argument);
  }
  body.need(expr);
  Function function;
  function.comment = comment;
  function.result = result;
  function.name = name;
  function.lean = lean;
  for (const Variable* argument : arguments) function.arguments.push_back(body.name(argument));
  function.body = body.locals();
  function.body.push_back(
      "return " +
      (result == "bool" ? cpp_condition(expr, body.scope()) : cpp_number(expr, body.scope())) +
      ";");
  this->function(function, parameters, lines);
}

const Expr* CppWriter::number(Int value) {
  Expr* e = arena_.make<Expr>();
  e->kind = Expr::Kind::Number;
  e->number = value;
  e->type = {Type::Kind::Number, 1, 0, {}};
  return e;
}

Variable* CppWriter::variable(const std::string& name, Variable::Kind kind) {
  Variable* variable = arena_.make<Variable>();
  variable->name = name;
  variable->kind = kind;
  variable->type = {Type::Kind::Number, 1, 0, {}};
  return variable;
}

const Expr* CppWriter::use(Variable* variable) {
  Expr* e = arena_.make<Expr>();
  e->kind = Expr::Kind::Variable;
  e->variable = variable;
  e->type = variable->type;
  return e;
}

const Expr* CppWriter::binary(Binary op, const Expr* a, const Expr* b) {
  Expr* e = arena_.make<Expr>();
  e->kind = Expr::Kind::Binary;
  e->binary = op;
  e->args = {const_cast<Expr*>(a), const_cast<Expr*>(b)};
  e->type = {Type::Kind::Number, 1, 0, {}};
  return e;
}

const Expr* CppWriter::row_major(const std::vector<const Expr*>& indices,
                                 const std::vector<const Expr*>& extents) {
  if (indices.size() == 1) return indices[0];
  Expr* e = arena_.make<Expr>();
  e->kind = Expr::Kind::Digits;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    e->args.push_back(const_cast<Expr*>(indices[i]));
    e->args.push_back(const_cast<Expr*>(extents[i]));
  }
  e->type = {Type::Kind::Number, 1, 0, {}};
  return e;
}

const Expr* CppWriter::position(const Ref& ref) {
  const Expr* sum = nullptr;
  const auto add = [&](const Expr* index, int width) {
    if (width % ref.width != 0) {
      throw CppUnsupported("units of " + std::to_string(ref.width) + " bits in units of " +
                           std::to_string(width));
    }
    const int factor = width / ref.width;
    const Expr* term = factor == 1 ? index : binary(Binary::Mul, number(factor), index);
    sum = sum == nullptr ? term : binary(Binary::Add, sum, term);
  };
  if (!ref.index.empty()) {
    const Array& array = *ref.array;
    add(row_major({ref.index.begin(), ref.index.end()},
                  {array.extents.begin(), array.extents.end()}),
        array.element.width);
  }
  for (const Unit& unit : ref.units) add(unit.index, unit.width);
  return sum;
}

}  // namespace fragproof
