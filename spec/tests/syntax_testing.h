// What the tests of the parser share: a text parsed in memory, and expressions written out with
// every bracket.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "spec/syntax.h"

namespace fragproof::testing {

struct Parsed {
  SourceSet sources;
  Arena arena;
  std::vector<Diagnostic> diagnostics;
  SyntaxTree tree;

  explicit Parsed(std::string text, const std::string& path = "t.layout") {
    const int file = sources.add(path, std::move(text));
    tree = parse(sources, file, arena, diagnostics);
  }
  [[nodiscard]] std::string rendered() const {
    std::string all;
    for (const Diagnostic& d : diagnostics) all += render(sources, d);
    return all;
  }
};

// Every bracket and every name, so that two trees are the same exactly when their dumps are.
inline std::string dump(const Expr& e);

inline std::string dump(const Domain& domain) {
  std::string out = "(";
  for (const Coordinate& c : domain.coordinates) {
    out += c.name;
    if (c.extent != nullptr) out += ":" + dump(*c.extent);
    for (const DigitBinding& d : c.digits) out += "[" + d.name + ":" + dump(*d.radix) + "]";
    out += ";";
  }
  if (domain.where != nullptr) out += "where " + dump(*domain.where);
  return out + ")";
}

inline std::string dump(const CuteMode& mode) {
  if (mode.children.empty()) return to_string(mode.shape) + ":" + to_string(mode.stride);
  std::string out = "(";
  for (const CuteMode& child : mode.children) out += dump(child) + ";";
  return out + ")";
}

inline std::string dump(const Expr& e) {
  std::string out = "(";
  switch (e.kind) {
    case Expr::Kind::Number:
      return to_string(e.number);
    case Expr::Kind::Name:
      return e.text;
    case Expr::Kind::Call:
      out += "call";
      break;
    case Expr::Kind::Index:
      out += "index";
      break;
    case Expr::Kind::Member:
      out += "." + e.text;
      break;
    case Expr::Kind::UnitAccess:
      out += "b" + std::to_string(e.width);
      break;
    case Expr::Kind::Unary:
      out += e.unary == Unary::Negate ? "neg" : e.unary == Unary::Not ? "!" : "~";
      break;
    case Expr::Kind::Binary:
      out += symbol_of(e.binary);
      break;
    case Expr::Kind::Conditional:
      out += "?";
      break;
    case Expr::Kind::Tuple:
      out += "tuple";
      break;
    case Expr::Kind::Digits:
      out += "digits";
      break;
    case Expr::Kind::Cute:
      out += "cute ";
      for (const CuteMode& mode : e.modes) out += dump(mode) + ";";
      break;
    case Expr::Kind::Forall:
      out += "forall " + dump(e.domain);
      break;
    default:
      out += "not from the parser";
      break;
  }
  for (const Expr* argument : e.args) out += " " + dump(*argument);
  return out + ")";
}

// Calls `visit` with each expression that a declaration holds, not with their parts.
template <class Visit>
void each_expression(const SyntaxTree& tree, const Visit& visit) {
  const auto one = [&](const Expr* e) {
    if (e != nullptr) visit(*e);
  };
  const auto list = [&](const std::vector<Expr*>& all) {
    for (const Expr* e : all) one(e);
  };
  const auto digits = [&](const std::vector<DigitBinding>& all) {
    for (const DigitBinding& d : all) one(d.radix);
  };
  const auto domain = [&](const Domain& d) {
    for (const Coordinate& c : d.coordinates) {
      one(c.extent);
      digits(c.digits);
    }
    one(d.where);
  };
  const auto bindings = [&](const std::vector<Binding>& all) {
    for (const Binding& b : all) {
      digits(b.digits);
      one(b.value);
      one(b.next);
    }
  };
  const auto units = [&](const std::vector<Unit>& all) {
    for (const Unit& u : all) one(u.index);
  };
  const auto ref = [&](const Ref& r) {
    list(r.index);
    units(r.units);
  };
  const auto fills = [&](const std::vector<Fill>& all) {
    for (const Fill& f : all) {
      domain(f.domain);
      ref(f.place);
      if (f.source) ref(*f.source);
    }
  };
  const auto array = [&](const Array& a) {
    list(a.extents);
    fills(a.fills);
    for (const Array::ChainStep& step : a.chain) list(step.args);
  };
  for (const Declaration& d : tree.declarations) {
    bindings(d.lets);
    one(d.require);
    one(d.claim.condition);
    one(d.claim.where_clause);
    if (d.table != nullptr) {
      list(d.table->extents);
      one(d.table->range);
      list(d.table->values);
    }
    if (d.map != nullptr) {
      domain(d.map->domain);
      bindings(d.map->bindings);
      one(d.map->formula);
      for (const OutputDef& output : d.map->outputs) one(output.codomain);
      for (const Map::Written& written : d.map->written) one(written.value);
    }
    if (d.array != nullptr) array(*d.array);
    if (d.kernel != nullptr) {
      const Kernel& k = *d.kernel;
      if (k.parallel) domain(*k.parallel);
      if (k.reduce) domain(*k.reduce);
      bindings(k.bindings);
      fills(k.fills);
      list(k.requires_);
      for (const Array* shared : k.shared) array(*shared);
      for (const Load* load : k.loads) {
        ref(load->from);
        one(load->condition);
      }
      if (k.store) {
        ref(k.store->to);
        one(k.store->condition);
      }
      for (const Launch& launch : k.launches) {
        list(launch.grid);
        list(launch.block);
        list(launch.shared);
        for (const Launch::Argument& argument : launch.args) one(argument.value);
      }
    }
  }
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The `.layout` files of a folder of the project, in order.
inline std::vector<std::filesystem::path> layout_files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(FRAGPROOF_SOURCE_DIR) / folder)) {
    if (entry.path().extension() == ".layout") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace fragproof::testing
