// Wording, once, for all formats.
#include "reports/phrase.h"

#include <cmath>
#include <cstdio>

#include "reports/escape.h"

namespace fragproof {

std::string values_phrase(const NamedValues& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += (text.empty() ? "" : ", ") + name + "=" + to_string(value);
  }
  return text;
}

std::string place_phrase(const Counterexample& c) {
  std::string text;
  if (c.lane) {
    const int lane = *c.lane;
    text = "lane " + std::to_string(lane);
    if (lane >= 0) {  // the group and thread in group of PTX's figures
      const int in_warp = lane % 32;
      text += " (g=" + std::to_string(in_warp / 4) + ", t=" + std::to_string(in_warp % 4) + ")";
    }
  }
  if (!c.reg.empty()) text += (text.empty() ? "register " : ", register ") + c.reg;
  if (!c.half.empty()) {
    text += text.empty() ? "" : ", ";
    text += c.half == "low" || c.half == "high" ? c.half + " half" : c.half;
  }
  if (c.elem) {
    text += text.empty() ? "element " + std::to_string(*c.elem)
                         : " (element " + std::to_string(*c.elem) + ")";
  }
  return text;
}

std::string difference_phrase(const Counterexample& c) {
  if (c.expected.empty() && c.found.empty()) return "";
  if (c.expected.empty()) return "found " + c.found;
  if (c.found.empty()) return "expected " + c.expected + ", found nothing";
  return "expected " + c.expected + ", found " + c.found;
}

std::string count_phrase(const Counterexample& c) {
  if (!c.wrong) return "";
  std::string text = std::to_string(*c.wrong);
  if (c.of) text += " of " + std::to_string(*c.of);
  const bool slots = c.lane.has_value() || !c.reg.empty();
  return text + (slots ? " slots wrong" : " points wrong");
}

std::string tables_phrase(const Counterexample& c) {
  constexpr std::size_t shown = 16;
  std::string text;
  for (const auto& [name, values] : c.tables) {
    text += (text.empty() ? "" : "; ") + name + " = {";
    for (std::size_t i = 0; i < values.size() && i < shown; ++i) {
      text += (i == 0 ? "" : ", ") + to_string(values[i]);
    }
    if (values.size() > shown) text += ", .. " + std::to_string(values.size()) + " values";
    text += "}";
  }
  return text;
}

std::string point_phrase(const Counterexample& c) {
  std::string where = values_phrase(c.sizes);
  for (const std::string& part : {tables_phrase(c), values_phrase(c.at)}) {
    if (!part.empty()) where += (where.empty() ? "" : "; ") + part;
  }
  return where;
}

std::string finding_phrase(const Check& check, std::size_t width) {
  if (as_expected(check)) return "";
  std::string text = check.reason;
  if (check.verdict == Verdict::Proved) {
    text = "it is true, and the file says that it must be refuted";
  } else if (check.verdict == Verdict::Refuted && check.counterexample) {
    const Counterexample& c = *check.counterexample;
    const std::string difference = difference_phrase(c);
    text = place_phrase(c);
    if (!difference.empty()) text += (text.empty() ? "" : ": ") + difference;
    if (difference.empty() && !c.text.empty()) text += (text.empty() ? "" : ": ") + c.text;
  }
  if (text.empty()) text = "no reason given";
  for (char& c : text) c = c == '\n' ? ' ' : c;
  return shorten(visible(text), width);
}

std::string short_phrase(const Counterexample& c) {
  const std::string where = point_phrase(c);
  std::string what = place_phrase(c);
  const std::string difference = difference_phrase(c);
  if (!difference.empty()) what += (what.empty() ? "" : ": ") + difference;
  if (difference.empty() && !c.text.empty()) what += (what.empty() ? "" : ": ") + c.text;
  return where + (where.empty() || what.empty() ? "" : ": ") + what;
}

std::string methods_phrase(const Check& check) {
  std::string text;
  for (const std::string& method : check.methods) text += (text.empty() ? "" : "+") + method;
  return text.empty() ? "-" : text;
}

std::string time_phrase(double time_ms) {
  if (!std::isfinite(time_ms) || time_ms < 0) time_ms = 0;
  char buffer[64];
  if (time_ms < 0.95) {
    std::snprintf(buffer, sizeof buffer, "%.1f ms", time_ms);
  } else if (time_ms < 999.5) {
    std::snprintf(buffer, sizeof buffer, "%.0f ms", time_ms);
  } else if (time_ms < 1e9) {
    std::snprintf(buffer, sizeof buffer, "%.2f s", time_ms / 1000);
  } else {
    std::snprintf(buffer, sizeof buffer, "%.2g s", time_ms / 1000);
  }
  return buffer;
}

std::string part_of_register(int elem, int bits, int register_bits) {
  if (elem < 0 || bits <= 0 || register_bits <= bits || register_bits % bits != 0) return "";
  const int parts = register_bits / bits;
  const int part = elem % parts;
  if (parts == 2) return part == 0 ? "low" : "high";
  const std::string number = std::to_string(part);
  if (bits == 8) return "byte " + number;
  if (bits == 4) return "nibble " + number;
  if (bits == 1) return "bit " + number;
  return "part " + number;
}

}  // namespace fragproof
