// Campaigns: cases are a function of the seed, planted faults are found from a cold start and
// shrunk to the smallest configuration.
#include "fuzz/campaign.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "fuzz/tests/support.h"

namespace fragproof::fuzz_testing {
namespace {

TEST(Generate, SameSeedSameCasesInAnyOrder) {
  const Loaded gemv = load_example("gemv.layout");
  KernelSpace forwards(gemv.spec(), gemv.kernel("gemv"));
  KernelSpace backwards(gemv.spec(), gemv.kernel("gemv"));
  std::vector<std::string> first, second;
  for (std::uint64_t i = 0; i < 50; ++i) first.push_back(to_text(*generate(forwards, 3, i)));
  for (std::uint64_t i = 50; i-- > 0;) second.push_back(to_text(*generate(backwards, 3, i)));
  std::reverse(second.begin(), second.end());
  EXPECT_EQ(first, second);
  // Pinned, so that another machine, compiler or version that draws otherwise is noticed.
  EXPECT_EQ(first[0], "gemv N=32 K=480 M=1 S=1 NW=15 U=1");
  EXPECT_NE(to_text(*generate(forwards, 4, 0)), first[0]);
  EXPECT_GE(std::set<std::string>(first.begin(), first.end()).size(), 40U);
}

TEST(Generate, DrawsAroundDivisorsAndTails) {
  const Loaded gemv = load_example("gemv.layout");
  KernelSpace space(gemv.spec(), gemv.kernel("gemv"));
  std::set<std::int64_t> ms;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::optional<Configuration> configuration = generate(space, 1, i);
    ASSERT_TRUE(configuration);
    for (const auto& [name, value] : configuration->sizes) {
      if (name == "M") ms.insert(static_cast<std::int64_t>(value));
    }
    std::string error;
    EXPECT_EQ(space.excluded_by(*space.shape_of(*configuration, error)), "");
  }
  for (const std::int64_t m : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33}) {
    EXPECT_EQ(ms.count(m), 1U) << m;
  }
}

TEST(Generate, ClassesOfAValue) {
  const std::vector<std::int64_t> divisors{8, 32};
  const auto is = [&](std::int64_t value, SizeClass cls) {
    return classes_of(value, divisors)[static_cast<std::size_t>(cls)];
  };
  EXPECT_TRUE(is(1, SizeClass::One));
  EXPECT_FALSE(is(1, SizeClass::OneOff));
  EXPECT_TRUE(is(7, SizeClass::Prime));
  EXPECT_TRUE(is(7, SizeClass::OneOff));
  EXPECT_FALSE(is(3, SizeClass::OneOff));
  EXPECT_TRUE(is(8, SizeClass::Multiple));
  EXPECT_TRUE(is(64, SizeClass::PowerOfTwo));
  EXPECT_TRUE(is(33, SizeClass::OneOff));
  EXPECT_TRUE(is(128, SizeClass::Large));
}

TEST(Campaign, ShardsPartitionTheCases) {
  const Loaded gemv = load_example("gemv_sizes.layout");
  CampaignSetting setting;
  setting.cases = 90;
  Campaign whole(gemv.spec(), setting);
  whole.run();
  std::int64_t tried = 0, failing = 0;
  std::vector<std::int64_t> classes(whole.reports().front().classes.size(), 0);
  for (int shard = 1; shard <= 4; ++shard) {
    setting.shard = shard;
    setting.shards = 4;
    Campaign part(gemv.spec(), setting);
    part.run();
    tried += part.reports().front().tried;
    failing += part.reports().front().failing;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      classes[i] += part.reports().front().classes[i].count;
    }
  }
  EXPECT_EQ(tried, whole.reports().front().tried);
  EXPECT_EQ(failing, whole.reports().front().failing);
  EXPECT_GT(failing, 0);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    EXPECT_EQ(classes[i], whole.reports().front().classes[i].count) << i;
  }
}

struct Planted {
  const char* name;
  const char* file;
  Edits edits;
  const char* smallest;
  const char* explained;  // the obligation
};

const std::string require_all = "require K % (32*S*NW*U) == 0";

std::vector<Planted> planted_faults() {
  const char* least = "gemv N=16 K=32 M=1 S=1 NW=1 U=1";
  return {
      {"U = 3",
       "gemv.layout",
       {{require_all, "require K % (32*S*NW) == 0 && U == 3"}},
       "gemv N=16 K=32 M=1 S=1 NW=1 U=3",
       "bounds"},
      {"an unroll that need not divide",
       "gemv.layout",
       {{require_all, "require K % (32*S*NW) == 0"}},
       "gemv N=16 K=32 M=1 S=1 NW=1 U=2",
       "bounds"},
      {"a dropped K tail",
       "gemv.layout",
       {{require_all, "require K % (32*S*NW) == 0"}, {"i : ceildiv(KBW, U)", "i : KBW/U"}},
       "gemv N=16 K=32 M=1 S=1 NW=1 U=2",
       "cover"},
      {"a doubled split",
       "gemv.layout",
       {{"i32(sidx*KBS", "i32(sidx/2*KBS"}},
       "gemv N=16 K=64 M=1 S=2 NW=1 U=1",
       "cover"},
      {"splits that need not divide",
       "gemv.layout",
       {{require_all, "require K % (32*NW*U) == 0"}},
       "gemv N=16 K=32 M=1 S=2 NW=1 U=1",
       "cover"},
      {"warps that need not divide",
       "gemv.layout",
       {{require_all, "require K % (32*S*U) == 0"}},
       "gemv N=16 K=32 M=1 S=1 NW=2 U=1",
       "cover"},
      {"a missing clamp", "gemv.layout", {{"min(nb*8 + g, M - 1)", "nb*8 + g"}}, least, "bounds"},
      {"a clamp that is off by one",
       "gemv.layout",
       {{"min(nb*8 + g, M - 1)", "min(nb*8 + g, M)"}},
       least,
       "bounds"},
      {"a guard that lets one more in",
       "gemv.layout",
       {{"if 8*nb + col < M", "if 8*nb + col <= M"}},
       least,
       "bounds"},
      {"an unpadded reader with a padded writer",
       "tf32_gemm.layout",
       {{"load a : ldmatrix.x4 from As[16*wm + lane % 16, 8*ks + 4*(lane/16)]\n  load b : "
         "ldmatrix.x2 from Bs[8*wn + lane % 8, 8*ks + 4*(lane/8 % 2)]\n  acc += "
         "mma.m16n8k8.tf32(a, b)\n  store acc to C[32*mb + 16*wm + row, 32*nb + 8*wn + col]\n\n"
         "prove gemm_nk",
         "load a : ldmatrix.x4 from As.b128[(16*wm + lane % 16)*4 + 2*ks + lane/16]\n  load b : "
         "ldmatrix.x2 from Bs[8*wn + lane % 8, 8*ks + 4*(lane/8 % 2)]\n  acc += "
         "mma.m16n8k8.tf32(a, b)\n  store acc to C[32*mb + 16*wm + row, 32*nb + 8*wn + col]\n\n"
         "prove gemm_nk"}},
       "gemm_nk M=32 N=32 K=16",
       "A.whole"},
      {"halves of x exchanged",
       "gemv.layout",
       {{"xv.b64[step]", "xv.b64[1 - step]"}},
       least,
       "pairing"},
      {"step offset 16", "gemv.layout", {{"+ 32*step]", "+ 16*step]"}}, least, "A.rows"},
      {"the stride of the K block",
       "gemv.layout",
       {{"(i*U + u)*64 + 32*step]", "(i*U + u)*32 + 32*step]"}},
       "gemv N=16 K=64 M=1 S=1 NW=1 U=1",
       "pairing"},
      {"the stride of the row block",
       "gemv.layout",
       {{"i64((rb*KB + kb0)*64 + lane)", "i64((rb*KB + kb0)*32 + lane)"}},
       "gemv N=32 K=32 M=1 S=1 NW=1 U=1",
       "A.rows"},
      {"g and t exchanged",
       "gemv.layout",
       {{"let g = lane >> 2, t = lane & 3\n  let kb0",
         "let t = lane >> 2, g = lane & 3\n  let kb0"}},
       least,
       "bounds"},
      {"row and k half exchanged in the pack",
       "gemv.layout",
       {{"permute(0, 3, 5, 2, 4, 6, 1, 7).contiguous()\n\nrequire",
         "permute(0, 3, 5, 2, 4, 1, 6, 7).contiguous()\n\nrequire"}},
       least,
       "A.rows"},
      {"KB is K/16",
       "gemv.layout",
       {{"let KB = K/32, KBS", "let KB = K/16, KBS"}},
       least,
       "bounds"},
      {"k relabelled for one operand only",
       "gemv.layout",
       {{"load xv : b128 from x[tok, kb0*32 + t*8 + (i*U + u)*32]       # serves both steps\n"
         "  acc += mma.m16n8k16.b16(a, xv.b64[step])",
         "load x0 : b32 from x[tok, kb0*32 + 16*step + t*2 + (i*U + u)*32]\n"
         "  load x1 : b32 from x[tok, kb0*32 + 16*step + t*2 + 8 + (i*U + u)*32]\n"
         "  acc += mma.m16n8k16.b16(a, {x0, x1})"},
        {"prove x_sectors: sectors(gemv.xv) <= 16\n", ""}},
       least,
       "pairing"},
      {"registers a1 and a2 exchanged",
       "gemv_natural.layout",
       {{"acc += mma.m16n8k16.bf16({a0, a1, a2, a3}, {b0, b1})\n  store acc to y[8*nb + col, 16*rb "
         "+ row]\nprove natural\n",
         "acc += mma.m16n8k16.bf16({a0, a2, a1, a3}, {b0, b1})\n  store acc to y[8*nb + col, 16*rb "
         "+ row]\nprove natural\n"}},
       "natural N=16 K=32 M=8",
       "A.rows"},
      {"one lane zeroed",
       "gemv.layout",
       {{"load a from Wp.b128[woff + (i*U + u)*64 + 32*step]",
         "load a from Wp.b128[woff + (i*U + u)*64 + 32*step] if lane != 5 else 0"}},
       least,
       "cover"},
      {"the writer forgets the swizzle",
       "tile_swizzled.layout",
       {{"for (r : 32, c : 64) As[r, swz(r, c)] = A[32*mb + r, 64*kt + c]\n"
         "  for (r : 32, c : 64) Bs[r, swz(r, c)] = B[32*nb + r, 64*kt + c]\n  let ra",
         "for (r : 32, c : 64) As[r, c] = A[32*mb + r, 64*kt + c]\n"
         "  for (r : 32, c : 64) Bs[r, swz(r, c)] = B[32*nb + r, 64*kt + c]\n  let ra"}},
       "gemm M=32 N=32 K=64",
       "A.k"},
      {"weights of the wrong width",
       "gemv.layout",
       {{"tensor W[N, K] : bf16", "tensor W[N, K] : s8"}},
       least,
       "bounds"},
      {"32-bit elements transposed by ldmatrix",
       "tf32_trans.layout",
       {},
       "trans M=32 N=32 K=16",
       "B.whole"},
      {"only the second token block",
       "gemv.layout",
       {{"8*nb + col, 16*rb", "8*nb + (col ^ nb), 16*rb"}},
       "gemv N=16 K=32 M=9 S=1 NW=1 U=1",
       "bounds"},
  };
}

// From a cold start: load, fuzz, shrink, explain; each within ten seconds of processor time.
TEST(Campaign, PlantedFaultsAreFoundAndShrunkToTheSmallest) {
  for (const Planted& one : planted_faults()) {
    SCOPED_TRACE(one.name);
    const std::clock_t start = std::clock();
    const Loaded loaded = load_edited(one.file, one.edits);
    const ParsedConfiguration smallest = parse_configuration(one.smallest);
    CampaignSetting setting;
    setting.cases = 100;
    Campaign campaign(loaded.spec(), setting, {smallest.configuration->kernel});
    campaign.run();
    campaign.conclude();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const KernelReport& report = campaign.reports().front();
    EXPECT_GT(report.failing, 0);
    ASSERT_TRUE(report.failure);
    EXPECT_EQ(to_text(report.failure->configuration), one.smallest);
    EXPECT_TRUE(report.failure->smallest);
    EXPECT_TRUE(report.failure->agrees);
    ASSERT_TRUE(report.failure->obligation);
    EXPECT_STREQ(name_of(*report.failure->obligation), one.explained);
    EXPECT_LT(seconds, 10);
  }
}

TEST(Campaign, RightKernelsPass) {
  for (const char* file : {"gemv.layout", "tf32_gemm.layout", "tile_swizzled.layout"}) {
    const Loaded loaded = load_example(file);
    CampaignSetting setting;
    setting.cases = 40;
    Campaign campaign(loaded.spec(), setting);
    campaign.run();
    campaign.conclude();
    for (const KernelReport& report : campaign.reports()) {
      if (report.refuted_by_file) continue;
      EXPECT_EQ(report.failing, 0) << file << " " << report.kernel->name;
      EXPECT_GT(report.tried, 30) << file;
      EXPECT_FALSE(report.failure);
    }
  }
}

TEST(Campaign, RefutedButRightIsSaid) {
  const Loaded loaded = load_example("operand_types.layout");
  CampaignSetting setting;
  setting.cases = 5;
  Campaign campaign(loaded.spec(), setting, {"mixed"});
  campaign.run();
  campaign.conclude();
  const KernelReport& report = campaign.reports().front();
  EXPECT_TRUE(report.refuted_by_file);
  EXPECT_EQ(report.failing, 0);
  ASSERT_TRUE(report.failure);
  EXPECT_TRUE(report.failure->emulation.right());
  EXPECT_EQ(report.failure->obligation, Obligation::Types);
}

TEST(Campaign, AReplayedConfigurationRunsOrSaysWhyNot) {
  const Loaded gemv = load_example("gemv.layout");
  Campaign campaign(gemv.spec(), {});
  const auto replay = [&](const std::string& line) {
    return campaign.replay(*parse_configuration(line).configuration);
  };
  EXPECT_EQ(replay("gemv N=64 K=512 M=13 S=1 NW=8 U=2"), "");
  EXPECT_EQ(replay("M=13"), "");
  EXPECT_EQ(campaign.reports().front().tried, 2);
  EXPECT_NE(replay("gemv N=64 K=512 M=13 S=1 NW=4 U=3").find("a `require` excludes it"),
            std::string::npos);
  EXPECT_EQ(replay("gem N=64"), "no kernel named gem");
  EXPECT_EQ(replay("gemv Q=64"), "no size named Q");
  EXPECT_NE(replay("gemv N=1048576 K=1048576").find("points of parallel and reduce"),
            std::string::npos);
}

TEST(Campaign, StopsWhenTold) {
  const Loaded gemv = load_example("gemv.layout");
  std::atomic<bool> stop = false;
  CampaignSetting setting;
  setting.cases = 1'000'000;
  setting.stop = &stop;
  Campaign campaign(gemv.spec(), setting);
  campaign.run([&](std::int64_t done, std::int64_t) { stop = done >= 10; });
  EXPECT_TRUE(campaign.stopped());
  EXPECT_EQ(campaign.reports().front().tried + campaign.reports().front().no_case, 10);
}

}  // namespace
}  // namespace fragproof::fuzz_testing
