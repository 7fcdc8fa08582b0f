// The page in a real browser: filters by the URL's hash, deep links, nothing in it runs that is not
// ours.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "reports/html.h"
#include "reports/tests/hostile.h"
#include "reports/tests/sample.h"
#include "reports/tests/support.h"
#include "reports/write.h"

namespace fragproof {
namespace {

using support::count_of;

class Browser : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v chromium >/dev/null 2>&1") != 0) GTEST_SKIP() << "no chromium here";
  }

  // The document after its script has run, at `hash`.
  std::string dom(const Record& record, const std::string& hash) {
    const std::string path = folder_.path("r.html");
    EXPECT_TRUE(write_file(path, to_html(record)).ok);
    const std::string command =
        "timeout 100 chromium --headless --no-sandbox --disable-gpu --user-data-dir='" +
        folder_.path("profile") + "' --dump-dom 'file://" + path + hash + "' 2>/dev/null";
    FILE* pipe = popen(command.c_str(), "r");
    std::string out;
    std::array<char, 65536> buffer;
    for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
      out.append(buffer.data(), n);
    EXPECT_EQ(pclose(pipe), 0);
    return out;
  }

 private:
  support::Folder folder_;
};

TEST_F(Browser, FiltersByTheHash) {
  const std::string all = dom(sample::record(), "");
  EXPECT_NE(all.find("6 shown"), std::string::npos);
  const std::string refuted = dom(sample::record(), "#v=REFUTED");
  EXPECT_NE(refuted.find("2 of 6 shown"), std::string::npos);
  EXPECT_EQ(count_of(refuted, "hidden=\"\"><summary") + count_of(refuted, "hidden=\"\">\n<summary"),
            4);
  EXPECT_NE(dom(sample::record(), "#kind=A.rows&q=swap").find("1 of 6 shown"), std::string::npos);
}

TEST_F(Browser, ADeepLinkOpensItsCheck) {
  const std::string page = dom(sample::record(), "#c-gemv/gemv.A.rows");
  const std::size_t at = page.find("id=\"c-gemv/gemv.A.rows\"");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NE(page.substr(at, 400).find(" open=\"\""), std::string::npos);
}

TEST_F(Browser, HostileTextsRunNothing) {
  const std::string page = dom(sample::hostile_record(), "#q=<script>alert(1)</script>");
  EXPECT_EQ(count_of(page, "<script"), 1) << "ours";
  EXPECT_EQ(page.find("<svg onload"), std::string::npos);
  EXPECT_NE(page.find("6 shown"), std::string::npos);
}

// Runs reports/tests/browse_report.py on the page of `record`: what it printed.
struct Visit {
  int code = -1;
  std::string facts;
};

Visit browse(const Record& record) {
  const support::Folder folder;
  EXPECT_TRUE(write_file(folder.path("r.html"), to_html(record)).ok);
  Visit visit;
  // A machine may have another python3 before the distribution's, without its modules.
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const std::string command = std::string("timeout 200 ") + python +
                                " '" FRAGPROOF_SOURCE_DIR "/reports/tests/browse_report.py' '" +
                                folder.path("r.html") + "' 2>&1";
    visit.facts.clear();
    FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 65536> buffer;
    for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
      visit.facts.append(buffer.data(), n);
    const int status = pclose(pipe);
    visit.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
    if (visit.code != 77 && visit.code != 127) break;
  }
  if (visit.code == 127) visit = {77, "not installed: python3\n"};
  return visit;
}

TEST(BrowserByHand, ClicksFiltersAndFindsThePicture) {
  const Visit visit = browse(sample::record());
  if (visit.code == 77) GTEST_SKIP() << visit.facts;
  ASSERT_EQ(visit.code, 0) << visit.facts;
  for (const char* fact :
       {"filter UNEXPECTED 2\n", "filter REFUTED 2\n", "filter UNKNOWN 1\n", "filter SKIPPED 1\n",
        "picture 769 cells", " 3 marks\n",
        "command fragproof prove gemv_swap.layout --only gemv_swap/gemv.A.rows --at N=16,K=32\n"}) {
    EXPECT_NE(visit.facts.find(fact), std::string::npos) << fact << visit.facts;
  }
}

TEST(BrowserByHand, HostileTextsRunNothingAndAskNobody) {
  for (const Record& record : {sample::hostile_record(), sample::random_record(7), Record{}}) {
    const Visit visit = browse(record);
    if (visit.code == 77) GTEST_SKIP() << visit.facts;
    EXPECT_EQ(visit.code, 0) << visit.facts;
  }
}

// The figures are printed, and asserted with room for a busy machine: 1 s to open, 100 ms a filter.
TEST(BrowserByHand, TenThousandChecks) {
  const Visit visit = browse(sample::long_record(10'000));
  if (visit.code == 77) GTEST_SKIP() << visit.facts;
  ASSERT_EQ(visit.code, 0) << visit.facts;
  std::printf("%s", visit.facts.c_str());
  EXPECT_NE(visit.facts.find("filter REFUTED 100\n"), std::string::npos);
  const std::size_t at = visit.facts.find("times open=");
  ASSERT_NE(at, std::string::npos);
  EXPECT_LT(std::atof(visit.facts.c_str() + at + 11), 5000);
}

}  // namespace
}  // namespace fragproof
