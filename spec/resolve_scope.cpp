// Scopes: declaring and finding names.
#include "spec/resolve_scope.h"

#include <algorithm>
#include <map>

#include "spec/suggest.h"

namespace fragproof {
namespace {

constexpr std::size_t longest_text = 600;  // of an error: it may quote what is in the file
constexpr std::size_t most_parts = 16;     // of a dotted name that can be declared
constexpr std::size_t most_candidates =
    20000;  // near misses are not looked for in a generated file

std::vector<std::string> split(const std::string& dotted) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (true) {
    const std::size_t dot = dotted.find('.', from);
    parts.push_back(dotted.substr(from, dot - from));
    if (dot == std::string::npos) return parts;
    from = dot + 1;
  }
}

bool is_implicit(const std::string& name) {
  return name == "lane" || name == "row" || name == "col" || name == "elem";
}

}  // namespace

void Reporter::error(const Span& where, std::string text, std::string help) {
  if (full()) return;
  for (const Diagnostic& seen : out_) {
    if (seen.where.file == where.file && seen.where.line == where.line &&
        seen.where.column == where.column && seen.text == text) {
      return;
    }
  }
  for (std::string* part : {&text, &help}) {
    if (part->size() > longest_text) *part = part->substr(0, longest_text) + " ...";
  }
  out_.push_back({where, std::move(text), std::move(help), Severity::Error});
}

void FragmentNames::add(Map* map) {
  maps_.try_emplace(map->name, map);
  const std::size_t last = map->name.rfind('.');
  if (last == std::string::npos || last == 0) return;
  const std::size_t width = map->name.rfind('.', last - 1);
  if (width == std::string::npos) return;
  for (const std::string& type : map->provenance.types) {
    typed_.try_emplace(map->name.substr(0, width + 1) + type + map->name.substr(last), map->name);
  }
}

std::string FragmentNames::canonical(const std::string& name) const {
  if (maps_.contains(name)) return name;
  if (const auto typed = typed_.find(name); typed != typed_.end()) return typed->second;
  const std::size_t dot = name.rfind('.');
  const std::string last = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (last == "D" || last == "D16") {
    const std::string c = name.substr(0, dot + 1) + "C" + last.substr(1);
    if (maps_.contains(c)) return c;
    if (const auto typed = typed_.find(c); typed != typed_.end()) return typed->second;
  }
  return name;
}

Map* FragmentNames::find(const std::string& name) const {
  const auto found = maps_.find(canonical(name));
  return found == maps_.end() ? nullptr : found->second;
}

Scopes::Scopes(Reporter& reporter, const SourceSet& sources, const FragmentNames* builtin)
    : reporter_(reporter), sources_(sources), builtin_(builtin) {
  if (builtin_ == nullptr) return;
  for (const auto& [name, map] : builtin_->all()) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::Map;
    symbol.what = "built-in fragment";
    symbol.where = map->where;
    symbol.map = map;
    builtin_symbols_.emplace(name, std::move(symbol));
  }
}

void Scopes::enter_file(int file) {
  files_.emplace_back();
  files_.back().file = file;
}

void Scopes::leave_file() {
  FileNames left = std::move(files_.back());
  files_.pop_back();
  if (files_.empty()) return;
  for (auto& [name, symbol] : left.own_fragments) {
    if (!files_.back().declared_here.contains(name)) {
      files_.back().own_fragments.insert_or_assign(name, std::move(symbol));
    }
  }
}

void Scopes::pop() {
  while (locals_in_order_.size() > marks_.back()) {
    locals_.erase(locals_in_order_.back());
    locals_in_order_.pop_back();
  }
  marks_.pop_back();
}

bool Scopes::declare(const std::string& name, Symbol symbol) {
  if (name.empty()) return false;
  const bool local = !marks_.empty();
  if (!local && is_implicit(name)) {
    reporter_.error(symbol.where,
                    "`" + name +
                        "` is implicit in kernels and cannot be declared at file level: choose "
                        "another name");
    return false;
  }
  const bool again = !local && symbol.kind == Symbol::Kind::Map && builtin_ != nullptr &&
                     builtin_->all().contains(name) && !files_.empty() &&
                     !files_.back().declared_here.contains(name);
  if (!again) {
    if (const Symbol* other = visible(name); other != nullptr) {
      std::string place = line_of(other->where, symbol.where);
      if (!place.empty()) place = " " + place;
      const bool vowel = other->what.find_first_of("aeiou") == 0;
      reporter_.error(symbol.where, "`" + name + "` is already " + (vowel ? "an " : "a ") +
                                        other->what + place +
                                        "; nothing shadows anything here: choose another name");
      return false;
    }
  }
  if (symbol.map != nullptr && !local) own_.add(symbol.map);
  if (local) {
    locals_.emplace(name, std::move(symbol));
    locals_in_order_.push_back(name);
  } else if (symbol.kind == Symbol::Kind::Alias) {
    files_.back().aliases.emplace(name, std::move(symbol));
  } else if (again) {
    files_.back().declared_here.insert(name);
    files_.back().own_fragments.insert_or_assign(name, std::move(symbol));
  } else {
    announced_.erase(name);
    globals_.emplace(name, std::move(symbol));
  }
  return true;
}

bool Scopes::is_poisoned(const std::string& name) const {
  if (all_poisoned_) return true;
  return poisoned_.contains(name) || poisoned_.contains(name.substr(0, name.find('.')));
}

std::optional<Span> Scopes::announced(const std::string& name) const {
  const auto found = announced_.find(name);
  if (found == announced_.end()) return std::nullopt;
  return found->second;
}

const Symbol* Scopes::visible(const std::string& name) const {
  if (const auto local = locals_.find(name); local != locals_.end()) return &local->second;
  if (!files_.empty()) {
    const FileNames& here = files_.back();
    if (const auto alias = here.aliases.find(name); alias != here.aliases.end())
      return &alias->second;
    if (const auto own = here.own_fragments.find(name); own != here.own_fragments.end())
      return &own->second;
  }
  if (const auto global = globals_.find(name); global != globals_.end()) return &global->second;
  const auto builtin = builtin_symbols_.find(name);
  return builtin == builtin_symbols_.end() ? nullptr : &builtin->second;
}

const Symbol* Scopes::lookup(const std::string& name, std::string& canonical) const {
  canonical = name;
  if (const Symbol* symbol = visible(name); symbol != nullptr) return symbol;
  if (name.find('.') == std::string::npos) return nullptr;
  canonical = own_.canonical(name);
  if (canonical == name && builtin_ != nullptr) canonical = builtin_->canonical(name);
  return canonical == name ? nullptr : visible(canonical);
}

std::string Scopes::expand(const std::string& dotted) const {
  const std::size_t dot = dotted.find('.');
  const std::string first = dotted.substr(0, dot);
  if (files_.empty()) return dotted;
  const auto alias = files_.back().aliases.find(first);
  if (alias == files_.back().aliases.end()) return dotted;
  return dot == std::string::npos ? alias->second.target
                                  : alias->second.target + dotted.substr(dot);
}

Found Scopes::find(const std::string& dotted) const {
  Found found;
  const std::string full = expand(dotted);
  const std::vector<std::string> parts = split(full);
  std::size_t used = std::min(parts.size(), most_parts);
  std::string name = parts[0];
  for (std::size_t i = 1; i < used; ++i) name += "." + parts[i];
  for (; used > 0; --used) {
    if (const Symbol* symbol = lookup(name, found.name); symbol != nullptr) {
      if (symbol->kind == Symbol::Kind::Alias) return {};  // a prefix alone is no value
      found.symbol = symbol;
      found.rest.assign(parts.begin() + static_cast<std::ptrdiff_t>(used), parts.end());
      return found;
    }
    if (used > 1) name.resize(name.size() - parts[used - 1].size() - 1);
  }
  found.name.clear();
  return found;
}

Map* Scopes::find_map(const std::string& dotted) const {
  const Found found = find(dotted);
  return found.symbol != nullptr && found.rest.empty() ? found.symbol->map : nullptr;
}

bool Scopes::is_prefix(const std::string& prefix) const {
  std::string canonical;
  if (lookup(prefix, canonical) != nullptr) return true;
  const std::string start = prefix + ".";
  const auto begins = [&](const auto& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const auto& entry) { return entry.first.starts_with(start); });
  };
  return begins(globals_) || begins(builtin_symbols_) || begins(own_.typed()) ||
         (builtin_ != nullptr && begins(builtin_->typed()));
}

std::string Scopes::line_of(const Span& where, const Span& from) const {
  if (where.file < 0 || where.line <= 0) return "";
  const std::string line = "line " + std::to_string(where.line);
  if (where.file == from.file) return "(" + line + ")";
  const std::string& path = sources_.file(where.file).path;
  if (path.starts_with("<builtin>")) return "";
  return "(" + path + ", " + line + ")";
}

std::optional<Suggestion> Scopes::suggest(const std::string& name,
                                          const std::vector<std::string>& extra) const {
  if (globals_.size() > most_candidates) return std::nullopt;
  std::map<std::string, Span>
      places;  // sorted, so that the choice among equals does not depend on hashing
  for (const std::string& candidate : extra) places.try_emplace(candidate);
  for (const auto& [candidate, symbol] : locals_) places.insert_or_assign(candidate, symbol.where);
  for (const auto& [candidate, symbol] : globals_) places.insert_or_assign(candidate, symbol.where);
  if (!files_.empty()) {
    for (const auto& [candidate, symbol] : files_.back().aliases) {
      places.insert_or_assign(candidate, symbol.where);
      if (!name.starts_with(candidate + ".")) continue;
      // `k16.Bb` is compared with the names that begin with what k16 stands for.
      for (const auto& [builtin, other] : builtin_symbols_) {
        if (builtin.starts_with(symbol.target + ".")) {
          places.try_emplace(candidate + builtin.substr(symbol.target.size()));
        }
      }
    }
  }
  for (const auto& [candidate, symbol] : builtin_symbols_) places.try_emplace(candidate);
  if (builtin_ != nullptr) {
    for (const auto& [candidate, canonical] : builtin_->typed()) places.try_emplace(candidate);
  }
  std::vector<std::string> candidates;
  candidates.reserve(places.size());
  for (const auto& [candidate, where] : places) candidates.push_back(candidate);
  const std::string found = closest(name, candidates);
  if (found.empty()) return std::nullopt;
  return Suggestion{found, places.at(found)};
}

}  // namespace fragproof
