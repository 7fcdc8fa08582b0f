#include "checkers/enumerate/kernel_judge.h"

#include "checkers/enumerate/kernel_trace.h"

namespace fragproof {

namespace {

// The order in which obligations are judged; A and B side by side share a stage.
int stage_of(Obligation obligation) {
  switch (obligation) {
    case Obligation::Bounds:
      return 0;
    case Obligation::Storage:
      return 1;
    case Obligation::Alignment:
      return 2;
    case Obligation::Overflow:
      return 3;
    case Obligation::AWhole:
    case Obligation::BWhole:
      return 4;
    case Obligation::Types:
      return 5;
    case Obligation::ARows:
    case Obligation::BCols:
      return 6;
    case Obligation::AK:
    case Obligation::BK:
      return 7;
    case Obligation::Pairing:
      return 8;
    case Obligation::Cover:
      return 9;
    case Obligation::Output:
      return 10;
  }
  return 10;
}

// A tile grid that does not come out even loses or repeats something at its end: the counterexample
// asks whether a require is missing.
void ask_for_require(Evaluator& evaluator, const Kernel& kernel, Obligation obligation,
                     Counterexample& example) {
  if (obligation != Obligation::Bounds && obligation != Obligation::Cover &&
      obligation != Obligation::Output) {
    return;
  }
  std::vector<const Expr*> extents;
  for (const std::optional<Domain>* domain : {&kernel.parallel, &kernel.reduce}) {
    if (!*domain) continue;
    for (const Coordinate& coordinate : (*domain)->coordinates) {
      if (coordinate.extent != nullptr) extents.push_back(coordinate.extent);
      for (const DigitBinding& digit : coordinate.digits) extents.push_back(digit.radix);
    }
  }
  const std::string missing = missing_require(evaluator, extents);
  if (!missing.empty()) example.text += "; is `" + missing + "` missing?";
}

}  // namespace

KernelJudge::KernelJudge(Evaluator& evaluator, const Kernel& kernel)
    : evaluator_(evaluator), trace_(std::make_unique<Trace>(evaluator, kernel)) {}

KernelJudge::~KernelJudge() = default;

void KernelJudge::advance(int stage) {
  Trace& trace = *trace_;
  if (!prepared_) {
    prepared_ = true;
    if (!trace.prepare()) unknown_from_ = 0;
  }
  const auto keep = [&](Obligation obligation, Finding finding) {
    findings_[static_cast<std::size_t>(obligation)] = std::make_unique<Finding>(std::move(finding));
  };
  const auto keep_both = [&](Obligation a, Obligation b, std::array<Finding, 2> findings) {
    keep(a, std::move(findings[0]));
    keep(b, std::move(findings[1]));
  };
  while (stage_ < stage && trace.unknown.empty()) {
    ++stage_;
    const bool nothing = !trace.undefined.empty();  // no point of the kernel can be evaluated
    switch (stage_) {
      case 0:
        keep(Obligation::Bounds, judge_bounds(trace));
        break;
      case 1:
        keep(Obligation::Storage, judge_storage(trace));
        break;
      case 2:
        keep(Obligation::Alignment, nothing ? Finding{} : judge_alignment(trace));
        break;
      case 3:
        keep(Obligation::Overflow, nothing ? Finding{} : judge_overflow(trace));
        if (!nothing && trace.unknown.empty()) assemble(trace);
        break;
      case 4:
        keep_both(Obligation::AWhole, Obligation::BWhole,
                  nothing ? std::array<Finding, 2>{} : judge_whole(trace));
        break;
      case 5:
        keep(Obligation::Types, nothing ? Finding{} : judge_types(trace));
        break;
      case 6:
        keep_both(Obligation::ARows, Obligation::BCols,
                  nothing ? std::array<Finding, 2>{} : judge_lines(trace));
        break;
      case 7:
        keep_both(Obligation::AK, Obligation::BK,
                  nothing ? std::array<Finding, 2>{} : judge_k(trace));
        break;
      case 8:
        keep(Obligation::Pairing, nothing ? Finding{} : judge_pairing(trace));
        break;
      case 9:
        keep(Obligation::Cover, nothing ? Finding{} : judge_cover(trace));
        break;
      default:
        keep(Obligation::Output, nothing ? Finding{} : judge_output(trace));
        break;
    }
    if (!trace.unknown.empty()) unknown_from_ = stage_;
  }
}

KernelVerdict KernelJudge::judge(Obligation obligation) {
  advance(stage_of(obligation));
  KernelVerdict verdict;
  const std::unique_ptr<Finding>& finding = findings_[static_cast<std::size_t>(obligation)];
  if (stage_of(obligation) >= unknown_from_) {
    verdict.unknown = true;
    verdict.reason = trace_->unknown;
    return verdict;
  }
  verdict.holds = !finding->failed;
  verdict.vacuous = !finding->failed && !finding->asked;
  verdict.counterexample = finding->example;
  if (verdict.counterexample)
    ask_for_require(trace_->evaluator, trace_->kernel, obligation, *verdict.counterexample);
  verdict.note = finding->note;
  if (verdict.vacuous) verdict.reason = "nothing is left to judge";
  return verdict;
}

KernelVerdict KernelJudge::judge_all() {
  KernelVerdict all;
  all.vacuous = true;
  for (int i = 0; i < obligation_count; ++i) {
    const auto obligation = static_cast<Obligation>(i);
    KernelVerdict one = judge(obligation);
    if (one.unknown) return one;
    if (!one.holds) {
      if (one.counterexample) {
        one.counterexample->text =
            std::string(name_of(obligation)) + ": " + one.counterexample->text;
      }
      return one;
    }
    // What has nothing to check does not make a kernel without points meaningful.
    if (!one.vacuous && one.note.rfind("nothing to check", 0) != 0) all.vacuous = false;
  }
  if (all.vacuous) all.reason = "nothing is left to judge";
  return all;
}

std::int64_t KernelJudge::points() const { return trace_->evaluator.points(); }

Trace* KernelJudge::trace() {
  advance(stage_of(Obligation::Overflow));
  return trace_->unknown.empty() && trace_->undefined.empty() ? trace_.get() : nullptr;
}

std::string KernelJudge::unknown() const {
  return trace_->unknown.empty() ? trace_->undefined : trace_->unknown;
}

KernelVerdict judge_kernel(Evaluator& evaluator, const Kernel& kernel,
                           std::optional<Obligation> obligation, std::int64_t& points) {
  KernelJudge judge(evaluator, kernel);
  KernelVerdict verdict = obligation ? judge.judge(*obligation) : judge.judge_all();
  points += judge.points();
  evaluator.spend(judge.points());
  return verdict;
}

}  // namespace fragproof
