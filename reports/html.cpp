// The report page: what the run came to, then the checks, failures first.
#include "reports/html.h"

#include <algorithm>
#include <map>
#include <set>

#include "reports/escape.h"
#include "reports/page.h"
#include "reports/phrase.h"
#include "reports/picture_text.h"
#include "reports/summary.h"
#include "reports/svg.h"

namespace fragproof {
namespace {

constexpr int full_picture_lanes = 0;  // all
constexpr int small_picture_lanes = 8;
constexpr int most_drawn_pictures =
    60;  // beyond, pictures are text: the page must stay small enough to open
constexpr std::size_t part_size =
    50;  // checks that the browser lays out together, when they come into view
constexpr std::size_t long_report =
    1000;  // from so many checks on, those that are as expected are said briefly
constexpr std::size_t opened_at_first = 5;
constexpr std::size_t most_proof_steps = 2000;

struct Look {
  const char* sign;
  const char* cls;
};

// A sign beside the word, so that neither colour nor reading the word is needed to see what is
// wrong.
Look look_of(const Check& check) {
  switch (urgency(check)) {
    case 6:
      return {"\u2713", "v-good"};
    case 5:
      return {"\u2713", "v-info"};
    case 4:
      return {"\u2013", "v-warn"};
    case 3:
      return {"?", "v-warn"};
    default:
      return {"\u2717", "v-bad"};
  }
}

// A name that can stand in an id and, unescaped, behind the # of a link.
std::string anchor_of(const std::string& id, std::set<std::string>& used) {
  std::string anchor = "c-";
  for (const char c : id.substr(0, 200)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._/").find(c) != std::string_view::npos;
    anchor += plain ? c : '_';
  }
  std::string unique = anchor;
  for (int n = 2; !used.insert(unique).second; ++n) unique = anchor + "~" + std::to_string(n);
  return unique;
}

std::string row(const char* name, const std::string& text, const char* cls = "") {
  if (text.empty()) return "";
  return std::string("<dt>") + name + "</dt><dd class=\"" + cls + "\">" + html_escape(text, true) +
         "</dd>\n";
}

std::string list_row(const char* name, const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  std::string out = std::string("<dt>") + name + "</dt><dd>";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out += (i == 0 ? "<code>" : "<br><code>") + html_escape(texts[i]) + "</code>";
  }
  return out + "</dd>\n";
}

std::string source_html(const Check& check) {
  if (check.file.empty() && check.source_line.empty()) return "";
  std::string place = check.file;
  if (check.line > 0) place += ":" + std::to_string(check.line);
  if (check.line > 0 && check.column > 0) place += ":" + std::to_string(check.column);
  std::string out = "<h3>" + html_escape(place) + "</h3>\n";
  std::vector<std::string> lines = check.context;
  int first = check.context_line;
  if (lines.empty() || first <= 0) {
    if (check.source_line.empty()) return out;
    lines = {check.source_line};
    first = check.line;
  }
  out += "<div class=\"src\"><pre>";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::int64_t number = std::int64_t{first} + static_cast<std::int64_t>(i);
    const bool hit = number == check.line;
    out += hit ? "<span class=\"hit\">" : "";
    out += pad_left(std::to_string(number), 5) + (hit ? " &gt; " : "   ") + html_escape(lines[i]);
    out += hit ? "</span>" : "\n";
  }
  return out + "</pre></div>\n";
}

class Page {
 public:
  Page(const Record& record, const HtmlOptions& options) : record_(record), options_(options) {}

  std::string body() {
    const Summary summary = summary_of(record_);
    std::string out = "<header><h1>" + html_escape(options_.title) + "</h1>\n";
    const int code = exit_code_of(record_);
    const char* mood = code == 0 ? "" : code == 1 || code == 2 ? " bad" : " warn";
    out += std::string("<div class=\"result") + mood + "\"><strong>" +
           html_escape(counts_text(summary)) + "</strong><br>" +
           html_escape(meaning_text(summary)) + " <span class=\"dim\">Exit code " +
           std::to_string(code) + ".</span></div></header>\n";
    out += filters(summary);
    out += "<main>\n";
    const std::vector<std::size_t> order = failures_first(record_);
    for (std::size_t n = 0; n < order.size(); ++n) {
      if (n % part_size == 0)
        out += n == 0 ? "<section class=\"part\">" : "</section>\n<section class=\"part\">";
      out += check(record_.checks[order[n]], n);
    }
    out += order.empty() ? "" : "</section>\n";
    out += std::string("<p class=\"none\"") + (order.empty() ? "" : " hidden") +
           ">No check matches.</p>\n</main>\n";
    return out + trusted_base() + run_box();
  }

 private:
  std::string filters(const Summary& summary) const {
    std::string out = "<div class=\"filters\" role=\"search\" hidden>\n";
    const auto button = [&](const char* verdict, const char* word, int count) {
      if (count == 0) return;
      out += std::string("<button type=\"button\" data-v=\"") + verdict +
             "\" aria-pressed=\"false\">" + word + " " + std::to_string(count) + "</button>\n";
    };
    int unexpected = 0;
    std::map<std::string, int> kinds;
    for (const Check& check : record_.checks) {
      unexpected += urgency(check) <= 2 ? 1 : 0;
      ++kinds[check.kind];
    }
    button("UNEXPECTED", "\u2717 not as expected", unexpected);
    button("PROVED", "proved", summary.proved);
    button("REFUTED", "refuted", summary.refuted);
    button("UNKNOWN", "unknown", summary.unknown);
    button("VACUOUS", "vacuous", summary.vacuous);
    button("SKIPPED", "skipped", summary.skipped);
    button("ERROR", "error", summary.error);
    out += "<select id=\"kind\" aria-label=\"Kind\"><option value=\"\">every kind</option>\n";
    for (const auto& [kind, count] : kinds) {
      if (kind.empty()) continue;
      out += "<option value=\"" + html_escape(kind) + "\">" +
             html_escape(shorten(visible(kind), 60)) + " (" + std::to_string(count) +
             ")</option>\n";
    }
    out +=
        "</select>\n<input type=\"search\" id=\"q\" placeholder=\"text in id, file, counterexample "
        "(press /)\" "
        "aria-label=\"Text\">\n<button type=\"button\" id=\"clear\">Clear</button>\n"
        "<span id=\"shown\" class=\"dim\" aria-live=\"polite\"></span>\n</div>\n";
    return out;
  }

  std::string check(const Check& check, std::size_t position) {
    const Look look = look_of(check);
    const bool surprise = urgency(check) <= 2;
    const std::string anchor = anchor_of(check.id, used_);
    std::string searched = check.id + " " + check.file;
    if (check.counterexample) searched += " " + short_phrase(*check.counterexample);
    std::string out = "<details class=\"check" + std::string(surprise ? " surprise" : "") +
                      "\" id=\"" + html_escape(anchor) + "\" data-v=\"" + name_of(check.verdict) +
                      "\" data-k=\"" + html_escape(check.kind) + "\" data-t=\"" +
                      html_escape(shorten(visible(searched), 400)) + "\"" +
                      (surprise ? " data-x=\"1\"" : "") +
                      (surprise && position < opened_at_first ? " open" : "") + ">\n";
    out += std::string("<summary><span class=\"v ") + look.cls + "\">" + look.sign + " " +
           name_of(check.verdict) + "</span><span class=\"id\">" + html_escape(check.id) +
           "</span>";
    out += "<span class=\"small extra\">" + html_escape(shorten(visible(check.kind), 60)) +
           "</span><span class=\"small extra\">" +
           html_escape(shorten(visible(methods_phrase(check)), 60)) +
           "</span><span class=\"small num extra\">" + time_phrase(check.time_ms) +
           "</span></summary>";
    if (record_.checks.size() >= long_report && urgency(check) >= 5)
      return out + brief(check) + "</details>\n";
    out += "\n<div class=\"in\">\n";
    out += details(check, surprise);
    out += source_html(check);
    if (!check.reproduce.empty()) {
      out += "<h3>Reproduce</h3>\n<div class=\"cmd\"><code>" + html_escape(check.reproduce) +
             "</code><button type=\"button\" class=\"copy\">Copy</button></div>\n";
    }
    out += proof(check);
    out +=
        "<p class=\"small\"><a href=\"#" + html_escape(anchor) + "\">link to this check</a></p>\n";
    return out + "</div></details>\n";
  }

  // The same in few elements: a page with 10,000 checks must open at once.
  static std::string brief(const Check& check) {
    std::string text =
        check.file + ":" + std::to_string(check.line) + ": " + check.source_line + "\n";
    const auto line = [&](const char* name, const std::string& value) {
      if (!value.empty()) text += pad_right(name, 11) + value + "\n";
    };
    if (check.counterexample) line("refuted", short_phrase(*check.counterexample));
    line("reason", check.reason);
    line("note", check.note);
    for (const std::string& need : check.needs) line("needs", need);
    for (const std::string& other : check.unused) line("not needed", other);
    if (check.proof) {
      std::string lemmas;
      for (const Proof::LemmaCount& count : lemma_counts(*check.proof)) {
        lemmas += (lemmas.empty() ? "" : ", ") + count.lemma + " " + std::to_string(count.steps) +
                  " (" + std::to_string(count.discharged) + " by Z3)";
      }
      line("lemmas", lemmas);
    }
    std::string out = "<div class=\"in\"><pre>" + html_escape(text, true) + "</pre>";
    if (!check.reproduce.empty()) {
      out += "<div class=\"cmd\"><code>" + html_escape(check.reproduce) +
             "</code><button type=\"button\" class=\"copy\">Copy</button></div>";
    }
    return out + "</div>";
  }

  std::string details(const Check& check, bool surprise) {
    std::string rows;
    std::string verdict = name_of(check.verdict);
    if (surprise || check.verdict == Verdict::Unknown || check.verdict == Verdict::Skipped) {
      verdict += std::string("; the file expects ") + name_of(check.expected);
    } else if (check.verdict == Verdict::Refuted) {
      verdict += ", as the file expects";
    }
    rows += row("verdict", verdict);
    rows += row("reason", check.reason);
    if (check.counterexample) {
      const Counterexample& c = *check.counterexample;
      std::string shape = values_phrase(c.sizes);
      if (!shape.empty()) shape += c.smallest ? "  (the smallest)" : "  (not shown smallest)";
      rows += row("shape", shape, "mono");
      rows += row("tables", tables_phrase(c), "mono");
      rows += row("at", values_phrase(c.at), "mono");
      rows += row("where", place_phrase(c));
      rows += row("expected", c.expected, "mono expected");
      rows +=
          row("found", c.found.empty() && !c.expected.empty() ? "nothing" : c.found, "mono found");
      rows += row("wrong", count_phrase(c));
      rows += row("why", c.text);
    }
    rows += row("note", check.note);
    rows += list_row("needs", check.needs);
    rows += list_row("not needed", check.unused);
    std::string work;
    const auto count = [&](std::int64_t n, const char* what) {
      if (n != 0) work += (work.empty() ? "" : ", ") + std::to_string(n) + " " + what;
    };
    count(check.shapes_tried, check.shapes_tried == 1 ? "shape tried" : "shapes tried");
    count(check.z3_queries, check.z3_queries == 1 ? "Z3 query" : "Z3 queries");
    count(check.rlimit, "of Z3's rlimit");
    rows += row("decided by", methods_phrase(check) + " in " + time_phrase(check.time_ms) +
                                  (work.empty() ? "" : "; " + work));
    return "<dl>\n" + rows + "</dl>\n" + picture(check, surprise);
  }

  std::string picture(const Check& check, bool surprise) {
    if (!check.counterexample || !check.counterexample->picture) return "";
    const Counterexample& c = *check.counterexample;
    ++pictures_;
    if (pictures_ > most_drawn_pictures) {
      PictureTextOptions text;
      text.width = 110;
      text.lane = c.lane;
      text.elem = c.elem;
      const std::string drawn = picture_text(*c.picture, text);
      return drawn.empty() ? "" : "<pre class=\"box\">" + html_escape(drawn, true) + "</pre>\n";
    }
    SvgOptions svg;
    svg.standalone = false;
    const bool full = surprise && pictures_ <= options_.full_pictures;
    svg.max_lanes = full ? full_picture_lanes : small_picture_lanes;
    svg.lane = c.lane;
    svg.elem = c.elem;
    const std::string drawn = picture_svg(*c.picture, svg);
    return drawn.empty()
               ? ""
               : "<h3>Registers</h3>\n<div class=\"picture\" tabindex=\"0\">" + drawn + "</div>\n";
  }

  static std::string proof(const Check& check) {
    if (!check.proof) return "";
    const Proof& proof = *check.proof;
    std::int64_t steps = 0, discharged = 0;
    std::string lemmas;
    for (const Proof::LemmaCount& count : lemma_counts(proof)) {
      steps += count.steps;
      discharged += count.discharged;
      lemmas +=
          (lemmas.empty() ? "" : ", ") + count.lemma + " \u00d7" + std::to_string(count.steps);
    }
    std::string out =
        "<h3>Proof</h3>\n<dl>\n" + row("method", proof.method) + row("lemmas", lemmas);
    if (steps > 0) {
      out += row("discharged", std::to_string(discharged) + " of " + std::to_string(steps) +
                                   " steps by Z3, in this run");
    }
    out += list_row("notes", proof.notes) + "</dl>\n";
    if (proof.steps.empty()) return out;
    out += "<details><summary>The " + std::to_string(proof.steps.size()) +
           " steps</summary>\n<ol class=\"proof\">\n";
    for (std::size_t i = 0; i < proof.steps.size() && i < most_proof_steps; ++i) {
      const ProofStep& step = proof.steps[i];
      out += "<li><b>" + html_escape(step.lemma) + "</b> <code>" + html_escape(step.statement) +
             "</code>";
      for (std::size_t p = 0; p < step.premises.size(); ++p) {
        out += (p == 0 ? " <span class=\"dim\">from " : ", ") +
               std::to_string(std::int64_t{step.premises[p]} + 1);
      }
      out += step.premises.empty() ? "" : "</span>";
      out += step.discharged ? " <b class=\"v-good\">Z3</b></li>\n" : "</li>\n";
    }
    out += "</ol>\n";
    if (proof.steps.size() > most_proof_steps)
      out += "<p class=\"dim\">The rest is in the JSON record.</p>\n";
    return out + "</details>\n";
  }

  std::string trusted_base() const {
    const std::string z3 =
        record_.z3_version.empty() ? "(not named in the record)" : record_.z3_version;
    return "<h2>What you trust</h2>\n<div class=\"box\"><ul>\n<li>Z3 " + html_escape(z3) +
           ", for each step of a proof for all sizes; and the code that turns a step into a "
           "query.</li>\n"
           "<li>The instruction fragments: text that follows the PTX ISA's formulas, each with its "
           "section.</li>\n"
           "<li>The model of a kernel: reduction over warps and splits is a sum, barriers and "
           "races are not modelled, "
           "integers are mathematical unless a width is declared, and the order of additions is "
           "left open.</li>\n"
           "<li>That the <code>.layout</code> file says what the kernel does.</li>\n"
           "</ul>REFUTED rests on evaluation alone: the counterexample can be checked by "
           "hand.</div>\n";
  }

  std::string run_box() const {
    double time = 0;
    for (const Check& check : record_.checks) time += check.time_ms;
    std::string out = "<footer><dl>\n" + row("command", record_.command, "mono") +
                      row("fragproof", record_.tool_version) + row("Z3", record_.z3_version);
    out +=
        row("checks", std::to_string(record_.checks.size()) + ", " + time_phrase(time) + " in all");
    return out + "</dl></footer>\n";
  }

  const Record& record_;
  const HtmlOptions& options_;
  std::set<std::string> used_;
  int pictures_ = 0;
};

}  // namespace

std::string to_html(const Record& record, const HtmlOptions& options) {
  return page(options.title, Page(record, options).body(), report_script());
}

}  // namespace fragproof
