// fork, exec, poll: both streams are drained while the tool runs.
#include "cli/tests/run_tool.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace fragproof::test {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void become_tool(const std::vector<std::string>& arguments, const ToolSetting& setting,
                              int out, int err) {
  std::signal(SIGPIPE, SIG_DFL);
  if (!setting.folder.empty() && ::chdir(setting.folder.c_str()) != 0) ::_exit(126);
  for (const auto& [name, value] : setting.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (setting.file_limit >= 0) {
    const auto limit = static_cast<rlim_t>(setting.file_limit);
    const rlimit both{limit, limit};
    ::setrlimit(RLIMIT_FSIZE, &both);
  }
  if (!setting.stdout_path.empty()) {
    out = ::open(setting.stdout_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (out < 0) ::_exit(126);
  }
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  for (int fd = 3; fd < 64; ++fd) ::close(fd);
  std::vector<char*> argv;
  std::string tool = FRAGPROOF_TOOL;
  argv.push_back(tool.data());
  std::vector<std::string> copies = arguments;
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

}  // namespace

ToolRun run_tool(const std::vector<std::string>& arguments, const ToolSetting& setting) {
  int out[2], err[2];
  if (::pipe(err) != 0) throw std::runtime_error("pipe");
  if (setting.terminal) {
    if (::openpty(&out[0], &out[1], nullptr, nullptr, nullptr) != 0) {
      throw std::runtime_error("openpty");
    }
  } else if (::pipe(out) != 0) {
    throw std::runtime_error("pipe");
  }
  const auto start = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) become_tool(arguments, setting, out[1], setting.terminal ? out[1] : err[1]);
  ::close(out[1]);
  ::close(err[1]);

  ToolRun run;
  pollfd streams[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  std::string* const texts[2] = {&run.out, &run.err};
  bool interrupted = false;
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    if (setting.close_stdout_after >= 0 && streams[0].fd >= 0 &&
        run.out.size() >= static_cast<std::size_t>(setting.close_stdout_after)) {
      ::close(streams[0].fd);
      streams[0].fd = -1;
      continue;
    }
    ::poll(streams, 2, 20);
    for (int i = 0; i < 2; ++i) {
      if (streams[i].fd < 0 || (streams[i].revents & (POLLIN | POLLHUP)) == 0) continue;
      char buffer[4096];
      const bool careful = i == 0 && setting.close_stdout_after >= 0;
      const ssize_t count = ::read(streams[i].fd, buffer, careful ? 64 : sizeof buffer);
      if (count > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(count));
      } else {
        ::close(streams[i].fd);
        streams[i].fd = -1;
      }
    }
    if (setting.interrupt_after >= 0 && !interrupted && seconds() >= setting.interrupt_after) {
      interrupted = true;
      ::kill(child, SIGINT);
    }
    if (seconds() > setting.limit) ::kill(child, SIGKILL);
  }
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  run.peak_megabytes = usage.ru_maxrss / 1024;
  run.seconds = seconds();
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return run;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "fragproof-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  const std::filesystem::path path = std::filesystem::path(path_) / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool exists(const std::string& path) { return std::filesystem::exists(path); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace fragproof::test
