// The text of the generated header: what is left out of it and why, names, comments, two headers in
// one program.
#include <gtest/gtest.h>

#include "spec/cpp_header.h"
#include "spec/cpp_names.h"
#include "spec/load.h"
#include "spec/tests/cpp_testing.h"

namespace fragproof {
namespace {

// What has no C++ is left out, with its reason, and what calls it too.
TEST(CppText, WhatHasNoCppIsNamed) {
  const LoadResult file = load_text("user.layout", R"(size N
table T[N] : N
map f(x : N) -> (y) = (forall(i : N) i < x) ? 1 : 0
map g(x : N) -> (y) = f(x) + 1
map h(x : 4) -> (y) = x + 0xffffffffffffffffff
map i(x : N) -> (y) = T.inverse(x)
map j(x) -> (y) = 2*x
map k(x : 8) -> (y) = j.inverse(x)
map good(x : N) -> (y) = T[x]
)");
  ASSERT_NE(file.spec, nullptr);
  const CppHeader header = cpp_header({}, {{file.spec.get(), "user", "user.layout", false}});
  EXPECT_EQ(header.left_out, (std::vector<std::string>{
                                 "user.layout: map f: it holds a `forall`",
                                 "user.layout: map g: `f` is not in the header",
                                 "user.layout: map h: 4722366482869645213695 does not fit 64 bits",
                                 "user.layout: map i: it inverts the table `T`",
                                 "user.layout: map k: `j` has no inverse in C++"}));
  EXPECT_EQ(header.written, 2);
  for (const test::Compiler& compiler : test::compilers()) {
    if (compiler.command.empty() || compiler.cuda) continue;
    const std::string folder = test::test_folder("left_out_" + compiler.name);
    test::write_text(folder + "/main.cpp", header.text + "int main() {}\n");
    const test::Output built =
        test::compile(compiler, folder, "main.cpp", test::strict_flags(compiler));
    EXPECT_EQ(built.status, 0) << built.text;
  }
}

// Two headers in one file share what both have.
TEST(CppText, HeadersCanMeet) {
  const LoadResult file = load_text(
      "user.layout", "map f(lane : 32) -> (row) = mma.m16n8k16.bf16.A(lane, 1).row + 1\n");
  ASSERT_NE(file.spec, nullptr);
  const std::vector<const Map*> all(builtin_spec().maps.begin(), builtin_spec().maps.end());
  const std::string first = cpp_header(all, {}).text;
  const std::string second = cpp_header({}, {{file.spec.get(), "user", "user.layout", false}}).text;
  const test::Compiler compiler = test::compilers().front();
  const std::string folder = test::test_folder("meet");
  test::write_text(folder + "/main.cpp", first + second + first + "int main() {}\n");
  const test::Output built =
      test::compile(compiler, folder, "main.cpp", test::strict_flags(compiler));
  EXPECT_EQ(built.status, 0) << built.text;
}

// Names and comments cannot break out of their place.
TEST(CppText, TextsOfTheFileStayInTheirComments) {
  const CppHeader header = [] {
    const LoadResult loaded =
        load_text("a\nint x;\\\n.layout", "map f(x : 4) -> (y) = x   # ends in \\\n");
    return cpp_header({}, {{loaded.spec.get(), "2 a-b", "a\nint x;\\\n.layout", false}});
  }();
  EXPECT_NE(header.text.find("namespace fragproof::n_2_a_b {"), std::string::npos);
  EXPECT_EQ(header.text.find("\\\n"), std::string::npos);
  EXPECT_EQ(header.text.find("\nint x"), std::string::npos);
}

TEST(CppText, NamesBecomeIdentifiers) {
  EXPECT_EQ(cpp_identifier("ldmatrix.x4.trans"), "ldmatrix_x4_trans");
  EXPECT_EQ(cpp_identifier("class"), "class_");
  EXPECT_EQ(cpp_identifier("__a__b_"), "a_b_");
  EXPECT_EQ(cpp_identifier("3d"), "n_3d");
  EXPECT_EQ(cpp_identifier(""), "n_");
  EXPECT_EQ(cpp_identifier("at"), "at_");
  EXPECT_EQ(cpp_identifier("k_count"), "k_count_");
  EXPECT_EQ(cpp_identifier("gemv"), "gemv");
  EXPECT_TRUE(cpp_mentions("a + bc", "bc"));
  EXPECT_FALSE(cpp_mentions("a + bcd", "bc"));
  EXPECT_FALSE(cpp_mentions("a_bc", "bc"));
}

}  // namespace
}  // namespace fragproof
