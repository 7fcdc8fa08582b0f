// `prove --proof DIR`: the proofs of a run as files for fragproof-check.
#pragma once

#include <string>

#include "checkers/result/result.h"

namespace fragproof::cli {

// Makes the folder where it is missing. Throws Failure when that, or writing into it, is not
// possible.
void expect_proof_folder(const std::string& folder);

// One file for each proof for all shapes, named after its claim: "gemv/gemv.A.rows" goes to
// DIR/gemv_gemv.A.rows.proof. Files of other names in the folder stay. Throws Failure.
void write_proofs(const std::string& folder, const Record& record);

}  // namespace fragproof::cli
