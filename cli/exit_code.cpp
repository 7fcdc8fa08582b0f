// Precedence of exit codes: what summary.h says of verdicts, and what only the caller knows.
#include "cli/exit_code.h"

#include "cli/output.h"
#include "reports/summary.h"

namespace fragproof::cli {

int exit_code(const Record& record) {
  for (const Check& check : record.checks) {
    if (check.verdict == Verdict::Error && check.kind != file_kind) return exit_internal;
  }
  if (record.checks.empty() && !record.interrupted) return exit_nothing;
  return exit_code_of(record);
}

}  // namespace fragproof::cli
