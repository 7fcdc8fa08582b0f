// The PTX of the probes: kernels that read register images, execute one instruction and write what
// came out.
#pragma once

#include <string>

#include "gpu_tests/probe/device.h"

namespace fragproof::gpu {

// `.version` and `.target` for a driver of this CUDA version (13000 is 13.0) and a GPU of this
// compute capability. `features`: the target with the letter a, which instructions of one
// architecture need.
[[nodiscard]] std::string ptx_header(int cuda_version, int compute_capability,
                                     bool features = false);

// Kernel `probe(pool of a, of b, of c, experiments, results, count)`, a warp an experiment, four
// warps a block.
[[nodiscard]] std::string ptx_of(const MmaBatch& batch, const std::string& header);

// Kernel `probe(memory, sources, addresses, results)`, a block of one warp a move.
[[nodiscard]] std::string ptx_of(const MoveBatch& batch, const std::string& header);

// "{%a0,%a1}".
[[nodiscard]] std::string register_list(const std::string& name, int count);

}  // namespace fragproof::gpu
