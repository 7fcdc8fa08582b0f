// The sample records.
#include "reports/tests/sample.h"

namespace fragproof::sample {
namespace {

std::string weight(int row, int col) {
  return "W[" + std::to_string(row) + ", " + std::to_string(col) + "]";
}

Check proved() {
  Check check;
  check.id = "gemv/gemv.A.rows";
  check.kind = "A.rows";
  check.verdict = Verdict::Proved;
  check.methods = {"radix", "enumerate"};
  check.needs = {"N % 16 == 0 && K % 32 == 0"};
  check.unused = {"M < 1 << 31"};
  check.time_ms = 3.2;
  check.file = "gemv.layout";
  check.line = 47;
  check.column = 1;
  check.source_line = "prove gemv";
  check.reproduce = "fragproof prove gemv.layout --only gemv/gemv.A.rows";
  check.shapes_tried = 12;
  check.z3_queries = 3;
  check.rlimit = 4711;
  Proof proof;
  proof.method = "radix";
  proof.steps = {{"box", "0 <= lane <= 31", {}, true},
                 {"division", "lane = 4*g + t, 0 <= g < 8, 0 <= t < 4", {0}, true},
                 {"identity", "row = 16*rb + 8*h + g", {0, 1}, false}};
  proof.notes = {"slot 2t+e -> k 8t+4s+e"};
  check.proof = proof;
  return check;
}

Check surprising() {
  Check check;
  check.id = "gemv_swap/gemv.A.rows";
  check.kind = "A.rows";
  check.verdict = Verdict::Refuted;
  check.methods = {"enumerate"};
  check.time_ms = 1.4;
  check.file = "gemv_swap.layout";
  check.line = 18;
  check.column = 3;
  check.source_line = "  p = [rb:N/16, kb:K/32, s:2, g:8, t:4, h:2, j:2, e:2]";
  check.context_line = 16;
  check.context = {
      "# registers a1 and a2 swapped",
      "map place(n : [rb:N/16, h:2, g:8], k : [kb:K/32, t:4, s:2, j:2, e:2]) -> (p : N*K)",
      check.source_line, "", "prove same_pack: bijective(place)"};
  check.reproduce = "fragproof prove gemv_swap.layout --only gemv_swap/gemv.A.rows --at N=16,K=32";
  Counterexample c;
  c.sizes = {{"N", 16}, {"K", 32}, {"M", 1}, {"S", 1}, {"NW", 1}, {"U", 1}};
  c.at = {{"rb", 0}, {"nb", 0}, {"step", 0}};
  c.lane = 5;
  c.elem = 2;
  c.reg = "a1";
  c.half = "low";
  c.expected = "W[9, 8]";
  c.found = "W[1, 10]";
  c.wrong = 128;
  c.of = 256;
  c.text = "Row 9 of operand A is row 9 of W in slot 0, and row 1 of W in slot 2.";
  c.picture = swapped_picture();
  check.counterexample = c;
  return check;
}

Check simple(const std::string& id, Verdict verdict, Verdict expected, const std::string& reason) {
  Check check;
  check.id = id;
  check.kind = "forall";
  check.verdict = verdict;
  check.expected = expected;
  check.reason = reason;
  check.methods = {"smt"};
  check.file = "sizes.layout";
  check.line = 9;
  check.column = 1;
  check.source_line = "prove " + id.substr(id.find('/') + 1) + ": N*K < 1 << 62";
  check.reproduce = "fragproof prove sizes.layout --only " + id;
  check.time_ms = 250;
  return check;
}

}  // namespace

Picture swapped_picture() {
  Picture picture;
  picture.title = "operand A of mma.m16n8k16.b16 at rb=0, kb=0, step=0";
  for (int lane = 0; lane < 32; ++lane) {
    for (int elem = 0; elem < 8; ++elem) {
      const auto held = [&](int i) {
        const int c = i / 4, h = i / 2 % 2, e = i % 2;
        return weight(8 * h + lane / 4, 8 * (lane % 4) + 2 * c + e);
      };
      const int c = elem / 4, h = elem / 2 % 2, e = elem % 2;
      PictureCell cell{lane, elem, held(elem), held(4 * h + 2 * c + e), false};
      cell.wrong = cell.expected != cell.found;
      picture.cells.push_back(cell);
    }
  }
  return picture;
}

Picture faulty_picture() {
  Picture picture;
  picture.title = "every fault";
  picture.register_prefix = "b";
  picture.lanes = 2;
  picture.elems = 4;
  picture.cells = {{0, 0, "B[0, 0]", "B[0, 0]", false}, {0, 1, "B[1, 0]", "B[9, 9]", true},
                   {0, 2, "B[2, 0]", "", true},         {0, 3, "", "B[3, 0]", true},
                   {1, 0, "B[0, 1]", "B[0, 1]", true},  {1, 0, "B[0, 1]", "B[4, 4]", true},
                   {1, 1, "B[1, 1]", "B[1, 1]", false}};
  return picture;
}

Record record() {
  Record record;
  record.tool_version = "0.1.0";
  record.z3_version = "4.8.12";
  record.command = "fragproof prove gemv.layout gemv_swap.layout sizes.layout";
  record.specs = {{"instructions", "0123456789abcdef"}, {"gemv.layout", "00000000000000a1"}};
  record.checks = {proved(), surprising()};
  Check expected = simple("sizes/wraps", Verdict::Refuted, Verdict::Refuted, "");
  expected.methods = {"enumerate"};
  expected.counterexample.emplace();
  expected.counterexample->sizes = {{"M", 46341}, {"N", 46341}};
  expected.counterexample->tables = {{"T", {1, 0}}};
  expected.counterexample->smallest = false;
  expected.counterexample->wrong = 1;
  expected.counterexample->of = 1;
  expected.counterexample->text = "M*N = 2147488281 does not fit i32.";
  record.checks.push_back(expected);
  record.checks.push_back(simple("sizes/large", Verdict::Unknown, Verdict::Proved,
                                 "Z3 gave up: the rlimit of 4000000 is spent."));
  record.checks.push_back(
      simple("sizes/empty", Verdict::Vacuous, Verdict::Proved, "No sizes satisfy N < 1."));
  record.checks.push_back(
      simple("sizes/late", Verdict::Skipped, Verdict::Proved, "Interrupted before it was judged."));
  return record;
}

const std::string hostile_text =
    std::string("<script>alert(1)</script>\"'&]]>--><svg onload=x>\x1b[31m\r\n\t") +
    "\xff\xc0\xaf\xe2\x80\xae\xed\xa0\x80 ```|*_" + std::string(1, '\0') + "end";

Record hostile_record() {
  Record record = sample::record();
  const std::string& t = hostile_text;
  record.tool_version = record.z3_version = record.command = t;
  record.specs = {{t, t}};
  for (Check& check : record.checks) {
    check.id += t;
    check.kind = check.reason = check.note = check.file = check.source_line = check.reproduce = t;
    check.methods = check.needs = check.unused = check.context = {t, t};
    check.context_line = 1;
    if (check.proof) {
      check.proof->method = t;
      check.proof->notes = {t};
      for (ProofStep& step : check.proof->steps) step.lemma = step.statement = t;
    }
    if (!check.counterexample) continue;
    Counterexample& c = *check.counterexample;
    c.reg = c.half = c.expected = c.found = c.text = t;
    c.sizes = {{t, 1}};
    c.at = {{t, 2}};
    c.tables = {{t, {1, 2}}};
    if (!c.picture) continue;
    c.picture->title = c.picture->register_prefix = t;
    for (PictureCell& cell : c.picture->cells) cell.expected += t, cell.found += t;
  }
  return record;
}

}  // namespace fragproof::sample
