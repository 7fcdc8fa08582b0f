// Loading: reading files, following includes, and the built-in fragments that every file sees.
#include "spec/load.h"

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <fstream>
#include <tuple>
#include <unordered_set>

#include "spec/resolve.h"
#include "spec/syntax.h"

namespace fragproof {
namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20;
constexpr int deepest_include = 64;

// The path of a file that `from` names, and that of every other way to write it.
std::string beside(const std::string& from, const std::string& path) {
  const std::filesystem::path named(path);
  if (named.is_absolute()) return named.lexically_normal().generic_string();
  return (std::filesystem::path(from).parent_path() / named).lexically_normal().generic_string();
}

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void words_of(std::string_view line, std::vector<std::string>& words) {
  for (std::size_t i = 0; i < line.size() && line[i] != '#';) {
    std::size_t end = i;
    while (end < line.size() && is_word(line[end])) ++end;
    if (end > i && end - i <= 64) words.emplace_back(line.substr(i, end - i));
    i = std::max(end, i + 1);
  }
}

// The names in declarations that were not understood: from each error up to the line in column 1
// above it.
std::vector<std::string> broken_names(const SourceSet& sources,
                                      const std::vector<Diagnostic>& diagnostics,
                                      std::size_t from) {
  std::vector<std::string> names;
  for (std::size_t i = from; i < diagnostics.size(); ++i) {
    const Span& where = diagnostics[i].where;
    for (int line = where.line; line > 0 && line > where.line - 200; --line) {
      const std::string_view text = sources.line(where.file, line);
      words_of(text, names);
      if (!text.empty() && text[0] != ' ' && text[0] != '#' && text[0] != '\t') break;
    }
  }
  return names;
}

// The built-in fragments, and what was wrong with their texts (nothing, or this program was built
// from a broken tree).
struct Builtin {
  LoadResult loaded;
  std::unique_ptr<Spec> spec;
  FragmentNames names;
};
const Builtin& builtin();

class Loading {
 public:
  Loading(const FileReader& reader, const Builtin* builtin)
      : reader_(reader), reporter_(result_.diagnostics) {
    result_.sources = std::make_shared<SourceSet>();
    spec_ = std::make_unique<Spec>();
    spec_->sources = result_.sources;
    spec_->arena = arena_;
    if (builtin != nullptr) {
      // The built-in texts come first, so that a place in them has the same index in every set; and
      // so do variables.
      for (int i = 0; i < builtin->loaded.sources->size(); ++i) {
        const SourceSet::File& file = builtin->loaded.sources->file(i);
        result_.sources->add(file.path, file.text);
      }
      spec_->variable_count = builtin->spec->variable_count;
      result_.diagnostics = builtin->loaded.diagnostics;
    }
    ResolveHost host;
    host.include = [this](const Declaration& declaration) { include(declaration); };
    host.read = [this](const std::string& path, const Span& from, std::string& error) {
      return reader_(beside(result_.sources->file(from.file).path, path), error);
    };
    resolver_.emplace(*spec_, *arena_, *result_.sources,
                      builtin == nullptr ? nullptr : &builtin->names, reporter_, std::move(host));
  }

  void main(const std::string& path, std::string text) {
    seen_.insert(beside("", path));
    spec_->main_file = file(path, std::move(text), true);
  }

  void unreadable(const std::string& path, const std::string& why) {
    reporter_.error({}, "cannot read `" + path + "`: " + why);
  }

  LoadResult finish() {
    std::stable_sort(result_.diagnostics.begin(), result_.diagnostics.end(),
                     [](const Diagnostic& a, const Diagnostic& b) {
                       return std::tie(a.where.file, a.where.line, a.where.column) <
                              std::tie(b.where.file, b.where.line, b.where.column);
                     });
    if (result_.diagnostics.empty()) result_.spec = std::move(spec_);
    return std::move(result_);
  }

  std::unique_ptr<Spec> take_spec() { return std::move(spec_); }

 private:
  int file(const std::string& path, std::string text, bool is_main) {
    const int index = result_.sources->add(path, std::move(text));
    const std::size_t before = result_.diagnostics.size();
    trees_.push_back(parse(*result_.sources, index, *arena_, result_.diagnostics));
    if (result_.diagnostics.size() > Reporter::limit) result_.diagnostics.resize(Reporter::limit);
    SyntaxTree& tree = trees_.back();
    if (tree.declarations.empty() && result_.diagnostics.size() > before)
      resolver_->give_up_on_names();  // not read at all
    ++depth_;
    resolver_->file(index, tree, is_main,
                    broken_names(*result_.sources, result_.diagnostics, before));
    --depth_;
    return index;
  }

  void include(const Declaration& declaration) {
    const std::string path =
        beside(result_.sources->file(declaration.where.file).path, declaration.path);
    if (!seen_.insert(path).second) return;
    if (depth_ >= deepest_include) {
      reporter_.error(declaration.where,
                      "includes are nested more than " + std::to_string(deepest_include) + " deep");
      resolver_->give_up_on_names();
      return;
    }
    std::string why;
    std::optional<std::string> text = reader_(path, why);
    if (!text) {
      reporter_.error(declaration.where, "cannot read `" + path + "`: " + why);
      resolver_->give_up_on_names();
      return;
    }
    file(path, std::move(*text), false);
  }

  FileReader reader_;
  LoadResult result_;
  Reporter reporter_;
  std::shared_ptr<Arena> arena_ = std::make_shared<Arena>();
  std::unique_ptr<Spec> spec_;
  std::deque<SyntaxTree> trees_;
  std::optional<Resolver> resolver_;
  std::unordered_set<std::string> seen_;
  int depth_ = 0;
};

Builtin load_builtin() {
  Builtin builtin;
  const FileReader nothing = [](const std::string&, std::string& error) {
    error = "the built-in spec reads no files";
    return std::nullopt;
  };
  Loading loading(nothing, nullptr);
  for (const EmbeddedFile& file : embedded_files()) {
    const std::string path = file.path;
    if (!path.starts_with("instructions/")) continue;
    loading.main("<builtin>/" + path.substr(13), std::string(file.text, file.size));
  }
  builtin.spec = loading.take_spec();
  builtin.loaded = loading.finish();
  if (builtin.spec->main_file >= 0) builtin.spec->main_file = 0;
  for (Map* map : builtin.spec->maps) {
    map->is_builtin = true;
    builtin.names.add(map);
  }
  return builtin;
}

const Builtin& builtin() {
  static const Builtin instance = load_builtin();
  return instance;
}

}  // namespace

std::optional<std::string> read_text_file(const std::string& path, std::string& error) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status)) {
    error = failure && failure != std::errc::no_such_file_or_directory ? failure.message()
                                                                       : "there is no such file";
    return std::nullopt;
  }
  if (!std::filesystem::is_regular_file(status)) {
    error = std::filesystem::is_directory(status) ? "it is a folder" : "it is no regular file";
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    error = "it cannot be opened";
    return std::nullopt;
  }
  // To its end, whatever size it claims to have: files below /proc claim none.
  std::string text;
  std::array<char, 1 << 16> part;
  while (file.read(part.data(), part.size()), file.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > largest_file) {
      error = "it is larger than 64 MiB";
      return std::nullopt;
    }
  }
  if (file.bad()) {
    error = "reading it failed";
    return std::nullopt;
  }
  return text;
}

LoadResult load_text(const std::string& path, std::string text, const FileReader& reader) {
  Loading loading(reader, &builtin());
  loading.main(path, std::move(text));
  return loading.finish();
}

LoadResult load_spec(const std::string& path, const FileReader& reader) {
  std::string why;
  std::optional<std::string> text = reader(path, why);
  if (text) return load_text(path, std::move(*text), reader);
  Loading loading(reader, &builtin());
  loading.unreadable(path, why);
  return loading.finish();
}

const Spec& builtin_spec() { return *builtin().spec; }

const Map* find_builtin(const std::string& name) { return builtin().names.find(name); }

}  // namespace fragproof
