// libFuzzer: any bytes as a `.layout` file. The parser and the resolver never crash, never hang;
// what loads is evaluated at its smallest point and printed, and what is printed reads the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "spec/eval.h"
#include "spec/load.h"
#include "spec/syntax.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fragproof;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const FileReader no_files = [](const std::string&, std::string& error) {
    error = "no files here";
    return std::optional<std::string>();
  };
  const LoadResult loaded = load_text("fuzzed.layout", text, no_files);
  if (loaded.spec == nullptr) {
    if (loaded.diagnostics.empty()) std::abort();  // refused without a word
    for (const Diagnostic& diagnostic : loaded.diagnostics)
      (void)render(*loaded.sources, diagnostic);
    return 0;
  }
  Shape shape;
  for (const Variable* variable : loaded.spec->sizes) shape.sizes.emplace_back(variable, Int{16});
  Evaluator::Options options;
  options.points = 20'000;
  options.image_cells = 1 << 14;
  Evaluator evaluator(*loaded.spec, shape, options);
  for (const Map* map : loaded.spec->maps) {
    std::vector<Column> zeros(map->domain.coordinates.size(), Column(Int{0}));
    (void)evaluator.apply(*map, zeros, 1);
    for (const OutputDef& output : map->outputs) {
      if (output.value != nullptr) (void)to_text(*output.value);
    }
  }
  for (const Array* array : loaded.spec->arrays) {
    if (array->kind == Array::Kind::Pack) (void)evaluator.image(*array);
  }
  return 0;
}
