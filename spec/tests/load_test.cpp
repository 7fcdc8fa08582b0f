// Files: includes, tables beside them, the built-in spec, every example, and texts that nobody
// would write.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "spec/tests/load_testing.h"
#include "spec/tests/promises.h"

namespace fragproof::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> examples() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(FRAGPROOF_SOURCE_DIR) / "examples")) {
    if (entry.path().extension() == ".layout") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(Load, EveryExample) {
  const std::vector<std::string> paths = examples();
  EXPECT_GE(paths.size(), 90U);
  for (const std::string& path : paths) {
    const LoadResult result = load_spec(path);
    std::string rendered;
    for (const Diagnostic& d : result.diagnostics) rendered += render(*result.sources, d);
    EXPECT_EQ(rendered, "") << path;
    ASSERT_NE(result.spec, nullptr) << path;
    EXPECT_FALSE(result.spec->claims.empty()) << path;
    EXPECT_EQ(Promises::broken(*result.spec), "") << path;
    EXPECT_EQ(result.sources->file(result.spec->main_file).path, path);
  }
}

TEST(Load, TheBuiltinSpec) {
  const Spec& spec = builtin_spec();
  EXPECT_GE(spec.maps.size(), 40U);
  for (const Map* map : spec.maps) {
    EXPECT_TRUE(map->is_builtin) << map->name;
    EXPECT_TRUE(map->is_fragment) << map->name;
    EXPECT_FALSE(map->provenance.ptx.empty()) << map->name;
    EXPECT_EQ(find_builtin(map->name), map);
    EXPECT_TRUE(spec.sources->file(map->where.file).path.starts_with("<builtin>/"));
  }
  // A place in a built-in text is the same place in every set of sources.
  const LoadResult result = load("prove c: mma.m16n8k16.b16.A(0, 0).row == 0");
  const Map* map = find_builtin("mma.m16n8k16.b16.A");
  EXPECT_EQ(result.sources->text(map->where), "mma.m16n8k16.b16.A");
}

TEST(Load, IncludesAreRelativeToTheIncludingFile) {
  Files files;
  files.texts["dir/main.layout"] = "include \"sub/a.layout\"\nprove c: N == M";
  files.texts["dir/sub/a.layout"] =
      "include \"../b.layout\"\nsize N\nrequire N == M\nprove only_here: N == 1\nlet L = N";
  files.texts["dir/b.layout"] = "size M\nuse mma.m16n8k16.b16 as k16";
  const LoadResult result = load("dir/main.layout", files);
  ASSERT_EQ(errors(result), "");
  EXPECT_EQ(result.spec->sizes.size(), 2U);
  EXPECT_EQ(result.spec->sizes[0]->name, "M");   // in the order of declaration
  EXPECT_EQ(result.spec->requires_.size(), 1U);  // an included file's requires count
  ASSERT_EQ(result.spec->claims.size(), 1U);     // its claims do not
  EXPECT_EQ(result.spec->claims[0].name, "c");
}

TEST(Load, AliasesStayInTheirFile) {
  Files files;
  files.texts["main.layout"] = "include \"a.layout\"\nprove c: k16.A(0, 0).row == 0";
  files.texts["a.layout"] = "use mma.m16n8k16.b16 as k16\nmap f(x) -> (y) = k16.A(0, 0).row";
  EXPECT_EQ(errors(load("main.layout", files)), "main.layout:2:10: unknown name `k16.A`");
  files.texts["main.layout"] =
      "include \"a.layout\"\nuse mma.m16n8k8.b16 as k16\nprove c: k16.A(0, 0).row == f(1)";
  const LoadResult own = load("main.layout", files);
  ASSERT_EQ(errors(own), "");
  EXPECT_EQ(own.spec->claims[0].condition->args[0]->args[0]->map,
            find_builtin("mma.m16n8k8.b16.A"));
}

TEST(Load, AFileIsReadOnceAndCyclesEnd) {
  Files files;
  files.texts["a.layout"] = "include \"b.layout\"\ninclude \"./c.layout\"\nsize A\nprove c: B == C";
  files.texts["b.layout"] = "include \"x/../c.layout\"\ninclude \"a.layout\"\nsize B";
  files.texts["c.layout"] = "size C";
  EXPECT_EQ(errors(load("a.layout", files)), "");
  EXPECT_EQ(files.reads["c.layout"], 1);
  EXPECT_EQ(files.reads["a.layout"], 1);
}

TEST(Load, WhatCannotBeRead) {
  Files files;
  EXPECT_EQ(errors(load("none.layout", files)), "cannot read `none.layout`: there is no such file");
  files.texts["a.layout"] = "include \"none.layout\"\nprove c: from_there == 1";
  EXPECT_EQ(errors(load("a.layout", files)),
            "a.layout:1:1: cannot read `none.layout`: there is no such file");
  files.texts["a.layout"] = "include \"b.layout\"\nprove c: N == N";
  files.texts["b.layout"] = "size N\nlet x = y";
  EXPECT_EQ(errors(load("a.layout", files)), "b.layout:2:9: unknown name `y`");
  EXPECT_EQ(load("a.layout", files).spec, nullptr);
  std::string deep_error;
  for (int i = 0; i < 100; ++i) {
    files.texts["d" + std::to_string(i) + ".layout"] =
        "include \"d" + std::to_string(i + 1) + ".layout\"";
  }
  EXPECT_NE(errors(load("d0.layout", files)).find("nested more than 64 deep"), std::string::npos);
}

TEST(Load, SuggestionsSayWhichFile) {
  Files files;
  files.texts["a.layout"] = "include \"b.layout\"\nprove c: stride_ == 1";
  files.texts["b.layout"] = "\nsize strides";
  EXPECT_EQ(
      errors(load("a.layout", files)),
      "a.layout:2:10: unknown name `stride_`; help: did you mean `strides` (b.layout, line 2)?");
}

TEST(Load, ADeclaredFragmentHoldsWhereItsFileIsIncluded) {
  Files files;
  files.texts["a.layout"] = "include \"b.layout\"\nprove c: ldmatrix.x1(0, 0).src == 0";
  files.texts["b.layout"] =
      "fragment ldmatrix.x1(lane : 32, elem : 2) -> (src : 8, col : 8) : b16\n  src = lane/4\n  "
      "col = elem";
  const LoadResult result = load("a.layout", files);
  ASSERT_EQ(errors(result), "");
  EXPECT_EQ(result.spec->claims[0].condition->args[0]->args[0]->map, result.spec->maps[0]);
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                bool fortran = false) {
  std::string header = "{'descr': '" + descr +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file = std::string("\x93NUMPY\x01", 7) + '\0';
  file += static_cast<char>(header.size() % 256);
  file += static_cast<char>(header.size() / 256);
  return file + header + data;
}

TEST(Load, TablesFromFiles) {
  Files files;
  files.texts["d/a.layout"] =
      "size N\ntable T[2, 2] : 300 = file \"t.npy\"\ntable U[N] = file \"u.csv\"\nprove c: T[1, 0] "
      "== U[2]";
  files.texts["d/t.npy"] =
      npy("<i2", "(2, 2)", std::string("\x01\x00\x02\x00\x2b\x01\x04\x00", 8), false);
  files.texts["d/u.csv"] = "# order\n3, 1;2\n299\n";
  const LoadResult result = load("d/a.layout", files);
  ASSERT_EQ(errors(result), "");
  EXPECT_EQ(result.spec->tables[0]->numbers, (std::vector<Int>{1, 2, 299, 4}));
  EXPECT_EQ(result.spec->tables[1]->numbers, (std::vector<Int>{3, 1, 2, 299}));
}

TEST(Load, TableFilesThatAreWrong) {
  const auto said = [](const std::string& name, const std::string& bytes,
                       const std::string& table = "T[4] : 8") {
    Files files;
    files.texts["a.layout"] = "table " + table + " = file \"" + name + "\"";
    files.texts[name] = bytes;
    return errors(load("a.layout", files));
  };
  const std::string four("\x00\x01\x02\x03", 4);
  EXPECT_EQ(said("t.npy", npy("|u1", "(4,)", four)), "");
  EXPECT_EQ(said("t.npy", npy("<u1", "(4,)", four)), "");
  EXPECT_EQ(said("t.npy", npy("|u1", "(3,)", four)),
            "a.layout:1:7: `t.npy`: its shape asks for 3 bytes of data, it has 4");
  EXPECT_EQ(said("t.npy", npy("|u1", "(4,)", four), "T[5] : 8"),
            "a.layout:1:7: 4 values for 5 entries");
  EXPECT_EQ(said("t.npy", npy("|u1", "(4,)", four), "T[4] : 3"),
            "a.layout:1:7: entry 3 of `T` is 3, outside 0..2");
  EXPECT_EQ(said("t.npy", npy("|i1", "(4,)", std::string("\x00\x01\xff\x03", 4))),
            "a.layout:1:7: entry 2 of `T` is -1, outside 0..7");
  EXPECT_EQ(said("t.npy", npy("|u1", "(2, 2)", four)),
            "a.layout:1:7: `t.npy` has 2 dimensions, `T` has 1");
  EXPECT_EQ(said("t.npy", npy("|u1", "(2, 2)", four), "T[4, 1] : 8"),
            "a.layout:1:9: dimension 0 of `t.npy` is 2, of `T` 4");
  EXPECT_EQ(said("t.npy", npy("|u1", "(2, 2)", four, true), "T[2, 2] : 8"),
            "a.layout:1:7: `t.npy`: it is in Fortran order; save it in C order "
            "(`numpy.ascontiguousarray`)");
  EXPECT_NE(said("t.npy", npy(">i4", "(1,)", four)).find("little-endian integers"),
            std::string::npos);
  for (const std::string type : {"<i16", "<U12", "|S5", "<M8[ns]", "i", ""}) {
    EXPECT_NE(said("t.npy", npy(type, "(1,)", four)).find("its elements are `" + type + "`;"),
              std::string::npos)
        << said("t.npy", npy(type, "(1,)", four));
  }
  const std::string structured = "[('a', '<i4')]";
  std::string bytes = npy(std::string(structured.size() - 2, '@'), "(1,)", four);
  bytes.replace(bytes.find("'@"), structured.size(), structured);
  EXPECT_NE(said("t.npy", bytes).find("its elements are `" + structured + "`;"), std::string::npos)
      << said("t.npy", bytes);
  EXPECT_NE(said("t.npy", npy("<f4", "(1,)", four)).find("its elements are `<f4`"),
            std::string::npos);
  EXPECT_NE(said("t.npy", npy("|u1", "(99999999999999999999, 99999999999999999999)", four))
                .find("too large"),
            std::string::npos);
  EXPECT_NE(said("t.npy", npy("|u1", "nonsense", four)).find("no proper `shape`"),
            std::string::npos);
  EXPECT_NE(said("t.npy", "\x93NUMPY").find("no NumPy file"), std::string::npos);
  EXPECT_NE(said("t.npy", npy("|u1", "(4,)", "").substr(0, 40)).find("ends inside its header"),
            std::string::npos);
  EXPECT_EQ(said("t.csv", "0,1\n2,x7"), "a.layout:1:7: `t.csv`: line 2: `x7` is no integer");
  EXPECT_EQ(said("t.dat", "0"),
            "a.layout:1:7: `t.dat`: tables are read from `.npy`, `.csv` and `.txt` files");
  Files none;
  none.texts["a.layout"] = "table T[4] = file \"no.npy\"";
  EXPECT_EQ(errors(load("a.layout", none)),
            "a.layout:1:7: cannot read `no.npy`: there is no such file");
}

TEST(Load, ReadTextFile) {
  const fs::path folder = fs::path(FRAGPROOF_BINARY_DIR) / "read_text_file";
  fs::create_directories(folder);
  const std::string path = (folder / "t.txt").string();
  { std::ofstream(path, std::ios::binary) << std::string("a\0b\r\n", 5); }
  std::string error;
  EXPECT_EQ(read_text_file(path, error), std::string("a\0b\r\n", 5));
  EXPECT_EQ(read_text_file(folder.string(), error), std::nullopt);
  EXPECT_EQ(error, "it is a folder");
  EXPECT_EQ(read_text_file(path + ".none", error), std::nullopt);
  EXPECT_EQ(error, "there is no such file");
  EXPECT_EQ(read_text_file("/dev/null", error), std::nullopt);
  EXPECT_EQ(error, "it is no regular file");
  fs::remove_all(folder);
}

// Texts that come of right ones by a slip of the keyboard: errors or none, but always an answer.
TEST(Load, BrokenTextsGetAnAnswer) {
  std::mt19937 random(20240607);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<std::string> texts;
  for (const std::string& path : examples()) {
    std::string error;
    if (auto text = read_text_file(path, error)) texts.push_back(*text);
  }
  const std::vector<std::string> words = {
      "lane", "row", "(",   ")", "[",  "]", ":",    "=",     "0", "forall(i : 2)",   ".b4[0]", "N",
      "K",    "f",   "acc", ",", "==", "+", "i32(", "where", "W", "mma.m16n8k16.b16"};
  for (int round = 0; round < 400; ++round) {
    std::string text = texts[below(texts.size())];
    const std::size_t cuts = 1 + below(3);
    for (std::size_t i = 0; i < cuts && text.size() > 40; ++i) {
      const std::size_t at = below(text.size() - 20);
      switch (below(4)) {
        case 0:
          text.erase(at, 1 + below(15));
          break;
        case 1:
          text.insert(at, words[below(words.size())]);
          break;
        case 2:
          text.replace(at, 1 + below(3), words[below(words.size())]);
          break;
        default:
          text.resize(at + 10);
          break;
      }
    }
    const LoadResult result = load(text);
    EXPECT_EQ(result.spec == nullptr, !result.diagnostics.empty());
    EXPECT_LE(result.diagnostics.size(), 20U);
    EXPECT_EQ(result.spec == nullptr ? "" : Promises::broken(*result.spec), "") << text;
    for (const Diagnostic& d : result.diagnostics) EXPECT_FALSE(render(*result.sources, d).empty());
  }
}

}  // namespace
}  // namespace fragproof::testing
