// Names of proof files from ids of claims.
#include "cli/proofs.h"

#include <unistd.h>

#include <filesystem>
#include <set>

#include "cli/output.h"
#include "reports/escape.h"

namespace fragproof::cli {
namespace {

std::string file_name(const std::string& id) {
  std::string out;
  for (const char c : id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-';
    out += plain ? c : '_';
  }
  return out.substr(0, 120);
}

}  // namespace

void expect_proof_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder, error) || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw Failure{"--proof: '" + visible(folder) + "' is no folder that can be written to"};
  }
}

void write_proofs(const std::string& folder, const Record& record) {
  std::set<std::string> taken;
  for (const Check& check : record.checks) {
    if (!check.proof || check.proof->replay.empty()) continue;
    const std::string base = file_name(check.id);
    std::string name = base;
    for (int n = 2; !taken.insert(name).second; ++n) name = base + "-" + std::to_string(n);
    save(folder + "/" + name + ".proof", check.proof->replay);
  }
}

}  // namespace fragproof::cli
