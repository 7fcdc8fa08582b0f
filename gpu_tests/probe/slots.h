// A fragment as the probes use it: every (lane, element) of an operand with its coordinates, and
// register images.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/ast.h"

namespace fragproof::gpu {

// The registers of a warp for one operand: word w of lane l at [w * lanes + l]. A 64-bit register
// is two words.
using RegisterImage = std::vector<std::uint32_t>;

struct Slots {
  std::string entry;   // "mma.m16n8k16.b16.A"
  std::string prefix;  // of register names: "a"
  int lanes = 0, elems = 0, bits = 0;
  std::vector<std::string> names;        // of the coordinates
  std::vector<int> extents;              // of the coordinates
  std::vector<std::vector<int>> places;  // [slot], slot = lane * elems + elem
  std::string status;                    // of the entry's provenance

  [[nodiscard]] int count() const { return lanes * elems; }
  [[nodiscard]] int words() const { return (elems * bits + 31) / 32; }  // of a lane
  [[nodiscard]] int coordinate(const std::string& name) const;          // its index, or -1
  // "lane 5, register a1, high half (element 3)".
  [[nodiscard]] std::string describe(int slot) const;
  // "row 9, col 3".
  [[nodiscard]] std::string place_text(const std::vector<int>& place) const;

  [[nodiscard]] RegisterImage blank() const;
  void put(RegisterImage& image, int slot, std::uint64_t value) const;
  [[nodiscard]] std::uint64_t get(const std::uint32_t* image, int slot) const;
};

// Evaluates a fragment of `spec` at every lane and element. Throws std::invalid_argument for a map
// that is no total fragment with constant extents.
[[nodiscard]] Slots slots_of(const Spec& spec, const Map& fragment);

}  // namespace fragproof::gpu
