// The few functions of the CUDA driver that we call, found in libcuda.so.1 at run time.
//
// Declared here by hand (CUDA Driver API 13, names with the suffix of the ABI that libcuda
// exports), so that neither building nor running needs a toolkit, and a machine without a driver
// can run everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace fragproof::gpu {

using CUresult = int;  // 0: success
using CUdevice = int;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUdeviceptr = std::uint64_t;

// Attributes of a device, options of the just-in-time compiler, attributes of a function: the
// numbers of the API.
inline constexpr int attribute_compute_major = 75;
inline constexpr int attribute_compute_minor = 76;
inline constexpr int attribute_shared_per_block_optin = 97;
inline constexpr int jit_error_log_buffer = 5;
inline constexpr int jit_error_log_buffer_size_bytes = 6;
inline constexpr int function_max_dynamic_shared = 8;

struct Api {
  CUresult (*init)(unsigned) = nullptr;
  CUresult (*driver_version)(int*) = nullptr;
  CUresult (*device_count)(int*) = nullptr;
  CUresult (*device_get)(CUdevice*, int) = nullptr;
  CUresult (*device_name)(char*, int, CUdevice) = nullptr;
  CUresult (*device_attribute)(int*, int, CUdevice) = nullptr;
  CUresult (*device_memory)(std::size_t*, CUdevice) = nullptr;
  CUresult (*context_retain)(CUcontext*, CUdevice) = nullptr;
  CUresult (*context_release)(CUdevice) = nullptr;
  CUresult (*context_set)(CUcontext) = nullptr;
  CUresult (*synchronize)() = nullptr;
  CUresult (*module_load)(CUmodule*, const void*, unsigned, int*, void**) = nullptr;
  CUresult (*module_unload)(CUmodule) = nullptr;
  CUresult (*module_function)(CUfunction*, CUmodule, const char*) = nullptr;
  CUresult (*allocate)(CUdeviceptr*, std::size_t) = nullptr;
  CUresult (*release)(CUdeviceptr) = nullptr;
  CUresult (*to_device)(CUdeviceptr, const void*, std::size_t) = nullptr;
  CUresult (*to_host)(void*, CUdeviceptr, std::size_t) = nullptr;
  CUresult (*fill)(CUdeviceptr, unsigned char, std::size_t) = nullptr;
  CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned, CUstream, void**, void**) = nullptr;
  CUresult (*function_set)(CUfunction, int, int) = nullptr;
  CUresult (*error_name)(CUresult, const char**) = nullptr;
  CUresult (*error_text)(CUresult, const char**) = nullptr;
  // Offset and size of a kernel's parameter; since CUDA 12.4, null in older drivers.
  CUresult (*parameter_info)(CUfunction, std::size_t, std::size_t*, std::size_t*) = nullptr;
};

// The driver of this machine, loaded once and for good. Null, with a sentence in `why`, when there
// is none or it lacks a function.
[[nodiscard]] const Api* load_api(std::string& why);

}  // namespace fragproof::gpu
