// The names of the verdicts, as every report and every script spells them.
#include "checkers/result/result.h"

namespace fragproof {

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Proved:
      return "PROVED";
    case Verdict::Refuted:
      return "REFUTED";
    case Verdict::Unknown:
      return "UNKNOWN";
    case Verdict::Vacuous:
      return "VACUOUS";
    case Verdict::Skipped:
      return "SKIPPED";
    case Verdict::Error:
      return "ERROR";
  }
  return "ERROR";  // not a verdict: never a green one
}

}  // namespace fragproof
