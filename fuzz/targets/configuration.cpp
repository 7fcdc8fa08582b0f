// libFuzzer: any bytes as a configuration line. What is read is printed and read again, the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "fuzz/configuration.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fragproof;
  const ParsedConfiguration parsed =
      parse_configuration(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!parsed.configuration) {
    if (parsed.error.empty()) std::abort();
    return 0;
  }
  const ParsedConfiguration again = parse_configuration(to_text(*parsed.configuration));
  if (!again.configuration || !(*again.configuration == *parsed.configuration)) std::abort();
  return 0;
}
