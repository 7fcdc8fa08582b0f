// Every format that a record can be written in. A new one is one file with its writer, and one line
// in formats.cpp: the options of `prove` and `report` and their help come from that table.
#pragma once

#include <string>
#include <vector>

#include "checkers/result/result.h"

namespace fragproof {

struct ReportFormat {
  const char* name;     // of the option: "junit" is --junit
  const char* meaning;  // for the help
  std::string (*write)(const Record& record);
};

// In the order of the help. Pure functions of the record: no clock, no environment, no host.
[[nodiscard]] const std::vector<ReportFormat>& report_formats();

// Text without colour, 100 columns wide.
[[nodiscard]] std::string to_text(const Record& record);

// GitHub-flavoured Markdown for a step summary: what failed in full, the rest folded away. At most
// 200 KB (GitHub drops summaries of 1 MiB).
[[nodiscard]] std::string to_markdown(const Record& record);

// JUnit XML as GitLab, Jenkins and the usual actions read it: a suite a file, a test case a check.
[[nodiscard]] std::string to_junit(const Record& record);

// SARIF 2.1.0 for GitHub code scanning: findings only, at most 5,000; a clean run has no results.
[[nodiscard]] std::string to_sarif(const Record& record);

// GitHub workflow commands, one a finding, at most ten errors and ten warnings (more are not
// shown).
[[nodiscard]] std::string to_github(const Record& record);

// GitLab Code Quality: a JSON list of findings.
[[nodiscard]] std::string to_code_quality(const Record& record);

}  // namespace fragproof
