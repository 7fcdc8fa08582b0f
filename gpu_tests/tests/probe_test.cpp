// The probes against a device of plain loops: they agree with the spec as it is, and name what is
// changed on either side.
#include "gpu_tests/probe/probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gpu_tests/tests/fake_device.h"
#include "spec/load.h"

namespace fragproof::gpu {
namespace {

Target target(const std::string& mnemonic, const Spec& spec = builtin_spec()) {
  for (const Target& one : targets_of(spec.maps)) {
    if (one.mnemonic == mnemonic) return one;
  }
  ADD_FAILURE() << "no target " << mnemonic;
  return {};
}

// A spec with its own version of some built-in fragments, the others as they are.
struct Changed {
  LoadResult loaded;
  Spec spec;
  explicit Changed(const std::string& text) : loaded(load_text("changed.layout", text)) {
    EXPECT_TRUE(loaded.spec != nullptr) << text;
    if (loaded.spec) spec = *loaded.spec;
  }
  // The built-in target with the changed fragments in place of their originals.
  [[nodiscard]] Target of(const std::string& mnemonic) const {
    Target one = target(mnemonic);
    for (const Map*& map : one.fragments) {
      for (const Map* own : spec.maps) {
        if (own->name == map->name) map = own;
      }
    }
    return one;
  }
};

std::string text_of(const ProbeOutcome& outcome) {
  std::string text = std::string(name_of(outcome.verdict)) + " " + outcome.reason + "\n";
  for (const Disagreement& d : outcome.disagreements) {
    text += d.entry + ": " + d.slot + ": " + d.expected + " / " + d.found + "\n";
  }
  return text;
}

bool mentions(const ProbeOutcome& outcome, const std::string& entry, const std::string& slot,
              const std::string& expected, const std::string& found) {
  return std::any_of(
      outcome.disagreements.begin(), outcome.disagreements.end(), [&](const Disagreement& d) {
        return d.entry == entry && d.slot == slot && d.expected == expected && d.found == found;
      });
}

constexpr const char* bf16 = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
constexpr const char* s8 = "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32";
constexpr const char* load4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
constexpr const char* load2t = "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16";

// The 1-bit shapes of 128 x 256 elements would take the plain loops minutes; the GPU runs them.
bool small(const Target& one) {
  return one.mnemonic.find("k256") == std::string::npos &&
         one.mnemonic.find("m16n8k128") == std::string::npos &&
         one.mnemonic.find("m16n8k64") == std::string::npos;
}

TEST(Probe, TheSpecAgreesWithTheTranscription) {
  FakeDevice device;
  int probed = 0;
  for (const Target& one : targets_of(builtin_spec().maps)) {
    EXPECT_EQ(one.problem, "") << one.mnemonic;
    if (!small(one)) continue;
    const ProbeOutcome outcome = probe(device, builtin_spec(), one);
    EXPECT_EQ(outcome.verdict, ProbeOutcome::Verdict::Agrees) << one.mnemonic << "\n"
                                                              << text_of(outcome);
    EXPECT_GT(outcome.slots, 0);
    ++probed;
  }
  EXPECT_GE(probed, 40);
}

TEST(Probe, CountsEverySlotOnce) {
  FakeDevice device;
  const ProbeOutcome outcome = probe(device, builtin_spec(), target(bf16));
  EXPECT_EQ(outcome.slots, 256 + 128 + 128);  // A, B and C, which is D
  EXPECT_EQ(outcome.entries.size(), 3U);
}

TEST(Probe, OneDigitOfOperandAIsNamed) {
  const Changed changed(
      "fragment mma.m16n8k16.b16.A(lane : [g:8, t:4], elem : [h:2, c:2, e:2]) -> (row : 16, col : "
      "16) : b16\n"
      "  row = 8*h + g\n  col = 8*c + 2*t + e\n");
  FakeDevice device;
  const ProbeOutcome outcome = probe(device, changed.spec, changed.of(bf16));
  EXPECT_EQ(outcome.verdict, ProbeOutcome::Verdict::Disagrees);
  EXPECT_EQ(outcome.disagreements.size(), 128U)
      << text_of(outcome);  // a1 and a2, both halves, 32 lanes
  EXPECT_TRUE(mentions(outcome, "mma.m16n8k16.b16.A", "lane 5, register a1, high half (element 3)",
                       "row 1, col 11", "row 9, col 3"))
      << text_of(outcome);
}

TEST(Probe, HalvesOfOperandBAreNamed) {
  const Changed changed(
      "fragment mma.m16n8k16.b16.B(lane : [g:8, t:4], elem : [c:2, e:2]) -> (row : 16, col : 8) : "
      "b16\n"
      "  row = 8*c + 2*t + (1 - e)\n  col = g\n");
  FakeDevice device;
  const ProbeOutcome outcome = probe(device, changed.spec, changed.of(bf16));
  EXPECT_TRUE(mentions(outcome, "mma.m16n8k16.b16.B", "lane 0, register b0, low half (element 0)",
                       "row 1, col 0", "row 0, col 0"))
      << text_of(outcome);
}

TEST(Probe, OneByteOfAnAccumulatorIsNamed) {
  const Changed changed(
      "fragment mma.m16n8k16.b8.C(lane : [g:8, t:4], elem : [e:2, h:2]) -> (row : 16, col : 8) : "
      "b32\n"
      "  row = 8*h + g\n  col = 2*t + e\n");
  FakeDevice device;
  const ProbeOutcome outcome = probe(device, changed.spec, changed.of(s8));
  EXPECT_TRUE(mentions(outcome, "mma.m16n8k16.b8.C", "lane 0, register c1 (element 1)",
                       "row 8, col 0", "row 0, col 1"))
      << text_of(outcome);
  for (const Disagreement& d : outcome.disagreements) EXPECT_EQ(d.entry, "mma.m16n8k16.b8.C");
}

TEST(Probe, OneLaneOfTheDeviceIsNamed) {
  FakeDevice device;
  device.exchange("mma.m16n8k16.b16.A", 9, 2, 4);
  const ProbeOutcome outcome = probe(device, builtin_spec(), target(bf16));
  EXPECT_EQ(outcome.disagreements.size(), 2U) << text_of(outcome);
  EXPECT_TRUE(mentions(outcome, "mma.m16n8k16.b16.A", "lane 9, register a1, low half (element 2)",
                       "row 10, col 2", "row 2, col 10"))
      << text_of(outcome);
  EXPECT_TRUE(mentions(outcome, "mma.m16n8k16.b16.A", "lane 9, register a2, low half (element 4)",
                       "row 2, col 10", "row 10, col 2"))
      << text_of(outcome);
}

TEST(Probe, BytesOfOneLaneOfBAreNamed) {
  FakeDevice device;
  device.exchange("mma.m16n8k16.b8.B", 31, 1, 2);
  const ProbeOutcome outcome = probe(device, builtin_spec(), target(s8));
  EXPECT_EQ(outcome.disagreements.size(), 2U) << text_of(outcome);
  EXPECT_TRUE(mentions(outcome, "mma.m16n8k16.b8.B", "lane 31, register b0, byte 1 (element 1)",
                       "row 13, col 7", "row 14, col 7"))
      << text_of(outcome);
}

TEST(Probe, AnAccumulatorThatIsNoInputIsNamed) {
  // D comes out elsewhere than C went in: seen by the one-hot C alone, since the products look at D
  // only.
  FakeDevice device;
  device.exchange("mma.m8n8k4.f64.C", 3, 0, 1);
  const ProbeOutcome outcome =
      probe(device, builtin_spec(), target("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"));
  EXPECT_TRUE(mentions(outcome, "mma.m8n8k4.f64.C", "lane 3, register c0 (element 0)",
                       "row 0, col 6", "row 0, col 7"))
      << text_of(outcome);
}

TEST(Probe, AProductLeftOutIsFound) {
  FakeDevice device;
  device.drops_last_k = true;
  const ProbeOutcome outcome = probe(device, builtin_spec(), target(bf16));
  EXPECT_TRUE(mentions(outcome, "mma.m16n8k16.b16.A", "lane 3, register a2, high half (element 5)",
                       "row 0, col 15", "nothing: it takes part in no product"))
      << text_of(outcome);
}

TEST(Probe, HalvesAndRowsOfLdmatrixAreNamed) {
  FakeDevice device;
  device.exchange("ldmatrix.x4", 6, 2, 3);
  const ProbeOutcome outcome = probe(device, builtin_spec(), target(load4));
  EXPECT_EQ(outcome.disagreements.size(), 2U) << text_of(outcome);
  EXPECT_TRUE(mentions(outcome, "ldmatrix.x4", "lane 6, register r1, low half (element 2)",
                       "src 9, col 4", "src 9, col 5 (row addresses in order)"))
      << text_of(outcome);
}

TEST(Probe, ATransposedLoadIsNoPlainOne) {
  const Changed changed(
      "fragment ldmatrix.x2.trans(lane : [g:8, t:4], elem : [j:2, e:2]) -> (src : 16, col : 8) : "
      "b16\n"
      "  src = 8*j + g\n  col = 2*t + e\n");
  FakeDevice device;
  const ProbeOutcome outcome = probe(device, changed.spec, changed.of(load2t));
  EXPECT_TRUE(mentions(outcome, "ldmatrix.x2.trans", "lane 1, register r0, low half (element 0)",
                       "src 0, col 2", "src 2, col 0 (row addresses in order)"))
      << text_of(outcome);
}

TEST(Probe, AddressesThatMustBeIgnoredAreIgnored) {
  FakeDevice device;
  device.reads_ignored_lanes = true;
  const ProbeOutcome outcome =
      probe(device, builtin_spec(), target("ldmatrix.sync.aligned.m8n8.x1.shared.b16"));
  EXPECT_TRUE(mentions(outcome, "ldmatrix.x1", "lane 0, register r0, low half (element 0)",
                       "src 0, col 0", "src 24, col 0 (row addresses in order)"))
      << text_of(outcome);
}

TEST(Probe, AStoreToAPlaceThatIsNotItsOwnIsFound) {
  FakeDevice device;
  device.stores_twice = true;
  const ProbeOutcome outcome =
      probe(device, builtin_spec(), target("stmatrix.sync.aligned.m8n8.x1.shared.b16"));
  EXPECT_EQ(outcome.verdict, ProbeOutcome::Verdict::Disagrees);
  ASSERT_FALSE(outcome.disagreements.empty());
  EXPECT_EQ(outcome.disagreements[0].slot, "lane 5, register r0, high half (element 1)");
  EXPECT_EQ(outcome.disagreements[0].found,
            "also 16-bit unit 4000 of memory, at which no lane points (row addresses in order)");
}

TEST(Probe, MovmatrixIsNamed) {
  FakeDevice device;
  device.exchange("movmatrix.trans", 0, 0, 1);
  const ProbeOutcome outcome =
      probe(device, builtin_spec(), target("movmatrix.sync.aligned.m8n8.trans.b16"));
  EXPECT_TRUE(mentions(outcome, "movmatrix.trans", "lane 0, register r0, low half (element 0)",
                       "src 0, half 0", "src 4, half 0"))
      << text_of(outcome);
}

TEST(Probe, OneRowAddressIsNamed) {
  const Changed changed(
      "fragment ldmatrix.x2.addr(lane : [r:8, j:2], elem : 1) -> (mat : 2, row : 8) : b32\n"
      "  mat = j\n  row = r\n");
  FakeDevice device;
  Target one = target("ldmatrix.sync.aligned.m8n8.x2.shared.b16");
  ASSERT_EQ(one.companions.size(), 1U);
  EXPECT_EQ(probe(device, builtin_spec(), one).verdict, ProbeOutcome::Verdict::Agrees);
  one.companions[0] = changed.spec.maps.at(0);
  const ProbeOutcome outcome = probe(device, changed.spec, one);
  EXPECT_TRUE(mentions(outcome, "ldmatrix.x2.addr", "lane 1", "mat 1, row 0", "mat 0, row 1"))
      << text_of(outcome);
}

TEST(Probe, OneSideOfMovmatrixIsNamed) {
  const Changed changed(
      "fragment movmatrix.trans.src(lane : [g:8, t:4], elem : [e:2]) -> (row : 8, col : 8) : b16\n"
      "  row = g\n  col = 4*e + t\n");
  FakeDevice device;
  Target one = target("movmatrix.sync.aligned.m8n8.trans.b16");
  ASSERT_EQ(one.companions.size(), 2U);
  one.companions[0] = changed.spec.maps.at(0);
  EXPECT_EQ(probe(device, changed.spec, one).verdict, ProbeOutcome::Verdict::Disagrees);
}

TEST(Probe, EveryFragmentOfTheSpecHasAProbe) {
  std::set<std::string> probed;
  for (const Target& one : targets_of(builtin_spec().maps)) {
    for (const Map* map : one.fragments) probed.insert(map->name);
    for (const Map* map : one.companions) probed.insert(map->name);
  }
  for (const Map* map : builtin_spec().maps) {
    if (map->is_fragment) {
      EXPECT_EQ(probed.count(map->name), 1U) << map->name;
    }
  }
}

TEST(Probe, FourProductsAreToldApart) {
  const Changed changed(
      "fragment mma.m8n8k4.f16.A.row(lane : [h:2, l:4, q:4], elem : [e:4]) -> (mma : 4, row : 8, "
      "col : 4) : b16\n"
      "  mma = q\n  row = 4*h + l\n  col = e\n");
  FakeDevice device;
  const ProbeOutcome outcome =
      probe(device, changed.spec, changed.of("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"));
  EXPECT_TRUE(mentions(outcome, "mma.m8n8k4.f16.A.row", "lane 1, register a0, low half (element 0)",
                       "mma 1, row 0, col 0", "mma 0, row 1, col 0"))
      << text_of(outcome);
}

TEST(Probe, ARefusalForTheTargetIsSkippedAnyOtherIsNot) {
  FakeDevice device;
  device.refuse = "bf16";
  ProbeOutcome outcome = probe(device, builtin_spec(), target(bf16));
  EXPECT_EQ(outcome.verdict, ProbeOutcome::Verdict::Skipped);
  EXPECT_EQ(outcome.slots, 0);
  EXPECT_EQ(outcome.reason, "refused by the fake device");
  device.of_target = false;
  outcome = probe(device, builtin_spec(), target(bf16));
  EXPECT_EQ(outcome.verdict, ProbeOutcome::Verdict::Disagrees);
}

TEST(Probe, NamesOfUsers) {
  const Target one = target(bf16);
  for (const char* name : {"mma.m16n8k16.b16", "mma.m16n8k16.bf16", "mma.m16n8k16", "mma", bf16}) {
    EXPECT_TRUE(is_named(one, name)) << name;
  }
  for (const char* name : {"mma.m16n8k16.f16", "mma.m16n8k8", "mma.m16", "ldmatrix", ""}) {
    EXPECT_FALSE(is_named(one, name)) << name;
  }
}

}  // namespace
}  // namespace fragproof::gpu
