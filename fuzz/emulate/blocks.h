// The arrays of an emulated kernel as bytes: tensors filled with data, packs and shared tiles as
// their fills leave them, with a note of every bit that nobody wrote. Bits are lowest first, as in
// the language.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checkers/result/result.h"
#include "spec/eval.h"

namespace fragproof {

// A run of memory. Reads of up to 32 bytes at any bit inside it stay inside `bytes`.
struct Block {
  std::int64_t bits = 0;
  int granule = 8;  // bits of a cell of `written`
  std::vector<std::uint8_t> bytes;
  // One a granule: 1 written, 0 not, 2 written from a source that is none; empty: all written.
  std::vector<std::uint8_t> written;
  [[nodiscard]] bool is_written(std::int64_t bit, int width) const;
};

// Copies `width` bits. Bits beyond the last whole byte of the destination keep their values.
void copy_bits(const std::uint8_t* from, std::int64_t from_bit, std::uint8_t* to,
               std::int64_t to_bit, int width);
// `width` bits (at most 64) from `bit` as an unsigned number, and back.
[[nodiscard]] std::uint64_t read_bits(const std::uint8_t* from, std::int64_t bit, int width);
void write_bits(std::uint8_t* to, std::int64_t bit, int width, std::uint64_t value);

// What a fill does wrong: reads outside its source or what nobody wrote, writes outside or twice.
struct BlockFault {
  bool of_source = false;
  std::string text;
  NamedValues at;  // the point of the fill's domain
};

// What the elements of tensors are made of.
enum class DataMode { Integers, Floats };

struct DataSetting {
  DataMode mode = DataMode::Integers;
  std::uint64_t seed = 0;
  int value_bits = 64;                // integers are codes of at most so many bits
  std::optional<ElementType> raw_as;  // what raw elements mean in Floats; nothing: integers
  std::int64_t limit = std::int64_t{256} << 20;  // bytes that the arrays may take together
};

// The tensors and packs at one shape; they depend on few of the sizes, so a caller may keep them.
struct Arrays {
  std::unordered_map<const Array*, std::unique_ptr<Block>> blocks;
  std::vector<BlockFault> faults;  // what fills did wrong, the first of each kind and array
  std::set<std::pair<const Array*, bool>> told;
  std::int64_t bytes = 0;
};

// The arrays at one shape. Nothing here knows of lanes.
class Blocks {
 public:
  Blocks(Evaluator& evaluator, std::shared_ptr<Arrays> arrays, const DataSetting& setting);

  // A tensor or pack; null when it has no size or is too large (`unknown` or a fault tells).
  const Block* block(const Array& array);
  // The contents of a shared array at each point of a chunk, built together, equal tiles once:
  // `out[i]` for point i. They live until the next call for the same array.
  void tiles(const Array& array, const Batch& points, std::vector<const Block*>& out);

  // The numbers that the first `count` elements of a tensor hold: exactly (Integers), or rounded to
  // their type (Floats).
  [[nodiscard]] std::vector<std::uint64_t> integers_of(const Array& tensor,
                                                       std::int64_t count) const;
  [[nodiscard]] std::vector<double> reals_of(const Array& tensor, std::int64_t count) const;

  // Of its elements; in Floats, of raw ones what they mean.
  [[nodiscard]] const ElementType& type_of(const Array& tensor) const;

  [[nodiscard]] const std::vector<BlockFault>& faults() const { return arrays_->faults; }
  std::string unknown;  // why an array cannot be built; "" mostly

 private:
  struct Tiles {
    bool planned = false;
    std::vector<const Variable*> depends;
    std::map<std::vector<std::int64_t>, std::unique_ptr<Block>> known;
    std::int64_t bytes = 0;
  };

  std::unique_ptr<Block> new_block(const Array& array, bool written);
  std::unique_ptr<Block> tensor(const Array& array);
  // Runs one fill for all points of `outer` (or once, for a pack) into their blocks.
  void fill(const Array& array, const Fill& fill, const Batch& outer,
            const std::vector<Block*>& blocks);
  void finish(Block& block) const;
  void add_depends(const Array& array, std::vector<const Variable*>& out) const;
  void tell(const Array& array, bool of_source, const Fill& fill, const Batch& one,
            const std::string& reason);
  [[nodiscard]] std::size_t number_of(const Array& tensor) const;
  // The bits of element `element` of tensor number `number` in Floats.
  [[nodiscard]] std::uint64_t float_bits_of(const ElementType& type, std::size_t number,
                                            std::int64_t element) const;

  Evaluator& evaluator_;
  std::shared_ptr<Arrays> arrays_;
  DataSetting setting_;
  std::unordered_map<const Array*, Tiles> tiles_;
};

}  // namespace fragproof
