// Rank for predicates, equal forms for equations.
#include "checkers/linear/linear.h"

#include <algorithm>
#include <string>
#include <utility>

#include "checkers/linear/affine.h"
#include "spec/syntax.h"

namespace fragproof {
namespace {

using namespace gf2;

std::string power(std::size_t log) { return "2^" + std::to_string(log); }

// 2^log where a counter can hold it.
std::optional<std::int64_t> count_of(std::size_t log) {
  if (log > 62) return std::nullopt;
  return std::int64_t{1} << log;
}

NamedValues point_at(const Inputs& inputs, Mask point) {
  NamedValues at;
  for (const Inputs::Coordinate& coordinate : inputs.coordinates) {
    const Mask value = (point >> coordinate.first) & ((Mask{1} << coordinate.count) - 1);
    at.emplace_back(coordinate.variable->name, static_cast<Int>(value));
  }
  return at;
}

std::string values_text(const std::vector<Int>& values) {
  std::string text;
  for (const Int value : values) text += (text.empty() ? "" : ", ") + to_string(value);
  return values.size() == 1 ? text : "(" + text + ")";
}

std::string call_text(const Map& map, const NamedValues& at) {
  std::string text;
  for (const auto& [name, value] : at) text += (text.empty() ? "" : ", ") + to_string(value);
  return map.name + "(" + text + ")";
}

std::vector<Int> values_at(const std::vector<Bits>& outputs, Mask point) {
  std::vector<Int> values;
  for (const Bits& output : outputs) values.push_back(value_of(output, point));
  return values;
}

class Decision {
 public:
  explicit Decision(const Question& question) : question_(question) {}

  Answer run() {
    if (question_.kernel != nullptr || question_.condition == nullptr)
      throw NotLinear{"an obligation of a kernel"};
    const Expr& condition = *question_.condition;
    if (condition.kind == Expr::Kind::Predicate && condition.map != nullptr) {
      predicate(*condition.map, condition.predicate);
    } else if (condition.kind == Expr::Kind::Forall) {
      equations(condition);
    } else {
      throw NotLinear{"neither a predicate of a map nor a `forall`"};
    }
    return std::move(answer_);
  }

 private:
  void step(const std::string& lemma, const std::string& statement) {
    if (!answer_.proof) answer_.proof.emplace().method = "linear";
    answer_.proof->steps.push_back({lemma, statement, {}, false});
  }

  // A counterexample at one point; it speaks of no size, so it is one for every choice of sizes,
  // if there is any.
  void refute(NamedValues at, std::string expected, std::string found, std::string text) {
    if (!question_.requires_.empty() || question_.where_clause != nullptr)
      throw NotLinear{"false, if any sizes satisfy the requires"};
    answer_.verdict = Verdict::Refuted;
    Counterexample& why = answer_.counterexample.emplace();
    why.at = std::move(at);
    why.expected = std::move(expected);
    why.found = std::move(found);
    why.text = std::move(text);
    answer_.proof.reset();
  }

  void prove() {
    answer_.verdict = Verdict::Proved;
    for (const Expr* require : question_.requires_) answer_.unused.push_back(to_text(*require));
  }

  void predicate(const Map& map, Predicate predicate) {
    Affine affine;
    Affine::Scope scope;
    const Inputs inputs = affine.bind(map.domain, scope);
    std::vector<Bits> arguments;
    for (const Inputs::Coordinate& coordinate : inputs.coordinates)
      arguments.push_back(input_bits(coordinate.first, coordinate.count));
    const std::vector<Bits> outputs = affine.apply(map, arguments);
    std::vector<Form> forms;
    for (const Bits& output : outputs) forms.insert(forms.end(), output.begin(), output.end());
    const Rank rank = rank_of(forms, inputs.count);
    step("affine", map.name + " takes " + std::to_string(inputs.count) + " bits to " +
                       std::to_string(forms.size()) + ", each a sum over GF(2) of input bits");
    step("rank", "their rank is " + std::to_string(rank.rank));
    if (predicate == Predicate::Total) return prove();
    const bool injective = rank.kernel.empty();
    if (predicate != Predicate::Onto && !injective) return collide(map, inputs, outputs, rank);
    if (predicate != Predicate::Injective) {
      const std::size_t codomain = codomain_bits(map, affine);
      if (rank.rank < codomain) return miss(map, inputs, outputs, rank, codomain);
      step("onto", "the codomain has " + power(codomain) + " values, as many as the image");
    }
    prove();
  }

  // log2 of the number of values of the codomain.
  std::size_t codomain_bits(const Map& map, Affine& affine) {
    std::size_t bits = 0;
    for (const OutputDef& output : map.outputs) {
      if (output.codomain == nullptr) throw NotLinear{"output " + output.name + " has no bound"};
      const auto log = log2_of(affine.constant(*output.codomain, {}));
      if (!log) throw NotLinear{"the bound of output " + output.name + " is no power of two"};
      bits += *log;
    }
    return bits;
  }

  // The first point, in order, whose value an earlier one has. Two points have one value where
  // their difference is in the kernel: the first such point is a single bit, the lowest that leads
  // a vector of the kernel.
  void collide(const Map& map, const Inputs& inputs, const std::vector<Bits>& outputs,
               const Rank& rank) {
    const Mask vector = *std::min_element(rank.kernel.begin(), rank.kernel.end());
    Mask point = 1;
    while (point <= vector / 2) point *= 2;
    const NamedValues at = point_at(inputs, point);
    const NamedValues before = point_at(inputs, point ^ vector);
    const std::string value = values_text(values_at(outputs, point));
    refute(at, "a value that no other point has", value,
           call_text(map, before) + " and " + call_text(map, at) + " are both " + value);
    answer_.counterexample->of = count_of(inputs.count);
    if (answer_.counterexample->of)
      answer_.counterexample->wrong = *answer_.counterexample->of - *count_of(rank.rank);
  }

  // A value that is not taken: the first single bit or zero outside the image.
  void miss(const Map& map, const Inputs& inputs, const std::vector<Bits>& outputs,
            const Rank& rank, std::size_t codomain) {
    std::vector<Form> forms;
    std::vector<std::pair<std::size_t, std::size_t>> places;  // output, bit
    Affine affine;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const std::size_t bits = *log2_of(affine.constant(*map.outputs[o].codomain, {}));
      for (std::size_t b = 0; b < bits; ++b) {
        forms.push_back(b < outputs[o].size() ? outputs[o][b] : Form{});
        places.emplace_back(o, b);
      }
    }
    // A row combination that is constant: the value must have the same one.
    const auto taken = [&](const std::vector<bool>& value) {
      return reaches(forms, value, inputs.count);
    };
    std::vector<bool> value(forms.size(), false);
    std::size_t bit = forms.size();
    if (taken(value)) {
      // In order of the values: the last output's lowest bit first.
      for (std::size_t o = outputs.size(); o-- > 0 && bit == forms.size();) {
        for (std::size_t i = 0; i < forms.size() && bit == forms.size(); ++i) {
          if (places[i].first != o) continue;
          value[i] = true;
          if (!taken(value)) bit = i;
          value[i] = false;
        }
      }
      value[bit] = true;
    }
    std::vector<Int> missing(outputs.size(), 0);
    for (std::size_t i = 0; i < forms.size(); ++i) {
      if (value[i]) missing[places[i].first] += Int{1} << places[i].second;
    }
    const std::string first = values_text(missing);
    refute({}, first, "never reached",
           first + " is no value of " + map.name + ": it takes " + power(rank.rank) + " of " +
               power(codomain));
    Counterexample& why = *answer_.counterexample;
    why.of = count_of(codomain);
    if (why.of) why.wrong = *why.of - *count_of(rank.rank);
  }

  // Is there a point at which each form has its value?
  static bool reaches(const std::vector<Form>& forms, const std::vector<bool>& values,
                      std::size_t inputs) {
    std::vector<Form> differences = forms;
    for (std::size_t i = 0; i < forms.size(); ++i)
      differences[i].constant = forms[i].constant != values[i];
    // Consistent iff adding the constants as one more input does not raise the rank of the rows.
    std::vector<Form> with = differences;
    for (Form& form : with) {
      if (form.constant) form.mask |= Mask{1} << inputs;
    }
    return rank_of(with, inputs + 1).rank == rank_of(differences, inputs).rank;
  }

  void equations(const Expr& forall) {
    Affine affine;
    Affine::Scope scope;
    const Inputs inputs = affine.bind(forall.domain, scope);
    std::vector<const Expr*> open{forall.args[0]};
    std::vector<Form> differences;
    Mask first = ~Mask{0};
    const Expr* failing = nullptr;
    while (!open.empty()) {
      const Expr& expr = *open.back();
      open.pop_back();
      if (expr.kind == Expr::Kind::Binary && expr.binary == Binary::LogicalAnd) {
        open.push_back(expr.args[1]);
        open.push_back(expr.args[0]);
        continue;
      }
      if (expr.kind != Expr::Kind::Binary || expr.binary != Binary::Equal ||
          expr.args[0]->type.kind == Type::Kind::Condition ||
          expr.args[0]->type.kind == Type::Kind::Contents) {
        throw NotLinear{"`" + to_text(expr) + "` is no equation of numbers"};
      }
      const std::vector<Bits> left = affine.tuple(*expr.args[0], scope);
      const std::vector<Bits> right = affine.tuple(*expr.args[1], scope);
      if (left.size() != right.size()) throw NotLinear{"`" + to_text(expr) + "`"};
      bool equal = true;
      for (std::size_t i = 0; i < left.size(); ++i) {
        for (const Form& difference : bitwise_xor(left[i], right[i])) {
          if (difference.is_zero()) continue;
          equal = false;
          differences.push_back(difference);
          // The first point at which the two differ: none of its bits, or the lowest that counts.
          const Mask point = difference.constant ? 0 : difference.mask & (~difference.mask + 1);
          if (point < first) {
            first = point;
            failing = &expr;
          }
        }
      }
      if (equal)
        step("affine", to_text(expr) + ", bit by bit, for all " + power(inputs.count) + " points");
    }
    if (failing == nullptr) return prove();
    const std::vector<Int> left = values_at(affine.tuple(*failing->args[0], scope), first);
    const std::vector<Int> right = values_at(affine.tuple(*failing->args[1], scope), first);
    refute(point_at(inputs, first), values_text(right), values_text(left),
           "`" + to_text(*failing) + "`: " + values_text(left) + " is not " + values_text(right));
    Counterexample& why = *answer_.counterexample;
    why.of = count_of(inputs.count);
    if (!why.of) return;
    const bool somewhere_right =
        reaches(differences, std::vector<bool>(differences.size(), false), inputs.count);
    const std::size_t rank = rank_of(differences, inputs.count).rank;
    why.wrong = *why.of - (somewhere_right ? *count_of(inputs.count - rank) : 0);
  }

  const Question& question_;
  Answer answer_;
};

}  // namespace

Answer decide_linear(const Question& question, const Budget& budget) {
  Answer answer;
  if (budget.stop != nullptr && budget.stop->load()) {
    answer.reason = "interrupted";
    return answer;
  }
  try {
    return Decision(question).run();
  } catch (const NotLinear& end) {
    answer.reason = end.reason;
    return answer;
  }
}

}  // namespace fragproof
