// Names in expressions and their members; names that are none, and what they were meant to be.
#include <algorithm>

#include "spec/resolve.h"
#include "spec/suggest.h"

namespace fragproof {
namespace {

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> coordinate_names(const Map& map) {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : map.domain.coordinates) names.push_back(coordinate.name);
  return names;
}

}  // namespace

std::string Resolver::dotted_name(const Expr& e) {
  std::string tail;
  const Expr* at = &e;
  while (at->kind == Expr::Kind::Member) {
    tail = "." + at->text + tail;
    at = at->args[0];
  }
  return at->kind == Expr::Kind::Name ? at->text + tail : "";
}

void Resolver::unknown_name(const std::string& name, const Span& where, bool called) {
  if (scopes_.is_poisoned(name)) return;
  const std::string first = name.substr(0, name.find('.'));
  const std::string text = "unknown name `" + name + "`";
  if (first == "threadIdx" || first == "blockIdx" || first == "blockDim" || first == "gridDim") {
    error(where, text,
          "indices are named, not taken from the hardware: `let tid = 32*warp + lane`");
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
        error(where, text,
              "the `where` of a claim is about sizes: `forall(" + domain + " where " +
                  to_text(*where_of_->where_clause) + ") P`");
        return;
      }
    }
  }
  if (name == declaring_) {
    error(where, text, "`" + name + "` is visible only behind its own declaration");
    return;
  }
  if (const std::optional<Span> later = scopes_.announced(first);
      later && later->line > where.line) {
    error(where, text,
          "`" + first + "` is declared below " + scopes_.line_of(*later, where) +
              ": move its declaration up");
    return;
  }
  std::vector<std::string> extra;
  if (called) {
    extra = {"min",  "max",       "ceildiv", "total",   "injective",
             "onto", "bijective", "ways",    "sectors", "coalesced"};
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
      error(where, text + ": call it",
            "`" + name + "(" + list(coordinate_names(*symbol.map)) + ")`");
      return;
    case Symbol::Kind::Table:
      error(where, text + ": index it", "`" + name + "[..]`");
      return;
    case Symbol::Kind::Array:
      error(where, text + ": name a place in it", "`" + name + "[..]` or `" + name + ".bN[..]`");
      return;
    case Symbol::Kind::Variable:
    case Symbol::Kind::Kernel:
    case Symbol::Kind::Load:
    case Symbol::Kind::Accumulator:
      error(where, text);
      return;
    case Symbol::Kind::Alias:
    case Symbol::Kind::Broken:
      return;
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
  const std::string root = as.substr(
      0, as.size() - [&] {
        std::size_t tail = 0;
        for (const std::string& part : found.rest) tail += part.size() + 1;
        return tail;
      }());
  if (symbol.kind == Symbol::Kind::Kernel) return kernel_name(e, found, as);
  if (symbol.kind != Symbol::Kind::Variable) return wrong_kind(symbol, root, e.where);
  const Variable::Kind kind = symbol.variable->kind;
  if ((kind == Variable::Kind::Row || kind == Variable::Kind::Col ||
       kind == Variable::Kind::Elem) &&
      !in_store_) {
    error(e.where,
          "`" + root +
              "` stands for a place in the accumulator tile and can be used in `store` only");
    return;
  }
  if (kind == Variable::Kind::Output && symbol.variable->value == nullptr) {
    error(e.where,
          "output `" + root + "` has no value yet: it can be used behind the line that defines it");
    return;
  }
  e.kind = Expr::Kind::Variable;
  e.variable = symbol.variable;
  e.type = e.variable->type;
  if (e.type.kind == Type::Kind::Unknown) return;
  // Contents are not kept in variables: a `let` of contents stands for its expression.
  if (e.variable->value != nullptr && e.variable->value->kind == Expr::Kind::Contents) {
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
    if (type.names.empty())
      text = "`" + of + "` is " + describe(type) + ", it has no member `" + name + "`";
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
  const std::string spelt = dotted_name(e);
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

}  // namespace fragproof
