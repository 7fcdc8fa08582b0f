// The files that a record is written to: `--json F --html F --junit F ..`, for `prove` and
// `report`.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "checkers/result/result.h"
#include "cli/outputs.h"
#include "reports/json.h"

namespace fragproof::cli {

class ReportOutputs {
 public:
  // Adds `--json FILE` and an option for each of report_formats(). `this` must stay where it is.
  void add_to(CLI::App& app);

  // Those that the user asked for. Look at them with expect_writable() before the work.
  [[nodiscard]] std::vector<OutputFile> files() const;

  // Writes them, each whole or not at all: all that it can; then throws Failure for what it could
  // not.
  void write(const Record& record, const JsonOptions& json = {}) const;

 private:
  std::map<std::string, std::string> paths_;  // by the name of the format; "" when not wanted
};

}  // namespace fragproof::cli
