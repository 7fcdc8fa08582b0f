// The built-in fragments against the golden tables: all lanes, all elements, and nothing that has
// no table.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "spec/eval.h"
#include "spec/load.h"
#include "spec/tests/golden.h"

namespace fragproof {
namespace {

std::vector<golden::Fragment> all_fragments() {
  std::vector<golden::Fragment> all = golden::mma_fragments();
  for (golden::Fragment& fragment : golden::move_fragments()) all.push_back(std::move(fragment));
  return all;
}

const golden::Fragment& table_of(const std::string& name) {
  static const std::vector<golden::Fragment> all = all_fragments();
  for (const golden::Fragment& fragment : all) {
    if (fragment.name == name) return fragment;
  }
  throw std::out_of_range("no golden table " + name);
}

const Map* find_map(const Spec& spec, const std::string& name) {
  for (const Map* map : spec.maps) {
    if (map->name == name) return map;
  }
  return nullptr;
}

// The places of all (lane, elem) of the map, lane by lane; a place outside domain or codomain is
// {-1, -1}.
std::vector<golden::Place> evaluate(const Spec& spec, const Map& map, int lanes, int elems) {
  std::vector<std::int64_t> lane_of;
  std::vector<std::int64_t> elem_of;
  for (int lane = 0; lane < lanes; ++lane) {
    for (int elem = 0; elem < elems; ++elem) {
      lane_of.push_back(lane);
      elem_of.push_back(elem);
    }
  }
  Evaluator evaluator(spec, {});
  const std::size_t count = lane_of.size();
  const Values values = evaluator.apply(map, {Column(lane_of), Column(elem_of)}, count);
  std::vector<golden::Place> places;
  for (std::size_t point = 0; point < count; ++point) {
    if (values.at(point) != Outcome::Ok) {
      places.push_back({-1, -1});
      continue;
    }
    golden::Place& place = places.emplace_back();
    for (const Column& member : values.members) place.push_back(static_cast<int>(member.at(point)));
  }
  return places;
}

// What is different between a map and its table, one line each; empty when all is equal.
std::vector<std::string> differences(const Spec& spec, const Map& map,
                                     const golden::Fragment& table) {
  std::vector<std::string> lines;
  const auto note = [&](const std::string& text) { lines.push_back(map.name + ": " + text); };
  if (!map.is_fragment) note("is no fragment");
  if (map.element.width != table.bits) note("elements of " + std::to_string(map.element.width));
  if (map.outputs.size() != table.tile.size() || map.domain.coordinates.size() != 2) {
    note("is not (lane, elem) -> as many coordinates");
    return lines;
  }
  const int lanes = static_cast<int>(table.places.size());
  const std::vector<golden::Place> found = evaluate(spec, map, lanes, table.elems);
  for (std::size_t lane = 0; lane < table.places.size(); ++lane) {
    for (std::size_t elem = 0; elem < static_cast<std::size_t>(table.elems); ++elem) {
      const golden::Place& is = found.at(lane * static_cast<std::size_t>(table.elems) + elem);
      const golden::Place& should = table.places.at(lane).at(elem);
      if (is == should) continue;
      std::ostringstream text;
      text << "lane " << lane << " elem " << elem << ":";
      for (const int value : is) text << " " << value;
      text << ", the ISA says";
      for (const int value : should) text << " " << value;
      note(text.str());
    }
  }
  // Domain and codomain end where they must: one lane, or one element, more is undefined.
  if (evaluate(spec, map, lanes + 1, 1).back() != golden::Place{-1, -1}) note("has more lanes");
  const std::vector<golden::Place> wider = evaluate(spec, map, 1, table.elems + 1);
  if (wider.back() != golden::Place{-1, -1}) note("has more elements");
  Evaluator evaluator(spec, {});
  for (std::size_t output = 0; output < table.tile.size(); ++output) {
    const Expr* extent = map.outputs.at(output).codomain;
    if (extent == nullptr || evaluator.scalar(*extent).value != table.tile.at(output)) {
      note("extent of " + map.outputs.at(output).name + " is not " +
           std::to_string(table.tile.at(output)));
    }
  }
  return lines;
}

TEST(Golden, EveryBuiltinFragmentIsWhatTheIsaSays) {
  for (const golden::Fragment& table : all_fragments()) {
    const Map* map = find_builtin(table.name);
    ASSERT_NE(map, nullptr) << table.name;
    EXPECT_EQ(differences(builtin_spec(), *map, table), std::vector<std::string>{});
  }
}

TEST(Golden, NoBuiltinFragmentIsWithoutATable) {
  std::set<std::string> built;
  std::set<std::string> tables;
  for (const Map* map : builtin_spec().maps) built.insert(map->name);
  for (const golden::Fragment& table : all_fragments()) tables.insert(table.name);
  EXPECT_EQ(built, tables);
  EXPECT_EQ(built.size(), 88U);
}

TEST(Golden, TablesHaveTheirLiteralRows) {
  for (const golden::Row& row : golden::literal_rows()) {
    EXPECT_EQ(table_of(row.name).places.at(static_cast<std::size_t>(row.lane)), row.places)
        << row.name;
    const Map* map = find_builtin(row.name);
    ASSERT_NE(map, nullptr) << row.name;
    const int elems = static_cast<int>(row.places.size());
    const std::vector<golden::Place> all = evaluate(builtin_spec(), *map, 32, elems);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(row.lane) * elems;
    EXPECT_EQ(std::vector<golden::Place>(first, first + elems), row.places) << row.name;
  }
}

TEST(Golden, EveryTableCoversItsTileOnce) {
  for (const golden::Fragment& table : all_fragments()) {
    std::set<golden::Place> seen;
    for (const auto& lane : table.places) seen.insert(lane.begin(), lane.end());
    EXPECT_EQ(seen.size(), table.places.size() * static_cast<std::size_t>(table.elems))
        << table.name;
    int tile = 1;
    for (const int extent : table.tile) tile *= extent;
    EXPECT_EQ(static_cast<int>(seen.size()), tile) << table.name;
  }
}

// The ISA's rule for A of m16n8k256, as printed, is no bijection; the table has it as the text
// means it.
TEST(Golden, TheIsaSlipInM16n8k256IsOne) {
  std::set<golden::Place> printed;
  for (int laneid = 0; laneid < 32; ++laneid) {
    for (int i = 0; i < 128; ++i) {
      const int row = (0 <= i && i < 32) || (64 <= i && i < 96) ? laneid / 4 : laneid / 4 + 8;
      const int col = i < 64 ? (laneid % 4) * 32 + i : (laneid % 4) * 32 + (i & 0x1F) + 128;
      printed.insert({row, col});
    }
  }
  EXPECT_LT(printed.size(), 4096U);
  EXPECT_EQ(find_builtin("mma.m16n8k256.b1.A")->provenance.status, "inferred");
}

TEST(Golden, TheExampleFileSaysTheSame) {
  const LoadResult loaded =
      load_spec(std::string(FRAGPROOF_SOURCE_DIR) + "/examples/builtin.layout");
  ASSERT_NE(loaded.spec, nullptr);
  EXPECT_GE(loaded.spec->maps.size(), 40U);
  for (const Map* map : loaded.spec->maps) {
    EXPECT_EQ(differences(*loaded.spec, *map, table_of(map->name)), std::vector<std::string>{});
  }
}

TEST(Golden, TypesFindTheEntryOfTheirWidth) {
  for (const std::string operand : {"A", "B", "C"}) {
    const auto same = [&](const std::string& one, const std::string& other) {
      const Map* found = find_builtin(one + "." + operand);
      EXPECT_NE(found, nullptr) << one;
      EXPECT_EQ(found, find_builtin(other + "." + operand)) << one << " and " << other;
    };
    same("mma.m16n8k16.bf16", "mma.m16n8k16.b16");
    same("mma.m16n8k16.f16", "mma.m16n8k16.b16");
    same("mma.m16n8k8.bf16", "mma.m16n8k8.b16");
    same("mma.m16n8k32.e4m3", "mma.m16n8k32.b8");
    same("mma.m16n8k32.e5m2", "mma.m16n8k32.b8");
    same("mma.m16n8k16.u8", "mma.m16n8k16.s8");
    same("mma.m8n8k16.s8", "mma.m8n8k16.b8");
    same("mma.m16n8k64.u4", "mma.m16n8k64.b4");
  }
  EXPECT_EQ(find_builtin("mma.m16n8k8.tf32.D"), find_builtin("mma.m16n8k8.tf32.C"));
  // f16 accumulators belong to f16 and fp8 alone.
  const Map* c16 = find_builtin("mma.m16n8k16.b16.C16");
  EXPECT_NE(c16, nullptr);
  EXPECT_EQ(find_builtin("mma.m16n8k16.f16.C16"), c16);
  EXPECT_EQ(find_builtin("mma.m16n8k16.f16.D16"), c16);
  EXPECT_EQ(find_builtin("mma.m16n8k16.bf16.C16"), nullptr);
  EXPECT_EQ(find_builtin("mma.m16n8k32.e5m2.D16"), find_builtin("mma.m16n8k32.b8.C16"));
  EXPECT_EQ(find_builtin("mma.m16n8k32.s8.C16"), nullptr);
  EXPECT_EQ(find_builtin("mma.m8n8k4.f16.D"), find_builtin("mma.m8n8k4.f16.C"));
  EXPECT_EQ(find_builtin("mma.m8n8k4.f16.A"), nullptr);  // by rows or by columns
  EXPECT_NE(find_builtin("mma.m16n8k8.tf32.A"), find_builtin("mma.m16n8k8.b16.A"));
  EXPECT_NE(find_builtin("mma.m16n8k8.tf32.A"), find_builtin("mma.m16n8k8.f64.A"));
}

TEST(Golden, WhatTheIsaLacksIsNotFound) {
  for (const char* name : {"mma.m16n8k16.b32.A", "mma.m8n8k16.e4m3.A", "mma.m16n8k64.s8.A",
                           "mma.m16n8k16.bf16", "mma.m16n8k16.bf16.E", "mma.m16n16k16.f16.A",
                           "ldmatrix.x3", "ldmatrix.x1.trans.b16", "mma.m16n8k4.bf16.A",
                           "stmatrix.x8", "", "mma", "mma.m16n8k256.b1.", "MMA.m16n8k16.b16.A"}) {
    EXPECT_EQ(find_builtin(name), nullptr) << name;
  }
}

TEST(Golden, EveryEntrySaysWhereItComesFrom) {
  int inferred = 0;
  for (const Map* map : builtin_spec().maps) {
    const Provenance& from = map->provenance;
    EXPECT_TRUE(map->is_builtin) << map->name;
    EXPECT_NE(from.instruction.find(".sync.aligned."), std::string::npos) << map->name;
    EXPECT_TRUE(from.section.starts_with("9.7.14.5.")) << map->name << ": " << from.section;
    EXPECT_GT(from.section.size(), std::string("9.7.14.5.10 ").size())
        << map->name << " has no title";
    EXPECT_FALSE(from.ptx.empty()) << map->name;
    EXPECT_FALSE(from.sm.empty()) << map->name;
    EXPECT_TRUE(from.status == "documented" || from.status == "inferred") << map->name;
    if (from.status == "inferred") ++inferred;
  }
  EXPECT_EQ(inferred, 1);
  const Provenance& from = find_builtin("mma.m16n8k16.bf16.C")->provenance;
  EXPECT_EQ(from.ptx, "7.0");
  EXPECT_EQ(from.sm, "80");
  EXPECT_EQ(from.types, (std::vector<std::string>{"bf16", "f16"}));
  EXPECT_TRUE(find_builtin("mma.m16n8k8.f64.A")->provenance.types.empty());
  EXPECT_EQ(find_builtin("stmatrix.x2")->provenance.sm, "90");
}

// The comparison itself can fail: the classic mistakes are seen, at every slot that they touch.
TEST(Golden, MistakesAreSeen) {
  const auto wrong = [](const std::string& elem, const std::string& row, const std::string& col) {
    const std::string text = "fragment mma.m16n8k16.b16.A(lane : [g:8, t:4], elem : [" + elem +
                             "]) -> (row : 16, col : 16) : b16\n  row = " + row +
                             "\n  col = " + col + "\n";
    const LoadResult loaded = load_text("mistake.layout", text);
    if (loaded.spec == nullptr) return std::size_t{9999};
    const Map* map = find_map(*loaded.spec, "mma.m16n8k16.b16.A");
    return differences(*loaded.spec, *map, table_of(map->name)).size();
  };
  EXPECT_EQ(wrong("c:2, h:2, e:2", "8*h + g", "8*c + 2*t + e"), 0U);
  EXPECT_EQ(wrong("h:2, c:2, e:2", "8*h + g", "8*c + 2*t + e"),
            128U);  // registers a1 and a2 exchanged
  EXPECT_EQ(wrong("c:2, h:2, e:2", "8*h + g", "8*c + t + 4*e"), 192U);      // tf32's columns
  EXPECT_EQ(wrong("c:2, h:2, e:2", "8*h + g", "8*c + 2*t + 1 - e"), 256U);  // halves exchanged
  EXPECT_EQ(wrong("c:2, h:2, e:2", "2*g + h", "8*c + 2*t + e"), 224U);      // rows interleaved
  EXPECT_EQ(wrong("c:2, h:2, e:2", "8*h + g", "8*c + 2*t"), 128U);          // e forgotten
}

}  // namespace
}  // namespace fragproof
