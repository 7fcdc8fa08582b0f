// fragproof-check: replays proofs that `fragproof prove --proof DIR` wrote, with nothing of
// fragproof in it but this file. docs/proofs.md says what a replay shows and what it does not.
//
//   fragproof-check [--claim ID] FILE..
//
// Exit code 0: every step follows by its lemma from its premises; 1: some step does not; 2: no
// proof of this format, or of another claim, or wrong usage.
//
// A symbol stands for an integer: a `bit` is 0 or 1, a `digit` is >= 0 and below its extent, an
// `integer` is at least its bound, an `atom` is anything. A polynomial is a sum of terms such as
// -3*0*7 (coefficient, then symbols by number). The lemmas:
//
//   given p             a hypothesis, p >= 0; counted, not checked
//   outputs f..: u..    a hypothesis: two points have equal f.. and may differ in the symbols u..
//   linear p: s; m G..  s*p - sum m*G is a constant > -s, each m >= 0, each G a product of numbers
//                       >= 0; so p > -1, and p >= 0. Such a number is
//                         n c  a constant              r q  by the range of one symbol
//                         s i  what step i shows       b q  as `bits`, or q has no coefficient
//                                                           < 0 once integers count from their
//                                                           bound
//   bits p              p has at most 12 symbols, all bits, and is >= 0 at all their values
//   unique f; D; H; L: i..    f is D*H + L with 0 <= L <= D - 1 (steps i..), f and D are equal at
//                             both points: so are H and L
//   cancel f; c; v; r: i..    f is c*v + r with c*c == 1, c >= 1 or c <= -1, and f, c, r are equal
//                             at both points: so is v
//   quotient p; q; d; r: i..  p is q*d + r with 0 <= r <= d - 1
//   table f..: u..: i..       f.. of at most 12 bits are equal at both points, and their values
//   with
//                             those of the other bits, which are equal too, all differ: so are u..
//   evaluated text      a finite fact that fragproof computed; counted, not checked
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

__extension__ using Int = __int128;
using Mono = std::vector<int>;  // symbols, ascending; a bit at most once
using Poly = std::map<Mono, Int>;
using Words = std::vector<std::string>;

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct NotShown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void expect(bool shown, const char* why) {
  if (!shown) throw NotShown(why);
}

Int add(Int a, Int b) {
  Int out = 0;
  expect(!__builtin_add_overflow(a, b, &out), "a number leaves 128 bits");
  return out;
}

Int mul(Int a, Int b) {
  Int out = 0;
  expect(!__builtin_mul_overflow(a, b, &out), "a number leaves 128 bits");
  return out;
}

Words split(const std::string& text, const std::string& by) {
  Words out;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(by, from);
    const std::string word = text.substr(from, to == std::string::npos ? to : to - from);
    if (!word.empty()) out.push_back(word);
    if (to == std::string::npos) return out;
    from = to + by.size();
  }
}

Words split(const std::string& text, const std::string& by, std::size_t count) {
  Words out = split(text, by);
  if (out.size() != count) throw Unreadable("\"" + text.substr(0, 40) + "\" lacks a part");
  return out;
}

Int number(const std::string& text) {
  const bool minus = !text.empty() && text[0] == '-';
  Int out = 0;
  if (text.size() == (minus ? 1U : 0U)) throw Unreadable("a number is missing");
  for (std::size_t i = minus ? 1 : 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') throw Unreadable("\"" + text + "\" is no number");
    out = add(mul(out, 10), text[i] - '0');
  }
  return minus ? -out : out;
}

int index(const std::string& text) {
  const Int n = number(text);
  if (n < 0 || n > 1'000'000) throw Unreadable("\"" + text + "\" is no index");
  return static_cast<int>(n);
}

struct Symbol {
  char kind = 'a';  // bit, digit, integer, atom
  Int lower = 0;
  Poly extent;
};

struct Step {
  bool sign = false;  // `goal` >= 0
  Poly goal;
  std::vector<Poly> equal;  // at both points of the `outputs` step `frame`
  int frame = -1;
};

constexpr std::size_t max_line = 1U << 24;
constexpr std::size_t max_steps = 1'000'000;
constexpr std::size_t max_bits = 12;

class Replay {
 public:
  long checked = 0, given = 0, evaluated = 0;
  std::string claim;

  void file(std::istream& in) {
    if (next(in) != "fragproof-proof 1") throw Unreadable("no proof of version 1");
    claim = next(in);
    if (claim.rfind("claim ", 0) != 0) throw Unreadable("names no claim");
    claim.erase(0, 6);
    for (;;) {
      const std::string line = next(in);
      if (line == "case") {
        symbols_.clear();
        steps_.clear();
      } else if (line.rfind("symbol ", 0) == 0) {
        symbol(split(line.substr(0, line.find(" ; ")), " "));
      } else if (line.rfind("end ", 0) == 0) {
        const long all = checked + given + evaluated;
        if (all == 0 || line != "end " + std::to_string(all) || in.peek() != EOF)
          throw Unreadable("does not end as it says");
        return;
      } else {
        if (line.rfind(here() + " ", 0) != 0) throw Unreadable("the step is missing");
        if (checked + given + evaluated > static_cast<long>(max_steps))
          throw Unreadable("has too many steps");
        const std::string rest = line.substr(here().size() + 1);
        const std::size_t space = rest.find(' ');
        if (space == std::string::npos) throw Unreadable("a step without a lemma");
        steps_.push_back(step(rest.substr(0, space), rest.substr(space + 1)));
      }
    }
  }
  [[nodiscard]] std::string here() const { return std::to_string(steps_.size()); }

 private:
  static std::string next(std::istream& in) {
    std::string line;
    if (!std::getline(in, line) || in.eof()) throw Unreadable("is cut short");
    if (line.size() > max_line) throw Unreadable("a line is too long");
    return line;
  }

  [[nodiscard]] const Symbol& at(int s) const {
    const auto it = symbols_.find(s);
    if (it == symbols_.end()) throw Unreadable("symbol " + std::to_string(s) + " is not declared");
    return it->second;
  }

  // symbol ID bit | ID atom | ID integer LOWER | ID digit EXTENT, then ` ; NAME`
  void symbol(const Words& words) {
    Symbol out;
    const std::string kind = words.size() < 3 ? "" : words[2];
    if (kind != "bit" && kind != "atom" && kind != "integer" && kind != "digit")
      throw Unreadable("a symbol of no kind");
    out.kind = kind[0];
    if (kind == "integer") out.lower = number(words.back());
    for (std::size_t i = 3; kind == "digit" && i < words.size(); ++i)
      out.extent = plus(out.extent, read(words[i]));
    if (!symbols_.emplace(index(words[1]), out).second) throw Unreadable("a symbol twice");
  }

  // ---- polynomials
  void put(Poly& p, Mono m, Int c) const {
    std::sort(m.begin(), m.end());
    for (std::size_t i = m.size(); i-- > 1;) {
      if (m[i] == m[i - 1] && at(m[i]).kind == 'b') m.erase(m.begin() + static_cast<long>(i));
    }
    Int& sum = p[m];
    sum = add(sum, c);
    if (sum == 0) p.erase(m);
  }
  [[nodiscard]] Poly read(const std::string& text) const {
    Poly p;
    for (const std::string& term : split(text, " ")) {
      const Words factors = split(term, "*");
      Mono m;
      for (std::size_t i = 1; i < factors.size(); ++i) {
        m.push_back(index(factors[i]));
        (void)at(m.back());
      }
      put(p, m, number(factors.at(0)));
    }
    return p;
  }
  [[nodiscard]] std::vector<Poly> polys(const std::string& text) const {
    std::vector<Poly> out;
    for (const std::string& one : split(text, " ; ")) out.push_back(read(one));
    return out;
  }
  static Poly constant(Int c) { return c == 0 ? Poly{} : Poly{{{}, c}}; }
  static Poly one(int s) { return {{{s}, 1}}; }
  [[nodiscard]] Poly plus(const Poly& a, const Poly& b, Int factor = 1) const {
    Poly out = a;
    for (const auto& [m, c] : b) put(out, m, mul(c, factor));
    return out;
  }
  [[nodiscard]] Poly times(const Poly& a, const Poly& b) const {
    Poly out;
    for (const auto& [m, c] : a) {
      for (const auto& [n, k] : b) {
        Mono both = m;
        both.insert(both.end(), n.begin(), n.end());
        put(out, both, mul(c, k));
      }
    }
    return out;
  }
  static bool is_constant(const Poly& p, Int& value) {
    value = p.empty() ? 0 : p.begin()->second;
    return p.empty() || (p.size() == 1 && p.begin()->first.empty());
  }
  static std::set<int> symbols_of(const std::vector<Poly>& polys) {
    std::set<int> out;
    for (const Poly& p : polys) {
      for (const auto& [m, c] : p) out.insert(m.begin(), m.end());
    }
    return out;
  }

  // ---- signs
  [[nodiscard]] bool in_range(const Poly& p) const {
    for (const int s : symbols_of({p})) {
      const Symbol& symbol = at(s);
      Int left = 0;
      const Int low = symbol.kind == 'i' ? symbol.lower : 0;
      if (symbol.kind != 'a' && is_constant(plus(p, one(s), -1), left) && left >= -low) return true;
      const Poly extent = symbol.kind == 'b' ? constant(2) : symbol.extent;
      if ((symbol.kind == 'b' || symbol.kind == 'd') &&
          plus(plus(p, one(s)), extent, -1) == constant(-1))
        return true;
    }
    return false;
  }

  [[nodiscard]] bool nonnegative_from_bounds(const Poly& p) const {
    Poly shifted;
    for (const auto& [m, c] : p) {
      Poly product = constant(c);
      for (const int s : m) {
        if (at(s).kind == 'a') return false;
        product = times(product, plus(one(s), constant(at(s).lower)));
      }
      shifted = plus(shifted, product);
    }
    return std::all_of(shifted.begin(), shifted.end(), [](const auto& t) { return t.second >= 0; });
  }

  // Calls `visit` with each assignment of bits and the values of `polys` there; false when they
  // speak of more than few bits.
  template <class Visit>
  bool over_bits(const std::vector<Poly>& polys, const Visit& visit) const {
    const std::set<int> symbols = symbols_of(polys);
    const std::vector<int> bits(symbols.begin(), symbols.end());
    if (bits.size() > max_bits) return false;
    if (std::any_of(bits.begin(), bits.end(), [&](int s) { return at(s).kind != 'b'; }))
      return false;
    for (unsigned x = 0; x < 1U << bits.size(); ++x) {
      std::map<int, int> point;
      for (std::size_t i = 0; i < bits.size(); ++i) point[bits[i]] = static_cast<int>(x >> i & 1U);
      std::vector<Int> values(polys.size(), 0);
      for (std::size_t i = 0; i < polys.size(); ++i) {
        for (const auto& [m, c] : polys[i]) {
          if (std::all_of(m.begin(), m.end(), [&](int s) { return point[s] != 0; }))
            values[i] = add(values[i], c);
        }
      }
      visit(point, values);
    }
    return true;
  }
  [[nodiscard]] bool nonnegative_over_bits(const Poly& p) const {
    Int least = 0;
    return over_bits({p}, [&](const auto&, const auto& v) { least = std::min(least, v[0]); }) &&
           least >= 0;
  }

  [[nodiscard]] const Step& earlier(const std::string& text) const {
    const std::size_t i = static_cast<std::size_t>(index(text));
    expect(i < steps_.size(), "a premise is no earlier step");
    return steps_[i];
  }

  [[nodiscard]] Poly factor(const std::string& text) const {
    const std::string rest = text.size() < 3 ? "" : text.substr(2);
    if (text.rfind("s ", 0) == 0) {
      expect(earlier(rest).sign, "a premise says nothing of a sign");
      return earlier(rest).goal;
    }
    const Poly p = read(rest);
    Int value = 0;
    const bool good = text[0] == 'n'   ? is_constant(p, value) && value >= 0
                      : text[0] == 'r' ? in_range(p)
                                       : text[0] == 'b' && (nonnegative_over_bits(p) ||
                                                            nonnegative_from_bounds(p));
    expect(good, "a factor is not >= 0 as it is said to be");
    return p;
  }

  Step linear(const std::string& text) {
    const Words parts = split(text, " : ", 2);
    const Words sum = split(parts[1], " ; ");
    const Poly goal = read(parts[0]);
    const Int scale = number(sum.at(0));
    Poly rest = times(constant(scale), goal);
    for (std::size_t i = 1; i < sum.size(); ++i) {
      const std::size_t space = std::min(sum[i].find(' '), sum[i].size());
      const Int multiplier = number(sum[i].substr(0, space));
      expect(multiplier >= 0, "a multiplier is below 0");
      Poly product = constant(1);
      for (const std::string& one : split(sum[i].substr(space + (space < sum[i].size())), " | "))
        product = times(product, factor(one));
      rest = plus(rest, product, -multiplier);
    }
    Int left = 0;
    expect(scale >= 1 && is_constant(rest, left) && left > -scale, "the sum is not the goal");
    return {true, goal, {}, -1};
  }

  // ---- two points with equal outputs
  struct Premises {
    std::vector<Step> steps;
    int frame = -1;
    std::set<int> differ;
  };
  [[nodiscard]] Premises premises(const std::string& text) const {
    Premises out;
    for (const std::string& one : split(text, " ")) {
      out.steps.push_back(earlier(one));
      const int frame = out.steps.back().frame;
      expect(frame < 0 || out.frame < 0 || frame == out.frame, "premises about other points");
      out.frame = std::max(out.frame, frame);
    }
    if (out.frame >= 0) out.differ = differ_.at(out.frame);
    return out;
  }
  static bool shown(const Premises& from, const Poly& p) {
    Int value = 0;
    if (is_constant(p, value)) return value >= 0;
    return std::any_of(from.steps.begin(), from.steps.end(),
                       [&](const Step& s) { return s.sign && s.goal == p; });
  }
  static bool said_equal(const Premises& from, const Poly& p) {
    return std::any_of(from.steps.begin(), from.steps.end(), [&](const Step& s) {
      return std::find(s.equal.begin(), s.equal.end(), p) != s.equal.end();
    });
  }
  static bool made_of_equal(const Premises& from, const Poly& p) {
    const std::set<int> symbols = symbols_of({p});
    return std::all_of(symbols.begin(), symbols.end(), [&](int s) {
      return from.differ.count(s) == 0 || said_equal(from, one(s));
    });
  }

  Step instance(const std::string& lemma, const std::string& text) {
    const std::size_t colon = std::min(text.find(" :"), text.size() - 1);
    const std::vector<Poly> parts = polys(text.substr(0, colon));
    if (parts.size() != 4) throw Unreadable("an instance has four parts");
    const Poly &f = parts[0], &a = parts[1], &b = parts[2], &rest = parts[3];
    const Premises from = premises(text.substr(colon + 2 > text.size() ? colon : colon + 2));
    expect(plus(times(a, b), rest) == f, "the equation is no identity");
    const auto below = [&](const Poly& d) {
      return shown(from, rest) && shown(from, plus(plus(d, constant(-1)), rest, -1));
    };
    if (lemma == "quotient") {
      expect(below(b), "the remainder is not in range");
      return {};
    }
    expect(said_equal(from, f) && made_of_equal(from, a), "differs between the points");
    if (lemma == "unique") {
      expect(below(a), "the low digit is not in range");
      return {false, {}, {b, rest}, from.frame};
    }
    expect(made_of_equal(from, rest), "differs between the points");
    expect(times(a, a) == constant(1) || shown(from, plus(a, constant(-1))) ||
               shown(from, plus(constant(-1), a, -1)),
           "the factor may be 0");
    return {false, {}, {b}, from.frame};
  }

  Step table(const std::string& text) {
    const Words parts = split(text, " :", 3);
    const std::vector<Poly> functions = polys(parts[0]);
    const Premises from = premises(parts[2]);
    Step out;
    out.frame = from.frame;
    std::set<int> open;
    for (const std::string& s : split(parts[1], " ")) open.insert(index(s));
    for (const int s : open) out.equal.push_back(one(s));
    const std::set<int> spoken = symbols_of(functions);
    expect(std::includes(spoken.begin(), spoken.end(), open.begin(), open.end()),
           "a bit that the table does not speak of");
    for (const Poly& f : functions) expect(said_equal(from, f), "differs between the points");
    for (const int s : spoken)
      expect(open.count(s) != 0 || made_of_equal(from, one(s)), "a bit differs");
    std::set<std::pair<std::vector<int>, std::vector<Int>>> seen;
    expect(over_bits(functions,
                     [&](const std::map<int, int>& point, const std::vector<Int>& values) {
                       std::vector<int> known;
                       for (const auto& [s, value] : point) {
                         if (open.count(s) == 0) known.push_back(value);
                       }
                       expect(seen.emplace(known, values).second, "two values are equal");
                     }),
           "a table of more than few bits");
    return out;
  }

  Step step(const std::string& lemma, const std::string& text) {
    Step out;
    if (lemma == "given") {
      ++given;
      return {true, read(text), {}, -1};
    }
    if (lemma == "evaluated") {
      ++evaluated;
      return out;
    }
    if (lemma == "outputs") {
      ++given;
      const std::size_t colon = std::min(text.rfind(" :"), text.size() - 2);
      out.equal = polys(text.substr(0, colon));
      out.frame = static_cast<int>(steps_.size());
      differ_[out.frame].clear();
      for (const std::string& s : split(text.substr(colon + 2), " "))
        differ_[out.frame].insert(index(s));
      return out;
    }
    ++checked;
    if (lemma == "linear") return linear(text);
    if (lemma == "table") return table(text);
    if (lemma == "unique" || lemma == "cancel" || lemma == "quotient") return instance(lemma, text);
    if (lemma != "bits") throw Unreadable("\"" + lemma + "\" is no lemma");
    expect(nonnegative_over_bits(read(text)), "is not >= 0 over few bits");
    return {true, read(text), {}, -1};
  }

  std::map<int, Symbol> symbols_;
  std::vector<Step> steps_;
  std::map<int, std::set<int>> differ_;
};

int replay(const std::string& path, const std::string& claim) {
  Replay replay;
  try {
    std::ifstream in(path);
    if (!in) throw Unreadable("cannot be opened");
    replay.file(in);
    if (!claim.empty() && replay.claim != claim)
      throw Unreadable("is a proof of " + replay.claim + ", not of " + claim);
  } catch (const NotShown& fault) {
    std::printf("NOT SHOWN %s: step %s: %s\n", path.c_str(), replay.here().c_str(), fault.what());
    return 1;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "fragproof-check: %s: step %s: %s\n", path.c_str(), replay.here().c_str(),
                 fault.what());
    return 2;
  }
  std::printf("REPLAYED %s: %ld steps, from %ld given and %ld evaluated\n", replay.claim.c_str(),
              replay.checked, replay.given, replay.evaluated);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::string claim;
  int worst = -1;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--claim" && i + 1 < argc) {
      claim = argv[++i];
    } else {
      worst = std::max(worst, replay(argv[i], claim));
    }
  }
  if (worst < 0) std::fprintf(stderr, "usage: fragproof-check [--claim ID] FILE..\n");
  return worst < 0 ? 2 : worst;
}
