// Tables of layouts in all their forms.
#include "reports/layout_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/tests/sample.h"
#include "reports/tests/support.h"

namespace fragproof {
namespace {

LayoutTable operand_a() {
  LayoutTable table;
  table.title = "mma.m16n8k16.b16.A";
  table.notes = {"row = 8*h + g", "col = 8*c + 2*t + e"};
  table.coordinate_names = {"row", "col"};
  table.extents = {16, 16};
  table.elems = 8;
  for (int lane = 0; lane < 32; ++lane) {
    for (int elem = 0; elem < 8; ++elem) {
      const RegisterPlace place = register_place(elem, 16, 32);
      table.cells.push_back(
          {lane,
           elem,
           "a" + std::to_string(place.number),
           place.bit,
           {8 * (elem / 2 % 2) + lane / 4, 8 * (elem / 4) + 2 * (lane % 4) + elem % 2},
           ""});
    }
  }
  return table;
}

TEST(LayoutTable, RegisterPlaces) {
  EXPECT_EQ(register_place(3, 16, 32).number, 1);
  EXPECT_EQ(register_place(3, 16, 32).bit, 16);
  EXPECT_EQ(register_place(9, 4, 32).number, 1);
  EXPECT_EQ(register_place(9, 4, 32).bit, 4);
  EXPECT_EQ(register_place(1, 64, 64).number, 1);
  EXPECT_EQ(register_place(-1, 16, 32).number, 0);
  EXPECT_EQ(register_place(1, 16, 0).number, 0);
}

TEST(LayoutTable, Csv) {
  const std::string csv = layout_csv(operand_a());
  EXPECT_EQ(csv.substr(0, 61), "lane,elem,register,bit,row,col\n0,0,a0,0,0,0\n0,1,a0,16,0,1\n0,2");
  EXPECT_EQ(support::count_of(csv, "\n"), 257);
  EXPECT_NE(csv.find("\n5,3,a1,16,9,3\n"), std::string::npos);
}

TEST(LayoutTable, CsvIsInOrderAndQuotes) {
  LayoutTable table;
  table.coordinate_names = {"a,b"};
  table.cells = {{1, 0, "x\"y", 0, {7}, ""}, {0, 0, "r", 0, {}, ""}};
  EXPECT_EQ(layout_csv(table), "lane,elem,register,bit,\"a,b\"\n0,0,r,0,\n1,0,\"x\"\"y\",0,7\n");
}

TEST(LayoutTable, Json) {
  const auto json = nlohmann::json::parse(layout_json(operand_a()));
  EXPECT_EQ(json["title"], "mma.m16n8k16.b16.A");
  ASSERT_EQ(json["cells"].size(), 256u);
  EXPECT_EQ(json["cells"][43]["lane"], 5);
  EXPECT_EQ(json["cells"][43]["row"], 9);
  EXPECT_EQ(json["cells"][43]["text"], "9,3");
}

TEST(LayoutTable, TextGolden) { support::expect_golden("layout.txt", layout_text(operand_a())); }
TEST(LayoutTable, MarkdownGolden) {
  support::expect_golden("layout.md", layout_markdown(operand_a()));
}

TEST(LayoutTable, WideTablesAreCutIntoBlocks) {
  LayoutTable table = operand_a();
  for (LayoutCell& cell : table.cells)
    cell.text = "W[" + std::to_string(cell.lane + 1000) + ", 1000]";
  const std::string text = layout_text(table, 60);
  EXPECT_EQ(support::count_of(text, "lane  "), 3);
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) EXPECT_LE(line.size(), 60u);
}

TEST(LayoutTable, AnOverlapShowsBothElements) {
  LayoutTable table = operand_a();
  table.cells.push_back({5, 3, "a1", 16, {15, 15}, ""});
  EXPECT_NE(layout_text(table).find("9,3 & 15,15"), std::string::npos);
  EXPECT_NE(layout_svg(table).find("two elements in one slot"), std::string::npos);
  EXPECT_NE(layout_svg(table).find("held more than once"), std::string::npos);
  EXPECT_EQ(layout_svg(operand_a()).find("<path"), std::string::npos);
}

TEST(LayoutTable, AnElementThatNobodyHoldsIsSeen) {
  LayoutTable table = operand_a();
  table.cells.pop_back();
  EXPECT_NE(layout_svg(table).find("row 15, col 15: held by no lane"), std::string::npos);
  EXPECT_NE(layout_text(table).find("15,14  -\n"), std::string::npos);
}

TEST(LayoutTable, NothingToShow) {
  const LayoutTable table;
  EXPECT_EQ(layout_text(table), "(no elements)\n");
  EXPECT_EQ(layout_csv(table), "lane,elem,register,bit\n");
  EXPECT_EQ(support::markup_fault(layout_svg(table)), "");
  EXPECT_TRUE(nlohmann::json::accept(layout_json(table)));
}

TEST(LayoutTable, HugeCoordinatesAreNotDrawnAsAMatrix) {
  LayoutTable table = operand_a();
  Int huge = 1;
  for (int i = 0; i < 100; ++i) huge *= 2;
  table.cells[0].coordinates = {huge, -huge};
  table.extents = {huge, huge};
  EXPECT_EQ(layout_svg(table).find("(down) by col"), std::string::npos);
  EXPECT_NE(layout_csv(table).find("1267650600228229401496703205376"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::accept(layout_json(table)));
}

TEST(LayoutTable, HostileTexts) {
  LayoutTable table = operand_a();
  const std::string& t = sample::hostile_text;
  table.title = t;
  table.notes = {t};
  table.coordinate_names = {t, t + "2"};
  for (LayoutCell& cell : table.cells) cell.text = cell.reg = t;
  EXPECT_EQ(support::markup_fault(layout_svg(table)), "");
  EXPECT_EQ(support::markup_fault(layout_html(table)), "");
  EXPECT_TRUE(nlohmann::json::accept(layout_json(table)));
  EXPECT_EQ(layout_markdown(table).find("<script"), std::string::npos);
  for (const std::string& text : {layout_text(table), layout_csv(table), layout_markdown(table)}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(valid_utf8(text), text);
  }
}

TEST(LayoutTable, ThePageIsSelfContained) {
  const std::string page = layout_html(operand_a());
  EXPECT_EQ(support::markup_fault(page), "");
  for (const char* part : {"http:", "https:", "src=", "url("}) {
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace fragproof
