// Many questions on a few threads: quick looks first, then what stayed open, under guards of time.
#include "checkers/portfolio.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "checkers/enumerate/enumerate.h"
#include "checkers/linear/linear.h"
#include "checkers/radix/radix.h"
#include "checkers/solver/smt.h"
#include "checkers/trial.h"

namespace fragproof {
namespace {

using Clock = std::chrono::steady_clock;

// Sets the stop flag of a worker whose guard has passed, and of all of them when the user
// interrupts. A guard counts the processor time of its thread, so that a verdict does not depend on
// what else the machine does; four times as much time by the clock ends it too.
class Watchdog {
 public:
  Watchdog(int workers, const std::atomic<bool>* interrupt)
      : slots_(static_cast<std::size_t>(workers)),
        interrupt_(interrupt),
        thread_([this] { watch(); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Worker `w`, the calling thread, begins something that may take `seconds` (0: as long as it
  // wants).
  const std::atomic<bool>* begin(std::size_t w, double seconds) {
    const std::lock_guard lock(mutex_);
    Slot& slot = slots_[w];
    slot.stop = interrupted();
    slot.late = Late::No;
    slot.guarded = seconds > 0 && pthread_getcpuclockid(pthread_self(), &slot.clock) == 0;
    slot.seconds = seconds;
    slot.processor_start = seconds_of(slot.clock);
    slot.wall_start = Clock::now();
    return &slot.stop;
  }
  // ... and has ended it. What stopped it, if anything did.
  enum class Late { No, Processor, Clock };
  Late end(std::size_t w) {
    const std::lock_guard lock(mutex_);
    slots_[w].guarded = false;
    return slots_[w].late;
  }
  [[nodiscard]] bool interrupted() const { return interrupt_ != nullptr && interrupt_->load(); }

 private:
  static constexpr double wall_factor = 4;
  struct Slot {
    std::atomic<bool> stop{false};
    Late late = Late::No;
    bool guarded = false;
    double seconds = 0;
    clockid_t clock = CLOCK_MONOTONIC;
    double processor_start = 0;
    Clock::time_point wall_start;
  };
  static double seconds_of(clockid_t clock) {
    timespec time{};
    if (clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }
  void watch() {
    std::unique_lock lock(mutex_);
    while (!done_) {
      wake_.wait_for(lock, std::chrono::milliseconds(20));
      for (Slot& slot : slots_) {
        if (interrupted()) slot.stop = true;
        if (!slot.guarded) continue;
        const std::chrono::duration<double> wall = Clock::now() - slot.wall_start;
        const double processor = seconds_of(slot.clock) - slot.processor_start;
        if (processor < slot.seconds && wall.count() < wall_factor * slot.seconds) continue;
        slot.late = processor < slot.seconds ? Late::Clock : Late::Processor;
        slot.stop = true;
        slot.guarded = false;
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Slot> slots_;
  const std::atomic<bool>* interrupt_;
  bool done_ = false;
  std::thread thread_;
};

// The state of one call of judge_all(), shared by its workers.
class Run {
 public:
  Run(const std::vector<Question>& questions, const PortfolioOptions& options,
      const Progress& progress)
      : questions_(questions),
        options_(options),
        progress_(progress),
        workers_(std::clamp<int>(options.workers, 1, 64)),
        watchdog_(workers_, options.interrupt),
        checks_(questions.size()),
        delivered_(questions.size(), false) {
    trials_.reserve(questions.size());
    for (const Question& question : questions) {
      trials_.emplace_back(question, options);
      files_[question.spec].open++;
    }
  }

  std::vector<Check> all() {
    for (const bool deep : {false, true}) {
      next_ = 0;
      std::vector<std::thread> threads;
      for (int w = 1; w < workers_; ++w) {
        threads.emplace_back([this, w, deep] { work(static_cast<std::size_t>(w), deep); });
      }
      work(0, deep);
      for (std::thread& thread : threads) thread.join();
    }
    return std::move(checks_);
  }

 private:
  static constexpr double below_seconds = 0.5;
  struct FileTime {
    int open = 0;      // questions of the file that have no verdict yet
    double spent = 0;  // seconds of processor time, summed over the workers
  };

  // How long the next look at a question of `file` may take.
  double allowance(const FileTime& file, const Trial& trial, bool deep) const {
    double seconds = options_.claim_seconds;
    if (seconds > 0) seconds = std::max(seconds - trial.seconds(), 0.05);
    if (options_.file_seconds > 0) {
      const double left = std::max(0.0, options_.file_seconds * workers_ - file.spent);
      // A deep look takes no more than its share of what the file has left; a quick one may take
      // the lot.
      const double share = deep ? left / std::max(1, file.open) : left;
      const double guard = std::max(share, deep ? 0.05 : 0.2);
      seconds = seconds > 0 ? std::min(seconds, guard) : guard;
    }
    return seconds;
  }

  // The refuted obligation of the same claim under which a question may be left, if one is known.
  [[nodiscard]] const Check* refuted_neighbour(std::size_t i) const {
    if (questions_[i].kernel == nullptr) return nullptr;
    for (std::size_t j = 0; j < questions_.size(); ++j) {
      if (questions_[j].claim != questions_[i].claim || !delivered_[j]) continue;
      if (checks_[j].verdict == Verdict::Refuted) return &checks_[j];
    }
    return nullptr;
  }

  // An obligation that stays undecided below a refuted one: what failed there is why, and the first
  // thing to mend.
  void explain_by_neighbours(std::size_t i, Check& check) const {
    const bool vacuous = check.verdict == Verdict::Vacuous;
    if (check.verdict != Verdict::Unknown && !vacuous) return;
    const Check* refuted = refuted_neighbour(i);
    if (refuted == nullptr) return;
    check.below = refuted->id;
    check.reason = (vacuous ? "nothing is left to judge: " : "not judged: ") +
                   refuted->id.substr(refuted->id.find('/') + 1) + " is refuted";
    check.note.clear();
  }

  void work(std::size_t worker, bool deep) {
    while (true) {
      std::unique_lock lock(mutex_);
      while (next_ < questions_.size() && delivered_[next_]) ++next_;
      if (next_ >= questions_.size()) return;
      const std::size_t i = next_++;
      FileTime& file = files_[questions_[i].spec];
      double seconds = allowance(file, trials_[i], deep);
      // What is left open below a refuted obligation waits for that to be mended.
      if (deep && refuted_neighbour(i) != nullptr) seconds = std::min(seconds, below_seconds);
      if (progress_.working) progress_.working(done_, questions_.size(), questions_[i].id);
      lock.unlock();

      Trial& trial = trials_[i];
      const double before = trial.seconds();
      const std::atomic<bool>* stop = watchdog_.begin(worker, seconds);
      if (!watchdog_.interrupted()) {
        if (deep) {
          trial.deep(stop);
        } else {
          trial.quick(stop);
        }
      }
      const Watchdog::Late late = watchdog_.end(worker);
      if (late != Watchdog::Late::No) trial.timed_out(late == Watchdog::Late::Clock);
      if (watchdog_.interrupted()) trial.interrupted();
      const bool finished = deep || !trial.open() || trial.at_point();
      Check check = trial.check();

      lock.lock();
      file.spent += trial.seconds() - before;
      if (!finished) continue;
      file.open--;
      ++done_;
      explain_by_neighbours(i, check);
      checks_[i] = std::move(check);
      delivered_[i] = true;
      while (reported_ < delivered_.size() && delivered_[reported_]) {
        if (progress_.result) progress_.result(reported_, checks_[reported_]);
        ++reported_;
      }
    }
  }

  const std::vector<Question>& questions_;
  const PortfolioOptions& options_;
  const Progress& progress_;
  const int workers_;
  Watchdog watchdog_;
  std::mutex mutex_;
  std::vector<Trial> trials_;
  std::vector<Check> checks_;
  std::vector<bool> delivered_;
  std::map<const Spec*, FileTime> files_;
  std::size_t next_ = 0;
  std::size_t reported_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

Engines real_engines() { return {enumerate, enumerate_at, prove_radix, decide_linear, decide_smt}; }

Check judge(const Question& question, const PortfolioOptions& options) {
  PortfolioOptions alone = options;
  alone.workers = 1;
  return judge_all({question}, alone).front();
}

std::vector<Check> judge_all(const std::vector<Question>& questions,
                             const PortfolioOptions& options, const Progress& progress) {
  return Run(questions, options, progress).all();
}

}  // namespace fragproof
