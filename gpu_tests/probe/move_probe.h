// Probing ldmatrix, stmatrix and movmatrix: which 16-bit unit of which row goes into which half of
// which register.
//
// Memory holds the number of each 16-bit unit in that unit (registers likewise for stmatrix and
// movmatrix), so what arrives says where it came from. Row addresses are in order, reversed,
// shuffled, padded and XOR-swizzled; those that x1 and x2 must ignore point at rows of their own.
#pragma once

#include "gpu_tests/probe/device.h"
#include "gpu_tests/probe/outcome.h"

namespace fragproof::gpu {

// `slots`: (src, col) of the fragment; (src, half) of movmatrix. Fills everything but
// `milliseconds`.
[[nodiscard]] ProbeOutcome probe_move(Device& device, const std::string& mnemonic,
                                      const Slots& slots,
                                      const std::vector<Slots>& companions = {});

}  // namespace fragproof::gpu
