// Finds the driver's functions with dlopen and dlsym.
#include "gpu_tests/driver/api.h"

#include <dlfcn.h>

namespace fragproof::gpu {
namespace {

constexpr const char* library_name = "libcuda.so.1";

struct Loaded {
  Api api;
  std::string why;  // not empty: no driver
};

template <typename Function>
void find(void* library, const char* name, Function*& function, std::string& why) {
  // A function pointer cannot be cast from void* in ISO C++ without this detour that POSIX blesses.
  *reinterpret_cast<void**>(&function) = dlsym(library, name);
  if (function == nullptr && why.empty()) {
    why = std::string(library_name) + " has no " + name + ": the driver is too old";
  }
}

Loaded load() {
  Loaded loaded;
  void* library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    loaded.why = std::string("no CUDA driver here (") + library_name + " cannot be opened)";
    return loaded;
  }
  Api& api = loaded.api;
  std::string& why = loaded.why;
  find(library, "cuInit", api.init, why);
  find(library, "cuDriverGetVersion", api.driver_version, why);
  find(library, "cuDeviceGetCount", api.device_count, why);
  find(library, "cuDeviceGet", api.device_get, why);
  find(library, "cuDeviceGetName", api.device_name, why);
  find(library, "cuDeviceGetAttribute", api.device_attribute, why);
  find(library, "cuDeviceTotalMem_v2", api.device_memory, why);
  find(library, "cuDevicePrimaryCtxRetain", api.context_retain, why);
  find(library, "cuDevicePrimaryCtxRelease_v2", api.context_release, why);
  find(library, "cuCtxSetCurrent", api.context_set, why);
  find(library, "cuCtxSynchronize", api.synchronize, why);
  find(library, "cuModuleLoadDataEx", api.module_load, why);
  find(library, "cuModuleUnload", api.module_unload, why);
  find(library, "cuModuleGetFunction", api.module_function, why);
  find(library, "cuMemAlloc_v2", api.allocate, why);
  find(library, "cuMemFree_v2", api.release, why);
  find(library, "cuMemcpyHtoD_v2", api.to_device, why);
  find(library, "cuMemcpyDtoH_v2", api.to_host, why);
  find(library, "cuMemsetD8_v2", api.fill, why);
  find(library, "cuLaunchKernel", api.launch, why);
  find(library, "cuFuncSetAttribute", api.function_set, why);
  find(library, "cuGetErrorName", api.error_name, why);
  find(library, "cuGetErrorString", api.error_text, why);
  std::string ignored;
  find(library, "cuFuncGetParamInfo", api.parameter_info, ignored);
  return loaded;
}

}  // namespace

const Api* load_api(std::string& why) {
  static const Loaded loaded = load();
  why = loaded.why;
  return why.empty() ? &loaded.api : nullptr;
}

}  // namespace fragproof::gpu
