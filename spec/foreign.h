// What CUDA, PTX, PyTorch and C call things, and what stands for them in the language: the remedies
// of messages about pasted text.
#pragma once

#include <string>
#include <string_view>

namespace fragproof {

// The element type that a type of another language means: "int8_t" -> "s8", "__half" -> "f16"; ""
// when the word is not known, or means several ("int4" is four bits or four words).
[[nodiscard]] std::string foreign_type(std::string_view word);

// The remedy for a word that stands where a type should, "" when nothing is known of it.
[[nodiscard]] std::string foreign_type_help(std::string_view word);

// Bits of a CUDA vector type or of a type of the language, as in `P.float4[i]`; 0: neither.
[[nodiscard]] int foreign_width(std::string_view word);

// The remedy for a step that a chain does not have: `view`, `transpose`, ..; "" for other words.
[[nodiscard]] std::string foreign_step_help(std::string_view op);

// Does a dotted name begin like an instruction of PTX, `mma.sync` or `ldmatrix.sync`?
[[nodiscard]] bool is_ptx(std::string_view dotted);

// The entry that a full PTX instruction name would have:
// "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32" -> "mma.m16n8k16.bf16",
// "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16" -> "ldmatrix.x4.trans". "" for other text.
[[nodiscard]] std::string ptx_entry(std::string_view dotted);

}  // namespace fragproof
