// libFuzzer: any bytes as the `.npy` file of a table. It is read or refused with a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "spec/eval.h"
#include "spec/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fragproof;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const FileReader reader = [&](const std::string&, std::string&) { return std::optional(bytes); };
  for (const char* name : {"t.npy", "t.csv"}) {
    const LoadResult loaded =
        load_text("fuzzed.layout", std::string("table T[4] : 8 = file \"") + name + "\"\n", reader);
    if (loaded.spec == nullptr && loaded.diagnostics.empty()) std::abort();
  }
  return 0;
}
