// Pools up, launch, images down.
#include "gpu_tests/probe/gpu_device.h"

#include "gpu_tests/probe/ptx_text.h"

namespace fragproof::gpu {
namespace {

Buffer upload(const Gpu& gpu, const std::vector<std::uint32_t>& words) {
  Buffer buffer = gpu.allocate(4 * words.size());
  buffer.write(words.data(), 4 * words.size());
  return buffer;
}

Buffer upload(const Gpu& gpu, const std::vector<RegisterImage>& images) {
  std::vector<std::uint32_t> words;
  for (const RegisterImage& image : images) words.insert(words.end(), image.begin(), image.end());
  return upload(gpu, words);
}

}  // namespace

bool refuses_target(const std::string& log) {
  for (const char* words :
       {"not supported on .target", "requires .target sm_", "not supported for target"}) {
    if (log.find(words) != std::string::npos) return true;
  }
  return false;
}

std::string GpuDevice::header() const {
  return ptx_header(gpu_.cuda_version(), gpu_.compute_capability());
}

Module GpuDevice::compile(const std::string& ptx) const {
  try {
    return gpu_.load(ptx);
  } catch (const GpuError& error) {
    throw Refusal{error.what(), refuses_target(error.what())};
  }
}

std::vector<std::uint32_t> GpuDevice::multiply(const MmaBatch& batch) {
  const Module module = compile(ptx_of(batch, header()));
  const Function probe = module.function("probe");
  const Buffer a = upload(gpu_, batch.a), b = upload(gpu_, batch.b), c = upload(gpu_, batch.c);
  std::vector<std::uint32_t> triples;
  for (const Experiment& e : batch.experiments) {
    for (const int number : {e.a, e.b, e.c}) triples.push_back(static_cast<std::uint32_t>(number));
  }
  const Buffer experiments = upload(gpu_, triples);
  Buffer results =
      gpu_.allocate(128 * static_cast<std::size_t>(batch.d_words) * batch.experiments.size());
  results.fill(0xFF);
  const auto count = static_cast<std::uint32_t>(batch.experiments.size());
  module.launch(probe, {(count + 3) / 4}, {128}, 0,
                Arguments().add(a).add(b).add(c).add(experiments).add(results).add_bytes(count));
  gpu_.synchronize();
  return results.as<std::uint32_t>();
}

std::vector<std::uint32_t> GpuDevice::move(const MoveBatch& batch) {
  const Module module = compile(ptx_of(batch, header()));
  const Function probe = module.function("probe");
  std::vector<RegisterImage> sources;
  std::vector<std::uint32_t> addresses;
  for (const Move& move : batch.moves) {
    sources.push_back(move.source);
    addresses.insert(addresses.end(), move.address.begin(), move.address.end());
  }
  const Buffer memory = upload(gpu_, batch.memory), from = upload(gpu_, sources);
  const Buffer rows = upload(gpu_, addresses);
  const bool store = batch.mnemonic.starts_with("stmatrix");
  const std::size_t each = store ? move_memory : 128 * static_cast<std::size_t>(batch.words);
  Buffer results = gpu_.allocate(each * batch.moves.size());
  results.fill(0xFF);
  module.launch(probe, {static_cast<unsigned>(batch.moves.size())}, {32}, 0,
                Arguments().add(memory).add(from).add(rows).add(results));
  gpu_.synchronize();
  return results.as<std::uint32_t>();
}

}  // namespace fragproof::gpu
