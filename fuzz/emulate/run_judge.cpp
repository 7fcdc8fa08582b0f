// The judging side of an execution: the comparison with the contraction, and the words of faults.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "checkers/enumerate/kernel_memory.h"
#include "checkers/enumerate/kernel_words.h"
#include "fuzz/emulate/run.h"

namespace fragproof {
namespace {

std::string real_text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", value);
  return buffer;
}

}  // namespace

bool Emulator::Run::told(FaultKind kind) const {
  return std::any_of(result_.faults.begin(), result_.faults.end(),
                     [&](const Fault& fault) { return fault.kind == kind; });
}

void Emulator::Run::tell(FaultKind kind, Fault fault) {
  if (told(kind)) return;
  fault.kind = kind;
  result_.faults.push_back(std::move(fault));
}

void Emulator::Run::tell_load(FaultKind kind, std::size_t number, std::size_t pair,
                              const std::string& reason) {
  const bool doubtful = kind == FaultKind::Unwritten;
  if (doubtful ? !doubtful_.empty() : told(kind)) return;
  const Load& load = *kernel_.loads[number];
  const std::size_t point = pair / lanes_;
  Fault fault;
  fault.instruction = "load " + load.name;
  fault.lane = static_cast<int>(pair % lanes_);
  fault.at = points_->at_point(point);
  const Batch one = points_->one(point, *fault.lane);
  std::string why = reason;
  if (kind == FaultKind::Undefined) {
    why += ": " + evaluator_.scalar(*load.condition, one).reason;
  } else if (why.empty()) {
    (void)evaluator_.place(load.from, one, &why);
  }
  fault.text = lane_text(a_, *fault.lane) + ": load " + load.name + " from " +
               place_text(evaluator_, load.from, one) + at_text(fault.at) + ": " + why;
  if (doubtful) {
    fault.kind = kind;
    doubtful_.push_back(std::move(fault));
  } else {
    tell(kind, std::move(fault));
  }
}

void Emulator::Run::tell_lets(std::size_t pair) {
  const std::size_t point = pair / lanes_;
  Fault fault;
  fault.lane = static_cast<int>(pair % lanes_);
  fault.at = points_->at_point(point);
  fault.text = lane_text(a_, *fault.lane) + at_text(fault.at) + ": " +
               points_->let_reason(points_->one(point, *fault.lane));
  tell(FaultKind::Undefined, std::move(fault));
}

void Emulator::Run::tell_part(const PartFault& part, std::size_t first_pair) {
  const std::size_t point = (first_pair + part.pair) / lanes_;
  Fault fault;
  fault.instruction = "mma";
  fault.lane = static_cast<int>(part.pair % lanes_);
  fault.at = points_->at_point(point);
  const Scalar index = evaluator_.scalar(*part.unit->index, points_->one(point, *fault.lane));
  const std::string name = part.value->kind == Value::Kind::Load ? part.value->load->name : "value";
  fault.text = lane_text(a_, *fault.lane) + at_text(fault.at) + ": " + name + ".b" +
               std::to_string(part.unit->width) +
               (index.outcome == Outcome::Ok ? "[" + to_string(index.value) + "] is outside (" +
                                                   to_string(part.count) + " units)"
                                             : ": its index is undefined: " + index.reason);
  tell(FaultKind::Bounds, std::move(fault));
}

std::string Emulator::Run::element_name(std::int64_t element) const {
  std::string text;
  for (std::size_t i = y_extents_.size(); i-- > 0;) {
    const std::int64_t at = element % y_extents_[i];
    element /= y_extents_[i];
    text = std::to_string(at) + (text.empty() ? "" : ", ") + text;
  }
  return kernel_.result.tensor->name + "[" + text + "]";
}

void Emulator::Run::contract_reference() {
  if (!world_.reference) {
    world_.reference = contract(evaluator_, kernel_, blocks_, owner_.setting_.mode);
  }
}

void Emulator::Run::compare() {
  contract_reference();
  const Contraction& reference = *world_.reference;
  result_.of = static_cast<std::int64_t>(stores_.size());
  result_.terms = reference.terms;
  for (std::size_t i = 0; i < stores_.size(); ++i) {
    if (stores_[i] == 0) {
      ++result_.wrong;
      Fault fault;
      fault.text = element_name(static_cast<std::int64_t>(i)) + " is never stored";
      tell(FaultKind::Missing, std::move(fault));
      continue;
    }
    if (real_) {
      compare_real(i);
      continue;
    }
    if (y_[i] == static_cast<std::int64_t>(reference.integers[i])) continue;
    ++result_.wrong;
    if (told(FaultKind::Value)) continue;
    Fault fault;
    fault.text = element_name(static_cast<std::int64_t>(i)) + " is " + std::to_string(y_[i]) +
                 ", the contraction gives " +
                 std::to_string(static_cast<std::int64_t>(reference.integers[i]));
    tell(FaultKind::Value, std::move(fault));
  }
  // Garbage that reached no result is no fault: a dead row, or a factor of zero beside it.
  if (result_.wrong > 0 && !doubtful_.empty()) {
    tell(FaultKind::Unwritten, std::move(doubtful_.front()));
  }
}

// With u the unit roundoff of the sums: each result is within gamma(n) times the sum of |products|
// of the true one, n the additions and roundings on its way; so is the reference with u = 2^-53.
void Emulator::Run::compare_real(std::size_t i) {
  const Contraction& reference = *world_.reference;
  const double u = c_.width > 32 ? 0x1p-53 : 0x1p-24;
  const double n = static_cast<double>(reference.terms + 2);
  const double gamma = n * u / (1 - n * u) + n * 0x1p-53 / (1 - n * 0x1p-53);
  const double error = std::fabs(y_real_[i] - reference.reals[i]);
  const double bound =
      (gamma * (1 + conversion_error_) + conversion_error_) * reference.magnitudes[i];
  if (error > result_.error || result_.bound == 0) {
    result_.error = error;
    result_.bound = bound;
  }
  if (error <= bound) return;  // a NaN is wrong, too
  ++result_.wrong;
  if (told(FaultKind::Value)) return;
  Fault fault;
  fault.text = element_name(static_cast<std::int64_t>(i)) + " is " + real_text(y_real_[i]) +
               ", the contraction gives " + real_text(reference.reals[i]) + ": the error " +
               real_text(error) + " is above " + real_text(bound) + ", what rounding can do";
  tell(FaultKind::Value, std::move(fault));
}

}  // namespace fragproof
