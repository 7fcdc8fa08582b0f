// One configuration on the GPU: pack, poison, launch, look at the guards, compare.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fuzz/emulate/emulate.h"
#include "gpu_tests/driver/gpu.h"
#include "gpu_tests/launch/launcher.h"

namespace fragproof::gpu {

class LaunchSession {
 public:
  // Opens the GPU and loads the module; what fails is told by each run.
  LaunchSession(const Kernel& kernel, const LaunchSetting& setting);
  [[nodiscard]] Emulation run(const Spec& spec, const Shape& shape);
  // Did a launch fail so that this process can launch no more?
  [[nodiscard]] bool lost() const { return lost_; }

 private:
  void execute(const Spec& spec, const Shape& shape, Emulation& outcome);
  const Kernel& kernel_;
  std::unique_ptr<Gpu> gpu_;
  std::optional<Module> module_;
  std::string problem_;
  bool lost_ = false;
};

}  // namespace fragproof::gpu
