// `report`: a record that `prove --json` wrote, in other formats; the records of shards as one.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/report_outputs.h"
#include "reports/merge.h"
#include "reports/text.h"
#include "reports/write.h"

namespace fragproof::cli {
namespace {

struct ReportCommand {
  std::vector<std::string> files;
  ReportOutputs outputs;
  bool merge = false;
  bool exit_code = false;
  ColourMode colour = ColourMode::Auto;
};

std::string read_all(const std::string& path) {
  if (path == "-") {
    return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Failure{"cannot read '" + path + "': a folder"};
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) throw Failure{"cannot read '" + path + "': " + std::strerror(errno)};
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return text;
}

NamedRecord read_record(const std::string& path) {
  ReadResult result = record_from_json(read_all(path));
  if (!result.record) throw Failure{path + ": " + result.error};
  return {path, std::move(*result.record)};
}

Record joined(const ReportCommand& command) {
  std::vector<NamedRecord> records;
  for (const std::string& path : command.files) records.push_back(read_record(path));
  if (!command.merge && records.size() == 1) return std::move(records.front().record);
  MergeResult merged = merge_records(records);
  if (!merged.record) throw Failure{merged.error};
  return std::move(*merged.record);
}

int report(const ReportCommand& command) {
  if (command.files.size() > 1 && !command.merge) {
    throw Failure{
        fmt::format("{} records: --merge joins the shards of one run", command.files.size())};
  }
  const std::vector<OutputFile> outputs = command.outputs.files();
  expect_writable(outputs, command.files);
  const Record record = joined(command);
  TextOptions text;
  text.colour = use_colour(command.colour);
  text.width = terminal_width();
  if (outputs.empty()) print(record_text(record, text));
  command.outputs.write(record, {.proofs = true});
  const bool answered = std::any_of(outputs.begin(), outputs.end(), [](const OutputFile& output) {
    return names_stdout(output.path);
  });
  if (!outputs.empty() && !answered) print(summary_text(record, text));
  return command.exit_code ? exit_code(record) : exit_ok;
}

}  // namespace

Command add_report(CLI::App& root) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App* app =
      root.add_subcommand("report", "a record of `prove --json` in other formats; shards as one");
  app->add_option("RECORD", command->files, "JSON records (-: from stdin)")
      ->type_name("")
      ->required();
  app->add_flag("--merge", command->merge,
                "join the records of shards; they must be of the same specs");
  command->outputs.add_to(*app);
  app->add_flag("--exit-code", command->exit_code,
                "exit as the run that wrote the record did (otherwise 0)");
  add_colour(*app, command->colour);
  app->footer(
      "Examples:\n"
      "  fragproof report run.json                                  what the terminal showed\n"
      "  fragproof report run.json --html run.html --junit run.xml --sarif run.sarif\n"
      "  fragproof report run.json --github -                       annotations for GitHub\n"
      "  fragproof report run.json --md - >> \"$GITHUB_STEP_SUMMARY\"\n"
      "  fragproof report --merge shard*.json --json all.json --exit-code");
  return {app, [command] { return report(*command); }};
}

}  // namespace fragproof::cli
