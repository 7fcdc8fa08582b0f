#include "fuzz/tests/support.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fragproof::fuzz_testing {
namespace {

std::string examples() { return std::string(FRAGPROOF_SOURCE_DIR) + "/examples/"; }

Loaded checked(LoadResult result) {
  for (const Diagnostic& diagnostic : result.diagnostics) {
    ADD_FAILURE() << render(*result.sources, diagnostic);
  }
  return {std::move(result)};
}

}  // namespace

const Kernel& Loaded::kernel(const std::string& name) const {
  for (const Kernel* kernel : kernels_of(spec())) {
    if (kernel->name == name || name.empty()) return *kernel;
  }
  throw std::runtime_error("no kernel " + name);
}

Loaded load(const std::string& text) { return checked(load_text("test.layout", text)); }

Loaded load_example(const std::string& file) { return checked(load_spec(examples() + file)); }

Loaded load_edited(const std::string& file, const Edits& edits) {
  std::ifstream in(examples() + file, std::ios::binary);
  std::stringstream buffer;
  buffer << in.rdbuf();
  std::string text = buffer.str();
  for (const auto& [from, to] : edits) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) {
      ADD_FAILURE() << file << " has no `" << from << "`";
      continue;
    }
    EXPECT_EQ(text.find(from, at + 1), std::string::npos) << "twice: " << from;
    text.replace(at, from.size(), to);
  }
  return checked(load_text(examples() + file, text));
}

std::vector<std::string> example_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(examples())) {
    if (entry.path().extension() == ".layout") files.push_back(entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Shape shape_of(const Loaded& loaded, const std::string& configuration) {
  const ParsedConfiguration parsed = parse_configuration(configuration);
  EXPECT_TRUE(parsed.configuration) << parsed.error;
  const KernelSpace space(loaded.spec(), loaded.kernel(parsed.configuration->kernel));
  std::string error;
  std::optional<Shape> shape = space.shape_of(*parsed.configuration, error);
  EXPECT_TRUE(shape) << error;
  return shape ? std::move(*shape) : Shape();
}

Emulation emulate(const Loaded& loaded, const std::string& configuration,
                  const EmulationSetting& setting) {
  const ParsedConfiguration parsed = parse_configuration(configuration);
  EXPECT_TRUE(parsed.configuration) << parsed.error;
  Emulator emulator(loaded.spec(), loaded.kernel(parsed.configuration->kernel), setting);
  return emulator.run(shape_of(loaded, configuration));
}

std::string first_fault(const Emulation& emulation) {
  if (!emulation.ran) return "not run: " + emulation.reason;
  if (emulation.faults.empty()) return "";
  const Fault& fault = emulation.faults.front();
  return std::string(name_of(fault.kind)) + ": " + fault.text;
}

}  // namespace fragproof::fuzz_testing
