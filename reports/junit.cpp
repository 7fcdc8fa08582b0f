// JUnit XML. There is no one schema; reports/tests/data/junit.xsd is what the common readers agree
// on.
#include <cstdio>
#include <map>
#include <set>

#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/phrase.h"
#include "reports/summary.h"
#include "reports/text.h"

namespace fragproof {
namespace {

constexpr std::size_t longest_name = 400;
constexpr std::size_t longest_body = 20'000;

// Seconds with three decimals, as Surefire's schema wants them, in any locale.
std::string seconds(double time_ms) {
  const double sane = time_ms >= 0 && time_ms < 1e12 ? time_ms : 0;
  const auto whole = static_cast<long long>(sane + 0.5);
  char text[64];
  std::snprintf(text, sizeof text, "%lld.%03lld", whole / 1000, whole % 1000);
  return text;
}

std::string attribute(const char* name, std::string_view text) {
  return std::string(" ") + name + "=\"" + html_escape(shorten(visible(text), longest_name)) + "\"";
}

std::string body_text(const Check& check) {
  TextOptions options;
  options.width = 100;
  std::string text = check_details(check, options);
  if (text.size() > longest_body) {
    text = valid_utf8(text.substr(0, longest_body)) + "\n.. (cut; the JSON record has it all)\n";
  }
  return html_escape(text, true);
}

// The id in two: GitLab takes the class name for the name of the suite, and Jenkins splits it at
// dots into packages.
struct CaseName {
  std::string suite, test;
};
CaseName name_of_case(const std::string& id) {
  const std::size_t slash = id.rfind('/');
  CaseName name{slash == std::string::npos ? id : id.substr(0, slash),
                slash == std::string::npos ? id : id.substr(slash + 1)};
  for (char& c : name.suite) c = c == '/' ? '.' : c;
  return name;
}

std::string test_case(const Check& check, const CaseName& name, std::set<std::string>& taken) {
  std::string test = shorten(visible(name.test), longest_name - 20);
  const std::string base = test;  // of two cases of one name, GitLab keeps the first only
  for (int n = 2; !taken.insert(test).second; ++n) test = base + " (" + std::to_string(n) + ")";
  std::string out = "  <testcase" + attribute("classname", name.suite) + attribute("name", test);
  if (!check.file.empty()) out += attribute("file", check.file);
  if (check.line > 0) out += " line=\"" + std::to_string(check.line) + "\"";
  out += " time=\"" + seconds(check.time_ms) + "\"";
  const std::string message =
      attribute("message", std::string(name_of(check.verdict)) + ": " + finding_phrase(check));
  const std::string type = std::string(" type=\"") + name_of(check.verdict) + "\"";
  switch (ci_result(check)) {
    case CiResult::Passed:
      return out + "/>\n";
    case CiResult::Skipped:
      return out + ">\n   <skipped" + attribute("message", finding_phrase(check)) +
             "/>\n  </testcase>\n";
    case CiResult::Failed:
      return out + ">\n   <failure" + message + type + ">" + body_text(check) +
             "</failure>\n  </testcase>\n";
    case CiResult::Undecided:
      return out + ">\n   <error" + message + type + ">" + body_text(check) +
             "</error>\n  </testcase>\n";
  }
  return out + "/>\n";
}

struct Suite {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double time_ms = 0;
  std::set<std::string> taken;
  std::string cases;

  void count(const Check& check) {
    ++tests;
    const CiResult result = ci_result(check);
    failures += result == CiResult::Failed ? 1 : 0;
    errors += result == CiResult::Undecided ? 1 : 0;
    skipped += result == CiResult::Skipped ? 1 : 0;
    if (check.time_ms > 0 && check.time_ms < 1e12) time_ms += check.time_ms;
  }
  [[nodiscard]] std::string counts() const {
    return " tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) +
           "\" errors=\"" + std::to_string(errors) + "\" skipped=\"" + std::to_string(skipped) +
           "\" time=\"" + seconds(time_ms) + "\"";
  }
};

}  // namespace

std::string to_junit(const Record& record) {
  std::vector<std::string> order;
  std::map<std::string, Suite> suites;
  Suite all;
  for (const Check& check : record.checks) {
    const CaseName name = name_of_case(check.id);
    const auto [at, is_new] = suites.try_emplace(name.suite);
    if (is_new) order.push_back(name.suite);
    at->second.count(check);
    all.count(check);
    at->second.cases += test_case(check, name, at->second.taken);
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fragproof\"" +
                    all.counts() + ">\n";
  for (const std::string& name : order) {
    const Suite& suite = suites.at(name);
    out += " <testsuite" + attribute("name", name) + suite.counts() + ">\n" + suite.cases +
           " </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace fragproof
