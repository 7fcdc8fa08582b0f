// What `prove` prints while it runs: a line a claim in the order of the files, progress, a summary.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "checkers/portfolio.h"
#include "cli/inputs.h"
#include "reports/text.h"

namespace fragproof::cli {

struct StreamOptions {
  bool quiet = false;   // only surprises and the summary
  bool silent = false;  // nothing on stdout: a report goes there
  bool colour = false;
  int width = 80;
  std::vector<std::string> explain;  // ids whose proofs follow their lines
  bool writes_reports = false;       // then a reader that goes away does not end the run
};

class ProveStream {
 public:
  // Inputs without a spec get their ERROR check between the questions of their neighbours.
  ProveStream(StreamOptions options, const std::vector<Input>& inputs,
              const std::vector<Question>& questions);

  // The callbacks for judge_all().
  [[nodiscard]] Progress progress();
  // What judge_all() returned, with the ERROR checks of unreadable files in their places.
  [[nodiscard]] std::vector<Check> with_errors(const std::vector<Check>& judged);
  // Did the user (and not a closed pipe) end the run early?
  [[nodiscard]] bool interrupted(const std::atomic<bool>& flag) const { return flag && !closed_; }
  void finish(const Record& record);  // prints the summary
  // The exit code of the run. Throws Failure when stdout could not be written.
  [[nodiscard]] int code(const Record& record) const;

 private:
  struct Slot {
    Check check;
    bool ready = false;
    const Input* broken = nullptr;
  };
  void flush();
  void show(const Slot& slot);
  void write(std::string_view text);
  void clear_progress();
  void show_progress(std::size_t done, std::size_t of, const std::string& id);

  StreamOptions options_;
  TextOptions text_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> slot_of_question_;
  std::size_t shown_ = 0;
  bool closed_ = false;      // nobody reads stdout any more
  std::string write_error_;  // why stdout could not be written
  bool progress_wanted_ = false;
  bool progress_on_screen_ = false;
  std::chrono::steady_clock::time_point last_progress_{};
};

}  // namespace fragproof::cli
