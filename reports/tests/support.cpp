// Golden files and the markup reader.
#include "reports/tests/support.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace fragproof::support {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(FRAGPROOF_SOURCE_DIR) + "/reports/tests/golden/" + name;
  if (std::getenv("FRAGPROOF_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    ADD_FAILURE() << "wrote " << name << "; look at it, then run without FRAGPROOF_UPDATE_GOLDEN";
    return;
  }
  ASSERT_TRUE(std::filesystem::exists(path)) << name << " is missing";
  std::istringstream golden(read_file(path)), ours(text);
  for (int line = 1;; ++line) {
    std::string a, b;
    const bool more_a = static_cast<bool>(std::getline(golden, a));
    const bool more_b = static_cast<bool>(std::getline(ours, b));
    if (!more_a && !more_b) break;
    ASSERT_EQ(a, b) << name << ":" << line;
    ASSERT_EQ(more_a, more_b) << name << ":" << line << " one text ends here";
  }
}

int count_of(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

std::string markup_fault(const std::string& markup) {
  const auto near = [&](std::size_t at) { return " near: " + markup.substr(at, 60); };
  static const std::vector<std::string> empty_tags = {"meta", "link", "br", "input"};
  std::vector<std::string> open;
  for (std::size_t at = 0; at < markup.size(); ++at) {
    const char c = markup[at];
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return "control character" + near(at);
    if (c == '>') return "stray >" + near(at);
    if (c == '&') {
      const std::size_t end = markup.find(';', at);
      if (end == std::string::npos || end - at > 8) return "stray &" + near(at);
      continue;
    }
    if (c != '<') continue;
    if (markup.compare(at, 9, "<!DOCTYPE") == 0) {
      at = markup.find('>', at);
      continue;
    }
    const bool closing = markup[at + 1] == '/';
    std::size_t i = at + (closing ? 2 : 1);
    std::string name;
    while (i < markup.size() && (std::isalnum(static_cast<unsigned char>(markup[i])) != 0))
      name += markup[i++];
    if (name.empty()) return "stray <" + near(at);
    bool self_closed = false;
    while (i < markup.size() && markup[i] != '>') {  // attributes
      if (markup[i] == ' ') {
        ++i;
      } else if (markup[i] == '/') {
        self_closed = true;
        ++i;
      } else {
        while (i < markup.size() &&
               (std::isalnum(static_cast<unsigned char>(markup[i])) != 0 || markup[i] == '-'))
          ++i;
        if (markup[i] != '=') {
          if (markup[i] == ' ' || markup[i] == '>') continue;  // hidden, open
          return "bad attribute" + near(at);
        }
        if (markup[++i] != '"') return "unquoted attribute" + near(at);
        for (++i; i < markup.size() && markup[i] != '"'; ++i) {
          if (markup[i] == '<' || markup[i] == '>') return "raw < or > in an attribute" + near(at);
        }
        ++i;
      }
    }
    if (i >= markup.size()) return "unfinished tag" + near(at);
    if (closing) {
      if (open.empty() || open.back() != name) return "</" + name + "> closes nothing" + near(at);
      open.pop_back();
    } else if (!self_closed &&
               std::find(empty_tags.begin(), empty_tags.end(), name) == empty_tags.end()) {
      open.push_back(name);
    }
    at = i;
    if (!closing && (name == "style" || name == "script")) at = markup.find("</" + name, i) - 1;
  }
  return open.empty() ? "" : "<" + open.back() + "> is never closed";
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "fragproof-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace fragproof::support
