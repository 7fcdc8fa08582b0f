// Foreign text made harmless: names, source lines and reasons are data, whatever bytes they hold.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fragproof {

// `text` as valid UTF-8: each byte that is part of no well-formed character becomes U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);

// `text` as valid UTF-8 that no terminal obeys: control characters (C0, DEL, C1) and the characters
// that reorder text are written `\x1b`, `\u202e`. With `keep_newlines`, '\n' stays; a tab becomes
// one space.
[[nodiscard]] std::string visible(std::string_view text, bool keep_newlines = false);

// visible(text) with `& < > " '` as entities: fit for the content and the quoted attributes of HTML
// and XML.
[[nodiscard]] std::string html_escape(std::string_view text, bool keep_newlines = false);

// How many characters (code points) valid UTF-8 has; the columns it takes for the texts that we
// print.
[[nodiscard]] std::size_t display_width(std::string_view text);

// `text` cut to `width` columns, the last two being ".." when something was cut. Requires: width
// >= 3.
[[nodiscard]] std::string shorten(std::string_view text, std::size_t width);

// `text` filled with spaces to `width` columns, on the right (or on the left).
[[nodiscard]] std::string pad_right(std::string_view text, std::size_t width);
[[nodiscard]] std::string pad_left(std::string_view text, std::size_t width);

}  // namespace fragproof
