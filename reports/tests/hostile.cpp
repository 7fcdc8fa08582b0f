// Fragments and dice.
#include "reports/tests/hostile.h"

#include <random>

#include "reports/tests/sample.h"

namespace fragproof::sample {
namespace {

using Dice = std::mt19937;

int below(Dice& dice, int n) { return static_cast<int>(dice() % static_cast<unsigned>(n)); }

std::string hostile(Dice& dice) {
  static const std::vector<std::string> fragments = {"<script>alert(1)</script>",
                                                     "</script>",
                                                     "]]>",
                                                     "<![CDATA[",
                                                     "<!--",
                                                     "-->",
                                                     "</pre>",
                                                     "</testcase>",
                                                     "</title></svg>",
                                                     "<svg onload=alert(1)>",
                                                     "\"",
                                                     "'",
                                                     "&",
                                                     "&amp;",
                                                     "&#0;",
                                                     "%0A::error::x",
                                                     "::error::",
                                                     "::stop-commands::x",
                                                     "```",
                                                     "````",
                                                     "`",
                                                     "~~~",
                                                     "|",
                                                     "\\",
                                                     "\\|",
                                                     "\n",
                                                     "\r\n",
                                                     "\r",
                                                     "\t",
                                                     "\x1b[31m",
                                                     "\x1b]0;x\x07",
                                                     std::string(1, '\0'),
                                                     "\x01",
                                                     "\x7f",
                                                     "\xc2\x85",
                                                     "\xff",
                                                     "\xc0\xaf",
                                                     "\xed\xa0\x80",
                                                     "\xf4\x90\x80\x80",
                                                     "\xe2\x80",
                                                     "\xe2\x80\xae",
                                                     "\xef\xbf\xbe",
                                                     "\xef\xbf\xbf",
                                                     "\xef\xbb\xbf",
                                                     "\xf0\x9f\x98\x80",
                                                     "e\xcc\x81",
                                                     "[x](javascript:alert(1))",
                                                     "![x](http://example.invalid/x.png)",
                                                     "https://example.invalid",
                                                     "www.example.invalid",
                                                     "@user",
                                                     "#12",
                                                     "<img src=http://example.invalid>",
                                                     "</details>",
                                                     "\n\n# x\n\n",
                                                     "\n---\n",
                                                     "{{x}}",
                                                     "${x}",
                                                     "$(x)",
                                                     "../..",
                                                     "/",
                                                     " ",
                                                     "a",
                                                     "gemv",
                                                     "W[9, 2]",
                                                     "%",
                                                     "%25",
                                                     ":",
                                                     ",",
                                                     "=",
                                                     "*x*",
                                                     "_x_",
                                                     "\"}]}",
                                                     "\\u0000",
                                                     "__proto__"};
  if (below(dice, 40) == 0) return std::string(200'000, "<&`]\xff|"[below(dice, 6)]);
  std::string text;
  for (int n = below(dice, 6); n >= 0; --n)
    text += fragments[static_cast<std::size_t>(below(dice, static_cast<int>(fragments.size())))];
  return text;
}

std::vector<std::string> several(Dice& dice) {
  std::vector<std::string> texts;
  for (int n = below(dice, 3); n > 0; --n) texts.push_back(hostile(dice));
  return texts;
}

Counterexample counterexample(Dice& dice) {
  Counterexample c;
  for (int n = below(dice, 3); n > 0; --n) c.sizes.emplace_back(hostile(dice), below(dice, 99) - 9);
  if (below(dice, 2) == 0) c.at = {{hostile(dice), 2}};
  if (below(dice, 4) == 0) c.tables = {{hostile(dice), {1, 2}}};
  if (below(dice, 2) == 0) c.lane = below(dice, 200) - 40;
  if (below(dice, 2) == 0) c.elem = below(dice, 200) - 40;
  if (below(dice, 2) == 0) c.wrong = -1, c.of = 0;
  c.reg = hostile(dice), c.half = hostile(dice), c.text = hostile(dice);
  if (below(dice, 2) == 0) c.expected = hostile(dice);
  if (below(dice, 2) == 0) c.found = hostile(dice);
  if (below(dice, 3) != 0) return c;
  Picture picture;
  picture.title = hostile(dice), picture.register_prefix = hostile(dice);
  picture.bits = below(dice, 70) - 3, picture.elems = below(dice, 20) - 3;
  for (int n = below(dice, 20); n > 0; --n)
    picture.cells.push_back({below(dice, 40) - 4, below(dice, 12) - 2, hostile(dice), hostile(dice),
                             below(dice, 2) == 0});
  c.picture = picture;
  return c;
}

}  // namespace

Record random_record(std::uint32_t seed) {
  Dice dice(seed);
  Record record;
  record.tool_version = hostile(dice), record.z3_version = hostile(dice);
  record.command = hostile(dice);
  record.specs = {{hostile(dice), hostile(dice)}};
  for (int n = below(dice, 7); n > 0; --n) {
    Check check;
    check.verdict = static_cast<Verdict>(below(dice, 6));
    check.expected = below(dice, 3) == 0 ? Verdict::Refuted : Verdict::Proved;
    check.id = hostile(dice) + std::to_string(n), check.kind = hostile(dice);
    check.methods = several(dice), check.needs = several(dice), check.unused = several(dice);
    check.reason = hostile(dice), check.note = hostile(dice), check.file = hostile(dice);
    check.line = below(dice, 50) - 5, check.column = below(dice, 50) - 5;
    check.source_line = hostile(dice), check.reproduce = hostile(dice);
    check.context = several(dice), check.context_line = below(dice, 50) - 5;
    check.time_ms = below(dice, 5) == 0 ? -1e300 : below(dice, 5000) / 7.0;
    if (below(dice, 2) == 0) check.counterexample = counterexample(dice);
    if (below(dice, 4) == 0) {
      Proof proof;
      proof.method = hostile(dice), proof.notes = several(dice);
      proof.steps = {{hostile(dice), hostile(dice), {}, true}, {"box", hostile(dice), {0}, false}};
      check.proof = proof;
    }
    record.checks.push_back(check);
  }
  return record;
}

Record long_record(int count) {
  const Record some = sample::record();
  Record record = some;
  record.checks.clear();
  for (int i = 0; i < count; ++i) {
    record.checks.push_back(some.checks[i % 100 == 0 ? 1u : 0u]);
    record.checks.back().id += std::to_string(i);
  }
  return record;
}

}  // namespace fragproof::sample
