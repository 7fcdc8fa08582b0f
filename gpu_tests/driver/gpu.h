// One GPU, its memory and its modules, as values that release themselves; failures are sentences.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gpu_tests/driver/api.h"

namespace fragproof::gpu {

// What the driver refused, in words: "cuMemAlloc of 12 bytes: CUDA_ERROR_OUT_OF_MEMORY, out of
// memory".
struct GpuError : std::runtime_error {
  using std::runtime_error::runtime_error;
  CUresult code = 0;
};

class Buffer;
class Module;

// A device with its primary context current on the thread that opened it. Buffers and modules must
// not outlive it.
class Gpu {
 public:
  // Device `ordinal`, from 0. Null, with a sentence in `why_not`, when there is no driver or no
  // such device.
  [[nodiscard]] static std::unique_ptr<Gpu> open(int ordinal, std::string& why_not);
  // Devices of this machine; 0 without a driver.
  [[nodiscard]] static int count();
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }    // "NVIDIA H200"
  [[nodiscard]] int compute_capability() const { return compute_; }  // 90
  [[nodiscard]] int cuda_version() const { return cuda_; }           // of the driver: 13000 is 13.0
  [[nodiscard]] int shared_limit() const { return shared_limit_; }   // bytes a block may ask for
  [[nodiscard]] std::uint64_t memory() const { return memory_; }     // bytes

  // Throws GpuError when there is too little memory.
  [[nodiscard]] Buffer allocate(std::size_t bytes) const;
  // PTX text, a cubin or a fatbin. Throws GpuError with the compiler's words.
  [[nodiscard]] Module load(const std::string& image) const;
  // Waits for all launches. Throws GpuError when one of them failed; the context is then lost.
  void synchronize() const;
  [[nodiscard]] const Api& api() const { return api_; }
  // Throws GpuError unless `result` is success.
  void expect(CUresult result, const std::string& what) const;

 private:
  explicit Gpu(const Api& api) : api_(api) {}
  const Api& api_;
  CUdevice device_ = 0;
  bool retained_ = false;
  std::string name_;
  int compute_ = 0, cuda_ = 0, shared_limit_ = 0;
  std::uint64_t memory_ = 0;
};

class Buffer {
 public:
  Buffer(const Gpu& gpu, std::size_t bytes);
  ~Buffer();
  Buffer(Buffer&& other) noexcept
      : gpu_(other.gpu_), bytes_(other.bytes_), address_(std::exchange(other.address_, 0)) {}
  Buffer& operator=(Buffer&&) = delete;

  [[nodiscard]] CUdeviceptr address() const { return address_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  void fill(unsigned char value);
  void write(const void* from, std::size_t bytes, std::size_t offset = 0);
  void read(void* to, std::size_t bytes, std::size_t offset = 0) const;
  template <typename T>
  [[nodiscard]] std::vector<T> as() const {
    std::vector<T> values(bytes_ / sizeof(T));
    read(values.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  const Gpu* gpu_;
  std::size_t bytes_ = 0;
  CUdeviceptr address_ = 0;
};

// Numbers of blocks or threads.
struct Extent3 {
  unsigned x = 1, y = 1, z = 1;
};

// A kernel's parameters in order, each with its bytes.
class Arguments {
 public:
  Arguments& add(const Buffer& buffer) { return add_bytes(buffer.address()); }
  template <typename T>
  Arguments& add_bytes(T value) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    values_.emplace_back(bytes, bytes + sizeof(T));
    return *this;
  }
  [[nodiscard]] const std::vector<std::vector<unsigned char>>& values() const { return values_; }

 private:
  std::vector<std::vector<unsigned char>> values_;
};

struct Function {
  CUfunction handle = nullptr;
  std::string name;
};

class Module {
 public:
  Module(const Gpu& gpu, const std::string& image);
  ~Module();
  Module(Module&& other) noexcept
      : gpu_(other.gpu_), handle_(std::exchange(other.handle_, nullptr)) {}
  Module& operator=(Module&&) = delete;

  // Throws GpuError when the module has no such kernel.
  [[nodiscard]] Function function(const std::string& name) const;
  // Sizes in bytes of the kernel's parameters; nothing when the driver is too old to tell.
  [[nodiscard]] std::optional<std::vector<std::size_t>> parameters(const Function& function) const;
  // Launches and returns at once; see Gpu::synchronize. Throws GpuError.
  void launch(const Function& function, Extent3 grid, Extent3 block, unsigned shared_bytes,
              const Arguments& arguments) const;

 private:
  const Gpu* gpu_;
  CUmodule handle_ = nullptr;
};

// Version of the kernel driver, "580.159.04"; "" when it cannot be found out.
[[nodiscard]] std::string driver_version();

}  // namespace fragproof::gpu
