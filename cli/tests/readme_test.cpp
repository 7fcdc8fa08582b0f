// Every command that the README shows is run, and prints what the README says; every file that it
// names is there.
//
// A block ```layout or ```cpp after `<!-- file: NAME -->` is written to NAME; a block ```console
// holds `$ command` lines, each followed by its output. Times and the version of Z3 are the
// machine's and are not compared.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

std::string source_path(const std::string& name) {
  return std::string(FRAGPROOF_SOURCE_DIR) + "/" + name;
}

struct Command {
  int line = 0;  // of the README
  std::string text;
  std::string output;
};

struct Readme {
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<Command> commands;
};

bool is_text(const std::string& fence) { return fence == "layout " || fence == "cpp "; }

Readme read_readme() {
  Readme readme;
  std::string file;
  std::string fence;
  int number = 0;
  for (const std::string& line : lines_of(read_file(source_path("README.md")))) {
    ++number;
    if (fence.empty()) {
      std::smatch match;
      if (std::regex_match(line, match, std::regex("<!-- file: (\\S+) -->"))) file = match[1];
      if (line.rfind("```", 0) != 0) continue;
      fence = line.substr(3) + " ";
      if (is_text(fence) && !file.empty()) readme.files.emplace_back(file, "");
    } else if (line == "```") {
      fence.clear();
      file.clear();
    } else if (fence == "console " && line.rfind("$ ", 0) == 0) {
      readme.commands.push_back({number, line.substr(2), ""});
    } else if (fence == "console " && !readme.commands.empty()) {
      readme.commands.back().output += line + "\n";
    } else if (is_text(fence) && !file.empty()) {
      readme.files.back().second += line + "\n";
    }
  }
  return readme;
}

// What differs from machine to machine, blanked: times at line ends, the version of Z3; blanks at
// line ends.
std::string comparable(const std::string& text) {
  std::string out;
  for (std::string line : lines_of(text)) {
    line = std::regex_replace(line, std::regex(" +<?[0-9.]+ (us|ms|s)$"), " TIME");
    line = std::regex_replace(line, std::regex("^Z3 .*"), "Z3 VERSION");
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

// Runs a shell command in `folder` with the built tool first on the path; stdout and stderr
// together.
std::string run_shell(const std::string& command, const std::string& folder, int& status) {
  const std::string tool = std::filesystem::path(FRAGPROOF_TOOL).parent_path().string();
  const std::string line = "cd '" + folder + "' && export NO_COLOR=1 COLUMNS=80 PATH='" + tool +
                           "':\"$PATH\" && { " + command + "\n} 2>&1";
  std::string out;
  std::FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) {
    status = -1;
    return out;
  }
  std::array<char, 4096> buffer{};
  for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    out.append(buffer.data(), got);
  }
  status = WEXITSTATUS(pclose(pipe));
  return out;
}

TEST(Readme, ItsCommandsPrintWhatItSays) {
  const Readme readme = read_readme();
  ASSERT_GE(readme.files.size(), 1U);
  ASSERT_GE(readme.commands.size(), 7U);
  const TemporaryFolder folder;
  std::filesystem::create_directory_symlink(source_path("examples"), folder.at("examples"));
  for (const auto& [name, text] : readme.files) folder.write(name, text);
  int proved = 0;
  int refuted = 0;
  for (const Command& command : readme.commands) {
    SCOPED_TRACE("README.md:" + std::to_string(command.line) + ": " + command.text);
    int status = 0;
    const std::string out = run_shell(command.text, folder.path(), status);
    EXPECT_EQ(comparable(out), comparable(command.output));
    const bool wants_fault = command.output.find("REFUTED, but") != std::string::npos;
    EXPECT_EQ(status, wants_fault ? 1 : 0);
    if (command.text.rfind("fragproof prove", 0) == 0) ++(wants_fault ? refuted : proved);
  }
  EXPECT_GE(proved, 2);
  EXPECT_GE(refuted, 2);
}

TEST(Readme, ItsLinksLead) {
  const std::string text = read_file(source_path("README.md"));
  const std::regex link("\\]\\(([^)#]+)\\)");
  int links = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at, ++links) {
    EXPECT_TRUE(std::filesystem::exists(source_path((*at)[1]))) << (*at)[1];
  }
  EXPECT_GE(links, 12);
}

TEST(Readme, ItsTableHasEveryInstructionAndNoOther) {
  int status = 0;
  std::set<std::string> listed;
  for (const std::string& line : lines_of(run_shell("fragproof list", ".", status))) {
    std::smatch match;
    if (std::regex_search(line, match,
                          std::regex("^  ((mma|ldmatrix|stmatrix|movmatrix)\\.[a-z0-9.]+) "))) {
      listed.insert(match[1]);
    }
  }
  EXPECT_EQ(status, 0);
  std::set<std::string> shown;
  for (const std::string& line : lines_of(read_file(source_path("README.md")))) {
    if (line.rfind("| `", 0) != 0) continue;
    const std::regex name("`((mma|ldmatrix|stmatrix|movmatrix)\\.[a-z0-9.]+)`");
    for (std::sregex_iterator at(line.begin(), line.end(), name), end; at != end; ++at) {
      shown.insert((*at)[1]);
      if (line.find("each also `.trans`") != std::string::npos)
        shown.insert((*at)[1].str() + ".trans");
    }
  }
  EXPECT_EQ(shown, listed);
}

TEST(Readme, ItsExitCodesAreThoseOfTheHelp) {
  int status = 0;
  const std::string help = run_shell("fragproof --help", ".", status);
  for (const std::string& line : lines_of(read_file(source_path("README.md")))) {
    std::smatch match;
    if (!std::regex_search(line, match, std::regex("^\\| ([0-9]+) \\| "))) continue;
    EXPECT_TRUE(std::regex_search(help, std::regex("[ \n]" + match[1].str() + " [a-z]"))) << line;
  }
}

}  // namespace
}  // namespace fragproof::test
