// The page in a real browser: filters by the URL's hash, deep links, nothing in it runs that is not
// ours.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "reports/html.h"
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

}  // namespace
}  // namespace fragproof
