// What tests of generated C++ share: compiling a text with the compilers that are here, running it.
#pragma once

#include <string>
#include <vector>

namespace fragproof::test {

struct Compiler {
  std::string name;     // "g++"
  std::string command;  // empty: it is not on this machine
  bool cuda = false;
};
// The compiler of this build, clang++ and nvcc.
[[nodiscard]] std::vector<Compiler> compilers();

// The flags that a strict user has, for this compiler.
[[nodiscard]] std::string strict_flags(const Compiler& compiler);

struct Output {
  int status = -1;
  std::string text;  // stdout and stderr together
};
// A folder for the files of one test, made new.
[[nodiscard]] std::string test_folder(const std::string& name);
void write_text(const std::string& path, const std::string& text);
[[nodiscard]] Output shell(const std::string& command);
// Compiles `folder`/NAME with these flags to `folder`/program.
[[nodiscard]] Output compile(const Compiler& compiler, const std::string& folder,
                             const std::string& name, const std::string& flags);

}  // namespace fragproof::test
