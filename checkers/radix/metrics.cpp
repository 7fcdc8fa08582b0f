// ways, sectors and coalesced for all sizes: each lane's address as a polynomial, banks by residue.
#include <algorithm>
#include <array>

#include "checkers/radix/operands.h"
#include "checkers/radix/symbolic.h"
#include "spec/syntax.h"

namespace fragproof::radix {

namespace {

constexpr Int bank_span = 128;  // 32 banks of 4 bytes
constexpr std::size_t max_classes = 1U << 14;

struct Addresses {
  std::vector<Poly> lanes;  // byte address of each lane that loads
  Int width = 0;            // bytes
};

// Splits an address by sectors of 32 bytes: polynomial sector number and constant offset.
std::pair<Poly, Int> sector_of(const Poly& address) {
  Poly sector;
  const Int offset = ((address.constant() % 32) + 32) % 32;
  for (const auto& [m, c] : address.terms()) {
    if (m.empty()) {
      sector.add_term(m, (c - offset) / 32);
    } else {
      if (c % 32 != 0) throw GiveUp{"an address that is no multiple of 32 bytes plus a constant"};
      sector.add_term(m, c / 32);
    }
  }
  return {sector, offset};
}

// The distinct sectors that one lane list touches; with `exact`, distinct polynomials must surely
// differ.
std::vector<Poly> sectors_of(Context& context, const Addresses& addresses, bool& exact) {
  std::vector<Poly> sectors;
  for (const Poly& address : addresses.lanes) {
    const auto [sector, offset] = sector_of(address);
    for (Int b = 0; b <= (offset + addresses.width - 1) / 32; ++b)
      sectors.push_back(sector + Poly(b));
  }
  std::sort(sectors.begin(), sectors.end());
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
  for (std::size_t i = 0; exact && i < sectors.size(); ++i) {
    for (std::size_t j = 0; exact && j < i; ++j) {
      const Poly difference = sectors[i] - sectors[j];
      exact = context.positive(difference) || context.positive(-difference);
    }
  }
  return sectors;
}

// The passes of one phase: all lanes' addresses; how they fall into banks depends on residues of
// symbols.
class Ways {
 public:
  Ways(Context& context, const Addresses& addresses) : context_(context), addresses_(addresses) {}

  // The number of passes as a function of the size residues (as bits of refined sizes).
  Poly count() {
    const std::size_t phase = addresses_.width == 16 ? 8 : addresses_.width == 8 ? 16 : 32;
    const std::vector<Poly>& lanes = addresses_.lanes;
    if (addresses_.width < 4) {
      for (const Poly& lane : lanes) {
        for (const auto& [m, c] : lane.terms()) {
          if (!m.empty() && c % 4 != 0) throw GiveUp{"accesses narrower than a word at odd places"};
        }
      }
      // Which word an address is in is seen from a whole word only.
      for (std::size_t first = 0; first < lanes.size(); first += phase) {
        if (lanes[first].constant() % 4 != 0)
          throw GiveUp{"accesses narrower than a word that start inside one"};
      }
    }
    // Symbols whose residue matters: of sizes (each class is a claim of its own) and of indices
    // (the most counts).
    std::vector<std::vector<Poly>> phases;
    std::set<Mono> monomials;
    for (std::size_t first = 0; first < lanes.size(); first += phase) {
      std::vector<Poly> relative;
      for (std::size_t l = first; l < std::min(first + phase, lanes.size()); ++l) {
        Poly d = lanes[l] - lanes[first];
        relative.push_back(d);
        for (const auto& [m, c] : d.terms()) {
          if (!m.empty() && c % bank_span != 0) monomials.insert(m);
        }
      }
      phases.push_back(std::move(relative));
    }
    std::set<Sym> symbols;
    for (const Mono& m : monomials) symbols.insert(m.begin(), m.end());
    // A size that matters is split until only its low digit does.
    for (const Sym s : symbols) {
      const Symbol& symbol = context_.at(s);
      if (symbol.kind == Symbol::Kind::Parameter || symbol.kind == Symbol::Kind::Index)
        context_.refine(s, Poly(2));
      if (symbol.kind == Symbol::Kind::Atom)
        throw GiveUp{"a bank that depends on a rounded quotient"};
      if (!is_bit(s)) {
        const Poly extent = context_.normal(symbol.extent);
        if (!extent.is_constant() || extent.constant() % 2 == 0) context_.refine(s, Poly(2));
        throw GiveUp{"a bank that depends on a digit of odd extent"};
      }
    }
    const std::vector<Sym> bits(symbols.begin(), symbols.end());
    if ((std::size_t{1} << bits.size()) > max_classes) throw GiveUp{"too many classes of residues"};
    std::vector<Sym> size_bits;
    std::vector<Sym> index_bits;
    for (const Sym b : bits) (context_.at(b).of_sizes ? size_bits : index_bits).push_back(b);
    std::vector<Poly> table(std::size_t{1} << size_bits.size());
    for (std::size_t x = 0; x < table.size(); ++x) {
      Int most = 0;
      Int least = 32;
      for (std::size_t y = 0; y < (std::size_t{1} << index_bits.size()); ++y) {
        std::map<Sym, Poly> here;
        for (std::size_t i = 0; i < size_bits.size(); ++i)
          here[size_bits[i]] = Poly(static_cast<int>(x >> i & 1U));
        for (std::size_t i = 0; i < index_bits.size(); ++i)
          here[index_bits[i]] = Poly(static_cast<int>(y >> i & 1U));
        Int here_most = 0;
        for (const auto& relative : phases) here_most = std::max(here_most, passes(relative, here));
        most = std::max(most, here_most);
        least = std::min(least, here_most);
      }
      // A class of index residues that the range of an index excludes must not be what makes the
      // most.
      for (const Sym b : index_bits) {
        if (least != most && !context_.at(b).facts.empty())
          throw GiveUp{"banks of an index of ragged extent"};
      }
      for (const Poly& fact : context_.facts()) {
        if (least != most && !context_.roots(fact).empty())
          throw GiveUp{"banks of an index that a guard restricts"};
      }
      table[x] = Poly(most);
    }
    return interpolate(size_bits, std::move(table));
  }

 private:
  // Passes at one class: most distinct words in one bank. Words of one bank that are not the same
  // polynomial must surely differ.
  Int passes(const std::vector<Poly>& relative, const std::map<Sym, Poly>& here) {
    context_.spend(8);
    std::array<std::vector<Poly>, 32> banks;
    for (const Poly& lane : relative) {
      const Poly address = lane.substitute(here);
      for (Int w = 0; w < std::max<Int>(addresses_.width / 4, 1); ++w) {
        Int residue = 0;
        for (const auto& [m, c] : address.terms()) {
          if (m.empty()) residue = c;
        }
        residue = (((residue + 4 * w) % bank_span) + bank_span) % bank_span;
        const Poly word = address + Poly(4 * w);
        std::vector<Poly>& bank = banks[static_cast<std::size_t>(residue / 4)];
        if (addresses_.width < 4) {
          bank.push_back(word - Poly(residue % 4));
        } else {
          bank.push_back(word);
        }
      }
    }
    Int most = 1;
    for (std::vector<Poly>& bank : banks) {
      std::sort(bank.begin(), bank.end());
      bank.erase(std::unique(bank.begin(), bank.end()), bank.end());
      if (bank.size() <= 1) continue;
      for (std::size_t i = 0; i < bank.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const Poly difference = bank[i] - bank[j];
          // What the symbols' own facts say in this class: a stride that is not 0, say.
          const std::size_t mark = context_.mark();
          for (const Sym s : difference.symbols()) {
            for (const Poly& fact : context_.at(s).facts) {
              const Poly here_fact = context_.normal(fact).substitute(here);
              if (!here_fact.is_constant()) context_.assume(here_fact);
            }
          }
          const bool apart = context_.positive(difference) || context_.positive(-difference);
          context_.release(mark);
          if (!apart) {
            throw GiveUp{"two words of one bank were not told apart"};
          }
        }
      }
      most = std::max(most, static_cast<Int>(bank.size()));
    }
    return most;
  }

  Context& context_;
  const Addresses& addresses_;
};

}  // namespace

// A metric is the most over all values of its indices: what holds of each case apart is not what
// holds of the most.
Poly Evaluator::metric(const Expr& e) {
  const std::size_t mark = context.mark();
  try {
    const auto [out, most] = metric_at_all(e);
    const bool some = e.metric == Metric::Coalesced || some_point_of(e);
    context.release(mark);
    if (!most && some) return out;
    // Where there may be no point, and where the count is a bound only: a number of its own that is
    // no larger.
    const Poly own = context.atom("metric", Symbol::Definition::None, most ? *most : out,
                                  Poly(static_cast<Int>(e.where.line) * 1000 + e.where.column));
    context.assume((most ? *most : out) - own);
    context.assume(own - (some ? 1 : 0));
    return own;
  } catch (const Split& split) {
    if (!context.of_sizes(split.p)) throw GiveUp{"a metric that differs between cases of an index"};
    throw;
  } catch (const NoPoint&) {
    throw GiveUp{"a metric over no points"};
  } catch (const EmptyCase&) {
    throw GiveUp{"a metric over no points"};
  }
}

bool Evaluator::some_point_of(const Expr& e) {
  if (e.load != nullptr) return KernelPoint(*this, *e.kernel).some_point();
  return surely_some(e.map->domain);
}

std::pair<Poly, std::optional<Poly>> Evaluator::metric_at_all(const Expr& e) {
  Addresses addresses;
  const bool outer_split = std::exchange(may_split, false);
  const bool outer_widths = check_widths;
  if (e.load != nullptr) {
    const Load& load = *e.load;
    check_widths = false;
    KernelPoint point(*this, *e.kernel);
    point.bind(KernelPoint::Mode::All, KernelPoint::Mode::All);
    addresses.width = load.instruction != nullptr ? 16 : load.width / 8;
    Int lanes = 32;
    if (e.kernel->mma && number(*e.kernel->mma->a->domain.coordinates.at(0).extent) != Poly(32)) {
      throw GiveUp{"a metric of an instruction of more than one warp"};
    }
    if (load.instruction != nullptr)
      lanes = number(*load.instruction->outputs.at(0).codomain).constant();
    for (Int lane = 0; lane < lanes; ++lane) {
      point.set_lane(Poly(lane));
      if (load.condition != nullptr) {
        const ConditionPtr c = condition(*load.condition);
        if (is_false(c)) continue;
        if (!is_true(c)) throw GiveUp{"a load whose `if` depends on sizes"};
      }
      const Poly granule = address(load.from);
      Poly bytes;
      if (granule_ % 8 == 0) {
        bytes = granule * Poly(granule_ / 8);
      } else if (!granule.divide_exactly(Mono{}, 8 / granule_, bytes)) {
        throw GiveUp{"an address that is no whole number of bytes"};
      }
      addresses.lanes.push_back(bytes);
    }
  } else {
    const Map& map = *e.map;
    addresses.width = number(*e.args.at(0)).constant();
    // The first coordinate is the lane; the others are universal.
    show_total(map);
    const Coordinate& lane = map.domain.coordinates.at(0);
    Poly extent(1);
    if (lane.digits.empty()) {
      if (lane.extent == nullptr) throw GiveUp{"lanes without an extent"};
      extent = number(*lane.extent);
    } else {
      for (const DigitBinding& d : lane.digits) extent = extent * number(*d.radix);
    }
    if (!extent.is_constant()) throw GiveUp{"a number of lanes that depends on sizes"};
    if (extent.constant() > 32 && e.metric != Metric::Ways)
      throw GiveUp{"a metric of more than one warp"};
    const BoundDomain domain = bind(map.domain, path + " metric " + map.name + "/", false);
    if (domain.empty) throw GiveUp{"a metric over no points"};
    if (!is_true(domain.guard)) throw GiveUp{"a metric of a map with a `where`"};
    std::vector<Poly> args;
    for (const BoundCoordinate& c : domain.coordinates) args.push_back(c.value);
    for (Int l = 0; l < extent.constant(); ++l) {
      args[0] = Poly(l);
      addresses.lanes.push_back(apply(map, args).at(0));
    }
  }
  check_widths = outer_widths;
  if (addresses.lanes.empty()) throw GiveUp{"no lane loads"};
  for (const Poly& lane : addresses.lanes) {
    need(lane, "each address is not negative");
    Poly quotient;
    if (lane.divide_exactly(Mono{}, addresses.width, quotient)) continue;
    const auto [q, r] = divide(context, lane, Poly(addresses.width));
    if (!context.is_zero(r)) throw GiveUp{"not shown: each address is a multiple of the width"};
  }
  // An address that is no multiple of the width has no metric at all.
  for (const Poly& lane : addresses.lanes) {
    Poly quotient;
    if (lane.divide_exactly(Mono{}, addresses.width, quotient)) continue;
    if (!context.nonnegative(lane) ||
        !context.is_zero(divide(context, lane, Poly(addresses.width)).second)) {
      throw GiveUp{"not shown: each address is a multiple of the width"};
    }
  }
  Poly out;
  switch (e.metric) {
    case Metric::Ways:
      out = Ways(context, addresses).count();
      context.log_evaluated(
          "banks", "`" + to_text(e) + "` == " + context.text(out) + " by residues of banks");
      break;
    case Metric::Sectors: {
      // The most over all indices: with surely distinct sectors the same number everywhere.
      bool exact = true;
      const std::vector<Poly> sectors = sectors_of(context, addresses, exact);
      const Poly most(static_cast<Int>(sectors.size()));
      if (exact) {
        out = most;
      } else {
        // Only an upper bound.
        may_split = outer_split;
        return {most, most};
      }
      context.log_evaluated("sectors", "`" + to_text(e) + "` == " + to_string(out.constant()));
      break;
    }
    case Metric::Coalesced: {
      bool exact = true;
      std::vector<std::pair<Poly, Int>> starts;
      for (const Poly& address : addresses.lanes) starts.push_back(sector_of(address));
      // Relative to the first lane all addresses must be constants: then the bytes are a fixed
      // pattern.
      std::set<Int> bytes;
      for (const Poly& address : addresses.lanes) {
        const Poly relative = address - addresses.lanes[0];
        if (!relative.is_constant()) exact = false;
        if (!exact) break;
        for (Int b = 0; b < addresses.width; ++b)
          bytes.insert(relative.constant() + starts[0].second + b);
      }
      const bool whole = exact && *bytes.begin() % 32 == 0 && (*bytes.rbegin() + 1) % 32 == 0 &&
                         static_cast<Int>(bytes.size()) == *bytes.rbegin() + 1 - *bytes.begin();
      if (!whole) throw GiveUp{"not shown: the warp's bytes are one run of whole sectors"};
      context.log_evaluated(
          "sectors", "`" + to_text(e) + "`: one run of " + std::to_string(bytes.size()) + " bytes");
      out = Poly(1);
      break;
    }
  }
  may_split = outer_split;
  return {out, std::nullopt};
}

}  // namespace fragproof::radix
