// What the lanes of a kernel's loads hold, what its shared tiles hold, and which k each slot stands
// for: the tables behind `show FILE.layout K.a`.
#pragma once

#include <string>
#include <vector>

#include "checkers/enumerate/kernel_judge.h"
#include "checkers/result/result.h"
#include "spec/eval.h"

namespace fragproof {

// One piece of what a lane's load holds: an element of a tensor, or zero, or nothing.
struct HeldPiece {
  int lane = 0;
  int elem = 0;       // number of the piece in its lane, lowest bits first
  std::string reg;    // "r0": which 32 bits
  int first_bit = 0;  // of the piece, in the lane's bits
  int last_bit = 0;
  std::string content;  // "W[8, 0]"
};

struct LoadTable {
  std::string title;              // "load a of kernel gemv: 16 bytes a lane, at rb=0, nb=0, ..."
  NamedValues at;                 // the point of parallel and reduce that is shown
  std::vector<HeldPiece> pieces;  // by lane, then by bit
  std::string unknown;            // why there is nothing to show; "" otherwise
};

// What `lanes` hold after load `load` of `kernel` at the evaluator's shape: at the first point of
// parallel and reduce, or the first that agrees with `at` (other names in it are ignored). Lanes
// outside the instruction's are left out.
[[nodiscard]] LoadTable table_of_load(Evaluator& evaluator, const Kernel& kernel, const Load& load,
                                      const std::vector<int>& lanes, const NamedValues& at = {});

// What stands in the places of a shared tile, row-major.
struct TileTable {
  NamedValues at;  // the point of parallel and reduce that is shown
  struct Place {
    std::vector<Int> index;
    std::string content;  // "A[0, 8]"
  };
  std::vector<Place> places;
  bool cut = false;                 // there are more places than were asked for
  std::vector<std::string> faults;  // what its fills do wrong
  std::string unknown;              // why there is nothing to show; "" otherwise
};

// The first `most` places of `tile`, a shared array of `kernel`, at a point chosen as by
// table_of_load().
[[nodiscard]] TileTable table_of_tile(Evaluator& evaluator, const Kernel& kernel, const Array& tile,
                                      const NamedValues& at, std::size_t most);

// A table of a load as lines of text: "lane 0 (g=0, t=0)  W[0, 0] W[0, 1] W[8, 0] ...".
[[nodiscard]] std::string describe_loads(const LoadTable& table);

// The k that each slot of the instruction stands for in the first tile: one entry a slot, one k a
// point of reduce, in order; -1 where no whole element of either operand tells. Several summed
// indices count as one number, in their order.
struct KPermutation {
  std::vector<std::vector<Int>> slots;  // [slot][point of reduce]
  NamedValues tile;                     // the first tile
  std::string unknown;                  // why there is none; "" otherwise
};
[[nodiscard]] KPermutation k_permutation(Evaluator& evaluator, const Kernel& kernel);
// "slot 0: 0, 4; slot 1: 1, 5; ..." with at most `most` k a slot.
[[nodiscard]] std::string describe(const KPermutation& permutation, std::size_t most = 8);

}  // namespace fragproof
