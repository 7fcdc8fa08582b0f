// The order of the engines on one question, and how their answers become one check.
#include "checkers/trial.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string_view>
#include <utility>

#include "checkers/complete_point.h"
#include "checkers/sentence.h"

namespace fragproof {
namespace {

// The sizes of `at` that this question's file declares, in order of declaration.
NamedValues restricted(const NamedValues& at, const Spec& spec) {
  NamedValues result;
  for (const Variable* size : spec.sizes) {
    for (const auto& named : at) {
      if (named.first == size->name) result.push_back(named);
    }
  }
  return result;
}

std::string point_text(const NamedValues& at) {
  std::string text;
  for (const auto& [name, value] : at) {
    text += (text.empty() ? "" : ", ") + name + " = " + to_string(value);
  }
  return text;
}

// Of the calling thread.
double processor_seconds() {
  timespec time{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::string seconds_text(double seconds) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g s", seconds);
  return buffer;
}

}  // namespace

bool decides(Verdict verdict) {
  return verdict == Verdict::Proved || verdict == Verdict::Refuted || verdict == Verdict::Vacuous;
}

Trial::Trial(const Question& question, const PortfolioOptions& options)
    : question_(&question), options_(&options), at_(restricted(options.at, *question.spec)) {}

bool Trial::open() const {
  if (!failure_.empty()) return false;
  if (options_->cross_check) return true;
  for (const Testimony& testimony : testimonies_) {
    if (decides(testimony.answer.verdict)) return false;
  }
  return true;
}

bool Trial::wanted(const std::atomic<bool>* stop) const {
  return open() && (stop == nullptr || !stop->load());
}

void Trial::ask(const char* engine, const std::function<Answer()>& run) {
  const auto start = std::chrono::steady_clock::now();
  const double processor_start = processor_seconds();
  try {
    testimonies_.push_back({engine, run()});
    Answer& answer = testimonies_.back().answer;
    // A proof about nothing is no proof: where every shape that was judged left nothing to judge, a
    // universal statement being true says little. The last look has the say: it went furthest.
    bool nothing = false;
    for (const Testimony& t : testimonies_) {
      if (std::string_view(t.engine) == "enumerate") nothing = t.answer.only_vacuous;
    }
    if (answer.verdict == Verdict::Proved && nothing) {
      unfounded_ = unfounded_ || std::string_view(engine) == "radix";
      answer.verdict = Verdict::Unknown;
      answer.proof.reset();
      answer.reason =
          "nothing was left to judge at the shapes that were tried, and no shape with something "
          "was found";
    }
    const std::string_view who = engine;
    const bool finder = who == "enumerate" || who == "linear";
    if (answer.verdict == Verdict::Refuted && (!finder || !answer.counterexample)) {
      failure_ = std::string(engine) + " refuted without a counterexample";
    }
  } catch (const std::exception& error) {
    failure_ = std::string("the engine ") + engine + " failed: " + error.what();
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  wall_seconds_ += spent.count();
  seconds_ += processor_seconds() - processor_start;
}

void Trial::timed_out(bool by_clock) {
  guard_by_clock_ = by_clock;
  guard_ = by_clock ? wall_seconds_ : seconds_;
}

void Trial::ask_radix(const std::atomic<bool>* stop) {
  Budget budget = options_->deep;
  budget.stop = stop;
  ask("radix", [&] { return options_->engines.radix(*question_, budget); });
}

void Trial::quick(const std::atomic<bool>* stop) {
  if (at_point()) {
    Budget budget = options_->deep;
    budget.stop = stop;
    at_ = complete_point(*question_, at_, stop);
    ask("enumerate", [&] { return options_->engines.enumerate_at(*question_, at_, budget); });
    return;
  }
  Budget budget = options_->quick;
  budget.stop = stop;
  ask("enumerate", [&] { return options_->engines.enumerate(*question_, budget); });
  if (wanted(stop)) ask("linear", [&] { return options_->engines.linear(*question_, budget); });
  if (wanted(stop) && !question_->claim->refute) ask_radix(stop);
}

void Trial::deep(const std::atomic<bool>* stop) {
  if (at_point()) return;
  Budget budget = options_->deep;
  budget.stop = stop;
  const bool counterexample_known =
      !testimonies_.empty() && testimonies_.front().answer.verdict != Verdict::Unknown;
  if (wanted(stop) && !counterexample_known) {
    ask("enumerate", [&] { return options_->engines.enumerate(*question_, budget); });
  }
  // A proof that was set aside for want of anything to judge is asked for again.
  if (wanted(stop) && (question_->claim->refute || unfounded_)) ask_radix(stop);
  if (wanted(stop)) ask("smt", [&] { return options_->engines.smt(*question_, budget); });
}

std::string Trial::why_unknown() const {
  // The last word of each engine, the guided proof first: it names what stayed open.
  const auto last = [&](std::string_view engine) {
    std::string reason;
    for (const Testimony& testimony : testimonies_) {
      if (engine == testimony.engine) reason = testimony.answer.reason;
    }
    return reason == "interrupted" ? std::string() : reason;
  };
  std::string reason;
  for (const char* engine : {"radix", "enumerate", "smt"}) {
    const std::string said = last(engine);
    if (said.empty() || (!reason.empty() && std::string_view(engine) == "smt")) continue;
    reason += (reason.empty() ? "" : "; ") + said;
  }
  if (guard_ > 0) {
    reason = "gave up after " + seconds_text(guard_) +
             (guard_by_clock_ ? " by the clock" : " of processor time") +
             (reason.empty() ? "" : "; " + reason);
  }
  return reason.empty() ? "no engine decides it within its budget" : reason;
}

Check Trial::check() const {
  Check check = blank_check(*question_);
  check.time_ms = wall_seconds_ * 1000;
  const Testimony* first = nullptr;
  const Testimony* other = nullptr;
  for (const Testimony& testimony : testimonies_) {
    const Answer& answer = testimony.answer;
    check.shapes_tried = std::max(check.shapes_tried, answer.shapes_tried);
    check.z3_queries += answer.z3_queries;
    check.rlimit += answer.rlimit;
    if (!decides(answer.verdict)) continue;
    if (first == nullptr) {
      first = &testimony;
    } else if (other == nullptr && answer.verdict != first->answer.verdict) {
      other = &testimony;
    }
    if (check.methods.empty() || check.methods.back() != testimony.engine) {
      check.methods.emplace_back(testimony.engine);
    }
    // Evidence of the first that has it; a proof for all shapes before a list of tried ones.
    if (answer.counterexample && !check.counterexample)
      check.counterexample = answer.counterexample;
    if (answer.proof && (!check.proof || check.proof->method == "enumerate"))
      check.proof = answer.proof;
    // Both of one proof: what one of two did not need is no news of the other.
    if (check.needs.empty() && check.unused.empty()) {
      check.needs = answer.needs;
      check.unused = answer.unused;
    }
    if (check.note.empty()) check.note = answer.note;
  }
  if (!failure_.empty() || other != nullptr) {
    check.verdict = Verdict::Error;
    check.reason = "internal error: " + failure_;
    if (failure_.empty()) {
      check.reason = std::string("two engines disagree: ") + first->engine + " says " +
                     name_of(first->answer.verdict) + ", " + other->engine + " says " +
                     name_of(other->answer.verdict) + "; this is a fault in fragproof";
    }
  } else if (first != nullptr) {
    check.verdict = first->answer.verdict;
    check.reason = first->answer.reason;
    if (check.verdict == Verdict::Proved && at_point()) {
      check.note = "judged at " + point_text(at_) + " only";
    }
  } else if (interrupted_) {
    check.verdict = Verdict::Skipped;
    check.reason = "interrupted";
  } else {
    check.verdict = Verdict::Unknown;
    const std::string why = why_unknown();
    check.reason = one_sentence(why);
    if (check.reason != why) check.note = "in full: " + why;
  }
  if (at_point()) check.reproduce = reproduce_line(*question_, at_);
  if (check.counterexample) {
    check.reproduce = reproduce_line(*question_, check.counterexample->sizes);
  }
  return check;
}

}  // namespace fragproof
