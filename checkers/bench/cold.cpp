// Starting the tool, timing it and reading its record.
#include "cold.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

namespace fragproof::bench {

ColdRun run_cold() {
  ColdRun run;
  const std::string tool = FRAGPROOF_BINARY_DIR "/fragproof";
  const std::string record = FRAGPROOF_BINARY_DIR "/bench_record.json";
  const char* arguments[] = {tool.c_str(), "prove", "--quiet", "--json", record.c_str(), nullptr};

  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, tool.c_str(), &quiet, nullptr, const_cast<char**>(arguments), environ);
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child) {
    run.error = "cannot start " + tool;
    return run;
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  std::ifstream in(record);
  const nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
  if (json.is_discarded() || !json.contains("checks")) {
    run.error = "no record in " + record;
    return run;
  }
  for (const nlohmann::json& check : json["checks"]) {
    const std::string verdict = check.value("verdict", "");
    run.claims.push_back({check.value("id", ""), verdict, check.value("time_ms", 0.0),
                          verdict == check.value("expected", "?")});
  }
  return run;
}

}  // namespace fragproof::bench
