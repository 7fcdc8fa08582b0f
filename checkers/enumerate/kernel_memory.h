// What the arrays that a kernel reads hold, bit by bit: tensors as they are, packs and shared tiles
// as their fills leave them. What a fill gets wrong stays local: the other places keep their
// contents.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "checkers/result/result.h"
#include "spec/eval.h"

namespace fragproof {

// Codes beside those of spec/eval.h, for bits in registers.
inline constexpr std::int64_t code_unloaded =
    -4;                                          // the load's `if` is false and it has no `else 0`
inline constexpr std::int64_t code_failed = -5;  // failed an obligation, judged no further
inline constexpr std::int64_t code_torn = -6;    // a conversion of what is not one whole element

// A wrong fill: where, and what is wrong there.
struct FillFault {
  std::string text;
  NamedValues at;     // the point of the fill's domain
  std::string found;  // the place or source: "A[64, 0]"
};

struct Memory {
  int granule = 1;
  std::vector<std::int64_t> codes;  // one a granule: the origin of its first bit
  std::int64_t sources = 0,
               bad_sources = 0;  // points of fills with a source; of those, outside or undefined
  std::int64_t writes = 0,
               bad_writes = 0;       // points of fills; of those, outside, undefined or twice
  std::optional<FillFault> bounds;   // the first bad source
  std::optional<FillFault> storage;  // the first bad write; then the whole array is left out below
  std::string unknown;               // why nothing can be said; "" mostly
};

// The first of `count` granules of `granule` bits from bit `bit`.
void read_codes(const Memory& memory, std::int64_t bit, int granule, std::size_t count,
                std::int64_t* out);

class Memories {
 public:
  explicit Memories(Evaluator& evaluator) : evaluator_(evaluator) {}

  // The contents of a pack, cached.
  const Memory& pack(const Array& array);
  // The contents of a shared array at point `i` of `batch`, cached by what its fills depend on; the
  // reference holds until the next call. `is_new`: it was built by this call.
  const Memory& shared(const Array& array, const Batch& batch, std::size_t i, bool& is_new);
  // The packs and shared arrays that must be right for an array to be: those that its fills read,
  // directly or through others, then itself. Tensors are left away.
  void arrays_behind(const Array& array, std::vector<const Array*>& out) const;
  // The smallest number of bits that no fill behind an array splits.
  [[nodiscard]] int granule(const Array& array) const;

 private:
  struct Tiles {
    std::vector<const Variable*> depends;
    std::map<std::vector<Int>, std::unique_ptr<Memory>> known;
  };
  Memory build(const Array& array, const Batch& point);
  Memory contents(const Array& array, const Image& image, const Batch& point);
  void add_depends(const Array& array, std::vector<const Variable*>& out) const;
  void fill(const Array& array, const Fill& fill, const Batch& point, Memory& memory);
  [[nodiscard]] Memory from(const Image& image) const;

  Evaluator& evaluator_;
  std::unordered_map<const Array*, std::unique_ptr<Memory>> packs_;
  std::unordered_map<const Array*, Tiles> tiles_;
  std::size_t held_ = 0;  // granules in `tiles_`
};

// `As[3, 40]`, `Wp.b128[64]`: a place with its indices evaluated at a batch of one point; "?" for
// an undefined one.
[[nodiscard]] std::string place_text(Evaluator& evaluator, const Ref& ref, const Batch& point);

}  // namespace fragproof
