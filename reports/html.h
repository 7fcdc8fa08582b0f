// The report as one self-contained HTML page: readable without JavaScript, no request to anywhere.
#pragma once

#include <string>

#include "checkers/result/result.h"

namespace fragproof {

struct HtmlOptions {
  std::string title = "fragproof report";
  int full_pictures = 12;  // so many pictures show all lanes; the rest only the lanes with faults
};

// The page: what the run came to, failures first, each check in a <details> of its own with the
// counterexample, the register picture, the line of the file and the command that reproduces it;
// filters whose state is in the URL's hash.
[[nodiscard]] std::string to_html(const Record& record, const HtmlOptions& options = {});

}  // namespace fragproof
