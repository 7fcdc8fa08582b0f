// Host evaluation: an expression over many points at once, in checked integers. Never wraps, never
// guesses.
//
// A Batch holds n points. Expressions are evaluated one at a time over all points of a batch; each
// result has a value and an outcome a point. Undefined is an answer of the language (LANGUAGE.md
// section 3). Overflow means "cannot say" (a true value outside 128 bits, an image over the size
// limit, an unbounded `forall` without a counterexample, an exhausted budget); the caller answers
// UNKNOWN, never a verdict, and `undecided()` tells why. What C's lazy operators skip need not be
// defined. A batch of one point can be asked for the reason of an Undefined.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spec/ast.h"

namespace fragproof {

// Values of the sizes (by Variable::index) and of the uninterpreted tables at one shape.
struct Shape {
  std::vector<std::pair<const Variable*, Int>> sizes;
  std::map<const Table*, std::vector<Int>> tables;
};

enum class Outcome : std::uint8_t { Ok, Undefined, Overflow };

// Bits at a place, as runs of one origin, lowest first. `array` null: zeros.
struct BitRun {
  const Array* array = nullptr;  // a tensor
  Int bit = 0;                   // first bit, from the start of the tensor
  int width = 0;
  friend bool operator==(const BitRun&, const BitRun&) = default;
};

// A scalar result with the reason why it is undefined.
struct Scalar {
  Outcome outcome = Outcome::Ok;
  Int value = 0;                 // Number; Condition: 0 or 1
  std::vector<Int> tuple;        // Tuple
  std::vector<BitRun> contents;  // Contents
  std::string reason;  // of Undefined: "digit h = 2 is outside 0..1", "marlin(16, 0): word = 64 is
                       // outside 0..63 (line 5)"
};

// One number a point. A column of one entry stands for that number at every point ("uniform").
// Numbers are held in 64 bits, or, when one of them does not fit, all in 128 (`wide` not empty).
struct Column {
  std::vector<std::int64_t> narrow;
  std::vector<Int> wide;

  Column() = default;
  explicit Column(Int value);  // uniform
  explicit Column(std::vector<std::int64_t> values) : narrow(std::move(values)) {}
  [[nodiscard]] bool is_wide() const { return !wide.empty(); }
  [[nodiscard]] std::size_t size() const { return is_wide() ? wide.size() : narrow.size(); }
  [[nodiscard]] bool uniform() const { return size() == 1; }
  [[nodiscard]] Int at(std::size_t point) const {
    const std::size_t i = uniform() ? 0 : point;
    return is_wide() ? wide[i] : Int{narrow[i]};
  }
};

// The value of an expression at the points of a batch. Number and Condition: one member; Tuple: one
// a component; Contents: pieces of `piece` bits each, lowest first, as origin codes (see
// Evaluator::origin). Where the outcome is not Ok the members hold 0.
struct Values {
  std::vector<Column> members;
  int piece = 0;
  std::vector<Outcome> outcome;  // empty: Ok at all points; one entry: the same at all points

  Values() = default;
  explicit Values(Column column) { members.push_back(std::move(column)); }
  [[nodiscard]] Outcome at(std::size_t point) const {
    return outcome.empty() ? Outcome::Ok : outcome[outcome.size() == 1 ? 0 : point];
  }
  [[nodiscard]] bool all_ok() const { return outcome.empty(); }
};

// n points: the variables bound at them. Sizes are not among them (they belong to the shape);
// file-level lets neither.
struct Batch {
  std::size_t size = 1;
  std::vector<std::pair<const Variable*, Values>> bound;
  std::vector<std::uint32_t>
      parent;  // set by Evaluator::walk: the point of the outer batch that each point extends

  void bind(const Variable* variable, Values values);  // replaces an earlier value
  void bind(const Variable* variable, Int value) { bind(variable, Values(Column(value))); }
  [[nodiscard]] const Values* find(const Variable* variable) const;
  // The value of a bound variable at a point; it must be bound and Ok there.
  [[nodiscard]] Int value(const Variable* variable, std::size_t point) const;
  // The batch of point `point` alone, and of the listed points in that order.
  [[nodiscard]] Batch at(std::size_t point) const;
  [[nodiscard]] Batch select(std::span<const std::uint32_t> points) const;
};

// Codes of what a piece of memory holds: a bit of a tensor (>= 0), or one of these.
inline constexpr std::int64_t code_zero = -1;
inline constexpr std::int64_t code_unwritten = -2;
inline constexpr std::int64_t code_twice = -3;

// What the fills of one array leave in it: one cell for `granule` bits. A cell holds the origin of
// its first bit; the others follow in order. `outcome` Undefined: the array has no contents at all
// (a condition of the pack fails, an extent or the domain of a fill is undefined); Overflow: too
// large. A fill point whose place is undefined or outside writes nothing; one whose source is so
// leaves its place unwritten (but does count as writing it).
struct Image {
  Outcome outcome = Outcome::Ok;
  std::string reason;
  int granule = 1;                   // bits of a cell
  std::vector<std::uint32_t> cells;  // compact: see `code`
  struct Base {                      // cells of one origin: value `first` is bit 0 of the tensor
    std::uint32_t first = 0;
    const Array* tensor = nullptr;
    std::int64_t code = 0;  // of its bit 0
  };
  std::vector<Base> bases;     // ascending
  bool written_twice = false;  // some bit
  bool place_failed = false;   // some fill's place is undefined or outside: `place_reason`
  bool source_failed = false;  // some fill's source is undefined or outside: `source_reason`
  std::string place_reason;
  std::string source_reason;
  // The code of a cell: an origin, code_zero, code_unwritten or code_twice.
  [[nodiscard]] std::int64_t code(std::size_t cell) const;
};

// The bit addresses of a place, from the start of its array, at the points of a batch; outcome
// Undefined where an index is undefined or outside its array, element or unit (the place's own
// width counted, a load's is not).
struct Places {
  Column bit;
  std::vector<Outcome> outcome;  // as in Values
  [[nodiscard]] Outcome at(std::size_t point) const {
    return outcome.empty() ? Outcome::Ok : outcome[outcome.size() == 1 ? 0 : point];
  }
};

// The outcome of walking a domain.
struct Walk {
  enum class End { Complete, Stopped, Budget };
  End end = End::Complete;
  std::vector<Outcome>
      domain;          // a point of the outer batch: Undefined where an extent or `where` is so
  std::string reason;  // of the first such Undefined
  bool truncated =
      false;  // an unbounded coordinate was cut off, or Options::corners skipped points
  std::int64_t points = 0;
};

// Statements before a `carry` that are evaluated again at each of its steps: domains (for digits of
// the counted coordinate) and bindings, in the order written.
struct Scope {
  std::vector<const Domain*> domains;
  std::vector<const Binding*> bindings;  // all before the one to be bound
};

// Evaluates at one shape. Caches images, inverses and file-level lets, so keep one for all
// questions about a shape.
class Evaluator {
 public:
  struct Options {
    bool check_widths = true;  // false: iN(e) counts as e (the obligations other than `overflow`)
    Int unbounded = 16;        // coordinates without an extent run over 0 .. unbounded-1
    // Walk only the extremes of long coordinates (0, 1, middle, extent-2, extent-1 of more than 8):
    // a counterexample is one all the same, but a walk so cut is `truncated`, and a `forall` that
    // finds none is undecided.
    bool corners = false;
    std::size_t batch = 1024;                          // points evaluated together
    std::int64_t image_cells = std::int64_t{1} << 26;  // limit of one image, and of one inverse
    std::int64_t points = INT64_MAX;  // limit of points walked by this evaluator, in all
    const std::atomic<bool>* stop = nullptr;
  };
  // Predicates, metrics and kernels inside a condition: supplied by the checkers. Called once a
  // shape and expression.
  using Atom = std::function<Scalar(Evaluator&, const Expr&)>;

  Evaluator(const Spec& spec, Shape shape);
  Evaluator(const Spec& spec, Shape shape, Options options, Atom atom = {});

  [[nodiscard]] const Spec& spec() const { return *spec_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] Options& options() { return options_; }
  [[nodiscard]] Int size(const Variable* size) const;  // value of a size

  // The value of an expression at the points of a batch.
  [[nodiscard]] Values evaluate(const Expr& expr, const Batch& batch);
  // The same at the one point of `point`, with the reason when undefined.
  [[nodiscard]] Scalar scalar(const Expr& expr, const Batch& point = {});
  // The value of an expression at many vectors of sizes at once: `sizes` binds sizes, which go
  // before the shape's. The expression must not hold a forall, predicate, metric, kernel, inverse,
  // contents or table (see over_sizes).
  [[nodiscard]] Values evaluate_over_sizes(const Expr& expr, const Batch& sizes);
  // The bit addresses of a place. With `reason`, a batch of one point is told why it is undefined.
  [[nodiscard]] Places place(const Ref& ref, const Batch& batch, std::string* reason = nullptr);
  // What `width` bits from bit address `bit` of an array hold (a load: width differs from the
  // place's). Outside the array: Undefined. Shared arrays: `image` is their contents at the point,
  // null for others.
  [[nodiscard]] Values contents(const Array& array, const Places& places, int width,
                                const Batch& batch, const Image* image = nullptr,
                                std::string* reason = nullptr);
  // A map at argument columns: its outputs. Undefined outside its domain or codomain.
  [[nodiscard]] Values apply(const Map& map, std::vector<Column> arguments, std::size_t size);
  // Calls `visit` for batches of the points of a domain, in lexicographic order (for each point of
  // `outer` in turn), until it returns false. The batches hold outer's variables, the coordinates
  // and their digits.
  Walk walk(const Domain& domain, const Batch& outer,
            const std::function<bool(const Batch&)>& visit);
  // Adds what a `let`, digit binding or carry binds. The variables' own outcomes say where they are
  // undefined; the result is the outcome of the binding itself (a digit binding whose value is out
  // of range included).
  std::vector<Outcome> bind(const Binding& binding, const Scope& scope, Batch& batch);
  // Adds the digits of each coordinate of `domain` (whose coordinates are bound).
  void bind_digits(const Domain& domain, Batch& batch);

  // Extents of an array or table (Undefined: empty, and `reason`), their product times the element
  // width in bits.
  [[nodiscard]] std::optional<std::vector<Int>> extents(const Array& array,
                                                        std::string* reason = nullptr);
  [[nodiscard]] std::optional<Int> bits(const Array& array);
  // The extents of a table.
  [[nodiscard]] std::optional<std::vector<Int>> extents(const Table& table);
  // The values of a table at this shape: given, or chosen by the shape. Empty when its extents are
  // undefined.
  [[nodiscard]] const std::vector<Int>& values(const Table& table);
  // The contents of a pack (cached); of a shared array at one point of parallel and reduce (not
  // cached).
  [[nodiscard]] const Image& image(const Array& pack);
  [[nodiscard]] Image shared_image(const Array& shared, const Batch& point);
  // The smallest width that divides all widths which any fill of the array, or a read of `read`
  // bits, involves.
  [[nodiscard]] int granule(const Array& array, int read = 0) const;

  // A code of a bit of a tensor, and back. `origin` of code_zero: array null.
  [[nodiscard]] std::int64_t code(const Array& tensor, Int bit) const;
  [[nodiscard]] BitRun origin(std::int64_t code, int width) const;
  // "W[9, 2]", or "bits 0..15 of W[1, 0]", "zero", "never written", "written twice"; "W" alone is
  // not an element.
  [[nodiscard]] std::string describe(std::int64_t code, int width);
  [[nodiscard]] std::string describe(const std::vector<BitRun>& contents);
  // The coordinates of an element of a tensor, and the bit inside it.
  [[nodiscard]] std::vector<Int> coordinates(const Array& tensor, Int bit);

  // Why the last Overflow outcome came about; "" when there was none.
  [[nodiscard]] const std::string& undecided() const { return undecided_; }
  void set_undecided(std::string reason) {
    if (undecided_.empty()) undecided_ = std::move(reason);
  }
  void clear_undecided() { undecided_.clear(); }
  // Points walked so far; domains met so far, and how many of them had a point (for vacuity).
  [[nodiscard]] std::int64_t points() const { return points_; }
  void spend(std::int64_t points) { points_ += points; }
  [[nodiscard]] bool exhausted() const;
  std::int64_t domains_met = 0;
  std::int64_t domains_with_points = 0;

 private:
  struct Width {
    int bits = 0;
    bool is_signed = false;
  };
  struct Inverse;
  struct Walker;
  friend struct Walker;
  friend class ImageBuilder;

  Values eval(const Expr& expr, const Batch& batch, const Width* width);
  Values eval_unary(const Expr& expr, const Batch& batch, const Width* width);
  Values eval_binary(const Expr& expr, const Batch& batch, const Width* width);
  Values eval_logical(const Expr& expr, const Batch& batch, const Width* width);
  Values eval_conditional(const Expr& expr, const Batch& batch, const Width* width);
  Values eval_builtin(const Expr& expr, const Batch& batch, const Width* width);
  Values eval_equal(const Expr& expr, const Batch& batch, const Width* width);
  Values eval_digits(const Expr& expr, const Batch& batch, const Width* width);
  Values eval_variable(const Expr& expr, const Batch& batch);
  Values eval_inverse(const Expr& expr, const Batch& batch);
  Values eval_lookup(const Expr& expr, const Batch& batch);
  Values eval_cute(const Expr& expr, const Batch& batch);
  Values eval_forall(const Expr& expr, const Batch& batch);
  Values eval_atom(const Expr& expr);
  std::vector<Column> arguments(const std::vector<Expr*>& args, const Batch& batch,
                                std::vector<Outcome>& outcome);
  Values lookup(const Table& table, const std::vector<Column>& index, std::size_t size);
  // Marks Undefined what is outside the width; `how` tells the value of the first point.
  void check_width(const Width& width, std::size_t size, Values& values,
                   const std::function<std::string()>& how);
  static Values nothing(std::size_t members, std::vector<Outcome> outcome);
  const Inverse& inverse_of(const Map* map, const Table* table);
  void bind_digits_of(const Coordinate& coordinate, Batch& batch);
  void split(Values value, const std::vector<DigitBinding>& digits, Batch& batch);
  Values carry(const Binding& binding, const Scope& scope, const Batch& batch);
  // Writes the reason when one is wanted and none was given yet.
  void explain(const std::function<std::string()>& text);
  [[nodiscard]] std::string text_of(const Expr& expr) const;

  const Spec* spec_;
  Shape shape_;
  Options options_;
  Atom atom_;
  std::string* reason_ = nullptr;
  const Batch* size_batch_ = nullptr;  // of evaluate_over_sizes
  std::string undecided_;
  std::int64_t points_ = 0;
  std::unordered_map<const Variable*, Int> sizes_;
  std::unordered_map<const Variable*, Values> lets_;
  std::unordered_map<const Expr*, Scalar> atoms_;
  std::unordered_map<const Array*, std::unique_ptr<Image>> images_;
  std::unordered_map<const Array*, std::optional<std::vector<Int>>> extents_;
  std::unordered_map<const Table*, std::vector<Int>> tables_;
  std::unordered_map<const void*, std::shared_ptr<Inverse>> inverses_;
  std::vector<const Array*> tensors_;
  std::unordered_map<const Array*, std::int64_t> tensor_index_;
};

// Can evaluate_over_sizes judge this expression? (It speaks of sizes only, without quantifiers and
// memory.)
[[nodiscard]] bool over_sizes(const Expr& expr);

// "require N % 16 == 0 && K % 32 == 0": what the divisions of sizes inside `exprs` that leave a
// remainder at the evaluator's shape would need to leave none. "" when each comes out even, or when
// too many do not.
[[nodiscard]] std::string missing_require(Evaluator& evaluator,
                                          const std::vector<const Expr*>& exprs);

}  // namespace fragproof
