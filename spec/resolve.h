// Name resolution: from the declarations of files, as parsed, to a Spec in which every name is what
// it stands for, every expression has a type, and every abbreviation is written out (see ast.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "spec/ast.h"
#include "spec/resolve_scope.h"
#include "spec/source.h"
#include "spec/syntax.h"

namespace fragproof {

// What resolution asks of the loader.
struct ResolveHost {
  // Reads, parses and resolves (Resolver::file) the file that an `include` names, unless that has
  // been done.
  std::function<void(const Declaration& include)> include;
  // The bytes of a file that stands beside the file of `from`; nothing, and `error`, when it cannot
  // be read.
  std::function<std::optional<std::string>(const std::string& path, const Span& from,
                                           std::string& error)>
      read;
};

// Resolves the files of one Spec into it. Errors go to the reporter; the Spec is usable only when
// there were none.
class Resolver {
 public:
  // `builtin`: the built-in fragments, null while these are resolved themselves. References outlive
  // the object.
  Resolver(Spec& spec, Arena& arena, const SourceSet& sources, const FragmentNames* builtin,
           Reporter& reporter, ResolveHost host);

  // The declarations of one file in order. Claims count in the main file only. Names in `broken`
  // belong to declarations that could not be parsed: no errors about them.
  void file(int file, SyntaxTree& tree, bool is_main, const std::vector<std::string>& broken);

  // A file is missing: names that it would have declared are no errors.
  void give_up_on_names() { scopes_.poison_all(); }

 private:
  // What a value may depend on, besides sizes and tables.
  enum Uses : unsigned {
    uses_lane = 1,
    uses_tile = 2,
    uses_parallel = 4,
    uses_reduce = 8,
    uses_local = 16
  };
  static constexpr unsigned uses_points =
      uses_lane | uses_tile | uses_parallel | uses_reduce | uses_local;

  // How deep an evaluation goes, and how many operations there are, with lets and maps written out.
  struct Cost {
    int depth = 0;
    std::int64_t size = 0;
  };

  // -- declarations (resolve.cpp)
  void declaration(Declaration& declaration, bool is_main);
  void use(const Declaration& declaration);
  void unknown_prefix(const Declaration& use);
  void file_let(Binding& binding);
  void file_digits(Binding& binding);
  void announce(const SyntaxTree& tree);
  bool may_name_callable(const std::string& name, const Span& where);
  Variable* new_variable(const std::string& name, Variable::Kind kind, const Span& where,
                         unsigned uses = 0);
  bool declare(Variable* variable, const char* what);

  // -- expressions (resolve_expression.cpp): sets `type`; Unknown after an error, which is then not
  // reported again
  void resolve(Expr& e);
  void number(Expr& e);  // ... and an error unless a number; a condition counts as 0 or 1
  void condition(
      Expr& e,
      const std::string& of);  // ... and an error unless a condition, "OF needs a condition"
  void conditional(Expr& e);
  void builtin(Expr& e);
  void width(Expr& e);
  void digits(Expr& e);
  void cute(Expr& e);
  void tuple(Expr& e);
  void forall(Expr& e);
  void not_a_number(const Expr& e);

  // -- operators (resolve_operators.cpp)
  void unary(Expr& e);
  void binary(Expr& e);
  void equality(Expr& e);
  void bitwise(Expr& e);

  // -- names (resolve_name.cpp)
  void name(Expr& e);
  void member(Expr& e);
  void field(Expr& e, const std::string& name, const std::string& of);
  void unknown_name(const std::string& name, const Span& where, bool called = false);
  void wrong_kind(const Symbol& symbol, const std::string& name, const Span& where);
  [[nodiscard]] static std::string dotted_name(
      const Expr& e);  // the dotted name that `e` spells, or ""

  // -- calls and indices (resolve_call.cpp)
  void call(Expr& e);
  void index(Expr& e);
  void unit_access(Expr& e);
  void apply(Expr& e, Map& map, const std::string& as, std::vector<Expr*> args);
  void inverse(Expr& e, const Symbol& symbol, const std::string& as, std::vector<Expr*> args);
  void lookup(Expr& e, Table& table, std::vector<Expr*> args);
  int arguments(std::vector<Expr*>&
                    args);  // resolves them; their count, tuples counted by members, -1: error
  void expand_tuples(std::vector<Expr*>& args);

  // -- predicates, metrics, kernels in conditions; claims (resolve_atom.cpp)
  bool atom_call(Expr& e, const std::string& function, std::vector<Expr*> args);
  void predicate(Expr& e, Predicate predicate, std::vector<Expr*> args);
  void bounded(const Map& map, const std::string& as, Predicate predicate, const Span& where);
  void metric(Expr& e, Metric metric, std::vector<Expr*> args);
  void kernel_name(Expr& e, const Found& found, const std::string& as);
  void claim(Claim& claim);
  std::optional<std::string> claim_name(const Expr& condition) const;

  // -- constants (resolve_constant.cpp)
  [[nodiscard]] std::optional<Int> constant(const Expr& e);
  [[nodiscard]] std::optional<Int> constant_binary(const Expr& e);
  void check_extent(const Expr& e, const std::string& of);
  void check_divisor(const Expr& e);

  // -- cost and dependence (resolve_cost.cpp)
  Cost cost(const Expr* e);
  Cost cost(const Domain& domain);
  Cost cost(const Ref& ref);
  Cost cost(const Binding& binding);
  Cost cost(const Fill& fill);
  void charge(const void* owner, Cost cost, const Span& where);
  [[nodiscard]] unsigned uses(const Expr* e) const;
  [[nodiscard]] unsigned uses(const Ref& ref) const;
  [[nodiscard]] const Variable* user(const Expr* e,
                                     unsigned mask) const;  // a variable in e that uses one of mask
  [[nodiscard]] const Variable* user(const Ref& ref, unsigned mask) const;
  void forbid(const Expr* e, unsigned mask, const std::string& rule);
  void forbid(const Ref& ref, unsigned mask, const std::string& rule);

  // -- domains, maps (resolve_map.cpp); a domain or binding declares into the innermost scope
  void domain(Domain& domain, unsigned uses, const char* what);
  void binding(Binding& binding);
  void map(Map& map);
  void map_formula(Map& map);
  void map_steps(Map& map);
  void map_output(Map& map, Map::Step& step, std::vector<char>& defined);

  // -- tables (resolve_table.cpp)
  void table(Table& table);
  void table_file(Table& table);
  void table_values(Table& table);
  void check_table(Table& table);

  // -- arrays (resolve_pack.cpp, resolve_chain.cpp)
  bool ref(Ref& ref, Array* own = nullptr);
  void array(Array& array);
  void fill(Fill& fill, Array* own, bool in_kernel);
  void chain(Array& pack);
  void chain_fill(Array& target, Array& source, const std::vector<Expr*>& shape,
                  const std::vector<std::size_t>& order);
  bool chain_permutation(const Array::ChainStep& step, std::size_t rank,
                         std::vector<std::size_t>& order);
  bool chain_shape(const Array::ChainStep& step, const std::vector<Expr*>& before, Array& pack);
  Expr* product(const std::vector<Expr*>& factors, const Span& where);
  Expr* variable_use(Variable* variable, const Span& where);
  Expr* literal(Int value, const Span& where);

  // -- kernels (resolve_kernel.cpp, resolve_mma.cpp, resolve_equation.cpp)
  void kernel(Kernel& kernel);
  void kernel_step(Kernel& kernel, Kernel::Step& step);
  void kernel_require(Expr& e);
  void kernel_shared(Kernel& kernel, Array& array);
  void kernel_fill(Kernel& kernel, Fill& fill);
  void kernel_load(Kernel& kernel, Load& load);
  void kernel_store(Kernel& kernel, Store& store);
  void kernel_launch(Kernel& kernel, Launch& launch);
  void whole_element(Kernel& kernel, Store& store);
  bool depends_on(const Array& array, const Array& other) const;
  void mma(Kernel& kernel, Mma& mma);
  bool check_instruction(const Mma& mma);
  // The remedy for an instruction by its PTX name, or with a type by another name; "" for others.
  [[nodiscard]] std::string foreign_instruction(const std::string& written) const;
  void value(Value& value);
  void convert(Value& value);
  void operand(const Mma& mma, const Map& fragment, const Value& value, char letter);
  bool equation(Kernel& kernel);
  bool factor(Factor& factor, const char* role);
  void equation_extents(Kernel& kernel);
  [[nodiscard]] bool same_extent(const Kernel& kernel, const Expr& a, const Expr& b);

  [[nodiscard]] std::string quote(const Expr& e) const;  // `TEXT`, clipped
  [[nodiscard]] std::string describe(const Type& type) const;
  void error(const Span& where, std::string text, std::string help = "");

  Spec& spec_;
  Arena& arena_;
  const SourceSet& sources_;
  Reporter& reporter_;
  ResolveHost host_;
  Scopes scopes_;
  int depth_ = 0;                    // of the expression that is being resolved
  bool claims_ = false;              // inside the condition of a claim: kernels may stand there
  bool in_store_ = false;            // row, col, elem may stand here
  const Claim* where_of_ = nullptr;  // the claim whose `where` is being resolved
  std::string declaring_;            // the name that the current declaration declares
  std::unordered_map<std::string, Span> claim_names_;
  std::unordered_map<const Variable*, unsigned> uses_;
  std::unordered_map<const Variable*, std::optional<Int>> constants_;
  std::unordered_map<const void*, Cost> costs_;  // of variables, maps, arrays
};

}  // namespace fragproof
