// A device without a GPU: executes mma.sync and the matrix moves by plain loops over layouts that
// were transcribed from the ISA without the spec (spec/tests/golden.h), and misbehaves on request.
#pragma once

#include <map>
#include <string>

#include "gpu_tests/probe/device.h"
#include "spec/tests/golden.h"

namespace fragproof::gpu {

class FakeDevice : public Device {
 public:
  FakeDevice();
  std::vector<std::uint32_t> multiply(const MmaBatch& batch) override;
  std::vector<std::uint32_t> move(const MoveBatch& batch) override;

  // Two elements of a fragment change places in one lane, or in all (lane -1).
  void exchange(const std::string& fragment, int lane, int elem, int other);
  std::string refuse;     // mnemonics that contain this are refused ..
  bool of_target = true;  // .. for this reason
  bool drops_last_k = false;
  bool reads_ignored_lanes = false;  // ldmatrix.x1 and x2 take their rows from the last lanes
  bool stores_twice = false;

 private:
  std::map<std::string, golden::Fragment> fragments_;
};

}  // namespace fragproof::gpu
