// Writing PTX.
#include "gpu_tests/probe/ptx_text.h"

#include <algorithm>

namespace fragproof::gpu {
namespace {

std::string text_of(int number) { return std::to_string(number); }

// The registers of an operand: declared, loaded from or stored to `address` + 128 bytes a word.
struct Operand {
  std::string name;
  int words = 0;  // 32-bit words of a lane
  bool wide = false;
  [[nodiscard]] int registers() const { return wide ? words / 2 : words; }
  [[nodiscard]] std::string declare() const {
    std::string text = "  .reg .b32 %" + name + "w<" + text_of(std::max(words, 1)) + ">;\n";
    if (wide) text += "  .reg .f64 %" + name + "<" + text_of(registers()) + ">;\n";
    return text;
  }
  [[nodiscard]] std::string list() const {
    return register_list(wide ? name : name + "w", registers());
  }
  [[nodiscard]] std::string load(const std::string& address) const {
    std::string text;
    for (int w = 0; w < words; ++w) {
      text += "  ld.global.b32 %" + name + "w" + text_of(w) + ", [" + address + "+" +
              text_of(128 * w) + "];\n";
    }
    for (int r = 0; wide && r < registers(); ++r) {
      text += "  mov.b64 %" + name + text_of(r) + ", {%" + name + "w" + text_of(2 * r) + ", %" +
              name + "w" + text_of(2 * r + 1) + "};\n";
    }
    return text;
  }
  [[nodiscard]] std::string store(const std::string& address) const {
    std::string text;
    for (int r = 0; wide && r < registers(); ++r) {
      text += "  mov.b64 {%" + name + "w" + text_of(2 * r) + ", %" + name + "w" +
              text_of(2 * r + 1) + "}, %" + name + text_of(r) + ";\n";
    }
    for (int w = 0; w < words; ++w) {
      text += "  st.global.b32 [" + address + "+" + text_of(128 * w) + "], %" + name + "w" +
              text_of(w) + ";\n";
    }
    return text;
  }
};

// %to = base parameter + index * bytes + 4 * lane
std::string address(const std::string& to, const std::string& parameter, const std::string& index,
                    int bytes) {
  return "  ld.param.u64 " + to + ", [" + parameter + "];\n" + "  mad.wide.u32 " + to + ", " +
         index + ", " + text_of(bytes) + ", " + to + ";\n" + "  mad.wide.u32 " + to +
         ", %lane, 4, " + to + ";\n";
}

}  // namespace

std::string register_list(const std::string& name, int count) {
  std::string text = "{";
  for (int r = 0; r < count; ++r) text += (r == 0 ? "%" : ", %") + name + text_of(r);
  return text + "}";
}

std::string ptx_header(int cuda_version, int compute_capability, bool features) {
  // CUDA 11.x came with PTX 7.x, 12.x with 8.x, 13.x with 9.x; 12.5 and 12.6 share 8.5, and the
  // rest of 12 lag by one.
  const int major = cuda_version / 1000, minor = cuda_version % 1000 / 10;
  const int ptx_minor = major == 12 && minor >= 6 ? minor - 1 : minor;
  return ".version " + text_of(major - 4) + "." + text_of(ptx_minor) + "\n.target sm_" +
         text_of(compute_capability) + (features ? "a" : "") + "\n.address_size 64\n\n";
}

std::string ptx_of(const MmaBatch& batch, const std::string& header) {
  const bool wide = batch.mnemonic.d == "f64";
  const Operand a{"a", batch.a_words, wide}, b{"b", batch.b_words, wide};
  const Operand c{"c", batch.c_words, wide}, d{"d", batch.d_words, wide};
  std::string text =
      header +
      ".visible .entry probe(.param .u64 pool_a, .param .u64 pool_b, .param .u64 pool_c,\n"
      "    .param .u64 experiments, .param .u64 results, .param .u32 count)\n{\n"
      "  .reg .pred %done;\n"
      "  .reg .b32 %thread, %lane, %warp, %block, %count, %ia, %ib, %ic;\n"
      "  .reg .b64 %pe, %pa, %pb, %pc, %pd;\n";
  for (const Operand* operand : {&a, &b, &c, &d}) text += operand->declare();
  text +=
      "  mov.u32 %thread, %tid.x;\n"
      "  mov.u32 %block, %ctaid.x;\n"
      "  and.b32 %lane, %thread, 31;\n"
      "  shr.u32 %warp, %thread, 5;\n"
      "  mad.lo.u32 %warp, %block, 4, %warp;\n"
      "  ld.param.u32 %count, [count];\n"
      "  setp.ge.u32 %done, %warp, %count;\n"
      "  @%done ret;\n"
      "  ld.param.u64 %pe, [experiments];\n"
      "  mad.wide.u32 %pe, %warp, 12, %pe;\n"
      "  ld.global.u32 %ia, [%pe];\n"
      "  ld.global.u32 %ib, [%pe+4];\n"
      "  ld.global.u32 %ic, [%pe+8];\n";
  text += address("%pa", "pool_a", "%ia", 128 * a.words) + a.load("%pa");
  text += address("%pb", "pool_b", "%ib", 128 * b.words) + b.load("%pb");
  text += address("%pc", "pool_c", "%ic", 128 * c.words) + c.load("%pc");
  text += "  " + batch.mnemonic.text + " " + d.list() + ", " + a.list() + ", " + b.list() + ", " +
          c.list() + ";\n";
  text += address("%pd", "results", "%warp", 128 * d.words) + d.store("%pd");
  return text + "  ret;\n}\n";
}

std::string ptx_of(const MoveBatch& batch, const std::string& header) {
  const Operand r{"r", batch.words, false}, s{"s", batch.words, false};
  const bool store = batch.mnemonic.starts_with("stmatrix");
  const bool load = batch.mnemonic.starts_with("ldmatrix");
  const std::string memory_bytes = text_of(move_memory);
  std::string text = header +
                     ".visible .entry probe(.param .u64 memory, .param .u64 sources,\n"
                     "    .param .u64 addresses, .param .u64 results)\n{\n"
                     "  .shared .align 128 .b8 tile[" +
                     memory_bytes +
                     "];\n"
                     "  .reg .pred %more;\n"
                     "  .reg .b32 %lane, %warp, %i, %word, %base, %at, %row;\n"
                     "  .reg .b64 %pm, %ps, %pa, %pr;\n" +
                     r.declare() + s.declare() +
                     "  mov.u32 %lane, %tid.x;\n"
                     "  mov.u32 %warp, %ctaid.x;\n"
                     "  mov.u32 %base, tile;\n" +
                     address("%pm", "memory", "0", 0) +
                     address("%ps", "sources", "%warp", 128 * s.words) +
                     address("%pa", "addresses", "%warp", 128) +
                     address("%pr", "results", "%warp", store ? move_memory : 128 * r.words);
  // A lane's words of memory are 32 apart.
  const auto loop = [&](const std::string& label, const std::string& body) {
    return "  mad.lo.u32 %at, %lane, 4, %base;\n  mov.u32 %i, 0;\n" + label + ":\n" + body +
           "  add.u32 %at, %at, 128;\n  add.u32 %i, %i, 128;\n  setp.lt.u32 %more, %i, " +
           memory_bytes + ";\n  @%more bra " + label + ";\n  bar.sync 0;\n";
  };
  text += loop("FILL",
               "  ld.global.b32 %word, [%pm];\n  st.shared.b32 [%at], %word;\n"
               "  add.u64 %pm, %pm, 128;\n");
  text += s.load("%ps");
  text += "  ld.global.b32 %row, [%pa];\n  add.u32 %row, %row, %base;\n";
  if (load) {
    text += "  " + batch.mnemonic + " " + r.list() + ", [%row];\n" + r.store("%pr");
  } else if (store) {
    text += "  " + batch.mnemonic + " [%row], " + s.list() + ";\n  bar.sync 0;\n" +
            loop("KEEP",
                 "  ld.shared.b32 %word, [%at];\n  st.global.b32 [%pr], %word;\n"
                 "  add.u64 %pr, %pr, 128;\n");
  } else {
    text += "  " + batch.mnemonic + " %rw0, %sw0;\n" + r.store("%pr");
  }
  return text + "  ret;\n}\n";
}

}  // namespace fragproof::gpu
