// Runs a kernel of a `.layout` file as somebody compiled it: loads the module, launches as the
// `launch` lines say, and compares what it stored with the contraction, exactly.
#pragma once

#include <memory>
#include <string>

#include "fuzz/emulate/emulate.h"

namespace fragproof::gpu {

struct LaunchSetting {
  std::string module;  // the text of a PTX file, or the bytes of a cubin or fatbin
  int device = 0;
  double seconds = 10;  // a launch that takes longer hangs
};

// A process of its own that holds the GPU: a launch that faults or never ends costs that process,
// not this one. The GPU must not be used here.
class Launcher {
 public:
  Launcher(const Spec& spec, const Kernel& kernel, LaunchSetting setting);
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  // One configuration. `ran` is false, with the reason, when it cannot be launched at all: no GPU,
  // no such kernel in the module, too little memory. A fault, a hang, a write outside an array are
  // faults of the kernel.
  [[nodiscard]] Emulation run(const Shape& shape);

 private:
  void start();
  void stop();
  const Spec& spec_;
  const Kernel& kernel_;
  LaunchSetting setting_;
  int child_ = -1, to_child_ = -1, from_child_ = -1;
};

// "gemv_u4" of "gemv_u{U}": names of sizes in braces become their values.
[[nodiscard]] std::string symbol_at(const std::string& symbol, const Shape& shape);

}  // namespace fragproof::gpu
