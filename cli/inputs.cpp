// Reading inputs, naming their checks, and the sizes that `--at` gives.
#include "cli/inputs.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "checkers/portfolio.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/suggest.h"
#include "reports/hash.h"
#include "spec/integer.h"

namespace fragproof::cli {
namespace {

constexpr std::string_view builtin_prefix = "<builtin>/";

std::string without_extension(const std::string& path) {
  constexpr std::string_view extension = ".layout";
  const bool has = path.size() > extension.size() &&
                   path.compare(path.size() - extension.size(), extension.size(), extension) == 0;
  return has ? path.substr(0, path.size() - extension.size()) : path;
}

std::string stem_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.empty() ? path : without_extension(name);
}

void name_inputs(std::vector<Input>& inputs) {
  std::map<std::string, int> uses;
  for (const Input& input : inputs) ++uses[stem_of(input.path)];
  for (Input& input : inputs) {
    const std::string stem = stem_of(input.path);
    input.stem = uses[stem] > 1 ? without_extension(input.path) : stem;
  }
}

Input as_input(std::string path, LoadResult loaded) {
  Input input;
  input.path = std::move(path);
  input.spec = std::move(loaded.spec);
  input.sources = std::move(loaded.sources);
  input.diagnostics = std::move(loaded.diagnostics);
  return input;
}

// Includes of a built-in file are built in too.
std::optional<std::string> read_builtin(const std::string& path, std::string& error) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (path == std::string(builtin_prefix) + stem_of(file.path) + ".layout") {
      return std::string(file.text, file.size);
    }
  }
  error = "no such built-in file";
  return std::nullopt;
}

std::string trimmed(const std::string& text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  const auto first = std::find_if_not(text.begin(), text.end(), blank);
  const auto last = std::find_if_not(text.rbegin(), text.rend(), blank).base();
  return first < last ? std::string(first, last) : "";
}

// Digits, whatever their number.
bool is_number(const std::string& text) {
  const std::size_t digits = text.find_first_not_of('-');
  return digits <= 1 && text.find_first_not_of("0123456789", digits) == std::string::npos;
}

}  // namespace

bool names_builtin(const std::string& word) {
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored) && !std::filesystem::is_directory(word, ignored)) {
    return false;
  }
  const std::vector<EmbeddedFile>& files = embedded_files();
  return std::any_of(files.begin(), files.end(),
                     [&](const EmbeddedFile& file) { return stem_of(file.path) == word; });
}

std::vector<std::string> files_read(const std::vector<Input>& inputs) {
  std::vector<std::string> files;
  for (const Input& input : inputs)
    files.insert(files.end(), input.files_read.begin(), input.files_read.end());
  return files;
}

std::vector<Input> read_inputs(const std::vector<std::string>& paths) {
  std::vector<Input> inputs;
  for (const std::string& word : paths) {
    const std::string path =
        names_builtin(word) ? std::string(builtin_prefix) + word + ".layout" : word;
    const bool seen = std::any_of(inputs.begin(), inputs.end(),
                                  [&](const Input& input) { return input.path == path; });
    if (seen) continue;
    if (path.rfind(builtin_prefix, 0) == 0) {
      inputs.push_back(as_input(path, load_spec(path, read_builtin)));
      continue;
    }
    std::vector<std::string> files;
    const auto recorded = [&files](const std::string& file, std::string& error) {
      files.push_back(file);
      return read_text_file(file, error);
    };
    inputs.push_back(as_input(path, load_spec(path, recorded)));
    inputs.back().files_read = std::move(files);
  }
  name_inputs(inputs);
  return inputs;
}

std::vector<Input> builtin_inputs() {
  std::vector<Input> inputs;
  for (const EmbeddedFile& file : embedded_files()) {
    const std::string path = std::string(builtin_prefix) + stem_of(file.path) + ".layout";
    inputs.push_back(as_input(path, load_spec(path, read_builtin)));
  }
  name_inputs(inputs);
  return inputs;
}

Check error_check(const Input& input) {
  Check check;
  check.id = input.stem;
  check.kind = file_kind;
  check.verdict = Verdict::Error;
  check.file = input.path;
  check.reason = "the file cannot be read";
  if (!input.diagnostics.empty()) {
    const Diagnostic& first = input.diagnostics.front();
    check.line = first.where.line;
    check.column = first.where.column;
    if (first.where.file >= 0) {
      check.source_line = std::string(input.sources->line(first.where.file, first.where.line));
      const std::string& path = input.sources->file(first.where.file).path;
      check.reason = path != input.path ? path + ": " + first.text : first.text;
    } else {
      check.reason = first.text;
    }
    if (input.diagnostics.size() > 1) {
      check.reason += " (and " + std::to_string(input.diagnostics.size() - 1) + " more)";
    }
  }
  check.reproduce = "fragproof prove " + shell_word(input.path);
  return check;
}

namespace {

using Fingerprints = std::vector<std::pair<std::string, std::string>>;

Fingerprints fingerprint_of_instructions() {
  std::string instructions;
  for (const EmbeddedFile& file : embedded_files()) {
    if (std::string_view(file.path).rfind("instructions/", 0) != 0) continue;
    instructions += std::string(file.path) + "\n" + std::string(file.text, file.size);
  }
  return {{"instructions", fingerprint(instructions)}};
}

void add_fingerprints(const Input& input, Fingerprints& prints) {
  for (int i = 0; input.sources && i < input.sources->size(); ++i) {
    const SourceSet::File& file = input.sources->file(i);
    const bool seen = std::any_of(prints.begin(), prints.end(),
                                  [&](const auto& print) { return print.first == file.path; });
    if (!seen) prints.emplace_back(file.path, fingerprint(file.text));
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> fingerprints_of(const std::vector<Input>& inputs) {
  Fingerprints prints = fingerprint_of_instructions();
  for (const Input& input : inputs) add_fingerprints(input, prints);
  return prints;
}

std::vector<std::pair<std::string, std::string>> fingerprints_of(const Input& input) {
  Fingerprints prints = fingerprint_of_instructions();
  add_fingerprints(input, prints);
  return prints;
}

std::string diagnostics_text(const Input& input) {
  std::string text;
  for (const Diagnostic& diagnostic : input.diagnostics) {
    text += render(*input.sources, diagnostic);
    if (!text.empty() && text.back() != '\n') text += '\n';
  }
  return text;
}

NamedValues parse_values(const std::string& text) {
  NamedValues values;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t equals = item.find('=');
    const std::string name = trimmed(item.substr(0, std::min(equals, item.size())));
    const std::optional<Int> value =
        equals == std::string::npos ? std::nullopt : parse_int(trimmed(item.substr(equals + 1)));
    if (!name.empty() && !value && is_number(trimmed(item.substr(equals + 1)))) {
      throw Failure{"--at " + short_word(item) + ": larger than 128 bits hold"};
    }
    if (name.empty() || !value) {
      throw Failure{"--at takes sizes like N=16,K=64, not '" + short_word(item) + "'"};
    }
    for (const auto& other : values) {
      if (other.first == name) throw Failure{"--at gives " + name + " twice"};
    }
    values.emplace_back(name, *value);
    begin = end + 1;
  }
  return values;
}

NamedValues parse_sizes(const std::string& text) {
  NamedValues sizes = parse_values(text);
  for (const auto& [name, value] : sizes) {
    if (value < 1)
      throw Failure{"--at " + name + "=" + to_string(value) + ": a size is at least 1"};
  }
  return sizes;
}

void expect_declared(const NamedValues& sizes, const std::vector<const Spec*>& specs) {
  std::vector<std::string> known;
  for (const Spec* spec : specs) {
    for (const Variable* size : spec->sizes) known.push_back(size->name);
  }
  for (const auto& given : sizes) {
    if (std::find(known.begin(), known.end(), given.first) == known.end()) {
      throw Failure{"--at: no size named " + short_word(given.first) +
                    did_you_mean(given.first, known)};
    }
  }
}

}  // namespace fragproof::cli
