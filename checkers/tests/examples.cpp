// Finding, loading and judging the example files, and reading the tables of this folder.
#include "checkers/tests/examples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace fragproof::examples {

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(FRAGPROOF_SOURCE_DIR) + "/examples")) {
    if (entry.path().extension() == ".layout") all.push_back(entry.path().stem().string());
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::string path_of(const std::string& name) {
  return std::string(FRAGPROOF_SOURCE_DIR) + "/examples/" + name + ".layout";
}

Example load(const std::string& name) {
  Example example{load_spec(path_of(name)), {}};
  for (const Diagnostic& diagnostic : example.loaded.diagnostics) {
    ADD_FAILURE() << render(*example.loaded.sources, diagnostic);
  }
  if (example.loaded.spec != nullptr) example.questions = questions_of(*example.loaded.spec, name);
  return example;
}

PortfolioOptions patient_options() {
  PortfolioOptions options;
  options.claim_seconds = 120;
  options.file_seconds = 0;
  options.workers = 1;
  return options;
}

std::vector<std::vector<std::string>> read_table(const std::string& file) {
  std::ifstream in(std::string(FRAGPROOF_SOURCE_DIR) + "/checkers/tests/" + file);
  EXPECT_TRUE(in.is_open()) << file;
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> row;
    std::size_t start = 0;
    while (start <= line.size()) {
      const std::size_t bar = std::min(line.find('|', start), line.size());
      const std::string cell = line.substr(start, bar - start);
      const std::size_t first = cell.find_first_not_of(' ');
      row.push_back(first == std::string::npos
                        ? ""
                        : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
      start = bar + 1;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace fragproof::examples
