// Probing one mma.sync: which products the device forms, element by element, against what the spec
// says.
//
// One element of A is 1 and all else of A is 0. B is, in turn, all ones and the bit planes of the
// numbers of its own slots (0 .. lanes*elems - 1). What comes out in a slot of D says which slot of
// B the element of A met there. The spec plays no part in this; so it gives all triples (slot of A,
// slot of B, slot of D) that the device multiplies and adds, and the same is asked once more with A
// and B exchanged. Of these triples the spec says that rows, columns and k agree; a slot whose
// partners agree on something else than the spec says of it is named. C is compared with D slot by
// slot, one 1 at a time; random matrices are compared with the plain triple loop.
//
// What no product can show: a renumbering of k in A and B alike, of the rows in A, C and D alike,
// of the columns in B, C and D alike. Programs that use the same spec on both sides cannot tell
// either.
#pragma once

#include "gpu_tests/probe/device.h"
#include "gpu_tests/probe/outcome.h"

namespace fragproof::gpu {

struct MmaOperands {
  Slots a, b, c, d;
};

// Fills everything but `milliseconds`.
[[nodiscard]] ProbeOutcome probe_mma(Device& device, const MmaMnemonic& mnemonic,
                                     const MmaOperands& operands);

}  // namespace fragproof::gpu
