// One option a format, from the table of formats.
#include "cli/report_outputs.h"

#include <functional>
#include <optional>

#include "cli/output.h"
#include "reports/formats.h"

namespace fragproof::cli {

void ReportOutputs::add_to(CLI::App& app) {
  app.add_option("--json", paths_["json"], "write the record of the run (-: to stdout)")
      ->type_name("FILE");
  for (const ReportFormat& format : report_formats()) {
    app.add_option(std::string("--") + format.name, paths_[format.name],
                   std::string("write ") + format.meaning)
        ->type_name("FILE");
  }
}

std::vector<OutputFile> ReportOutputs::files() const {
  std::vector<OutputFile> wanted;
  for (const auto& [name, path] : paths_) {
    if (!path.empty()) wanted.push_back({"--" + name, path});
  }
  return wanted;
}

void ReportOutputs::write(const Record& record, const JsonOptions& json) const {
  std::optional<Failure> first;
  const auto write = [&](const char* name, const std::function<std::string()>& text) {
    const auto at = paths_.find(name);
    if (at == paths_.end() || at->second.empty()) return;
    try {
      save(at->second, text());
    } catch (const Failure& failure) {
      if (!first) first = failure;
    }
  };
  write("json", [&] { return to_json(record, json); });
  for (const ReportFormat& format : report_formats())
    write(format.name, [&] { return format.write(record); });
  if (first) throw Failure{*first};
}

}  // namespace fragproof::cli
