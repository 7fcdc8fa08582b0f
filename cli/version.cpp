// `version`: what is inside this program.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/output.h"
#include "spec/load.h"
#ifndef FRAGPROOF_WITHOUT_Z3
#include "checkers/solver/linear.h"
#endif

namespace fragproof::cli {
namespace {

std::string prover() {
#ifdef FRAGPROOF_WITHOUT_Z3
  return "without Z3: this build does not prove";
#else
  return "Z3 " + z3_version();
#endif
}

}  // namespace

Command add_version(CLI::App& root) {
  CLI::App* app = root.add_subcommand("version", "the tool, its Z3, and how much spec is built in");
  app->footer(
      "Examples:\n"
      "  fragproof version");
  return {app, [] {
            print(fmt::format("fragproof {}\n{}\nspec: {} fragments, {} built-in files\n",
                              FRAGPROOF_VERSION, prover(), builtin_spec().maps.size(),
                              embedded_files().size()));
            return exit_ok;
          }};
}

}  // namespace fragproof::cli
