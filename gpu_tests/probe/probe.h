// All probes: which mnemonics the entries of a spec are about, and probing them one after another.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpu_tests/probe/device.h"
#include "gpu_tests/probe/outcome.h"
#include "spec/ast.h"

namespace fragproof::gpu {

// One mnemonic with the fragments that describe its operands.
struct Target {
  std::string mnemonic;
  std::string instruction;             // of the spec: "mma.m16n8k16.b16", "ldmatrix.x4"
  std::vector<const Map*> fragments;   // A, B, C (then D where it is another); or the one of a move
  std::vector<const Map*> companions;  // of a move: its row addresses, or movmatrix's two sides
  std::string problem;                 // why it cannot be probed although it should; else ""
};

// The targets of `maps` (fragments with provenance), in the order of the spec. Every mnemonic of an
// `#@ instruction` line belongs to a target; a line that cannot be read gives a target with a
// `problem`.
[[nodiscard]] std::vector<Target> targets_of(const std::vector<Map*>& maps);

// Does this name, as users write it, mean the target: "mma.m16n8k16.b16", "mma.m16n8k16.bf16",
// "mma.m16n8k16", "ldmatrix", "ldmatrix.x4.trans", or its mnemonic?
[[nodiscard]] bool is_named(const Target& target, const std::string& name);

// Probes one target; `spec` owns its fragments.
[[nodiscard]] ProbeOutcome probe(Device& device, const Spec& spec, const Target& target);

}  // namespace fragproof::gpu
