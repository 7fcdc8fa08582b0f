// The probes' device that is a GPU: generates PTX, lets the driver compile it, runs it.
#pragma once

#include "gpu_tests/driver/gpu.h"
#include "gpu_tests/probe/device.h"

namespace fragproof::gpu {

class GpuDevice : public Device {
 public:
  explicit GpuDevice(const Gpu& gpu) : gpu_(gpu) {}
  // Both throw Refusal when the driver does not compile the text, and GpuError when anything else
  // fails.
  [[nodiscard]] std::vector<std::uint32_t> multiply(const MmaBatch& batch) override;
  [[nodiscard]] std::vector<std::uint32_t> move(const MoveBatch& batch) override;

 private:
  [[nodiscard]] Module compile(const std::string& ptx) const;
  [[nodiscard]] std::string header() const;
  const Gpu& gpu_;
};

// Is it the target (and not a mistake in the text) that the PTX compiler complains about in this
// log?
[[nodiscard]] bool refuses_target(const std::string& log);

}  // namespace fragproof::gpu
