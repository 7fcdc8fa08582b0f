// libFuzzer: any bytes as a record. What is read is written and read again, the same; every writer
// of a report takes it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "reports/html.h"
#include "reports/json.h"
#include "reports/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fragproof;
  const ReadResult read =
      record_from_json(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!read.record) {
    if (read.error.empty()) std::abort();  // refused without a word
    return 0;
  }
  const std::string once = to_json(*read.record);
  const ReadResult again = record_from_json(once);
  if (!again.record || to_json(*again.record) != once) std::abort();
  (void)to_html(*read.record);
  (void)record_text(*read.record);
  return 0;
}
