// The generated header against the text that it was generated from: compiled strictly by every
// compiler that is here, and equal to host evaluation at every point.
#include "spec/cpp_header.h"

#include <gtest/gtest.h>

#include <sstream>

#include "spec/cpp_names.h"
#include "spec/cpp_writer.h"
#include "spec/eval.h"
#include "spec/load.h"
#include "spec/tests/cpp_testing.h"

namespace fragproof {
namespace {

using test::Compiler;

// A program that includes the header and reads lines `ID numbers ..`: the function of each ID takes
// some of the numbers and compares what comes out with the others. Prints what differs, and the
// count.
class Comparison {
 public:
  explicit Comparison(std::string header) : header_(std::move(header)) {}

  // All points of a map at these sizes, walked by the evaluator. `pass`: sizes as C++ arguments.
  void add(Evaluator& evaluator, const Map& map, const std::string& struct_name,
           const std::string& pass, bool with_inverse) {
    const std::size_t n = map.domain.coordinates.size(), m = map.outputs.size();
    std::string in, out, back, point_in;
    for (std::size_t i = 0; i < n; ++i) in += (i > 0 ? ", v[" : "v[") + std::to_string(i) + "]";
    for (std::size_t j = 0; j < m; ++j) {
      out += (j > 0 ? ", v[" : "v[") + std::to_string(n + j) + "]";
    }
    std::string same = struct_name + "::contains(" + in + pass + ")";
    for (std::size_t j = 0; j < m; ++j) {
      same += " && " + struct_name + "::" + member(map.outputs[j].name, struct_name) + "(" + in +
              pass + ") == v[" + std::to_string(n + j) + "]";
    }
    for (std::size_t i = 0; with_inverse && i < n; ++i) {
      same += " && " + struct_name + "::" + member(map.domain.coordinates[i].name, struct_name) +
              "(" + out + pass + ") == v[" + std::to_string(i) + "]";
    }
    const int id = static_cast<int>(bodies_.size());
    bodies_.push_back(same);
    device_ += "  sum += " + struct_name + "::" + member(map.outputs[0].name, struct_name) + "(";
    for (std::size_t i = 0; i < n; ++i) device_ += i > 0 ? ", x" : "x";
    device_ += pass + ");\n";
    evaluator.walk(map.domain, {}, [&](const Batch& batch) {
      std::vector<Column> arguments;
      for (const Coordinate& coordinate : map.domain.coordinates) {
        arguments.push_back(batch.find(coordinate.variable)->members[0]);
      }
      const Values values = evaluator.apply(map, arguments, batch.size);
      for (std::size_t p = 0; p < batch.size; ++p) {
        if (values.at(p) != Outcome::Ok) continue;
        rows_ << id;
        for (const Column& argument : arguments) rows_ << ' ' << to_string(argument.at(p));
        for (const Column& value : values.members) rows_ << ' ' << to_string(value.at(p));
        rows_ << '\n';
        ++points;
      }
      return true;
    });
  }

  // A line of its own: `condition` over v, at these numbers.
  void add(const std::string& condition, const std::vector<std::vector<Int>>& rows) {
    const int id = static_cast<int>(bodies_.size());
    bodies_.push_back(condition);
    for (const std::vector<Int>& row : rows) {
      rows_ << id;
      for (const Int value : row) rows_ << ' ' << to_string(value);
      rows_ << '\n';
      ++points;
    }
  }

  std::string extra;  // static_asserts, behind the include
  std::size_t points = 0;

  void run(const std::string& name) {
    std::string program =
        "#include \"fragproof_spec.h\"\n#include <cstdio>\n#include \"fragproof_spec.h\"\n"
        "using std::int64_t;\n" +
        extra + "static bool same(int id, const int64_t* v) {\n  switch (id) {\n";
    for (std::size_t id = 0; id < bodies_.size(); ++id) {
      program += "    case " + std::to_string(id) + ": return " + bodies_[id] + ";\n";
    }
    program +=
        "    default: return false;\n  }\n}\n"
        "#ifdef __CUDACC__\n__global__ void all(int64_t* to, int64_t x) {\n  int64_t sum = 0;\n" +
        device_ +
        "  *to = sum;\n}\n#endif\n"
        "int main() {\n"
        "  long long n = 0, wrong = 0;\n  int id = 0;\n  char line[512];\n"
        "  while (std::fgets(line, sizeof line, stdin) != nullptr) {\n"
        "    int64_t v[16] = {};\n    int used = 0, at = 0;\n"
        "    if (std::sscanf(line, \"%d%n\", &id, &at) != 1) return 2;\n"
        "    long long value = 0;\n"
        "    for (int i = 0; i < 16 && std::sscanf(line + at, \"%lld%n\", &value, &used) == 1; "
        "++i) {\n"
        "      v[i] = value;\n      at += used;\n    }\n"
        "    ++n;\n"
        "    if (!same(id, v) && ++wrong < 6) std::printf(\"differs: %s\", line);\n  }\n"
        "  std::printf(\"%lld points, %lld differ\\n\", n, wrong);\n"
        "  return wrong == 0 ? 0 : 1;\n}\n";
    for (const Compiler& compiler : test::compilers()) {
      SCOPED_TRACE(compiler.name);
      if (compiler.command.empty()) {
        std::printf("[ NOT RUN  ] %s is not on this machine\n", compiler.name.c_str());
        continue;
      }
      const std::string folder = test::test_folder(name + "_" + compiler.name);
      test::write_text(folder + "/fragproof_spec.h", header_);
      test::write_text(folder + "/main.cpp", program);
      test::write_text(folder + "/points.txt", rows_.str());
      const test::Output built =
          test::compile(compiler, folder, "main.cpp", test::strict_flags(compiler));
      ASSERT_EQ(built.status, 0) << built.text.substr(0, 4000);
      const test::Output ran = test::shell("cd '" + folder + "' && ./program < points.txt");
      EXPECT_EQ(ran.text, std::to_string(points) + " points, 0 differ\n");
    }
  }

 private:
  static std::string member(const std::string& name, const std::string& struct_name) {
    const std::string own = struct_name.substr(struct_name.rfind(':') + 1);
    const std::string member = cpp_identifier(name);
    return member == own ? member + "_" : member;
  }

  std::string header_;
  std::vector<std::string> bodies_;
  std::string device_;
  std::ostringstream rows_;
};

std::string struct_of(const Map& builtin) {
  const CppInstruction name = cpp_instruction(builtin);
  return "fragproof::" + name.name + (name.operand.empty() ? "" : "::" + name.operand);
}

std::vector<const Map*> all_fragments() {
  return {builtin_spec().maps.begin(), builtin_spec().maps.end()};
}

// A number that any change of any value of a map changes, computed by the compiler and by us.
std::string checksum_text(const Map& map, const std::string& function) {
  const std::string name = struct_of(map);
  return "constexpr int64_t " + function +
         "() {\n  int64_t sum = 0;\n  for (int64_t lane = 0; lane < " + name +
         "::lane_count(); ++lane) {\n    for (int64_t elem = 0; elem < " + name +
         "::elem_count(); ++elem) {\n      sum = (sum * 31 + 1000 * " + name +
         "::" + cpp_identifier(map.outputs.front().name) + "(lane, elem) + " + name +
         "::" + cpp_identifier(map.outputs.back().name) +
         "(lane, elem)) % 1000003;\n    }\n  }\n  return sum;\n}\n";
}
Int checksum(const Map& map) {
  Evaluator evaluator(builtin_spec(), Shape{});
  Int sum = 0;
  evaluator.walk(map.domain, {}, [&](const Batch& batch) {
    const Values values =
        evaluator.apply(map,
                        {batch.find(map.domain.coordinates[0].variable)->members[0],
                         batch.find(map.domain.coordinates[1].variable)->members[0]},
                        batch.size);
    for (std::size_t p = 0; p < batch.size; ++p) {
      sum =
          (sum * 31 + 1000 * values.members.front().at(p) + values.members.back().at(p)) % 1000003;
    }
    return true;
  });
  return sum;
}

// Every built-in fragment, every lane and element, there and back; the same in constant
// expressions.
TEST(CppHeader, EveryBuiltinIsWhatTheTextSays) {
  const CppHeader header = cpp_header(all_fragments(), {});
  EXPECT_EQ(header.left_out, std::vector<std::string>{});
  EXPECT_EQ(header.text.find("by search"), std::string::npos) << "an inverse without a formula";
  Comparison comparison(header.text);
  Evaluator evaluator(builtin_spec(), Shape{});
  int number = 0;
  for (const Map* map : all_fragments()) {
    comparison.add(evaluator, *map, struct_of(*map), "", true);
    const std::string function = "sum" + std::to_string(number++);
    comparison.extra += checksum_text(*map, function) + "static_assert(" + function +
                        "() == " + to_string(checksum(*map)) + ", \"" + map->name + "\");\n";
  }
  // From the PTX ISA, by hand: lane 5 is g = 1, t = 1.
  comparison.extra +=
      "using Mma = fragproof::mma_m16n8k16_bf16;\n"
      "static_assert(Mma::A::row(5, 2) == 9 && Mma::A::col(5, 2) == 2, \"\");\n"
      "static_assert(Mma::B::row(5, 3) == 11 && Mma::B::col(5, 3) == 1, \"\");\n"
      "static_assert(Mma::D::row(5, 3) == 9 && Mma::D::col(5, 3) == 3, \"\");\n"
      "static_assert(Mma::A::lane(9, 2) == 5 && Mma::A::elem(9, 2) == 2, \"\");\n"
      "static_assert(Mma::A::register_of(3) == 1 && Mma::A::bit_of(3) == 16, \"\");\n"
      "static_assert(Mma::A::lane_count() == 32 && Mma::A::elem_count() == 8, \"\");\n"
      "static_assert(!Mma::A::contains(32, 0) && !Mma::A::contains(0, -1), \"\");\n"
      "static_assert(fragproof::ldmatrix_x4_trans::src(5, 3) == 11, \"\");\n";
  EXPECT_GT(comparison.points, 20000U);
  comparison.run("builtin");
}

// The comparison can fail: one stride of the header changed is seen, by the compiler already.
TEST(CppHeader, AChangedFormulaIsSeen) {
  std::string text = cpp_header({find_builtin("mma.m16n8k16.b16.A")}, {}).text;
  const std::string formula = "8 * h + g";
  ASSERT_NE(text.find(formula), std::string::npos);
  text.replace(text.find(formula), formula.size(), "8 * g + h");
  const Map& map = *find_builtin("mma.m16n8k16.b16.A");
  const std::string folder = test::test_folder("changed");
  test::write_text(folder + "/fragproof_spec.h", text);
  test::write_text(folder + "/main.cpp", "#include \"fragproof_spec.h\"\nusing std::int64_t;\n" +
                                             checksum_text(map, "sum") +
                                             "static_assert(sum() == " + to_string(checksum(map)) +
                                             ", \"it differs\");\nint main() {}\n");
  const Compiler compiler = test::compilers().front();
  const test::Output built =
      test::compile(compiler, folder, "main.cpp", test::strict_flags(compiler));
  EXPECT_NE(built.status, 0);
  EXPECT_NE(built.text.find("it differs"), std::string::npos) << built.text;
}

// ---- the user's own

struct File {
  LoadResult loaded;
  explicit File(const std::string& text) : loaded(load_text("user.layout", text)) {
    for (const Diagnostic& diagnostic : loaded.diagnostics) {
      ADD_FAILURE() << render(*loaded.sources, diagnostic);
    }
  }
  [[nodiscard]] CppHeader header() const {
    return cpp_header({}, {{loaded.spec.get(), "user", "user.layout", false}});
  }
  [[nodiscard]] const Map& map(const std::string& name) const {
    for (const Map* map : loaded.spec->maps) {
      if (map->name == name) return *map;
    }
    throw std::out_of_range(name);
  }
  [[nodiscard]] Evaluator at(const std::vector<Int>& sizes) const {
    Shape shape;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      shape.sizes.emplace_back(loaded.spec->sizes.at(i), sizes[i]);
    }
    return {*loaded.spec, shape};
  }
};

std::string passed(const std::vector<Int>& sizes) {
  std::string text;
  for (const Int size : sizes) text += ", " + to_string(size);
  return text;
}

constexpr const char* own_maps = R"(size K, N
require K % 16 == 0 && N % 64 == 0
use mma.m16n8k16.b16 as k16
let KT = K/16, wide = K > N
let [half:2, quarter:4] = 5
table order[8] : 8 = {0, 4, 1, 5, 2, 6, 3, 7}
table grid[2, 3] : 100 = {{1, 2, 3}, {40, 50, 60}}
map marlin(k : [kt:KT, h:2, t:4, s:2], n : [nc:N/64, j:4, b:2, g:8]) -> (word : K*N/8, nibble : 8)
  word   = kt*2*N + 128*nc + 4*(4*g + t) + j
  nibble = 4*s + 2*b + h
prove bijective(marlin)
map swz(r : 16, c : 64) -> (column : 64) = 8*(c/8 ^ r % 8) + c % 8
map swap(x : 8) -> (y : 8) = order[x]
map back(x : 8) -> (y : 8) = order.inverse(x)
map cell(i : 2, j : 3) -> (v) = grid[i, j] + half + quarter
map halved(x : 64) -> (y) = (x - 32) & ~7
map below(x : 20) -> (y) = -(x - 30) - ((x - 10) * (x - 9) >= 0 && !(x > 4) ? -x : x*3 - 100)
map whole(lane : 32, i : 8, kt : KT) -> (at) = (16*kt + k16.A(lane, i).col)*N + k16.A(lane, i).row
map triangle(i : 8, j : i + 1 where (i + j) % 3 != 1) -> (p) = i*(i + 1)/2 + j
map pick(x : K) -> (y) = wide ? x*N : min(x, N, 3*x) + ceildiv(x, 3) - max(x, 7)
map found(w : K*N/8, b : 8) -> (k : K, n : N) = marlin.inverse(w, b)
map nested(lane : 32, v : 8) -> (p) = cute(((4,8),(2,2,2)):((32,1),(16,8,128)))(lane, v)
map shifted(x : 70) -> (y) = (0x7fffffff >> x) + (1 << x % 40) + (x << 33)
map unit(i : 8, j : 16) -> (u) = i*16 + (j ^ (i % 8))
map walk(i : 8, lo : 2, q : 5) -> (u)
  let d = q % 4 == 3
  carry o over q = unit(i, lo) then (o ^ (0x2 + (0x4*(q % 2 == 1)))) + d*8
  u = o
map column(x : 8) -> (column) = (x == 3) + (x != 3 & x < 6) + (x > 1 ^ x > 2) * 10
map both(x : 8) -> (a, b)
  a = x*3
  let pair = x % 2 == 0 ? (a, x) : (x, a), same = pair == (a, x)
  b = pair.0 + 100*same
map class(int : 4, at : 4) -> (result : 16) = int*4 + at
prove bijective(class)
)";

TEST(CppHeader, MapsOfAFileAtSeveralShapes) {
  std::string text = own_maps;
  text.replace(text.find("pair.0"), 6, "a");  // members of an unnamed tuple have no names
  const File file(text);
  const CppHeader header = file.header();
  EXPECT_EQ(header.left_out, std::vector<std::string>{});
  Comparison comparison(header.text);
  for (const std::vector<Int>& sizes :
       std::vector<std::vector<Int>>{{16, 64}, {48, 64}, {160, 128}}) {
    Evaluator evaluator = file.at(sizes);
    const std::string both = passed(sizes);
    comparison.add(evaluator, file.map("marlin"), "fragproof::user::marlin", both, sizes[0] == 16);
    comparison.add(evaluator, file.map("whole"), "fragproof::user::whole", both, false);
    comparison.add(evaluator, file.map("pick"), "fragproof::user::pick", both, false);
    if (sizes[0] == 16) {
      comparison.add(evaluator, file.map("found"), "fragproof::user::found", both, false);
    }
  }
  Evaluator evaluator = file.at({16, 64});
  for (const char* name : {"swap", "back", "cell", "class_", "nested"}) {
    const std::string plain = std::string(name) == "class_" ? "class" : name;
    comparison.add(evaluator, file.map(plain), "fragproof::user::" + std::string(name), "", true);
  }
  for (const char* name :
       {"swz", "halved", "below", "triangle", "shifted", "unit", "walk", "column", "both"}) {
    comparison.add(evaluator, file.map(name), "fragproof::user::" + std::string(name), "", false);
  }
  comparison.add("!fragproof::user::triangle::contains(v[0], v[1])",
                 {{3, 4}, {-1, 0}, {8, 0}, {1, 0}, {2, 2}});
  comparison.add("fragproof::user::order::inverse(v[0]) == v[1]", {{7, 7}, {4, 1}, {9, -1}});
  comparison.add("fragproof::user::class_::inverse(v[0]).int_ == v[1]", {{7, 1}, {15, 3}});
  comparison.extra =
      "static_assert(fragproof::user::marlin::word_count(16, 64) == 128, \"\");\n"
      "static_assert(fragproof::user::swz::column(3, 8) == 16, \"\");\n";
  comparison.run("maps");
}

constexpr const char* own_packs = R"(size N, K
require N % 16 == 0 && K % 32 == 0
tensor W[N, K] : bf16
tensor V[N, K] : u4
table T[N] : N
require bijective(T)
pack Wp = W.reshape(N/16, 2, 8, K/32, 4, 2, 2, 2).permute(0, 3, 5, 2, 4, 6, 1, 7).contiguous()
pack Twice = W.reshape(N/16, 16, K/8, 8).permute(0, 2, 1, 3).reshape(N*K/32, 8, 4).permute(1, 0, 2)
pack Rows[N*K] : bf16
  for (n : N, k : K) Rows[T[n]*K + k] = W[n, k]
pack Q[N*K/8] : b32
  for (n : N, k : K) Q[(n*K + k)/8].b4[(k % 2)*4 + k % 8/2] = V[n, k]
pack Two[2*N*K] : bf16
  for (n : N, k : K) Two[n*K + k] = W[n, k]
  for (n : N, k : K) Two[N*K + n*K + k] = 0
)";

// A pack's index is where the evaluator's image of the pack holds the element.
TEST(CppHeader, PacksOfAFileAtSeveralShapes) {
  const File file(own_packs);
  const CppHeader header = file.header();
  EXPECT_EQ(header.left_out, std::vector<std::string>{});
  Comparison comparison(header.text);
  for (const std::vector<Int>& sizes : std::vector<std::vector<Int>>{{16, 32}, {48, 64}}) {
    Shape shape;
    for (std::size_t i = 0; i < 2; ++i)
      shape.sizes.emplace_back(file.loaded.spec->sizes[i], sizes[i]);
    for (Int n = 0; n < sizes[0]; ++n) {
      shape.tables[file.loaded.spec->tables[0]].push_back(sizes[0] - 1 - n);
    }
    Evaluator evaluator(*file.loaded.spec, shape);
    for (const Array* pack : file.loaded.spec->arrays) {
      const bool chain = pack->name == "Wp" || pack->name == "Twice";
      if (!chain && pack->name != "Q" && pack->name != "Rows") continue;
      const Image& image = evaluator.image(*pack);
      const int bits = pack->name == "Q" ? 4 : 16;
      ASSERT_EQ(bits % image.granule, 0);
      std::vector<std::vector<Int>> rows;
      const Int elements = sizes[0] * sizes[1];
      for (Int place = 0; place < elements; ++place) {
        const std::int64_t code =
            image.code(static_cast<std::size_t>(place * bits / image.granule));
        ASSERT_GE(code, 0) << pack->name << " " << to_string(place);
        const BitRun run = evaluator.origin(code, bits);
        const Int element = run.bit / bits;
        rows.push_back({element / sizes[1], element % sizes[1], place, element});
      }
      const std::string name = "fragproof::user::" + pack->name;
      if (chain) {
        comparison.add(name + "::index(v[0], v[1]" + passed(sizes) + ") == v[2] && " + name +
                           "::source_index(v[2]" + passed(sizes) + ") == v[3] && " + name +
                           "::count(" + passed(sizes).substr(2) + ") == " + to_string(elements),
                       rows);
      } else if (pack->name == "Q") {
        comparison.add(name + "::index(v[0], v[1]" + passed(sizes) + ") == v[2] && " + name +
                           "::source_index(v[0], v[1]" + passed(sizes) + ") == v[3]",
                       rows);
      } else {
        comparison.extra += "static const int64_t table" + to_string(sizes[0]) + "[] = {";
        for (Int n = 0; n < sizes[0]; ++n) {
          comparison.extra += (n > 0 ? ", " : "") + to_string(sizes[0] - 1 - n);
        }
        comparison.extra += "};\n";
        comparison.add(name + "::index(v[0], v[1]" + passed(sizes) + ", table" +
                           to_string(sizes[0]) + ") == v[2]",
                       rows);
      }
    }
  }
  comparison.add("fragproof::user::Two::fill1::index(1, 2, 16, 32) == v[0]", {{16 * 32 + 34}});
  comparison.run("packs");
}

constexpr const char* own_kernel = R"(size M, N, K
require M % 16 == 0 && N % 8 == 0 && K % 16 == 0
tensor A[M, K] : bf16
tensor B[N, K] : bf16
tensor C[M, N] : f32
kernel mul computes C[m, n] += A[m, k] * B[n, k]
  parallel (mb : M/16, nb : N/8)
  reduce   (kt : K/16)
  let [g:8, t:4] = lane
  shared As[16, 24] : bf16
  for (r : 16, c : 16) As[r, c] = A[16*mb + r, 16*kt + c]
  load a : ldmatrix.x4 from As[lane % 16, 8*(lane/16)]
  load b0 : b32 from B[8*nb + g, 16*kt + 2*t]
  load b1 : b32 from B[8*nb + g, 16*kt + 2*t + 8] if 8*nb + g < N else 0
  acc += mma.m16n8k16.bf16(a, {b0, b1})
  store acc to C[16*mb + row, 8*nb + col] if 16*mb + row < M
prove mul
)";

TEST(CppHeader, AKernelsIndices) {
  const File file(own_kernel);
  const CppHeader header = file.header();
  EXPECT_EQ(header.left_out, std::vector<std::string>{});
  Comparison comparison(header.text);
  std::vector<std::vector<Int>> rows;
  for (Int lane = 0; lane < 32; ++lane) {
    const Int g = lane / 4, t = lane % 4, mb = 1, nb = 2, kt = 3, N = 40, K = 64;
    // lane, elem of C, then a, b0, b1, the store; written out a second time, from the kernel's
    // text.
    const Int elem = lane % 4;
    const Int row = g + 8 * (elem / 2), col = 2 * t + elem % 2;
    rows.push_back({lane, elem, (lane % 16) * 24 + 8 * (lane / 16),
                    (8 * nb + g) * K + 16 * kt + 2 * t, (8 * nb + g) * K + 16 * kt + 2 * t + 8,
                    (16 * mb + row) * N + 8 * nb + col});
  }
  comparison.add(
      "fragproof::user::mul::a::index(v[0]) == v[2] && "
      "fragproof::user::mul::b0::index(v[0], 2, 3, 64) == v[3] && "
      "fragproof::user::mul::b1::index(v[0], 2, 3, 64) == v[4] && "
      "fragproof::user::mul::b1::contains(v[0], 2, 40) && "
      "fragproof::user::mul::store::index(v[0], v[1], 1, 2, 40) == v[5] && "
      "fragproof::user::mul::store::contains(v[0], v[1], 1, 32)",
      rows);
  comparison.extra =
      "static_assert(fragproof::user::mul::mb_count(32) == 2, \"\");\n"
      "static_assert(fragproof::user::mul::fill_As::index(2, 3) == 51, \"\");\n"
      "static_assert(fragproof::user::mul::fill_As::source_index(2, 3, 1, 2, 64) == 1187, \"\");\n"
      "static_assert(fragproof::user::mul::a::bits == 128, \"\");\n";
  comparison.run("kernel");
}

}  // namespace
}  // namespace fragproof
