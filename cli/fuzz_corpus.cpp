#include "cli/fuzz_corpus.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli/output.h"
#include "fuzz/random.h"
#include "spec/load.h"

namespace fragproof::cli {
namespace {

std::string base_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string hex(std::uint64_t value) {
  std::ostringstream text;
  text << std::hex << value;
  return text.str();
}

}  // namespace

std::vector<CorpusLine> read_corpus_file(const std::string& path) {
  std::string error;
  const std::optional<std::string> text = read_text_file(path, error);
  if (!text) throw Failure{path + ": " + error};
  std::vector<CorpusLine> out;
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    ParsedConfiguration parsed = parse_configuration(line);
    if (!parsed.configuration) {
      throw Failure{path + ":" + std::to_string(number) + ": " + parsed.error};
    }
    out.push_back({std::move(*parsed.configuration), path, number});
  }
  return out;
}

std::vector<CorpusLine> read_corpus(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<CorpusLine> out;
  std::error_code code;
  if (!fs::exists(folder, code)) {
    fs::create_directories(folder, code);
    if (code) throw Failure{"--corpus: cannot make '" + folder + "': " + code.message()};
  }
  if (!fs::is_directory(folder, code)) throw Failure{"--corpus: '" + folder + "' is no folder"};
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw Failure{"--corpus: '" + folder + "' cannot be written"};
  }
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::vector<CorpusLine> lines = read_corpus_file(path);
    std::move(lines.begin(), lines.end(), std::back_inserter(out));
  }
  return out;
}

void keep(const std::string& folder, const Configuration& configuration,
          const std::string& comment) {
  const std::string line = to_text(configuration);
  const std::string path = folder + "/" + configuration.kernel + "-" + hex(hashed(line)) + ".txt";
  std::error_code code;
  if (std::filesystem::exists(path, code)) return;
  save(path, "# " + comment + "\n" + line + "\n");
}

bool is_about(const CorpusLine& line, const std::string& path) {
  return line.configuration.file.empty() || base_name(line.configuration.file) == base_name(path);
}

}  // namespace fragproof::cli
