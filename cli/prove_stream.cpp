// Lines in order, whatever the order in which verdicts and errors arrive.
#include "cli/prove_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "reports/escape.h"
#include "reports/write.h"

namespace fragproof::cli {

ProveStream::ProveStream(StreamOptions options, const std::vector<Input>& inputs,
                         const std::vector<Question>& questions)
    : options_(std::move(options)) {
  text_.colour = options_.colour;
  text_.width = options_.width;
  std::size_t next = 0;
  std::size_t longest = 0;
  for (const Input& input : inputs) {
    if (!input.spec) {
      slots_.push_back({error_check(input), true, &input});
      continue;
    }
    for (; next < questions.size() && questions[next].spec == input.spec.get(); ++next) {
      slot_of_question_.push_back(slots_.size());
      slots_.emplace_back();
      longest = std::max(longest, display_width(questions[next].id));
    }
  }
  text_.id_width = static_cast<int>(std::clamp<std::size_t>(longest, 20, 44));
  progress_wanted_ = use_progress() && !options_.quiet;
  flush();
}

Progress ProveStream::progress() {
  return {[this](std::size_t i, const Check& check) {
            Slot& slot = slots_[slot_of_question_[i]];
            slot.check = check;
            slot.ready = true;
            flush();
          },
          [this](std::size_t done, std::size_t of, const std::string& id) {
            show_progress(done, of, id);
          }};
}

void ProveStream::flush() {
  while (shown_ < slots_.size() && slots_[shown_].ready) show(slots_[shown_++]);
}

void ProveStream::show(const Slot& slot) {
  clear_progress();
  if (slot.broken != nullptr) {
    const std::string text = diagnostics_text(*slot.broken);
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
  const Check& check = slot.check;
  const bool explained = std::find(options_.explain.begin(), options_.explain.end(), check.id) !=
                         options_.explain.end();
  if (options_.quiet && as_expected(check) && !explained) return;
  std::string text = check_line(check, text_);
  // What is wrong with a file that cannot be read stands on stderr.
  if (slot.broken == nullptr) text += check_details(check, text_);
  if (explained) text += proof_text(check, text_);
  write(text);
}

void ProveStream::write(std::string_view text) {
  if (options_.silent || closed_ || !write_error_.empty()) return;
  const WriteResult result = write_stdout(text);
  if (result.ok) return;
  closed_ = result.closed_pipe;
  if (!closed_) write_error_ = result.error;
  // Without reports nobody would see what is still to be judged.
  if (!options_.writes_reports) interrupt();
}

void ProveStream::clear_progress() {
  if (!progress_on_screen_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  progress_on_screen_ = false;
}

void ProveStream::show_progress(std::size_t done, std::size_t of, const std::string& id) {
  if (!progress_wanted_) return;
  const auto now = std::chrono::steady_clock::now();
  if (progress_on_screen_ && now - last_progress_ < std::chrono::milliseconds(80)) return;
  last_progress_ = now;
  const std::string line = fmt::format("[{}/{}] {}", done, of, visible(id));
  const auto width = static_cast<std::size_t>(std::max(options_.width - 1, 10));
  std::fputs(("\r\x1b[K" + shorten(line, width)).c_str(), stderr);
  std::fflush(stderr);
  progress_on_screen_ = true;
}

std::vector<Check> ProveStream::with_errors(const std::vector<Check>& judged) {
  clear_progress();
  for (std::size_t i = 0; i < judged.size(); ++i) slots_[slot_of_question_[i]].check = judged[i];
  std::vector<Check> checks;
  for (const Slot& slot : slots_) checks.push_back(slot.check);
  return checks;
}

void ProveStream::finish(const Record& record) { write(summary_text(record, text_)); }

int ProveStream::code(const Record& record) const {
  if (!write_error_.empty()) throw Failure{write_error_};
  if (closed_ && !options_.writes_reports) return exit_closed_pipe;
  return exit_code(record);
}

}  // namespace fragproof::cli
