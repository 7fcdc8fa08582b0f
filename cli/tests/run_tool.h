// Runs the built `fragproof` as a user does, and looks at what comes out.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fragproof::test {

struct ToolRun {
  int code = -1;  // exit code; 1000 + signal when one killed it
  std::string out, err;
  double seconds = 0;
  long peak_megabytes = 0;  // of memory
};

struct ToolSetting {
  std::string folder = {};  // working directory; "": ours
  std::map<std::string, std::string> environment = {};
  std::string stdout_path = {};  // stdout goes to this file instead
  int close_stdout_after = -1;   // bytes of stdout that are read before its reader goes away
  double interrupt_after = -1;   // seconds until Ctrl-C
  bool terminal = false;         // both streams are one terminal; what it shows comes as `out`
  long file_limit = -1;          // bytes that a file may have (`ulimit -f`)
  double limit = 60;             // seconds until it is killed
};

[[nodiscard]] ToolRun run_tool(const std::vector<std::string>& arguments,
                               const ToolSetting& setting = {});

// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  // Writes a file below the folder, with the folders that it needs; its path.
  std::string write(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string at(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

[[nodiscard]] std::string read_file(const std::string& path);
[[nodiscard]] bool exists(const std::string& path);
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

}  // namespace fragproof::test
