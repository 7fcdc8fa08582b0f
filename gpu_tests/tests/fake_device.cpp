// The fake device's arithmetic and moves; formats are decoded here by definition, without the
// probes' own code.
#include "gpu_tests/tests/fake_device.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace fragproof::gpu {
namespace {

std::uint64_t bits_at(const std::uint32_t* image, int lane, int elem, int bits) {
  const int bit = elem * bits;
  const std::uint64_t low = image[bit / 32 * 32 + lane];
  if (bits == 64) return low | std::uint64_t{image[(bit / 32 + 1) * 32 + lane]} << 32;
  return (low >> bit % 32) & ((std::uint64_t{1} << bits) - 1);
}

void put_bits(std::uint32_t* image, int lane, int elem, int bits, std::uint64_t value) {
  const int bit = elem * bits;
  if (bits == 64) image[(bit / 32 + 1) * 32 + lane] = static_cast<std::uint32_t>(value >> 32);
  image[bit / 32 * 32 + lane] |= static_cast<std::uint32_t>(value) << bit % 32;
}

// A float of `exponent` and `mantissa` bits, by its definition; the numbers here are small and
// normal.
double small_float(std::uint64_t bits, int exponent, int mantissa) {
  const int e = static_cast<int>(bits >> mantissa) & ((1 << exponent) - 1);
  const double f = static_cast<double>(bits & ((std::uint64_t{1} << mantissa) - 1));
  const double size =
      e == 0 ? 0 : std::ldexp(1 + std::ldexp(f, -mantissa), e - ((1 << (exponent - 1)) - 1));
  return (bits >> (exponent + mantissa)) != 0 ? -size : size;
}

double value_of(const std::string& type, std::uint64_t bits) {
  if (type == "f64") return std::bit_cast<double>(bits);
  if (type == "f32" || type == "tf32") {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (type == "bf16") {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16)));
  }
  if (type == "f16") return small_float(bits, 5, 10);
  if (type == "e4m3") return small_float(bits, 4, 3);
  if (type == "e5m2") return small_float(bits, 5, 2);
  if (type == "s32") return static_cast<double>(static_cast<std::int32_t>(bits));
  if (type == "s8") return static_cast<double>(static_cast<std::int8_t>(bits));
  if (type == "s4")
    return static_cast<double>(bits >= 8 ? static_cast<int>(bits) - 16 : static_cast<int>(bits));
  return static_cast<double>(bits);  // u8 u4 b1
}

std::uint64_t bits_of(const std::string& type, double value) {
  if (type == "f64") return std::bit_cast<std::uint64_t>(value);
  if (type == "f32") return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == "f16") {
    if (value == 0) return 0;
    int e = 0;
    const double m = std::frexp(std::fabs(value), &e);  // 0.5 <= m < 1
    return (value < 0 ? 0x8000U : 0U) | (static_cast<std::uint64_t>(e + 14) << 10) |
           (static_cast<std::uint64_t>(m * 2048) & 0x3FF);
  }
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

}  // namespace

FakeDevice::FakeDevice() {
  for (const auto& all : {golden::mma_fragments(), golden::move_fragments()}) {
    for (const golden::Fragment& fragment : all) fragments_[fragment.name] = fragment;
  }
}

void FakeDevice::exchange(const std::string& fragment, int lane, int elem, int other) {
  auto& places = fragments_.at(fragment).places;
  for (std::size_t l = 0; l < places.size(); ++l) {
    if (lane >= 0 && l != static_cast<std::size_t>(lane)) continue;
    std::swap(places[l].at(static_cast<std::size_t>(elem)),
              places[l].at(static_cast<std::size_t>(other)));
  }
}

std::vector<std::uint32_t> FakeDevice::multiply(const MmaBatch& batch) {
  const MmaMnemonic& mma = batch.mnemonic;
  if (!refuse.empty() && mma.text.find(refuse) != std::string::npos) {
    throw Refusal{"refused by the fake device", of_target};
  }
  const auto width = [](const std::string& type) -> std::string {
    if (type[0] == 'e' || type[1] == '8') return "b8";
    if (type == "bf16" || type == "f16") return "b16";
    if (type[1] == '4') return "b4";
    return type;
  };
  const bool volta = mma.k == 4 && mma.a == "f16";
  const std::string name = "mma.m" + std::to_string(mma.m) + "n" + std::to_string(mma.n) + "k" +
                           std::to_string(mma.k) + "." + (volta ? "f16" : width(mma.a));
  const auto major = [&](bool row) { return std::string(volta ? (row ? ".row" : ".col") : ""); };
  const auto sum = [](const std::string& type) { return type == "f16" ? ".C16" : ".C"; };
  const golden::Fragment &fa = fragments_.at(name + ".A" + major(mma.a_by_row)),
                         &fb = fragments_.at(name + ".B" + major(!mma.b_by_col)),
                         &fc = fragments_.at(name + sum(mma.c)),
                         &fd = fragments_.at(name + sum(mma.d));
  // Row-major over all coordinates: which product (m8n8k4 on f16 is four), row, column.
  const auto index = [](const golden::Fragment& f, int lane, int e) {
    std::size_t at = 0;
    const auto& place = f.places[static_cast<std::size_t>(lane)][static_cast<std::size_t>(e)];
    for (std::size_t i = 0; i < place.size(); ++i) {
      at = at * static_cast<std::size_t>(f.tile[i]) + static_cast<std::size_t>(place[i]);
    }
    return at;
  };
  const int products = volta ? 4 : 1;
  const auto matrix = [&](const golden::Fragment& f, const RegisterImage& image,
                          const std::string& type) {
    std::vector<double> values(static_cast<std::size_t>(32 * f.elems));
    for (int lane = 0; lane < 32; ++lane) {
      for (int e = 0; e < f.elems; ++e) {
        values[index(f, lane, e)] = value_of(type, bits_at(image.data(), lane, e, f.bits));
      }
    }
    return values;
  };
  std::vector<std::vector<double>> as, bs, cs;
  for (const auto& image : batch.a) as.push_back(matrix(fa, image, mma.a));
  for (const auto& image : batch.b) bs.push_back(matrix(fb, image, mma.b));
  for (const auto& image : batch.c) cs.push_back(matrix(fc, image, mma.c));
  const std::size_t each = static_cast<std::size_t>(batch.d_words) * 32;
  std::vector<std::uint32_t> results(each * batch.experiments.size(), 0);
  const int n = mma.n, ks = drops_last_k ? mma.k - 1 : mma.k;
  std::vector<double> d;
  for (std::size_t x = 0; x < batch.experiments.size(); ++x) {
    const Experiment& e = batch.experiments[x];
    const auto &a = as[static_cast<std::size_t>(e.a)], &b = bs[static_cast<std::size_t>(e.b)];
    d = cs[static_cast<std::size_t>(e.c)];
    for (int i = 0; i < products * mma.m; ++i) {
      for (int k = 0; k < ks; ++k) {
        const double p = a[static_cast<std::size_t>(i * mma.k + k)];
        if (p == 0 && !mma.exclusive) continue;
        for (int j = 0; j < n; ++j) {
          const double q = b[static_cast<std::size_t>((i / mma.m * mma.k + k) * n + j)];
          d[static_cast<std::size_t>(i * n + j)] += mma.exclusive ? (p != q ? 1 : 0) : p * q;
        }
      }
    }
    for (int lane = 0; lane < 32; ++lane) {
      for (int el = 0; el < fd.elems; ++el) {
        put_bits(&results[x * each], lane, el, fd.bits, bits_of(mma.d, d[index(fd, lane, el)]));
      }
    }
  }
  return results;
}

std::vector<std::uint32_t> FakeDevice::move(const MoveBatch& batch) {
  const std::string& text = batch.mnemonic;
  if (!refuse.empty() && text.find(refuse) != std::string::npos) {
    throw Refusal{"refused by the fake device", of_target};
  }
  std::string name = text.substr(0, text.find('.'));
  for (const char* part : {".x1", ".x2", ".x4", ".trans"}) {
    if (text.find(part) != std::string::npos) name += part;
  }
  const golden::Fragment& f = fragments_.at(name);
  std::vector<std::uint32_t> results;
  for (const Move& move : batch.moves) {
    std::vector<std::uint32_t> out(
        text[0] == 's' ? batch.memory
                       : std::vector<std::uint32_t>(static_cast<std::size_t>(batch.words) * 32, 0));
    for (int lane = 0; lane < 32; ++lane) {
      for (int e = 0; e < f.elems; ++e) {
        const auto& place = f.places[static_cast<std::size_t>(lane)][static_cast<std::size_t>(e)];
        int from = place[0];
        const int unit = place[1];
        if (text[0] == 'm') {
          put_bits(out.data(), lane, e, 16, bits_at(move.source.data(), from, unit, 16));
          continue;
        }
        if (reads_ignored_lanes && f.elems < 8) from += 32 - 8 * f.elems / 2;
        const std::uint32_t at =
            move.address[static_cast<std::size_t>(from)] / 2 + static_cast<std::uint32_t>(unit);
        if (text[0] == 'l') {
          put_bits(out.data(), lane, e, 16, batch.memory[at / 2] >> (16 * (at % 2)) & 0xFFFF);
        } else {
          const auto value = static_cast<std::uint32_t>(bits_at(move.source.data(), lane, e, 16));
          const auto write = [&](std::uint32_t unit_at) {
            std::uint32_t& word = out[unit_at / 2];
            word = (word & ~(0xFFFFU << (16 * (unit_at % 2)))) | value << (16 * (unit_at % 2));
          };
          write(at);
          if (stores_twice && lane == 5 && e == 1) write(4000);
        }
      }
    }
    results.insert(results.end(), out.begin(), out.end());
  }
  return results;
}

}  // namespace fragproof::gpu
