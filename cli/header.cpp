// `header`: the spec as a C++17 header, all that is built in or what is asked for.
#include <memory>

#include "cli/command.h"
#include "cli/fragments.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/suggest.h"
#include "spec/cpp_header.h"
#include "spec/load.h"

namespace fragproof::cli {
namespace {

struct Options {
  std::vector<std::string> names;
  std::string output = "-";
};

bool names_a_file(const std::string& name) {
  return name.ends_with(".layout") || name.find('/') != std::string::npos;
}

// The built-in fragments of an instruction under any of its names; empty when it is none.
std::vector<const Map*> fragments_of(const std::string& name) {
  std::vector<const Map*> fragments;
  for (const std::string& letter : letters_of(name)) {
    fragments.push_back(find_builtin(name + "." + letter));
  }
  if (fragments.empty() && find_builtin(name) != nullptr) fragments.push_back(find_builtin(name));
  for (const std::string& side : sides_of(name)) {
    fragments.push_back(find_builtin(name + "." + side));
  }
  return fragments;
}

// What the command line names, read.
struct Wanted {
  std::vector<const Map*> fragments;
  std::vector<Input> files;
  bool all = false;
};

// Throws Failure for a name that is none of these.
Wanted read(const std::vector<std::string>& names) {
  Wanted wanted;
  if (names.empty()) {
    wanted.all = true;
    for (const Map* map : builtin_spec().maps) wanted.fragments.push_back(map);
    for (Input& input : builtin_inputs()) {
      // The instruction texts are among the inputs too; they are the fragments.
      const bool instructions = input.spec != nullptr && !input.spec->maps.empty() &&
                                find_builtin(input.spec->maps.front()->name) != nullptr;
      if (!instructions) wanted.files.push_back(std::move(input));
    }
    return wanted;
  }
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    const std::vector<const Map*> fragments = fragments_of(name);
    if (!fragments.empty()) {
      wanted.fragments.insert(wanted.fragments.end(), fragments.begin(), fragments.end());
    } else if (names_a_file(name) || names_builtin(name)) {
      paths.push_back(name);
    } else {
      std::vector<std::string> candidates = all_instruction_names();
      for (const Input& input : builtin_inputs()) candidates.push_back(input.stem);
      throw Failure{"no instruction, built-in file or FILE.layout is called " + short_word(name) +
                    did_you_mean(name, candidates)};
    }
  }
  wanted.files = read_inputs(paths);
  return wanted;
}

int run(const Options& options) {
  const Wanted wanted = read(options.names);
  expect_writable({{"--output", options.output}}, files_read(wanted.files));
  std::vector<CppFile> files;
  for (const Input& input : wanted.files) {
    if (input.spec == nullptr) throw Failure{diagnostics_text(input)};
    files.push_back({input.spec.get(), input.stem, input.path, wanted.all});
  }
  const CppHeader header = cpp_header(wanted.fragments, files);
  if (!wanted.all) {
    for (const std::string& what : header.left_out) complain("left out: " + what);
  }
  if (header.written == 0) {
    throw Failure{
        "there is nothing to write: no map, fragment, pack, table or kernel that has C++"};
  }
  save(options.output, header.text);
  return exit_ok;
}

}  // namespace

Command add_header(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("header", "the spec as a C++17 header, for host and device");
  app->add_option("X", options->names,
                  "instructions and built-in files as `list` prints them, FILE.layout; none: all "
                  "that is built in");
  app->add_option("-o,--output", options->output, "write it to this file")->type_name("FILE");
  return {app, [options] { return run(*options); }};
}

}  // namespace fragproof::cli
