// A certificate: which entries of the spec were compared with which GPU, exactly as they were
// written then.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu_tests/probe/outcome.h"
#include "gpu_tests/probe/slots.h"
#include "spec/ast.h"

namespace fragproof::gpu {

// A fragment as text of the language, without its comments: what its certificate is about.
[[nodiscard]] std::string entry_text(const Map& fragment);

// FNV-1a of that text, 16 hexadecimal digits.
[[nodiscard]] std::string entry_hash(const Map& fragment);

struct CertifiedEntry {
  std::string name;  // "mma.m16n8k16.b16.A"
  std::string hash;
  int slots = 0;  // (lane, element) places, each compared
};

struct Certificate {
  std::string gpu;                 // "NVIDIA H200"
  std::string compute_capability;  // "9.0"
  std::string driver;              // "580.159.04"
  std::string cuda;                // "13.0", what the driver supports
  std::string command;
  std::vector<CertifiedEntry> entries;  // those that some mnemonic confirmed and none contradicted
  std::vector<ProbeOutcome> outcomes;   // without their disagreements and times
};

// What `outcomes` certify of `maps`.
[[nodiscard]] std::vector<CertifiedEntry> certified_entries(
    const std::vector<Map*>& maps, const std::vector<ProbeOutcome>& outcomes);

[[nodiscard]] std::string to_json(const Certificate& certificate);
// Nothing, with a sentence in `why`, for a text that is no certificate.
[[nodiscard]] std::optional<Certificate> read_certificate(const std::string& text,
                                                          std::string& why);

// The certificates inside the program (gpu_tests/certificates/*.json).
[[nodiscard]] const std::vector<Certificate>& builtin_certificates();

// "NVIDIA H200 (sm_90)", joined by ", ": the GPUs on which this very text of a built-in fragment
// was confirmed.
[[nodiscard]] std::string certified_on(const Map& fragment);

}  // namespace fragproof::gpu
