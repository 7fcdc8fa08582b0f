// `y[m, n] += W[n, k] * x[m, k]`: the tensors and indices of a contraction, and whether extents
// agree.
#include <algorithm>
#include <map>

#include "spec/resolve.h"

namespace fragproof {
namespace {

bool has(const Factor& factor, const std::string& index) {
  return std::find(factor.indices.begin(), factor.indices.end(), index) != factor.indices.end();
}

// Sums of products of names and of other operations, in one order: equal polynomials have equal
// forms. Lets are written out. Nothing when the form would become large.
class NormalForm {
 public:
  using Terms = std::map<std::vector<std::string>, Int>;

  std::optional<std::string> of(const Expr& e) {
    const std::optional<Terms> terms = expand(e);
    return terms ? key(*terms) : std::nullopt;
  }

 private:
  static constexpr std::size_t most_terms = 64;
  static constexpr std::size_t longest_key = 2000;

  static std::optional<std::string> key(const Terms& terms) {
    std::string text;
    for (const auto& [names, factor] : terms) {
      text += "+" + to_string(factor);
      for (const std::string& name : names) text += "*" + name;
    }
    return text.size() > longest_key ? std::nullopt : std::optional<std::string>(text);
  }

  std::optional<Terms> expand(const Expr& e) {
    switch (e.kind) {
      case Expr::Kind::Number:
        return e.number == 0 ? Terms{} : Terms{{{}, e.number}};
      case Expr::Kind::Variable: {
        if (e.variable->kind != Variable::Kind::FileLet || e.variable->value == nullptr) {
          return Terms{{{e.variable->name}, 1}};
        }
        const auto known = lets_.find(e.variable);
        if (known != lets_.end()) return known->second;
        std::optional<Terms> terms = expand(*e.variable->value);
        return lets_[e.variable] = terms;
      }
      case Expr::Kind::Binary:
        if (e.binary == Binary::Add || e.binary == Binary::Sub || e.binary == Binary::Mul) {
          const std::optional<Terms> a = expand(*e.args[0]), b = expand(*e.args[1]);
          if (!a || !b) return std::nullopt;
          return e.binary == Binary::Mul ? times(*a, *b)
                                         : plus(*a, *b, e.binary == Binary::Sub ? -1 : 1);
        }
        break;
      default:
        break;
    }
    std::string atom = "(" + std::to_string(static_cast<int>(e.kind));
    if (e.kind == Expr::Kind::Binary) atom += symbol_of(e.binary);
    if (e.kind == Expr::Kind::Builtin) atom += "b" + std::to_string(static_cast<int>(e.builtin));
    if (e.kind == Expr::Kind::Unary) atom += "u" + std::to_string(static_cast<int>(e.unary));
    if (e.kind == Expr::Kind::Width) atom += (e.is_signed ? "i" : "u") + std::to_string(e.width);
    if (e.kind == Expr::Kind::Field) atom += std::to_string(e.field);
    if (e.map != nullptr) atom += e.map->name;
    if (e.table != nullptr) atom += e.table->name;
    const bool plain = e.kind != Expr::Kind::Forall && e.kind != Expr::Kind::Contents &&
                       e.kind != Expr::Kind::Cute && e.kind != Expr::Kind::Predicate &&
                       e.kind != Expr::Kind::Metric;
    if (!plain) return std::nullopt;
    for (const Expr* arg : e.args) {
      const std::optional<Terms> terms = expand(*arg);
      const std::optional<std::string> text = terms ? key(*terms) : std::nullopt;
      if (!text) return std::nullopt;
      atom += "," + *text;
    }
    if (atom.size() > longest_key) return std::nullopt;
    return Terms{{{atom + ")"}, 1}};
  }

  static std::optional<Terms> plus(Terms sum, const Terms& other, Int sign) {
    for (const auto& [names, factor] : other) {
      Int part = 0;
      Int& at = sum[names];
      if (!mul(factor, sign, part) || !add(at, part, at)) return std::nullopt;
      if (at == 0) sum.erase(names);
    }
    return sum.size() > most_terms ? std::nullopt : std::optional<Terms>(std::move(sum));
  }

  static std::optional<Terms> times(const Terms& a, const Terms& b) {
    Terms all;
    if (a.size() * b.size() > most_terms) return std::nullopt;
    for (const auto& [a_names, a_factor] : a) {
      for (const auto& [b_names, b_factor] : b) {
        std::vector<std::string> names = a_names;
        names.insert(names.end(), b_names.begin(), b_names.end());
        std::sort(names.begin(), names.end());
        if (names.size() > most_terms) return std::nullopt;
        Int factor = 0;
        Int& at = all[names];
        if (!mul(a_factor, b_factor, factor) || !add(at, factor, at)) return std::nullopt;
        if (at == 0) all.erase(names);
      }
    }
    return all;
  }

  std::map<const Variable*, std::optional<Terms>> lets_;
};

}  // namespace

bool Resolver::factor(Factor& factor, const char* role) {
  const Found found = scopes_.find(factor.name);
  if (found.symbol == nullptr) {
    unknown_name(factor.name, factor.where);
    return false;
  }
  if (found.symbol->array == nullptr || found.symbol->array->kind != Array::Kind::Tensor) {
    if (found.symbol->kind != Symbol::Kind::Broken) {
      error(factor.where,
            std::string(role) + " of a kernel is a tensor, `" + factor.name + "` is a " +
                found.symbol->what,
            found.symbol->array == nullptr
                ? ""
                : "the equation names what is multiplied, loads say where it lies");
    }
    return false;
  }
  factor.tensor = found.symbol->array;
  const std::size_t rank = factor.tensor->extents.size();
  if (factor.indices.size() != rank) {
    error(factor.where, "`" + factor.name + "` has " + std::to_string(rank) +
                            (rank == 1 ? " dimension, " : " dimensions, ") +
                            std::to_string(factor.indices.size()) +
                            (factor.indices.size() == 1 ? " index given" : " indices given"));
    return false;
  }
  for (std::size_t i = 0; i < rank; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (factor.indices[i] != factor.indices[j]) continue;
      error(factor.where,
            "index `" + factor.indices[i] + "` stands twice in `" + factor.name + "`");
      return false;
    }
  }
  return true;
}

bool Resolver::equation(Kernel& kernel) {
  const bool result = factor(kernel.result, "the result");
  const bool first = factor(kernel.first, "a factor");
  const bool second = factor(kernel.second, "a factor");
  if (!result || !first || !second) return false;
  for (const Factor* one : {&kernel.first, &kernel.second}) {
    if (one->tensor == kernel.result.tensor) {
      error(one->where, "`" + one->name + "` is the result, it cannot be a factor as well");
      return false;
    }
  }
  for (const std::string& index : kernel.result.indices) {
    if (has(kernel.first, index) || has(kernel.second, index)) continue;
    error(kernel.result.where,
          "index `" + index + "` of `" + kernel.result.name + "` stands in neither factor");
  }
  for (const Factor* one : {&kernel.first, &kernel.second}) {
    const Factor& other = one == &kernel.first ? kernel.second : kernel.first;
    for (const std::string& index : one->indices) {
      if (has(kernel.result, index)) continue;
      if (!has(other, index)) {
        error(one->where, "index `" + index + "` is summed, so both factors have it; `" +
                              other.name + "` does not");
      } else if (one == &kernel.first) {
        kernel.summed.push_back(index);
      }
    }
  }
  return true;
}

void Resolver::equation_extents(Kernel& kernel) {
  struct Place {
    const Factor* factor;
    Expr* extent;
  };
  std::map<std::string, Place> places;
  for (const Factor* one : {&kernel.result, &kernel.first, &kernel.second}) {
    for (std::size_t i = 0; i < one->indices.size(); ++i) {
      Expr* extent = one->tensor->extents[i];
      if (extent->type.kind == Type::Kind::Unknown) return;
      const auto [place, fresh] = places.try_emplace(one->indices[i], Place{one, extent});
      if (fresh || same_extent(kernel, *place->second.extent, *extent)) continue;
      const std::string here = to_text(*extent), there = to_text(*place->second.extent);
      error(one->where,
            "index `" + one->indices[i] + "` has extent " + there + " in `" +
                place->second.factor->name + "` and " + here + " in `" + one->name +
                "`: it must be the same wherever it stands",
            "if the sizes make them equal, say so: `require " + there + " == " + here + "`");
    }
  }
}

bool Resolver::same_extent(const Kernel& kernel, const Expr& a, const Expr& b) {
  if (&a == &b || to_text(a) == to_text(b)) return true;  // no name has two meanings here
  NormalForm forms;
  const std::optional<std::string> left = forms.of(a), right = forms.of(b);
  if (!left || !right) return false;
  if (*left == *right) return true;
  std::vector<const Expr*> pending(spec_.requires_.begin(), spec_.requires_.end());
  pending.insert(pending.end(), kernel.requires_.begin(), kernel.requires_.end());
  while (!pending.empty()) {
    const Expr& e = *pending.back();
    pending.pop_back();
    if (e.kind != Expr::Kind::Binary) continue;
    if (e.binary == Binary::LogicalAnd) {
      pending.insert(pending.end(), e.args.begin(), e.args.end());
    } else if (e.binary == Binary::Equal && e.args[0]->type.kind == Type::Kind::Number) {
      const std::optional<std::string> x = forms.of(*e.args[0]), y = forms.of(*e.args[1]);
      if (x && y && ((*x == *left && *y == *right) || (*x == *right && *y == *left))) return true;
    }
  }
  return false;
}

}  // namespace fragproof
