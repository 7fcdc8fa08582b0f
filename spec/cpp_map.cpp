// Maps, fragments and fixed tables as C++ structs.
#include <algorithm>
#include <optional>

#include "spec/cpp_names.h"
#include "spec/cpp_writer.h"
#include "spec/digit_inverse.h"
#include "spec/eval.h"

namespace fragproof {
namespace {

constexpr Int most_points = 1 << 16;         // of a map that is looked at for its inverse
constexpr std::size_t most_entries = 65536;  // of a table in the text

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

// A name of a struct's own function: not the struct's, which C++ would take for a constructor.
std::string member_name(const std::string& name, const std::string& of_struct) {
  const std::string member = cpp_identifier(name);
  return member == of_struct ? member + "_" : member;
}

// The extents of the coordinates and the values at all points, where no size has a say in them.
struct Whole {
  std::vector<Int> extents, codomains;
  std::vector<std::vector<Int>> values;
};
std::optional<Whole> whole(const Spec& spec, const Map& map) {
  Evaluator evaluator(spec, Shape{});
  Whole all;
  Int points = 1;
  for (const Coordinate& coordinate : map.domain.coordinates) {
    if (coordinate.extent == nullptr) return std::nullopt;
    const Scalar extent = evaluator.scalar(*coordinate.extent);
    if (extent.outcome != Outcome::Ok || extent.value < 1 || extent.value > most_points) {
      return std::nullopt;
    }
    all.extents.push_back(extent.value);
    points *= extent.value;
    if (points > most_points) return std::nullopt;
  }
  for (const OutputDef& output : map.outputs) {
    if (output.codomain == nullptr) continue;
    const Scalar extent = evaluator.scalar(*output.codomain);
    if (extent.outcome == Outcome::Ok) all.codomains.push_back(extent.value);
  }
  if (all.codomains.size() != map.outputs.size()) all.codomains.clear();
  std::vector<Column> arguments;
  Int below = points;
  for (const Int extent : all.extents) {
    below /= extent;
    std::vector<std::int64_t> column;
    for (Int p = 0; p < points; ++p)
      column.push_back(static_cast<std::int64_t>(p / below % extent));
    arguments.emplace_back(std::move(column));
  }
  const auto size = static_cast<std::size_t>(points);
  const Values values = evaluator.apply(map, std::move(arguments), size);
  for (std::size_t p = 0; p < size; ++p) {
    if (values.at(p) != Outcome::Ok) return std::nullopt;
    all.values.emplace_back();
    for (const Column& member : values.members) all.values.back().push_back(member.at(p));
  }
  return all;
}

bool is_injective(const Whole& all) {
  std::set<std::vector<Int>> seen;
  return std::all_of(all.values.begin(), all.values.end(),
                     [&](const std::vector<Int>& value) { return seen.insert(value).second; });
}

}  // namespace

CppMentions CppWriter::mentions_of(const Map& map) const {
  CppMentions mentions;
  mentions.add(map.domain);
  for (const Binding& binding : map.bindings) {
    mentions.add(*binding.value);
    if (binding.next != nullptr) mentions.add(*binding.next);
    for (const DigitBinding& digit : binding.digits) mentions.add(*digit.radix);
  }
  for (const OutputDef& output : map.outputs) {
    if (output.codomain != nullptr) mentions.add(*output.codomain);
    mentions.add(*output.value);
  }
  return mentions;
}

// Something applies its inverse, or the file claims that there is one.
bool CppWriter::wants_inverse(const Map& map) const {
  if (inverted_.contains(&map)) return true;
  return std::any_of(spec_.claims.begin(), spec_.claims.end(), [&](const Claim& claim) {
    const Expr& e = *claim.condition;
    const bool injective =
        e.kind == Expr::Kind::Predicate && e.map == &map &&
        (e.predicate == Predicate::Injective || e.predicate == Predicate::Bijective);
    return injective && !claim.refute;
  });
}

void CppWriter::contains(const Map& map, const Parameters& parameters, Lines& lines) {
  CppBody extents(cpp_frame(map), scope(parameters));
  Function function;
  function.result = "bool";
  function.name = "contains";
  std::string inside;
  for (const Coordinate& coordinate : map.domain.coordinates) {
    const std::string& name = extents.name(coordinate.variable);
    function.arguments.push_back(name);
    inside += (inside.empty() ? "" : " && ") + ("0 <= " + name);
    if (coordinate.extent == nullptr) continue;
    extents.need(*coordinate.extent);
    inside += " && " + name + " < " + cpp_product({coordinate.extent}, extents.scope());
  }
  // File lets before the coordinates, digits that an extent mentions too: all are sums and
  // quotients that exist for any point.
  function.body = extents.locals();
  if (map.domain.where == nullptr) {
    function.body.push_back("return " + inside + ";");
  } else {
    CppBody where(cpp_frame(map), scope(parameters));
    where.need(*map.domain.where);
    function.body.push_back("if (!(" + inside + ")) return false;");
    for (const std::string& local : where.locals()) {
      if (std::find(function.body.begin(), function.body.end(), local) == function.body.end()) {
        function.body.push_back(local);
      }
    }
    function.body.push_back("return " + cpp_condition(*map.domain.where, where.scope()) + ";");
  }
  this->function(function, parameters, lines);
}

// The values: one function for a single output; for more `at`, which gives all, and one each.
void CppWriter::values(const Map& map, const CppCallee& callee, const Parameters& parameters,
                       Lines& lines) {
  CppBody body(cpp_frame(map), scope(parameters));
  std::vector<std::string> arguments, outputs;
  for (const Coordinate& coordinate : map.domain.coordinates) {
    arguments.push_back(body.name(coordinate.variable));
  }
  for (const OutputDef& output : map.outputs) body.need(*output.value);
  if (map.outputs.size() == 1) {
    Function single;
    single.name = callee.outputs[0];
    single.arguments = arguments;
    single.body = body.locals();
    single.body.push_back("return " + cpp_number(*map.outputs[0].value, body.scope()) + ";");
    function(single, parameters, lines);
    return;
  }
  // Every output is a local, so that a later one may use it.
  Expr* all = arena_.make<Expr>();
  for (const OutputDef& output : map.outputs) {
    all->args.push_back(const_cast<Expr*>(use(output.variable)));
    outputs.push_back(body.name(output.variable));
  }
  body.need(*all);
  Function at;
  at.result = "Value";
  at.name = "at";
  at.arguments = arguments;
  at.body = body.locals();
  at.body.push_back("return {" + joined(outputs, ", ") + "};");
  lines.push_back("struct Value {");
  lines.push_back("  int64_t " + joined(callee.outputs, ", ") + ";");
  lines.emplace_back("};");
  function(at, parameters, lines);
  std::vector<std::string> passed = arguments;
  for (const Variable* size : parameters.sizes) passed.push_back(cpp_identifier(size->name));
  for (const Table* table : parameters.tables) passed.push_back(cpp_identifier(table->name));
  for (const std::string& output : callee.outputs) {
    Function one;
    one.name = output;
    one.arguments = arguments;
    one.body = {"return at(" + joined(passed, ", ") + ")." + output + ";"};
    function(one, parameters, lines);
  }
}

// Tries all points of the domain.
CppWriter::Lines CppWriter::search(const Map& map, const CppCallee& callee, const CppBody& body,
                                   const std::vector<std::string>& outputs) const {
  Lines lines;
  std::vector<std::string> names, passed, missing;
  std::string margin;
  for (const Coordinate& coordinate : map.domain.coordinates) {
    const std::string& name = body.name(coordinate.variable);
    lines.push_back(margin + "for (int64_t " + name + " = 0; " + name + " < " +
                    cpp_product({coordinate.extent}, body.scope()) + "; ++" + name + ") {");
    names.push_back(name);
    missing.emplace_back("-1");
    margin += "  ";
  }
  passed = names;
  for (const Variable* size : callee.sizes) passed.push_back(cpp_identifier(size->name));
  for (const Table* table : callee.tables) passed.push_back(cpp_identifier(table->name));
  const std::string call = "(" + joined(passed, ", ") + ")";
  if (map.domain.where != nullptr) lines.push_back(margin + "if (!contains" + call + ") continue;");
  std::string same;
  if (outputs.size() == 1) {
    same = callee.name + "::" + callee.outputs[0] + call + " == " + outputs[0];
  } else {
    lines.push_back(margin + "const Value result = at" + call + ";");
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      same += (i == 0 ? "result." : " && result.") + callee.outputs[i] + " == " + outputs[i];
    }
  }
  lines.push_back(margin + "if (" + same + ") return {" + joined(names, ", ") + "};");
  for (std::size_t i = names.size(); i-- > 0;) lines.push_back(std::string(2 * i, ' ') + "}");
  lines.push_back("return {" + joined(missing, ", ") + "};");
  return lines;
}

// `inverse(outputs ..)`: the point that has these outputs. Formulas where the map rearranges
// digits; else a search. False when there is none to be had.
bool CppWriter::inverse(const Map& map, CppCallee& callee, const Parameters& parameters,
                        Lines& lines) {
  const bool bounded = std::all_of(map.domain.coordinates.begin(), map.domain.coordinates.end(),
                                   [](const Coordinate& c) { return c.extent != nullptr; });
  if (!bounded) return false;
  std::optional<Whole> all;
  if (parameters.sizes.empty() && parameters.tables.empty() && map.domain.where == nullptr) {
    all = whole(spec_, map);
  }
  const bool injective = all && is_injective(*all);
  if (!injective && !wants_inverse(map)) return false;

  CppBody body(cpp_frame(map), scope(parameters));
  std::vector<std::string> outputs;
  Function function;
  function.result = "Point";
  function.name = "inverse";
  for (const OutputDef& output : map.outputs) outputs.push_back(body.name(output.variable));
  function.arguments = outputs;
  const std::optional<DigitInverse> digits =
      injective ? digit_inverse(all->extents, all->codomains, all->values) : std::nullopt;
  std::vector<std::string> names;
  for (const Coordinate& coordinate : map.domain.coordinates) {
    names.push_back(body.name(coordinate.variable));
    if (!digits) body.need(*coordinate.extent);
  }
  if (digits) {
    for (std::size_t c = 0; c < names.size(); ++c) {
      function.body.push_back("const int64_t " + names[c] + " = " +
                              to_text((*digits)[c], outputs, true) + ";");
    }
    function.body.push_back("return {" + joined(names, ", ") + "};");
  } else {
    function.comment = "The way back, by search: -1 where nothing is mapped. " +
                       std::string(injective ? "" : "Needs a map that is defined at all points.");
    function.comment = function.comment.substr(0, function.comment.find_last_not_of(' ') + 1);
    function.body = search(map, callee, body, outputs);
    const Lines locals = [&] {
      Lines needed;
      for (const std::string& local : body.locals()) {
        const bool of_point = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
          return cpp_mentions(local, name);
        });
        if (of_point) throw CppUnsupported("an extent that depends on digits of a coordinate");
        needed.push_back(local);
      }
      return needed;
    }();
    function.body.insert(function.body.begin(), locals.begin(), locals.end());
  }
  lines.push_back("struct Point {");
  lines.push_back("  int64_t " + joined(callee.inverse, ", ") + ";");
  lines.emplace_back("};");
  this->function(function, parameters, lines);
  std::vector<std::string> passed = outputs;
  for (const Variable* size : parameters.sizes) passed.push_back(cpp_identifier(size->name));
  for (const Table* table : parameters.tables) passed.push_back(cpp_identifier(table->name));
  for (const std::string& coordinate : callee.inverse) {
    Function one;
    one.name = coordinate;
    one.arguments = outputs;
    one.body = {"return inverse(" + joined(passed, ", ") + ")." + coordinate + ";"};
    this->function(one, parameters, lines);
  }
  return true;
}

CppWriter::Lines CppWriter::map(const Map& map, const std::string& wanted) {
  std::string name = wanted.empty() ? cpp_identifier(map.name) : wanted;
  if (wanted.empty()) {
    while (!names_.insert(name).second) name += "x";
  }
  CppCallee callee;
  callee.name = name;
  for (const OutputDef& output : map.outputs) {
    callee.outputs.push_back(member_name(output.name, name));
  }
  for (const Coordinate& coordinate : map.domain.coordinates) {
    callee.inverse.push_back(member_name(coordinate.name, name));
  }
  const Parameters parameters = this->parameters(mentions_of(map));
  callee.sizes = parameters.sizes;
  callee.tables = parameters.tables;

  Lines inner;
  if (map.is_fragment) {
    const int width = map.element.width;
    const int reg = width == 64 ? 64 : 32;
    inner.push_back("static constexpr int bits = " + std::to_string(width) + ";  // of an element");
    function({"The register that holds an element of a lane, and the element's first bit in it.",
              "int64_t",
              "register_of",
              {"elem"},
              {"return elem * " + std::to_string(width) + " / " + std::to_string(reg) + ";"}},
             {}, inner);
    function({"",
              "int64_t",
              "bit_of",
              {"elem"},
              {"return elem * " + std::to_string(width) + " % " + std::to_string(reg) + ";"}},
             {}, inner);
  }
  for (const Coordinate& coordinate : map.domain.coordinates) {
    count(cpp_identifier(coordinate.name), coordinate.extent, parameters, inner);
  }
  for (const OutputDef& output : map.outputs) {
    count(cpp_identifier(output.name), output.codomain, parameters, inner);
  }
  contains(map, parameters, inner);
  values(map, callee, parameters, inner);
  if (!inverse(map, callee, parameters, inner)) callee.inverse.clear();

  Lines lines = cpp_comment(spec_, map.where);
  lines.push_back("struct " + name + " {");
  cpp_indent(inner, lines);
  lines.emplace_back("};");
  callees_.emplace(&map, std::move(callee));
  return lines;
}

CppWriter::Lines CppWriter::table(const Table& table, const std::string& name) {
  if (table.numbers.size() > most_entries) {
    throw CppUnsupported("it has " + std::to_string(table.numbers.size()) + " entries");
  }
  std::vector<Variable*> indices;
  std::vector<const Expr*> uses, extents(table.extents.begin(), table.extents.end());
  CppMentions mentions;
  for (std::size_t i = 0; i < table.extents.size(); ++i) {
    indices.push_back(variable("i" + std::to_string(i), Variable::Kind::Coordinate));
    uses.push_back(use(indices.back()));
    if (i > 0) mentions.add(*table.extents[i]);
  }
  const Parameters parameters = this->parameters(mentions);
  if (!parameters.sizes.empty()) throw CppUnsupported("its extents depend on sizes");
  CppBody body({}, scope(parameters));
  Function at;
  at.name = "at";
  for (const Variable* index : indices) {
    body.add(index);
    at.arguments.push_back(body.name(index));
  }
  const Expr* flat = row_major(uses, extents);
  body.need(*flat);
  const bool small = std::all_of(table.numbers.begin(), table.numbers.end(),
                                 [](Int value) { return value >= 0 && value < (Int{1} << 31); });
  std::string line = std::string("constexpr ") + (small ? "int" : "int64_t") + " values[] = {";
  for (std::size_t i = 0; i < table.numbers.size(); ++i) {
    if (table.numbers[i] > INT64_MAX) throw CppUnsupported("a value leaves 64 bits");
    const std::string item =
        to_string(table.numbers[i]) + (i + 1 < table.numbers.size() ? "," : "};");
    if (line.size() + item.size() > 90) {
      at.body.push_back(line);
      line = "    " + item;
    } else {
      line += (line.back() == '{' ? "" : " ") + item;
    }
  }
  at.body.push_back(line);
  const Lines locals = body.locals();
  at.body.insert(at.body.end(), locals.begin(), locals.end());
  at.body.push_back("return values[" + cpp_number(*flat, body.scope()) + "];");
  Lines inner;
  inner.push_back("static constexpr int64_t count = " + std::to_string(table.numbers.size()) + ";");
  function(at, parameters, inner);
  if (table.extents.size() == 1) {
    function({"The index of a value, by search: -1 where it is none.",
              "int64_t",
              "inverse",
              {"value"},
              {"for (int64_t i = 0; i < count; ++i) {", "  if (at(i) == value) return i;", "}",
               "return -1;"}},
             parameters, inner);
  }
  Lines lines = cpp_comment(spec_, table.where);
  if (lines.size() > 4) lines.resize(4);
  lines.push_back("struct " + name + " {");
  cpp_indent(inner, lines);
  lines.emplace_back("};");
  tables_[&table] = name;
  return lines;
}

}  // namespace fragproof
