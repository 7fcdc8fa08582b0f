#include "checkers/sentence.h"

namespace fragproof {
namespace {

constexpr std::size_t longest_aside = 40;  // what stands in parentheses

// Without the outermost parentheses behind a blank that hold more than an aside; one that is never
// closed ends the text.
std::string without_asides(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '(' || at == 0 || text[at - 1] != ' ') {
      out += text[at++];
      continue;
    }
    std::size_t end = at;
    int depth = 0;
    do {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
      ++end;
    } while (end < text.size() && depth > 0);
    if (depth == 0 && end - at <= longest_aside) {
      out += text.substr(at, end - at);
    } else if (!out.empty()) {
      out.pop_back();                                         // the blank before it
      if (!out.empty() && out.back() == ':') out.pop_back();  // it was to come in there
    }
    at = end;
  }
  return out;
}

}  // namespace

std::string one_sentence(const std::string& reason) {
  if (reason.size() < longest_reason) return reason;
  std::string text = without_asides(reason);
  while (text.size() >= longest_reason) {
    const std::size_t clause = text.rfind("; ");
    if (clause == std::string::npos || clause == 0) break;
    text.resize(clause);
  }
  if (text.size() < longest_reason) return text;
  constexpr std::string_view more = " ..";
  std::size_t end = text.rfind(' ', longest_reason - 1 - more.size());
  if (end == std::string::npos || end == 0) {  // not within a character
    end = longest_reason - 1 - more.size();
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  }
  return text.substr(0, end) + std::string(more);
}

}  // namespace fragproof
