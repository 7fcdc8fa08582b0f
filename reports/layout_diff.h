// Where two layouts differ, slot by slot: `show --diff A B`.
#pragma once

#include <string>

#include "reports/layout_table.h"

namespace fragproof {

// A picture whose slots are expected to hold what `a` says and found to hold what `b` says. Slots
// are (lane, elem); one that only one layout has is a hole or an extra, two elements of `b` in one
// slot are both in it. Registers are named and sized as in `a`.
[[nodiscard]] Picture diff_picture(const LayoutTable& a, const LayoutTable& b);

// How many slots of that picture differ, in one line: "A and B: 128 of 256 slots differ".
[[nodiscard]] std::string diff_line(const LayoutTable& a, const LayoutTable& b);

// The differing lanes for the terminal, and one self-contained page.
[[nodiscard]] std::string diff_text(const LayoutTable& a, const LayoutTable& b, int width = 80,
                                    bool colour = false);
[[nodiscard]] std::string diff_html(const LayoutTable& a, const LayoutTable& b);

}  // namespace fragproof
