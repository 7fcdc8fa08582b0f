#include "cli/fuzz_report.h"

#include <algorithm>

#include "checkers/portfolio.h"
#include "reports/escape.h"

namespace fragproof::cli {
namespace {

std::string count_text(std::int64_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string tried_text(const KernelReport& report) {
  std::string text = count_text(report.tried, "case", "cases") + ", " +
                     std::to_string(report.different) + " different";
  if (report.not_run > 0) {
    text += ", " + std::to_string(report.not_run) + " not run (" + report.not_run_reason + ")";
  }
  return text;
}

Tried tried_of(const KernelReport& report) {
  Tried tried{report.tried, report.failing, {}};
  for (const ClassCount& count : report.classes) {
    tried.classes.emplace_back(count.size + " " + name_of(count.cls), count.count);
  }
  return tried;
}

void place(Check& check, const Input& input, const Kernel& kernel) {
  const SourceSet& sources = *input.spec->sources;
  check.file = input.path;
  check.line = kernel.where.line;
  check.column = kernel.where.column;
  check.source_line = std::string(sources.line(kernel.where.file, kernel.where.line));
}

void tell_failure(Check& check, const Input& input, const KernelReport& report) {
  const Failure& failure = *report.failure;
  check.verdict = Verdict::Refuted;
  check.reproduce = reproduce(input, failure.configuration);
  Counterexample& example = check.counterexample.emplace();
  if (failure.why) example = *failure.why;
  example.sizes = failure.configuration.sizes;
  example.smallest = failure.smallest;
  const std::string obligation =
      failure.obligation ? std::string(name_of(*failure.obligation)) + ": " : "";
  example.text = obligation + example.text;
  if (failure.emulation.right()) {
    check.note =
        "values right, obligation " + std::string(name_of(*failure.obligation)) + " refuted";
    return;
  }
  const Fault& fault = failure.emulation.faults.front();
  if (!failure.why) {
    example.at = fault.at;
    example.lane = fault.lane;
    example.text = std::string(name_of(fault.kind)) + ": " + fault.text;
  }
  check.note = "emulated: " + std::string(name_of(fault.kind)) + ": " + fault.text;
  if (failure.emulation.of > 0) {
    check.note += "; " + std::to_string(failure.emulation.wrong) + " of " +
                  std::to_string(failure.emulation.of) + " results wrong";
  }
}

}  // namespace

std::string reproduce(const Input& input, const Configuration& configuration) {
  std::string text = "fragproof fuzz " + shell_word(input.path);
  const std::string line = to_text(configuration);
  // Braces of a table are the shell's, too.
  return text + " " + (line.find('{') == std::string::npos ? line : shell_word(line));
}

Check check_of(const Input& input, const KernelReport& report, bool interrupted) {
  Check check;
  check.id = input.stem + "/" + report.kernel->name + ".fuzz";
  check.kind = "fuzz";
  check.methods = {"emulate"};
  check.shapes_tried = report.tried;
  check.expected = report.refuted_by_file ? Verdict::Refuted : Verdict::Unknown;
  check.reproduce = "fragproof fuzz " + shell_word(input.path);
  place(check, input, *report.kernel);
  check.tried = tried_of(report);
  if (report.failure) {
    tell_failure(check, input, report);
    if (!report.failure->agrees) {
      check.verdict = Verdict::Error;
      check.reason =
          "the emulated values are wrong, and yet every obligation holds: fragproof "
          "contradicts itself";
    }
    return check;
  }
  if (report.tried == 0) {
    check.verdict = Verdict::Skipped;
    check.reason = interrupted          ? "interrupted"
                   : report.not_run > 0 ? report.not_run_reason
                                        : "no admissible configuration was drawn";
    return check;
  }
  check.verdict = Verdict::Unknown;
  check.reason = "no configuration that was tried fails; trying proves nothing";
  if (report.refuted_by_file) {
    check.reason = "the file refutes it, but no configuration that was tried fails";
  }
  return check;
}

std::string text_of(const Check& check, const KernelReport& report, const TextOptions& options) {
  std::string text;
  const bool passed = check.verdict == Verdict::Unknown && as_expected(check);
  if (passed) {
    text = "  passed   " + pad_right(check.id, static_cast<std::size_t>(options.id_width)) + "  " +
           tried_text(report) + "\n";
  } else {
    text = check_line(check, options) + check_details(check, options);
    if (as_expected(check)) text += "           " + check.note + "\n";
    text +=
        "           " + std::to_string(report.failing) + " failed of " + tried_text(report) + "\n";
  }
  if (report.tried < 100) return text;
  // What was tried: how many configurations had a size of each class.
  text += "           " + pad_right("", 6);
  for (int cls = 0; cls < size_classes; ++cls) {
    text += pad_left(name_of(static_cast<SizeClass>(cls)), 14).substr(cls == 0 ? 8 : 0);
  }
  text += "\n";
  std::string row_of;
  for (const ClassCount& count : report.classes) {
    if (count.size != row_of) {
      text += (row_of.empty() ? "" : "\n") + ("           " + pad_right(count.size, 6));
      row_of = count.size;
    }
    const std::size_t width = count.cls == SizeClass::One ? 6 : 14;
    text += pad_left(count.count == 0 ? "never" : std::to_string(count.count), width);
  }
  return text + (row_of.empty() ? "" : "\n");
}

}  // namespace fragproof::cli
