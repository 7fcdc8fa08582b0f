// Settles by experiment where mma.sp takes its metadata from, for the three shapes whose layout the ISA gives as a figure only.
//
// Random sparse matrices of small integers, packed by the map under test; lanes that the selector leaves out hold other valid
// metadata. The product equals the plain loops for every selector only if lane, row half, chunk and index bits are right.
//   lane = [g:8, ..]; E holds 2-bit indices (tf32: 4-bit codes), lowest bits first
//   m16n8k8  tf32  lane = [g:8, f:4]        bit = [h:2, c:4, b:4]  row = g + 8*h  chunk c of 2 columns
//   m16n8k32 s8    lane = [g:8, f:2, u:2]   bit = [c:8, z:2, b:2]  row = g + 8*u  chunk c of 4 columns
//   m16n8k64 s4    lane = [g:8, f:2, u:2]   bit = [c:8, z:2, b:2]  row = g + 8*u  chunk c of 8 columns, indices of pairs
// Exit 1 when one disagrees. With -DWRONG=1 rows and selectors change places, and all must disagree.
#include <cstring>
#include <random>
#include <string>

#include "check.cuh"

using namespace kernels;

namespace {

struct Warp {
  unsigned a[32][2], b[32][2], e[32];
  int d[32][4];
};

template <int F>
__global__ void tf32(Warp* w) {
  const int l = threadIdx.x;
  float d[4] = {};
  asm("mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3}, %8, %9;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(w->a[l][0]), "r"(w->a[l][1]), "r"(w->b[l][0]), "r"(w->b[l][1]), "r"(w->e[l]), "n"(F));
  for (int i = 0; i < 4; ++i) w->d[l][i] = static_cast<int>(d[i]);
}
#define INTEGER_KERNEL(name, text)                                                                             \
  template <int F>                                                                                             \
  __global__ void name(Warp* w) {                                                                              \
    const int l = threadIdx.x;                                                                                 \
    int d[4] = {};                                                                                             \
    asm("mma.sp.sync.aligned." text " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3}, %8, %9;"                 \
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                       \
        : "r"(w->a[l][0]), "r"(w->a[l][1]), "r"(w->b[l][0]), "r"(w->b[l][1]), "r"(w->e[l]), "n"(F));           \
    for (int i = 0; i < 4; ++i) w->d[l][i] = d[i];                                                             \
  }
INTEGER_KERNEL(s8, "m16n8k32.row.col.s32.s8.s8.s32")
INTEGER_KERNEL(s4, "m16n8k64.row.col.s32.s4.s4.s32")

struct Form {
  const char* name;
  int k, bits, chunk, selectors;  // chunk: logical columns
  void (*kernels[4])(Warp*);
};

unsigned encode(const Form& form, int value) {
  if (form.bits == 32) {
    const float f = static_cast<float>(value);
    unsigned u;
    std::memcpy(&u, &f, 4);
    return u;
  }
  return static_cast<unsigned>(value) & ((1U << form.bits) - 1);
}

bool agrees(const Form& form, int selector, std::mt19937& random) {
  const int per_reg = 32 / form.bits, kept = form.k / 2, chunks = form.k / form.chunk;
  const int unit = form.bits == 4 ? 2 : 1;  // logical columns that one index moves
  int compressed[16][32] = {}, dense[16][64] = {}, index[16][8][2] = {}, b[64][8];
  const auto value = [&] { return static_cast<int>(random() % 7) + 1 - 4; };
  for (int r = 0; r < 16; ++r) {
    for (int c = 0; c < chunks; ++c) {
      index[r][c][0] = form.bits == 32 ? random() % 2 : random() % 3;
      index[r][c][1] = form.bits == 32 ? 0 : index[r][c][0] + 1 + random() % (3 - index[r][c][0]);
      for (int i = 0; i < form.chunk / 2; ++i) {
        const int cc = c * form.chunk / 2 + i;
        const int col = form.bits == 32 ? 2 * c + index[r][c][0] : form.chunk * c + unit * index[r][c][i / unit] + i % unit;
        dense[r][col] = compressed[r][cc] = value();
      }
    }
  }
  for (int k = 0; k < form.k; ++k) {
    for (int n = 0; n < 8; ++n) b[k][n] = value();
  }
  Warp w{};
  for (int l = 0; l < 32; ++l) {
    const int g = l / 4, t = l % 4;
    for (int e1 = 0; e1 < 2; ++e1) {
      for (int e0 = 0; e0 < per_reg; ++e0) {
        w.a[l][e1] |= encode(form, compressed[g + 8 * e1][per_reg * t + e0]) << (form.bits % 32 * e0);
        w.b[l][e1] |= encode(form, b[kept * e1 + per_reg * t + e0][g]) << (form.bits % 32 * e0);
      }
    }
    const bool wide = form.bits == 32;
#ifdef WRONG
    const int f = wide ? 3 - t : t % 2, u = t / 2;
#else
    const int f = wide ? t : t / 2, u = t % 2;
#endif
    if (f != selector) {
      w.e[l] = wide ? (random() % 2 ? 0x4E4E4E4E : 0xEEEEEEEE) : 0x44444444;  // valid, and not these rows'
      continue;
    }
    for (int h = 0; h < (wide ? 2 : 1); ++h) {
      for (int c = 0; c < chunks; ++c) {
        const int* i = index[g + 8 * (wide ? h : u)][c];
        const unsigned code = wide ? (i[0] ? 0b1110 : 0b0100) : static_cast<unsigned>(i[0] | i[1] << 2);
        w.e[l] |= code << (16 * h + 4 * c);
      }
    }
  }
  Warp* device = allocate<Warp>(1);
  CHECK(cudaMemcpy(device, &w, sizeof w, cudaMemcpyHostToDevice));
  form.kernels[selector]<<<1, 32>>>(device);
  CHECK(cudaDeviceSynchronize());
  w = download(device, 1)[0];
  CHECK(cudaFree(device));
  for (int l = 0; l < 32; ++l) {
    for (int e = 0; e < 4; ++e) {
      const int m = l / 4 + 8 * (e / 2), n = 2 * (l % 4) + e % 2;
      int sum = 0;
      for (int k = 0; k < form.k; ++k) sum += dense[m][k] * b[k][n];
      if (sum != w.d[l][e]) return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("SKIPPED: no GPU here");
    return 77;
  }
  const Form forms[] = {{"mma.sp.m16n8k8.tf32", 8, 32, 2, 4, {tf32<0>, tf32<1>, tf32<2>, tf32<3>}},
                        {"mma.sp.m16n8k32.s8", 32, 8, 4, 2, {s8<0>, s8<1>, nullptr, nullptr}},
                        {"mma.sp.m16n8k64.s4", 64, 4, 8, 2, {s4<0>, s4<1>, nullptr, nullptr}}};
  std::mt19937 random(1);
  int wrong = 0;
  for (const Form& form : forms) {
    for (int selector = 0; selector < form.selectors; ++selector) {
      int agree = 0;
      for (int i = 0; i < 100; ++i) agree += agrees(form, selector, random) ? 1 : 0;
      std::printf("  %s  selector %d: %d of 100 random sparse products agree\n", form.name, selector, agree);
      wrong += agree == 100 ? 0 : 1;
    }
  }
  return wrong == 0 ? 0 : 1;
}
