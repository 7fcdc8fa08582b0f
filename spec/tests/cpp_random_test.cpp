// Random expressions of the language as C++: what a compiled program computes is what the evaluator
// says, negative values and every pair of operators included.
#include <gtest/gtest.h>

#include <random>

#include "spec/cpp_header.h"
#include "spec/eval.h"
#include "spec/load.h"
#include "spec/tests/cpp_testing.h"

namespace fragproof {
namespace {

// Texts with no parentheses but those that C's precedence needs not: the tree is the parser's.
class Texts {
 public:
  explicit Texts(unsigned seed) : random_(seed) {}
  std::string number(int depth) {
    if (depth == 0) return one_of({"a", "b", "a", "b", "1", "3", "7", "(a - 5)", "(b - 9)", "2"});
    switch (pick(10)) {
      case 0:
        return "(" + condition(depth - 1) + " ? " + number(depth - 1) + " : " + number(depth - 1) +
               ")";
      case 1:
        return one_of({"-", "~"}) + operand(depth);
      case 2:
        return one_of({"min", "max", "ceildiv"}) + "(" + number(depth - 1) + ", " +
               number(depth - 1) + ")";
      case 3:
        return "[" + one_of({"a % 3", "1"}) + ":3, " + one_of({"b % 4", "a % 2"}) + ":4]";
      case 4:
        return "(" + condition(depth - 1) + ")" + one_of({" + ", " * ", " - "}) + operand(depth);
      default:
        return operand(depth) +
               one_of({" + ", " - ", " * ", " / ", " % ", " << ", " >> ", " & ", " | ", " ^ "}) +
               operand(depth);
    }
  }
  std::string condition(int depth) {
    switch (depth == 0 ? 9 : pick(5)) {
      case 0:
        return "!(" + condition(depth - 1) + ")";
      case 1:
        return "(" + condition(depth - 1) + ")" +
               one_of({" && ", " || ", " & ", " | ", " ^ ", " == "}) + "(" + condition(depth - 1) +
               ")";
      default:
        return "(" + number(depth) + ")" + one_of({" == ", " != ", " < ", " <= ", " > ", " >= "}) +
               "(" + number(depth) + ")";
    }
  }

 private:
  // In parentheses half the time: without, the operators group as their precedence says.
  std::string operand(int depth) {
    const std::string text = number(depth - 1);
    return pick(2) == 0 ? text : "(" + text + ")";
  }
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string one_of(const std::vector<std::string>& texts) {
    return texts[pick(static_cast<unsigned>(texts.size()))];
  }
  std::mt19937 random_;
};

TEST(CppRandom, ExpressionsHaveTheValueOfTheText) {
  std::string file;
  int maps = 0;
  for (unsigned seed = 0; maps < 400 && seed < 2000; ++seed) {
    Texts texts(seed);
    // i64(..): a point where something leaves 64 bits is undefined, and so not asked of C++.
    const std::string line =
        "map fn" + std::to_string(maps) + "(a : 12, b : 9) -> (y) = i64(" + texts.number(3) + ")\n";
    if (load_text("one.layout", line).spec == nullptr) continue;  // e.g. literals divide by zero
    file += line;
    ++maps;
  }
  ASSERT_GE(maps, 300);
  const LoadResult loaded = load_text("random.layout", file);
  ASSERT_NE(loaded.spec, nullptr);
  const CppHeader header = cpp_header({}, {{loaded.spec.get(), "r", "random.layout", false}});
  EXPECT_EQ(header.left_out, std::vector<std::string>{});
  std::string rows,
      program =
          "#include \"fragproof_spec.h\"\n#include <cstdio>\nusing namespace fragproof::r;\n"
          "static std::int64_t f(int id, long long a, long long b) {\n  switch (id) {\n";
  Evaluator evaluator(*loaded.spec, Shape{});
  long points = 0, negative = 0;
  for (int id = 0; id < maps; ++id) {
    const std::string name = "fn" + std::to_string(id);
    program += "    case " + std::to_string(id) + ": return " + name + "::y(a, b);\n";
    const Map& map = *loaded.spec->maps.at(static_cast<std::size_t>(id));
    for (std::int64_t a = 0; a < 12; ++a) {
      for (std::int64_t b = 0; b < 9; ++b) {
        const Values value = evaluator.apply(map, {Column(a), Column(b)}, 1);
        if (value.at(0) != Outcome::Ok) continue;
        ++points;
        if (value.members[0].at(0) < 0) ++negative;
        rows += std::to_string(id) + " " + std::to_string(a) + " " + std::to_string(b) + " " +
                to_string(value.members[0].at(0)) + "\n";
      }
    }
  }
  EXPECT_GT(points, 10'000);
  EXPECT_GT(negative, 1'000);
  program +=
      "    default: return 0;\n  }\n}\nint main() {\n  int id;\n  long long a, b, y;\n"
      "  long n = 0, wrong = 0;\n"
      "  while (std::scanf(\"%d %lld %lld %lld\", &id, &a, &b, &y) == 4) {\n"
      "    ++n;\n    if (f(id, a, b) == y || ++wrong > 5) continue;\n"
      "    std::printf(\"fn%d(%lld, %lld) = %lld, not %lld\\n\", id, a, b, "
      "static_cast<long long>(f(id, a, b)), y);\n  }\n"
      "  std::printf(\"%ld points, %ld differ\\n\", n, wrong);\n}\n";
  const test::Compiler compiler = test::compilers().front();
  const std::string folder = test::test_folder("random");
  test::write_text(folder + "/fragproof_spec.h", header.text);
  test::write_text(folder + "/main.cpp", program);
  test::write_text(folder + "/points.txt", rows);
  // Random texts compare things with themselves, so only the warnings about precedence are errors.
  const test::Output built =
      test::compile(compiler, folder, "main.cpp",
                    "-std=c++17 -O1 -Wparentheses -Wconversion -Werror -fsanitize=undefined "
                    "-fno-sanitize-recover=all");
  ASSERT_EQ(built.status, 0) << built.text.substr(0, 3000);
  const test::Output ran = test::shell("cd '" + folder + "' && ./program < points.txt");
  EXPECT_EQ(ran.text, std::to_string(points) + " points, 0 differ\n");
}

}  // namespace
}  // namespace fragproof
