// The table of formats.
#include "reports/formats.h"

#include "reports/html.h"
#include "reports/svg.h"
#include "reports/text.h"

namespace fragproof {
namespace {

std::string plain_html(const Record& record) { return to_html(record); }
std::string plain_svg(const Record& record) { return record_svg(record); }

}  // namespace

std::string to_text(const Record& record) {
  TextOptions options;
  options.width = 100;
  return record_text(record, options);
}

const std::vector<ReportFormat>& report_formats() {
  static const std::vector<ReportFormat> formats = {
      {"html", "one self-contained page", plain_html},
      {"md", "Markdown, fit for a GitHub step summary", to_markdown},
      {"junit", "JUnit XML", to_junit},
      {"sarif", "SARIF 2.1.0, for code scanning", to_sarif},
      {"github", "annotations for GitHub Actions", to_github},
      {"codequality", "GitLab Code Quality", to_code_quality},
      {"svg", "the register pictures of what was refuted", plain_svg},
      {"text", "what the terminal shows", to_text},
  };
  return formats;
}

}  // namespace fragproof
