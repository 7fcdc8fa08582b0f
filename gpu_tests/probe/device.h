// What a probe asks of a device: many warps, each with one instruction. A GPU answers, or in tests
// plain loops do.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu_tests/probe/mnemonic.h"
#include "gpu_tests/probe/slots.h"

namespace fragproof::gpu {

// The device cannot run an instruction. `of_target`: because of what it is, and not because the
// text is wrong.
struct Refusal {
  std::string reason;
  bool of_target = false;
};

// One warp of D = A*B + C: the numbers of its register images in the pools.
struct Experiment {
  int a = 0, b = 0, c = 0;
};

struct MmaBatch {
  MmaMnemonic mnemonic;
  int a_words = 0, b_words = 0, c_words = 0, d_words = 0;  // 32-bit words of a lane
  std::vector<RegisterImage> a, b, c;                      // pools
  std::vector<Experiment> experiments;
};

// One warp of a matrix move: what its lanes hold and point at.
struct Move {
  RegisterImage source;  // stmatrix, movmatrix
  std::array<std::uint32_t, 32>
      address{};  // ldmatrix, stmatrix: bytes from the start of the memory
};

struct MoveBatch {
  std::string mnemonic;               // "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
  int words = 0;                      // of a lane
  std::vector<std::uint32_t> memory;  // what a warp's shared memory holds before
  std::vector<Move> moves;
};

// Bytes of shared memory that a move may use.
inline constexpr int move_memory = 8192;

class Device {
 public:
  virtual ~Device() = default;
  // The D images, one after another. Throws Refusal.
  [[nodiscard]] virtual std::vector<std::uint32_t> multiply(const MmaBatch& batch) = 0;
  // ldmatrix, movmatrix: the register images, one after another; stmatrix: the memories. Throws
  // Refusal.
  [[nodiscard]] virtual std::vector<std::uint32_t> move(const MoveBatch& batch) = 0;
};

}  // namespace fragproof::gpu
