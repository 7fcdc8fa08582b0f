// `version`: what is inside this program.
#include <fmt/format.h>

#include "checkers/solver/linear.h"
#include "cli/command.h"
#include "cli/output.h"
#include "spec/load.h"

namespace fragproof::cli {

Command add_version(CLI::App& root) {
  CLI::App* app = root.add_subcommand("version", "the tool, its Z3, and how much spec is built in");
  app->footer(
      "Examples:\n"
      "  fragproof version");
  return {app, [] {
            print(fmt::format("fragproof {}\nZ3 {}\nspec: {} fragments, {} built-in files\n",
                              FRAGPROOF_VERSION, z3_version(), builtin_spec().maps.size(),
                              embedded_files().size()));
            return exit_ok;
          }};
}

}  // namespace fragproof::cli
