// Kernels and shapes for the tests of the fuzzer.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/campaign.h"
#include "spec/load.h"

namespace fragproof::fuzz_testing {

// A loaded text with its kernels; fails the test when it does not load.
struct Loaded {
  LoadResult result;
  [[nodiscard]] const Spec& spec() const { return *result.spec; }
  [[nodiscard]] const Kernel& kernel(const std::string& name) const;
};
[[nodiscard]] Loaded load(const std::string& text);
[[nodiscard]] Loaded load_example(const std::string& file);
// An example with one piece of text replaced (which must be there once).
using Edits = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] Loaded load_edited(const std::string& file, const Edits& edits);
[[nodiscard]] std::vector<std::string> example_files();

// The shape of a configuration, which must fit.
[[nodiscard]] Shape shape_of(const Loaded& loaded, const std::string& configuration);
[[nodiscard]] Emulation emulate(const Loaded& loaded, const std::string& configuration,
                                const EmulationSetting& setting = {});
// The first fault as "kind: text"; "" for none.
[[nodiscard]] std::string first_fault(const Emulation& emulation);

}  // namespace fragproof::fuzz_testing
