// Grows texts top down: sizes, tables, maps over the sizes, then claims over all of these.
#include "checkers/tests/random_layout.h"

#include <random>
#include <vector>

namespace fragproof::random_layout {
namespace {

using Names = std::vector<std::string>;

class Grower {
 public:
  explicit Grower(std::uint32_t seed) : random_(seed) {}

  std::string text() {
    sizes();
    tables();
    if (one_in(2)) radix_map("f");
    if (one_in(2)) free_map("g");
    if (one_in(4)) carry_map("w");
    if (one_in(3)) lane_map("bank");
    if (one_in(2)) packs();
    const int claims = 2 + below(4);
    for (int i = 0; i < claims; ++i) claim("c" + std::to_string(i));
    return out_;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  std::string pick(const Names& names) {
    return names[static_cast<std::size_t>(below(static_cast<int>(names.size())))];
  }
  std::string number(int n) { return std::to_string(below(n)); }
  void line(const std::string& text) { out_ += text + "\n"; }

  void sizes() {
    line("size P, Q");
    const Names requires_{"P % 2 == 0",
                          "Q % 4 == 0",
                          "P % Q == 0",
                          "P % (2*Q) == 0",
                          "(P + 1) % 2 == 0",
                          "P <= 6",
                          "Q >= 2",
                          "P == 4 || P == 8",
                          "P >= Q",
                          "Q > P",
                          "P != 3",
                          "Q <= 5",
                          "8 % Q == 0",
                          "P % 3 == 1",
                          "P == 2*Q",
                          "(P - Q) % 2 == 0",
                          "P*Q <= 20",
                          "Q == 3",
                          "P % 4 == 0 && P/4 % Q == 0",
                          "P/2 >= 1"};
    for (int i = below(3); i > 0; --i) line("require " + pick(requires_));
    line("let KB = " + pick({"P/2", "ceildiv(Q, 4)", "P*Q/2", "P/4", "Q + 1", "P/Q"}));
  }

  // Sizes, zeros among them where the sizes are small, a negative one now and then.
  std::string extent() {
    if (one_in(3)) return std::to_string(1 + below(8));
    return pick({"P", "Q", "P", "Q", "2*P", "4*Q", "P*Q", "P/2", "ceildiv(Q, 4)", "P - 1", "P/4",
                 "max(0, P - 3)", "Q + 1", "KB", "P % 3", "min(P, Q)", "P/Q", "ceildiv(P, Q)",
                 "P - 2"});
  }
  std::string divisor() {
    if (!one_in(3)) return std::to_string(1 + below(8));
    return pick({"P", "Q", "Q", "(Q + 1)", "(2*Q)", "(P/4)", "KB", "(P - 1)", "(Q + P)"});
  }

  void tables() {
    if (one_in(3)) {
      line("table F[4] : 4 = " + pick({"{0, 2, 1, 3}", "{3, 1, 0, 2}", "{1, 1, 0, 2}"}));
      fixed_ = true;
    }
    if (one_in(7)) {
      // A table that no require lets exist makes the enumerator look for one for long.
      const std::string range = pick({"P", "P", "P + 1", "Q"});
      line("table T[P] : " + range);
      if (range == "P" && one_in(2)) line("require " + pick({"bijective(T)", "injective(T)"}));
      if (range == "P + 1" && one_in(2)) line("require injective(T)");
      unknown_ = true;
    }
  }

  std::string term(const Names& names, int depth) {
    if (depth == 0 || one_in(4)) {
      if (names.empty() || one_in(4)) return one_in(3) ? pick({"P", "Q", "KB"}) : number(6);
      return pick(names);
    }
    const auto sub = [&] { return term(names, depth - 1); };
    switch (below(18)) {
      case 0:
      case 1:
      case 2:
        return "(" + sub() + " + " + sub() + ")";
      case 3:
      case 4:
        return sub() + "*" + divisor();
      case 5:
        return "(" + sub() + " - " + sub() + ")";
      case 6:
      case 7:
        return sub() + "/" + divisor();
      case 8:
      case 9:
        return sub() + " % " + divisor();
      case 10:
        return pick({"min(", "max("}) + sub() + ", " + sub() + ")";
      case 11:
        if (one_in(3)) return "(" + sub() + pick({" ^ ", " & ", " | "}) + sub() + ")";
        return "(" + sub() + " % 8 " + pick({"^", "&", "|"}) + " " + sub() + " % 4)";
      case 12:
        return "(" + sub() + pick({" << 1)", " >> 1)", " & 3)", " >> 2)", " & ~1)"});
      case 13:
        return "(" + condition(names, depth - 1) + " ? " + sub() + " : " + sub() + ")";
      case 14:
        return "ceildiv(" + sub() + ", " + divisor() + ")";
      case 15:
        return "[" + sub() + " % 2:2, " + sub() + " % 3:3]";
      case 16:
        if (fixed_) return "F[" + sub() + " % 4]";
        return "(" + condition(names, 0) + ")*" + sub();
      default:
        if (unknown_) return "T[" + sub() + " % P]";
        if (free_ && one_in(2)) return "g(" + sub() + " % 2, " + sub() + " % 2)";
        return sub();
    }
  }

  std::string condition(const Names& names, int depth) {
    if (depth > 0 && one_in(4)) {
      return "(" + condition(names, depth - 1) + pick({" && ", " || "}) +
             condition(names, depth - 1) + ")";
    }
    if (depth > 0 && one_in(8)) return "!(" + condition(names, depth - 1) + ")";
    const std::string a = term(names, depth);
    const std::string b = one_in(2) ? term(names, depth) : number(5);
    return "(" + a + " " + pick({"<", "<=", "==", "!=", ">", ">="}) + " " + b + ")";
  }

  // Often true, whatever the names hold.
  std::string law(const Names& names) {
    const std::string a = term(names, 1);
    const std::string b = term(names, 1);
    const std::string d = divisor();
    switch (below(12)) {
      case 0:
        return "(" + a + ")/" + d + "*" + d + " + (" + a + ") % " + d + " == " + a;
      case 1:
        return a + " + " + b + " == " + b + " + " + a;
      case 2:
        return "min(" + a + ", " + b + ") <= " + a;
      case 3:
        return "max(" + a + ", " + b + ") + min(" + a + ", " + b + ") == " + a + " + " + b;
      case 4:
        return "(" + a + ") % " + d + " < " + d;
      case 5:
        return "ceildiv(" + a + ", " + d + ")*" + d + " >= " + a;
      case 6:
        return "(" + a + ")/" + d + "/2 == (" + a + ")/(" + d + "*2)";
      case 7:
        return "((" + a + ") % 8 ^ 3 ^ 3) == (" + a + ") % 8";
      case 8:
        return "(" + a + ")/2*2 + ((" + a + ") & 1) == " + a;
      case 9:
        return "(" + a + " < " + b + ") == !(" + b + " <= " + a + ")";
      case 10:
        return a + pick({" <= ", " < ", " >= "}) +
               pick({"P*Q*8", "8*P", "P + Q + 40", "0", "Q - 1"});
      default:
        return "(" + a + ")*" + d + "/" + d + " == " + a;
    }
  }

  struct Domain {
    std::string text;
    Names names;
  };
  Domain domain(const std::string& prefix, bool guards = true) {
    Domain d;
    const int count = 1 + below(3);
    for (int i = 0; i < count; ++i) {
      const std::string name = prefix + std::string(1, static_cast<char>('a' + i));
      std::string bound;
      if (one_in(4)) {
        bound =
            "[" + name + "h:" + extent() + ", " + name + "l:" + pick({"2", "3", "4", "Q"}) + "]";
        d.names.push_back(name + "h");
        d.names.push_back(name + "l");
      } else {
        bound = i > 0 && one_in(6) ? d.names.front() + " + 1" : extent();
      }
      d.text += (i == 0 ? "" : ", ") + name + " : " + bound;
      d.names.push_back(name);
    }
    if (guards && one_in(4)) d.text += " where " + condition(d.names, 1);
    return d;
  }

  // A permutation of digits, right or nearly right.
  void radix_map(const std::string& name) {
    const int count = 2 + below(2);
    Names digits;
    Names radices;
    std::string in;
    for (int i = 0; i < count; ++i) {
      digits.push_back("d" + std::to_string(i));
      radices.push_back(one_in(2) ? pick({"2", "4", "3"}) : pick({"P", "Q", "P/2", "KB", "P - 1"}));
      in += (i == 0 ? "" : ", ") + digits.back() + ":" + radices.back();
    }
    std::string product = radices[0];
    for (int i = 1; i < count; ++i)
      product = "(" + product + ")*(" + radices[static_cast<std::size_t>(i)] + ")";
    std::vector<int> order;
    for (int i = 0; i < count; ++i) order.insert(order.begin() + below(i + 1), i);
    std::string value;
    for (const int i : order) {
      const auto at = static_cast<std::size_t>(i);
      const std::string digit = one_in(12) ? pick(digits) : digits[at];
      const std::string radix = one_in(12) ? pick(radices) : radices[at];
      value = value.empty() ? digit : "((" + value + ")*(" + radix + ") + " + digit + ")";
    }
    if (one_in(8)) value += pick({" ^ 1", " + 1", "*2"});
    line("map " + name + "(x : [" + in + "]) -> (y : " + product + (one_in(10) ? " + 1" : "") +
         ") = " + value);
    radix_ = true;
    product_ = product;
  }

  void free_map(const std::string& name) {
    const Domain d{"ga : " + extent() + ", gb : " + extent(), {"ga", "gb"}};
    const std::string guard = one_in(4) ? " where " + condition(d.names, 1) : "";
    if (one_in(2)) {
      line("map " + name + "(" + d.text + guard +
           ") -> (u : " + pick({"P*Q", "8*P*Q", "P*Q + 1", "Q", "8"}) + ") = " + term(d.names, 2));
    } else {
      line("map " + name + "(" + d.text + guard + ") -> (u : " + pick({"P", "P*Q", "8"}) +
           ", v : " + pick({"Q", "P*Q", "4"}) + ") = (" + term(d.names, 1) + ", " +
           term(d.names, 1) + ")");
      pair_ = true;
    }
    free_ = !pair_;
    any_free_ = true;
  }

  void carry_map(const std::string& name) {
    line("map " + name + "(s : 3, q) -> (u)");
    line("  carry o over q = s*" + number(4) + " then o + " +
         pick({"2", "Q", "q % 2", "s", "P/4", "o", "min(o, 3)", "1"}));
    line("  u = o");
    carry_ = true;
  }

  void lane_map(const std::string& name) {
    const std::string row = pick({"Q", "4*Q", "8", "16*P", "P", "4"});
    const std::string swizzle =
        pick({"lane % 8", "(lane % 8 ^ i % 8)", "(lane/4)", "lane*2 % 16", "lane"});
    line("map " + name + "(lane : 32, i : " + pick({"4", "P", "2", "Q", "3"}) +
         ") -> (byte) = " + pick({"4", "4", "16", "2"}) + "*(lane/8*" + row + " + " + swizzle +
         " + i*" + pick({"32", "8", "Q", "1", "2"}) + ")");
    lane_ = true;
  }

  void packs() {
    line("tensor W[P, Q] : b16");
    const std::string place =
        pick({"a*Q + b", "b*P + a", "a*Q + (b ^ 1)", "a*Q + Q - 1 - b", "a*Q + b/2*2 + 1 - b % 2",
              "a*(Q + 1) + b", "a*Q + b/2", "b*P + (a + 1) % P"});
    const std::string room = pick({"P*Q", "P*Q", "P*Q", "P*(Q + 1)", "P*Q + 1"});
    line("pack B[" + room + "] : b16");
    const int kind = below(5);
    if (kind == 0) {
      line("  for (a : P/2, b : Q) B[" + place + "] = W[a, b]");
      line("  for (c : P - P/2, e : Q) B[(P/2 + c)*Q + e] = " + pick({"W[P/2 + c, e]", "0"}));
    } else if (kind == 1) {
      line("  for (a : P, b : Q) B.b8[2*(" + place + ")] = W[a, b].b8[0]");
      line("  for (a : P, b : Q) B.b8[2*(" + place + ") + 1] = W[a, b].b8[1]");
    } else {
      line("  for (a : " + pick({"P", "P", "P", "P - 1"}) + ", b : Q" +
           (one_in(6) ? ", z : 2" : "") + (one_in(8) ? " where b < Q" : "") + ") B[" + place +
           "] = W[a, b]");
    }
    if (one_in(3)) {
      line("pack C = W.reshape(" + pick({"P, Q", "P/2, 2, Q", "P, Q/2, 2"}) + ").permute(" +
           pick({"1, 0", "0, 1", "1, 0, 2"}) + ")");
      chain_ = true;
    }
    pack_ = true;
    place_ = place;
  }

  std::string atom() {
    switch (below(12)) {
      case 0:
        if (radix_) return pick({"bijective(f)", "injective(f)", "onto(f)", "total(f)"});
        break;
      case 1:
        if (any_free_) return pick({"bijective(g)", "injective(g)", "onto(g)", "total(g)"});
        break;
      case 2:
        if (pack_) return pick({"bijective(B)", "injective(B)", "onto(B)", "total(B)"});
        break;
      case 3:
        if (pack_) {
          const std::string text = "forall(a : P, b : Q) B[" + place_ +
                                   "] == " + pick({"W[a, b]", "W[a, b]", "W[0, b]", "W[a, Q - 1]"});
          return one_in(3) ? text + " || B[0] == W[0, 0]" : text;
        }
        break;
      case 4:
        if (chain_) return pick({"bijective(C)", "forall(a : P, b : Q) C.b16[b*P + a] == W[a, b]"});
        break;
      case 5:
        if (radix_) {
          return "forall(k : " + product_ + ") " +
                 pick({"f.inverse(f(k)) == k", "f(f.inverse(k)) == k", "f(k) == k",
                       "f.inverse(k) <= P*Q*8"});
        }
        break;
      case 6:
        if (carry_)
          return pick({"forall(s : 3, q) w(s, q) == s + 2*q", "w(1, 4) <= 20",
                       "forall(s : 3) w(s, 2) >= s"});
        break;
      case 7:
        if (lane_) {
          return pick(
                     {"ways(bank, 4) ", "ways(bank, 2) ", "ways(bank, 16) ", "sectors(bank, 4) "}) +
                 pick({"== ", "<= ", "!= "}) + pick({"1", "2", "4", "8"});
        }
        break;
      case 8:
        if (unknown_)
          return pick({"bijective(T)", "injective(T)", "onto(T)",
                       "forall(k : P) T.inverse(T[k]) == k", "forall(k : P) T[k] < P"});
        break;
      case 9: {
        const Domain d = domain("h", false);
        const std::string e = term(d.names, 2);
        return "forall(" + d.text + ") " + pick({"i8(", "u8(", "i6(", "i16("}) + e + ") == " + e;
      }
      default:
        break;
    }
    if (one_in(6)) return one_in(2) ? law({}) : condition({}, 2);
    const Domain d = domain(one_in(2) ? "v" : "x");
    return "forall(" + d.text + ") " + (one_in(2) ? law(d.names) : condition(d.names, 2));
  }

  void claim(const std::string& name) {
    std::string text = atom();
    if (one_in(5))
      text = "(" + text + ")" + pick({" && ", " && ", " || ", " == "}) + "(" + atom() + ")";
    if (one_in(12)) text = "!(" + text + ")";
    if (one_in(6))
      text += " where " +
              (one_in(2) ? condition({}, 1)
                         : pick({"P == 1", "Q == 2", "P == Q", "P % 4 == 0", "Q < 3 || Q == 8"}));
    line("prove " + name + ": " + text);
  }

  std::mt19937 random_;
  std::string out_;
  std::string product_;
  std::string place_;
  bool fixed_ = false;
  bool unknown_ = false;
  bool radix_ = false;
  bool free_ = false;
  bool any_free_ = false;
  bool pair_ = false;
  bool carry_ = false;
  bool lane_ = false;
  bool pack_ = false;
  bool chain_ = false;
};

}  // namespace

std::string text_of(std::uint32_t seed) { return Grower(seed).text(); }

}  // namespace fragproof::random_layout
