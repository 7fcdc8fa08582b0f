// Which names are visible where: scopes, aliases, built-in fragments, and what a misspelt name was
// meant to be.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "spec/ast.h"
#include "spec/source.h"

namespace fragproof {

// Collects errors up to a limit, each place and text once.
class Reporter {
 public:
  static constexpr std::size_t limit = 20;
  explicit Reporter(std::vector<Diagnostic>& out) : out_(out) {}
  void error(const Span& where, std::string text, std::string help = "");
  [[nodiscard]] bool full() const { return out_.size() >= limit; }

 private:
  std::vector<Diagnostic>& out_;
};

// What a visible name stands for. `what` is its kind in words: "size", "coordinate", "map".
struct Symbol {
  enum class Kind { Variable, Table, Map, Array, Kernel, Load, Accumulator, Alias, Broken };
  Kind kind = Kind::Broken;
  std::string what;
  Span where;
  Variable* variable = nullptr;
  Table* table = nullptr;
  Map* map = nullptr;
  Array* array = nullptr;
  Kernel* kernel = nullptr;
  Load* load = nullptr;
  std::string target;  // Alias: the dotted name it shortens
};

// The longest declared name at the start of a dotted name, and the parts that follow it.
struct Found {
  const Symbol* symbol = nullptr;
  std::string name;               // of the symbol, aliases and types resolved
  std::vector<std::string> rest;  // "row" of `d.row`
};

// A visible name that looks like the one that was written.
struct Suggestion {
  std::string name;
  Span where;
};

// Fragments by name, by the types of their entry (`mma.m16n8k16.bf16.A` is `.b16.A`), and by `D`
// for `C`.
class FragmentNames {
 public:
  void add(Map* map);
  // The declared name that `name` stands for; `name` itself when it is none of these.
  [[nodiscard]] std::string canonical(const std::string& name) const;
  [[nodiscard]] Map* find(const std::string& name) const;
  [[nodiscard]] const std::unordered_map<std::string, Map*>& all() const { return maps_; }
  // Every name that finds an entry through its types.
  [[nodiscard]] const std::unordered_map<std::string, std::string>& typed() const { return typed_; }

 private:
  std::unordered_map<std::string, Map*> maps_;
  std::unordered_map<std::string, std::string> typed_;
};

// The names of one resolution. Nothing shadows anything: declaring a visible name again is an
// error.
class Scopes {
 public:
  // `builtin` may be null (while the built-in spec itself is resolved). All references outlive the
  // object.
  Scopes(Reporter& reporter, const SourceSet& sources, const FragmentNames* builtin);

  // Files nest as includes do; aliases belong to one file, and what a file declares again of the
  // built-in fragments holds in it and in the files that include it.
  void enter_file(int file);
  void leave_file();

  void push() { marks_.push_back(locals_in_order_.size()); }
  void pop();

  // Makes `name` visible in the innermost scope. False, with an error, when it is visible already
  // or reserved here.
  bool declare(const std::string& name, Symbol symbol);
  // A file-level name that a broken declaration would have declared: no errors about it any more.
  void poison(const std::string& name) { poisoned_.insert(name); }
  void poison_all() { all_poisoned_ = true; }
  [[nodiscard]] bool is_poisoned(const std::string& name) const;
  // A name declared further down in the file that is being resolved.
  void announce(const std::string& name, const Span& where) { announced_.try_emplace(name, where); }
  [[nodiscard]] std::optional<Span> announced(const std::string& name) const;

  // The dotted name with the alias at its start written out.
  [[nodiscard]] std::string expand(const std::string& dotted) const;
  // Looks a dotted name up; no symbol when no part of it is declared.
  [[nodiscard]] Found find(const std::string& dotted) const;
  // The map of exactly this name (after aliases and types), or null.
  [[nodiscard]] Map* find_map(const std::string& dotted) const;
  // Is some visible name equal to `prefix` or does it begin with `prefix.`?
  [[nodiscard]] bool is_prefix(const std::string& prefix) const;

  // The visible name nearest to `name`, if one is near enough to be meant; `extra` are other
  // candidates.
  [[nodiscard]] std::optional<Suggestion> suggest(const std::string& name,
                                                  const std::vector<std::string>& extra = {}) const;
  // "(line 7)", or "(other.layout, line 7)" when it is not in `from`'s file; "" for a built-in
  // name.
  [[nodiscard]] std::string line_of(const Span& where, const Span& from) const;

 private:
  struct FileNames {
    int file = -1;
    std::unordered_map<std::string, Symbol> aliases;
    std::unordered_map<std::string, Symbol> own_fragments;
    std::unordered_set<std::string> declared_here;
  };
  [[nodiscard]] const Symbol* lookup(const std::string& name, std::string& canonical) const;
  [[nodiscard]] const Symbol* visible(const std::string& name) const;

  Reporter& reporter_;
  const SourceSet& sources_;
  const FragmentNames* builtin_;
  FragmentNames own_;  // for the types of fragments that files declare
  std::unordered_map<std::string, Symbol> builtin_symbols_;
  std::unordered_map<std::string, Symbol> globals_;
  std::unordered_map<std::string, Symbol> locals_;
  std::vector<std::string> locals_in_order_;
  std::vector<std::size_t> marks_;
  std::vector<FileNames> files_;
  std::unordered_set<std::string> poisoned_;
  bool all_poisoned_ = false;
  std::unordered_map<std::string, Span> announced_;
};

}  // namespace fragproof
