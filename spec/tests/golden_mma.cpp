// The fragment rules of dense mma.sync, transcribed from the PTX ISA (9.2, sections 9.7.14.5.2
// to 9.7.14.5.13).
#include <array>
#include <functional>
#include <utility>

#include "spec/tests/golden.h"

namespace fragproof::golden {
namespace {

// The ISA's names. `%laneid >> 2` and `%laneid % 4`, as every section defines them.
struct Thread {
  int groupID;
  int threadID_in_group;
};

using Rule = std::function<Place(Thread, int i)>;

Fragment tabulate(std::string name, int elems, int bits, std::vector<int> tile, const Rule& rule) {
  Fragment fragment{std::move(name), elems, bits, tile, {}};
  for (int laneid = 0; laneid < 32; ++laneid) {
    std::vector<Place> places;
    for (int i = 0; i < elems; ++i) places.push_back(rule({laneid >> 2, laneid % 4}, i));
    fragment.places.push_back(std::move(places));
  }
  return fragment;
}

// Accumulators of the m16 shapes: "row = groupID for ci where i < 2, groupID + 8 for ci where i >=
// 2; col = (threadID_in_group * 2) + (i & 0x1) for ci where i = {0,..,3}". The text is the same in
// every section.
Place c_m16(Thread thread, int i) {
  int row;
  if (i < 2) {
    row = thread.groupID;
  } else {
    row = thread.groupID + 8;
  }
  return {row, (thread.threadID_in_group * 2) + (i & 0x1)};
}

// Accumulators of the m8 shapes: "row = groupID; col = (threadID_in_group * 2) + i for ci where i =
// {0, 1}".
Place c_m8(Thread thread, int i) { return {thread.groupID, (thread.threadID_in_group * 2) + i}; }

void add_m16(std::vector<Fragment>& all, const std::string& base, int k, int bits, int a_elems,
             const Rule& a, int b_elems, const Rule& b, int c_bits = 32) {
  all.push_back(tabulate(base + ".A", a_elems, bits, {16, k}, a));
  all.push_back(tabulate(base + ".B", b_elems, bits, {k, 8}, b));
  all.push_back(tabulate(base + ".C", 4, c_bits, {16, 8}, c_m16));
}

void add_m8(std::vector<Fragment>& all, const std::string& base, int k, int bits, int elems,
            const Rule& a, const Rule& b, int c_bits = 32) {
  all.push_back(tabulate(base + ".A", elems, bits, {8, k}, a));
  all.push_back(tabulate(base + ".B", elems, bits, {k, 8}, b));
  all.push_back(tabulate(base + ".C", 2, c_bits, {8, 8}, c_m8));
}

// 9.7.14.5.2 to .5: m8n8k4 (f64), m8n8k16, m8n8k32, m8n8k128.
void add_small(std::vector<Fragment>& all) {
  add_m8(
      all, "mma.m8n8k4.f64", 4, 64, 1,
      [](Thread t, int) -> Place {
        return {t.groupID, t.threadID_in_group};
      },
      [](Thread t, int) -> Place {
        return {t.threadID_in_group, t.groupID};
      },
      64);
  add_m8(
      all, "mma.m8n8k16.b8", 16, 8, 4,
      [](Thread t, int i) -> Place {
        return {t.groupID, (t.threadID_in_group * 4) + i};
      },
      [](Thread t, int i) -> Place {
        return {(t.threadID_in_group * 4) + i, t.groupID};
      });
  add_m8(
      all, "mma.m8n8k32.b4", 32, 4, 8,
      [](Thread t, int i) -> Place {
        return {t.groupID, (t.threadID_in_group * 8) + i};
      },
      [](Thread t, int i) -> Place {
        return {(t.threadID_in_group * 8) + i, t.groupID};
      });
  add_m8(
      all, "mma.m8n8k128.b1", 128, 1, 32,
      [](Thread t, int i) -> Place {
        return {t.groupID, (t.threadID_in_group * 32) + i};
      },
      [](Thread t, int i) -> Place {
        return {(t.threadID_in_group * 32) + i, t.groupID};
      });
}

// 9.7.14.5.6: m16n8k4, one rule for tf32 and f64.
void add_m16n8k4(std::vector<Fragment>& all, const std::string& type, int bits, int c_bits) {
  add_m16(
      all, "mma.m16n8k4." + type, 4, bits, 2,
      [](Thread t, int i) -> Place {
        const int row = i == 0 ? t.groupID       // for a0
                               : t.groupID + 8;  // for a1
        return {row, t.threadID_in_group};
      },
      1,
      [](Thread t, int) -> Place {
        return {t.threadID_in_group, t.groupID};
      },
      c_bits);
}

// 9.7.14.5.7: m16n8k8; f16 and bf16, then tf32 and f64.
void add_m16n8k8(std::vector<Fragment>& all) {
  add_m16(
      all, "mma.m16n8k8.b16", 8, 16, 4,
      [](Thread t, int i) -> Place {
        const int row = i == 0 || i == 1 ? t.groupID       // for a0 and a1
                                         : t.groupID + 8;  // for a2 and a3
        return {row, t.threadID_in_group * 2 + (i & 0x1)};
      },
      2,
      [](Thread t, int i) -> Place {
        return {(t.threadID_in_group * 2) + i, t.groupID};
      });
  const Rule a = [](Thread t, int i) -> Place {
    const int row = i == 0 || i == 2 ? t.groupID                 // for a0 and a2
                                     : t.groupID + 8;            // for a1 and a3
    const int col = i == 0 || i == 1 ? t.threadID_in_group       // for a0 and a1
                                     : t.threadID_in_group + 4;  // for a2 and a3
    return {row, col};
  };
  const Rule b = [](Thread t, int i) -> Place {
    const int row = i == 0 ? t.threadID_in_group       // for b0
                           : t.threadID_in_group + 4;  // for b1
    return {row, t.groupID};
  };
  add_m16(all, "mma.m16n8k8.tf32", 8, 32, 4, a, 2, b);
  add_m16(all, "mma.m16n8k8.f64", 8, 64, 4, a, 2, b, 64);
}

// 9.7.14.5.8: m16n8k16 with floating point type; f16 and bf16, then f64.
void add_m16n8k16_float(std::vector<Fragment>& all) {
  add_m16(
      all, "mma.m16n8k16.b16", 16, 16, 8,
      [](Thread t, int i) -> Place {
        const int row = (0 <= i && i < 2) || (4 <= i && i < 6) ? t.groupID : t.groupID + 8;
        const int col = i < 4 ? (t.threadID_in_group * 2) + (i & 0x1)
                              : (t.threadID_in_group * 2) + (i & 0x1) + 8;
        return {row, col};
      },
      4,
      [](Thread t, int i) -> Place {
        const int row = i < 2 ? (t.threadID_in_group * 2) + (i & 0x1)
                              : (t.threadID_in_group * 2) + (i & 0x1) + 8;
        return {row, t.groupID};
      });
  add_m16(
      all, "mma.m16n8k16.f64", 16, 64, 8,
      [](Thread t, int i) -> Place {
        if (i % 2 == 0) return {t.groupID, (i * 2) + t.threadID_in_group};
        return {t.groupID + 8, (i * 2) - 2 + t.threadID_in_group};
      },
      4,
      [](Thread t, int i) -> Place {
        return {t.threadID_in_group + (i * 4), t.groupID};
      },
      64);
}

// 9.7.14.5.9 and .10: m16n8k16 with integer type, m16n8k32 with 4-bit and 8-bit types.
void add_integers(std::vector<Fragment>& all) {
  add_m16(
      all, "mma.m16n8k16.b8", 16, 8, 8,
      [](Thread t, int i) -> Place {
        return {i < 4 ? t.groupID : t.groupID + 8, (t.threadID_in_group * 4) + (i & 0x3)};
      },
      4,
      [](Thread t, int i) -> Place {
        return {(t.threadID_in_group * 4) + i, t.groupID};
      });
  add_m16(
      all, "mma.m16n8k32.b4", 32, 4, 16,
      [](Thread t, int i) -> Place {
        return {i < 8 ? t.groupID : t.groupID + 8, (t.threadID_in_group * 8) + (i & 0x7)};
      },
      8,
      [](Thread t, int i) -> Place {
        return {(t.threadID_in_group * 8) + (i & 0x7), t.groupID};
      });
  add_m16(
      all, "mma.m16n8k32.b8", 32, 8, 16,
      [](Thread t, int i) -> Place {
        const int row = (0 <= i && i < 4) || (8 <= i && i < 12) ? t.groupID : t.groupID + 8;
        const int col = i < 8 ? (t.threadID_in_group * 4) + (i & 0x3)
                              : (t.threadID_in_group * 4) + (i & 0x3) + 16;
        return {row, col};
      },
      8,
      [](Thread t, int i) -> Place {
        const int row = i < 4 ? (t.threadID_in_group * 4) + (i & 0x3)
                              : (t.threadID_in_group * 4) + (i & 0x3) + 16;
        return {row, t.groupID};
      });
}

// 9.7.14.5.11 to .13: m16n8k64 (4-bit), m16n8k128 and m16n8k256 (single bits).
void add_wide(std::vector<Fragment>& all) {
  add_m16(
      all, "mma.m16n8k64.b4", 64, 4, 32,
      [](Thread t, int i) -> Place {
        const int row = (0 <= i && i < 8) || (16 <= i && i < 24) ? t.groupID : t.groupID + 8;
        const int col = i < 16 ? (t.threadID_in_group * 8) + (i & 0x7)
                               : (t.threadID_in_group * 8) + (i & 0x7) + 32;
        return {row, col};
      },
      16,
      [](Thread t, int i) -> Place {
        const int row = i < 8 ? (t.threadID_in_group * 8) + (i & 0x7)
                              : (t.threadID_in_group * 8) + (i & 0x7) + 32;
        return {row, t.groupID};
      });
  add_m16(
      all, "mma.m16n8k128.b1", 128, 1, 64,
      [](Thread t, int i) -> Place {
        return {i < 32 ? t.groupID : t.groupID + 8, (t.threadID_in_group * 32) + (i & 0x1F)};
      },
      32,
      [](Thread t, int i) -> Place {
        return {(t.threadID_in_group * 32) + i, t.groupID};
      });
  add_m16(
      all, "mma.m16n8k256.b1", 256, 1, 128,
      [](Thread t, int i) -> Place {
        const int row = (0 <= i && i < 32) || (64 <= i && i < 96) ? t.groupID : t.groupID + 8;
        // The ISA has "(threadID_in_group * 32) + i for ai where i < 64": a slip, see the test that
        // shows it.
        const int col = i < 64 ? (t.threadID_in_group * 32) + (i & 0x1F)
                               : (t.threadID_in_group * 32) + (i & 0x1F) + 128;
        return {row, col};
      },
      64,
      [](Thread t, int i) -> Place {
        const int row = i < 32 ? (t.threadID_in_group * 32) + (i & 0x1F)
                               : (t.threadID_in_group * 32) + (i & 0x1F) + 128;
        return {row, t.groupID};
      });
}

// 9.7.14.5.1: m8n8k4 on f16. "MMA 1: threads with %laneid 0-3 (low group) and 16-19 (high group)",
// MMA 2: 4-7 and 20-23, MMA 3: 8-11 and 24-27, MMA 4: 12-15 and 28-31; counted from 0 here.
void add_volta(std::vector<Fragment>& all) {
  using VoltaRule = std::array<int, 2> (*)(int laneid, int i);
  const auto add = [&](const std::string& operand, int elems, int bits, std::vector<int> tile,
                       VoltaRule rule) {
    Fragment fragment{"mma.m8n8k4.f16." + operand, elems, bits, std::move(tile), {}};
    for (int laneid = 0; laneid < 32; ++laneid) {
      const int in_group = laneid < 16 ? laneid : laneid - 16;
      const int product = in_group <= 3 ? 0 : in_group <= 7 ? 1 : in_group <= 11 ? 2 : 3;
      std::vector<Place> places;
      for (int i = 0; i < elems; ++i) {
        const std::array<int, 2> at = rule(laneid, i);
        places.push_back({product, at[0], at[1]});
      }
      fragment.places.push_back(std::move(places));
    }
    all.push_back(std::move(fragment));
  };
  using At = std::array<int, 2>;
  add("A.row", 4, 16, {4, 8, 4}, [](int laneid, int i) {
    return At{laneid < 16 ? laneid % 4 : (laneid % 4) + 4, i};
  });
  add("A.col", 4, 16, {4, 8, 4}, [](int laneid, int i) {
    return At{laneid < 16 ? i % 4 : (i % 4) + 4, laneid % 4};
  });
  add("B.row", 4, 16, {4, 4, 8}, [](int laneid, int i) {
    return At{laneid % 4, laneid < 16 ? i : i + 4};
  });
  add("B.col", 4, 16, {4, 4, 8}, [](int laneid, int i) {
    return At{i, laneid < 16 ? laneid % 4 : (laneid % 4) + 4};
  });
  add("C16", 8, 16, {4, 8, 8}, [](int laneid, int i) {
    return At{laneid < 16 ? laneid % 4 : (laneid % 4) + 4, i};
  });
  add("C", 8, 32, {4, 8, 8}, [](int laneid, int i) {
    const int x = (laneid & 0b1) + (i & 0b10);
    return At{laneid < 16 ? x : x + 4, (i & 0b100) + (laneid & 0b10) + (i & 0b1)};
  });
}

}  // namespace

std::vector<Fragment> mma_fragments() {
  std::vector<Fragment> all;
  add_volta(all);
  // f16 accumulators: "the same as those of .f32", two to a register.
  for (const char* base :
       {"mma.m16n8k16.b16", "mma.m16n8k8.b16", "mma.m16n8k16.b8", "mma.m16n8k32.b8"}) {
    all.push_back(tabulate(std::string(base) + ".C16", 4, 16, {16, 8}, c_m16));
  }
  add_small(all);
  add_m16n8k4(all, "tf32", 32, 32);
  add_m16n8k4(all, "f64", 64, 64);
  add_m16n8k8(all);
  add_m16n8k16_float(all);
  add_integers(all);
  add_wide(all);
  return all;
}

}  // namespace fragproof::golden
