// The driver's calls behind Gpu, Buffer and Module.
#include "gpu_tests/driver/gpu.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace fragproof::gpu {

void Gpu::expect(CUresult result, const std::string& what) const {
  if (result == 0) return;
  const char* name = nullptr;
  const char* text = nullptr;
  if (api_.error_name(result, &name) != 0 || name == nullptr) name = "unknown error";
  if (api_.error_text(result, &text) != 0 || text == nullptr) text = "no description";
  GpuError error(what + ": " + name + ", " + text);
  error.code = result;
  throw error;
}

int Gpu::count() {
  std::string why;
  const Api* api = load_api(why);
  int devices = 0;
  if (api == nullptr || api->init(0) != 0 || api->device_count(&devices) != 0) return 0;
  return devices;
}

std::unique_ptr<Gpu> Gpu::open(int ordinal, std::string& why_not) {
  const Api* api = load_api(why_not);
  if (api == nullptr) return nullptr;
  auto gpu = std::unique_ptr<Gpu>(new Gpu(*api));
  try {
    gpu->expect(api->init(0), "the CUDA driver does not start: cuInit");
    int devices = 0;
    gpu->expect(api->device_count(&devices), "cuDeviceGetCount");
    if (ordinal < 0 || ordinal >= devices) {
      why_not = "no GPU number " + std::to_string(ordinal) + ": this machine has " +
                std::to_string(devices);
      return nullptr;
    }
    gpu->expect(api->device_get(&gpu->device_, ordinal), "cuDeviceGet");
    std::array<char, 256> name{};
    gpu->expect(api->device_name(name.data(), static_cast<int>(name.size()), gpu->device_),
                "cuDeviceGetName");
    gpu->name_ = name.data();
    int major = 0, minor = 0;
    gpu->expect(api->device_attribute(&major, attribute_compute_major, gpu->device_),
                "cuDeviceGetAttribute");
    gpu->expect(api->device_attribute(&minor, attribute_compute_minor, gpu->device_),
                "cuDeviceGetAttribute");
    gpu->compute_ = 10 * major + minor;
    gpu->expect(
        api->device_attribute(&gpu->shared_limit_, attribute_shared_per_block_optin, gpu->device_),
        "cuDeviceGetAttribute");
    gpu->expect(api->driver_version(&gpu->cuda_), "cuDriverGetVersion");
    std::size_t memory = 0;
    gpu->expect(api->device_memory(&memory, gpu->device_), "cuDeviceTotalMem");
    gpu->memory_ = memory;
    CUcontext context = nullptr;
    gpu->expect(api->context_retain(&context, gpu->device_), "cuDevicePrimaryCtxRetain");
    gpu->retained_ = true;
    gpu->expect(api->context_set(context), "cuCtxSetCurrent");
  } catch (const GpuError& error) {
    why_not = error.what();
    return nullptr;
  }
  return gpu;
}

Gpu::~Gpu() {
  if (retained_) api_.context_release(device_);
}

Buffer Gpu::allocate(std::size_t bytes) const { return {*this, bytes}; }

Module Gpu::load(const std::string& image) const { return {*this, image}; }

void Gpu::synchronize() const { expect(api_.synchronize(), "the GPU's work failed"); }

Buffer::Buffer(const Gpu& gpu, std::size_t bytes) : gpu_(&gpu), bytes_(bytes) {
  gpu.expect(gpu.api().allocate(&address_, std::max<std::size_t>(bytes, 1)),
             "cuMemAlloc of " + std::to_string(bytes) + " bytes");
}

Buffer::~Buffer() {
  if (address_ != 0) gpu_->api().release(address_);
}

void Buffer::fill(unsigned char value) {
  gpu_->expect(gpu_->api().fill(address_, value, bytes_), "cuMemsetD8");
}

void Buffer::write(const void* from, std::size_t bytes, std::size_t offset) {
  if (offset + bytes > bytes_) throw GpuError("a write past the end of a buffer");
  if (bytes != 0)
    gpu_->expect(gpu_->api().to_device(address_ + offset, from, bytes), "cuMemcpyHtoD");
}

void Buffer::read(void* to, std::size_t bytes, std::size_t offset) const {
  if (offset + bytes > bytes_) throw GpuError("a read past the end of a buffer");
  if (bytes != 0) gpu_->expect(gpu_->api().to_host(to, address_ + offset, bytes), "cuMemcpyDtoH");
}

Module::Module(const Gpu& gpu, const std::string& image) : gpu_(&gpu) {
  std::string log(8192, '\0');
  std::array<int, 2> options = {jit_error_log_buffer, jit_error_log_buffer_size_bytes};
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size())};
  const CUresult result =
      gpu.api().module_load(&handle_, image.c_str(), 2, options.data(), values.data());
  if (result == 0) return;
  log.resize(std::strlen(log.c_str()));
  while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.pop_back();
  gpu.expect(result, log.empty() ? "the module does not load" : "the module does not load: " + log);
}

Module::~Module() {
  if (handle_ != nullptr) gpu_->api().module_unload(handle_);
}

Function Module::function(const std::string& name) const {
  Function function{nullptr, name};
  gpu_->expect(gpu_->api().module_function(&function.handle, handle_, name.c_str()),
               "the module has no kernel `" + name + "`");
  return function;
}

std::optional<std::vector<std::size_t>> Module::parameters(const Function& function) const {
  if (gpu_->api().parameter_info == nullptr) return std::nullopt;
  std::vector<std::size_t> sizes;
  std::size_t offset = 0, size = 0;
  while (gpu_->api().parameter_info(function.handle, sizes.size(), &offset, &size) == 0) {
    sizes.push_back(size);
  }
  return sizes;
}

void Module::launch(const Function& function, Extent3 grid, Extent3 block, unsigned shared_bytes,
                    const Arguments& arguments) const {
  constexpr unsigned without_asking = 48 * 1024;  // more must be asked for
  if (shared_bytes > without_asking) {
    gpu_->expect(
        gpu_->api().function_set(function.handle, function_max_dynamic_shared,
                                 static_cast<int>(shared_bytes)),
        std::to_string(shared_bytes) + " bytes of shared memory for `" + function.name + "`");
  }
  std::vector<void*> pointers;
  for (const auto& value : arguments.values()) {
    pointers.push_back(const_cast<unsigned char*>(value.data()));
  }
  gpu_->expect(gpu_->api().launch(function.handle, grid.x, grid.y, grid.z, block.x, block.y,
                                  block.z, shared_bytes, nullptr, pointers.data(), nullptr),
               "launch of `" + function.name + "`");
}

std::string driver_version() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return "";
  int (*init)() = nullptr;
  int (*version)(char*, unsigned) = nullptr;
  *reinterpret_cast<void**>(&init) = dlsym(library, "nvmlInit_v2");
  *reinterpret_cast<void**>(&version) = dlsym(library, "nvmlSystemGetDriverVersion");
  std::array<char, 80> text{};
  if (init == nullptr || version == nullptr || init() != 0 ||
      version(text.data(), static_cast<unsigned>(text.size())) != 0) {
    return "";
  }
  return text.data();
}

}  // namespace fragproof::gpu
