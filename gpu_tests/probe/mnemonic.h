// The PTX mnemonics that an entry of the spec is about, and what the text of one says.
#pragma once

#include <string>
#include <vector>

namespace fragproof::gpu {

// "s32.{s8,u8}.s32" -> "s32.s8.s32", "s32.u8.s32"; braces nest, alternatives may hold dots. Empty
// when the braces do not match.
[[nodiscard]] std::vector<std::string> expand_braces(const std::string& text);

// The parts between the dots.
[[nodiscard]] std::vector<std::string> parts_of(const std::string& mnemonic);

// A dense or sparse mma.sync: "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32".
struct MmaMnemonic {
  std::string text;
  int m = 0, n = 0, k = 0;
  std::string d, a, b, c;  // the types
  bool exclusive = false;  // .xor.popc: a product of two bits is their exclusive or
  bool a_by_row = true;    // .row.col; m8n8k4 on f16 has all four
  bool b_by_col = true;
};
// False when the text is no mma.sync that we know.
[[nodiscard]] bool read_mma(const std::string& text, MmaMnemonic& mnemonic);

}  // namespace fragproof::gpu
