// The frame of our HTML pages: head, style, body, script. One file, no request to anywhere.
#pragma once

#include <string>
#include <string_view>

namespace fragproof {

// A whole page around `body`, which is HTML already; `title` is escaped here, `script` is ours.
[[nodiscard]] std::string page(std::string_view title, std::string_view body,
                               std::string_view script);

// The script of the report page: filters with their state in the URL's hash, copy buttons, deep
// links.
[[nodiscard]] const char* report_script();

}  // namespace fragproof
