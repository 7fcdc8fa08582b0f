// Compiling and running generated C++.
#include "spec/tests/cpp_testing.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#ifndef FRAGPROOF_CLANGXX
#define FRAGPROOF_CLANGXX ""
#endif
#ifndef FRAGPROOF_NVCC
#define FRAGPROOF_NVCC ""
#endif

namespace fragproof::test {

std::vector<Compiler> compilers() {
  return {{"cxx", FRAGPROOF_CXX, false},
          {"clang", FRAGPROOF_CLANGXX, false},
          {"nvcc", FRAGPROOF_NVCC, true}};
}

std::string strict_flags(const Compiler& compiler) {
  if (compiler.cuda) return "-std=c++17 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror";
  return "-std=c++17 -O1 -Wall -Wextra -Wpedantic -Wconversion -Werror";
}

std::string test_folder(const std::string& name) {
  const std::string folder = testing::TempDir() + "fragproof_cpp_" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  ASSERT_TRUE(out.good()) << path;
}

Output shell(const std::string& command) {
  Output output;
  std::FILE* pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer{};
  for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.text.append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

Output compile(const Compiler& compiler, const std::string& folder, const std::string& name,
               const std::string& flags) {
  const std::string language = compiler.cuda ? " -x cu " : " -x c++ ";
  return shell("cd '" + folder + "' && '" + compiler.command + "' " + flags + " -I. -o program" +
               language + name);
}

}  // namespace fragproof::test
