// Options that several commands share.
#include "cli/command.h"

#include <map>
#include <string>

namespace fragproof::cli {

void add_colour(CLI::App& app, ColourMode& mode) {
  const std::map<std::string, ColourMode> modes = {
      {"auto", ColourMode::Auto}, {"always", ColourMode::Always}, {"never", ColourMode::Never}};
  app.add_option_function<std::string>(
         "--color,--colour",
         [&mode, modes](const std::string& word) {
           const auto found = modes.find(word);
           if (found == modes.end())
             throw CLI::ValidationError("--color", "takes auto, always or never");
           mode = found->second;
         },
         "auto, always or never")
      ->type_name("WHEN");
}

}  // namespace fragproof::cli
