// The resolved form of a `.layout` file: what the parser builds, what name resolution completes,
// and what every meaning (host evaluation, proof, pictures, header) walks. One tree, no second copy
// of a formula.
//
// The parser fills the fields marked [P]; resolution (spec/resolve.h) fills those marked [R], may
// replace children (e.g. a Name becomes a Variable, a Call of a map name becomes an Apply) and
// desugars:
//   * `pack P = W.reshape(..).permute(..)`  into `fills` of P (and of hidden packs between), plus
//   `conditions`;
//   * `map f(..) -> (y) = e`                into one output statement a name;
//   * a bare coordinate or digit binding    into Variables.
// All pointers point into the Spec that owns them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/integer.h"
#include "spec/source.h"

namespace fragproof {

struct Expr;
struct Map;
struct Table;
struct Array;
struct Kernel;
struct Load;

// ---- types
// ----------------------------------------------------------------------------------------------

// The kind of an expression. A Tuple has `arity` members, all numbers, with `names` when it comes
// from a map (its outputs) or from an inverse (the coordinates). Contents are the `width` bits that
// a place holds.
struct Type {
  enum class Kind { Unknown, Number, Condition, Tuple, Contents };
  Kind kind = Kind::Unknown;
  int arity = 0;
  int width = 0;
  std::vector<std::string> names;
};

// An element type: a width with a name (`bf16`, `u4`, `b32`).
struct ElementType {
  enum class Class { Raw, Signed, Unsigned, Float };
  std::string name;
  int width = 0;
  Class cls = Class::Raw;
};
// The type of this name: bN, uN, sN and iN (the same as sN, and named so) for N = 1..128, f16 bf16
// tf32 f32 f64 e4m3 e5m2 e2m1. Nothing for any other name.
[[nodiscard]] std::optional<ElementType> find_type(std::string_view name);

// ---- names that hold a value
// --------------------------------------------------------------------------------

// Anything that has a value at a point. `index` is unique in the Spec: an environment is a vector
// over it.
struct Variable {
  enum class Kind {
    Size,        // quantified over by every claim
    FileLet,     // `value`; undefined only where it is used
    Let,         // of a map or kernel: `value`; undefined makes the whole point undefined
    Coordinate,  // bound by a domain
    Digit,       // a digit of a coordinate or of a let: see Digits
    Output,      // of a map
    Carry,       // see Carry
    Lane,
    Row,
    Col,
    Elem,  // implicit in kernels; a Kernel owns its own four
  };
  std::string name;
  Kind kind = Kind::Size;
  int index = -1;  // [R]
  Span where;
  Type type;              // [R]
  Expr* value = nullptr;  // FileLet, Let
};

// `[a:A, b:B]` as a binding: most significant first. The value splits as (a*B + b), 0 <= a < A, 0
// <= b < B.
struct DigitBinding {
  Variable* variable = nullptr;
  std::string name;  // [P]
  Expr* radix = nullptr;
  Span where;
};

// ---- expressions
// ----------------------------------------------------------------------------------------------

enum class Unary { Negate, Complement, Not };
enum class Binary {
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  ShiftLeft,
  ShiftRight,
  And,
  Or,
  Xor,  // on numbers; And Or Xor on two conditions too
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,  // -> condition; Equal/NotEqual on two of a kind
  LogicalAnd,
  LogicalOr,  // C's: the skipped arm need not be defined
};
enum class Builtin { Min, Max, CeilDiv };
enum class Predicate { Total, Injective, Onto, Bijective };
enum class Metric { Ways, Sectors, Coalesced };  // ways, sectors: number; coalesced: condition
enum class Obligation {
  Bounds,
  Storage,
  Alignment,
  Overflow,
  AWhole,
  BWhole,
  Types,
  ARows,
  BCols,
  AK,
  BK,
  Pairing,
  Cover,
  Output,
};
inline constexpr int obligation_count = 14;
[[nodiscard]] const char* name_of(Obligation obligation);  // "bounds", "A.whole", ...
[[nodiscard]] const char* name_of(Predicate predicate);    // "total", ...
[[nodiscard]] const char* name_of(Metric metric);          // "ways", ...
[[nodiscard]] const char* symbol_of(Binary op);            // "+", "==", ...
[[nodiscard]] int precedence_of(Binary op);                // C's, larger binds tighter

// `.bN[e]`: unit number e, N bits wide, of the array, element or unit before it.
struct Unit {
  int width = 0;
  Expr* index = nullptr;
  Span where;
};

// A place in an array: an element (`index` not empty), refined by `units`; or, with an empty
// `index`, units of the whole array. The place is `width` bits wide.
struct Ref {
  std::string name;        // [P]
  Array* array = nullptr;  // [R]
  std::vector<Expr*> index;
  std::vector<Unit> units;
  int width = 0;  // [R] of the last unit, else of an element
  Span where;
};

// One coordinate of a domain: 0 .. extent-1; `extent` is null for all integers >= 0. With digits
// the extent is their product, left null by the parser and set to that product by resolution.
struct Coordinate {
  std::string name;  // [P]
  Variable* variable = nullptr;
  Expr* extent = nullptr;
  std::vector<DigitBinding> digits;
  Span where;
};
struct Domain {
  std::vector<Coordinate> coordinates;
  Expr* where = nullptr;  // points where this is false are dropped
  Span span;
};

// A CuTe mode: a leaf (`children` empty) or a nest; shape and stride have the same tree.
struct CuteMode {
  Int shape = 0;
  Int stride = 0;
  std::vector<CuteMode> children;
};

struct Expr {
  enum class Kind {
    Number,      // number
    Name,        // [P] only: a dotted name, not yet looked up (`text`)
    Call,        // [P] only: args[0] is the callee, the rest are the arguments
    Index,       // [P] only: args[0][args[1..]]
    Member,      // [P] only: args[0] . text
    UnitAccess,  // [P] only: args[0] . bN [ args[1] ]; `width` is N
    Variable,    // variable
    Unary,
    Binary,
    Conditional,  // unary / binary, args
    Builtin,      // builtin, args
    Width,        // iN/uN(args[0]): "args[0], computed in `width` bits"; `is_signed`
    Apply,     // map(args): a tuple argument stands for its members. One output: a number; more: a
               // tuple
    Inverse,   // map or table .inverse(args): the one point that maps there (number if one
               // coordinate, else tuple)
    Field,     // member `field` of the tuple args[0]
    Lookup,    // table[args]
    Contents,  // the bits at place `ref`
    Tuple,     // (args)
    Digits,  // [args[0]:args[1], args[2]:args[3], ..]: (digit, radix) pairs, most significant first
    Cute,    // cute(modes)(args): one argument a top-level mode
    Forall,  // forall(domain) args[0]
    Predicate,  // predicate of `map`, `table` or `array` (a pack)
    Metric,     // metric of `map` with width args[0], or of `load` of `kernel`
    Kernel,     // all obligations of `kernel`, or the one in `obligation`
  };
  Kind kind = Kind::Number;
  Span where;  // the whole expression where it fits one line, else its first line's part
  Type type;   // [R]
  Int number = 0;
  std::string text;  // Name, Member: the dotted name or the member
  std::vector<Expr*> args;
  Variable* variable = nullptr;
  fragproof::Unary unary = fragproof::Unary::Negate;
  fragproof::Binary binary = fragproof::Binary::Add;
  fragproof::Builtin builtin = fragproof::Builtin::Min;
  fragproof::Predicate predicate = fragproof::Predicate::Total;
  fragproof::Metric metric = fragproof::Metric::Ways;
  std::optional<fragproof::Obligation> obligation;
  int width = 0;
  bool is_signed = false;
  int field = 0;
  Map* map = nullptr;
  Table* table = nullptr;
  Array* array = nullptr;
  fragproof::Kernel* kernel = nullptr;
  Load* load = nullptr;
  Ref ref;
  Domain domain;
  std::vector<CuteMode> modes;
};

// ---- declarations
// ------------------------------------------------------------------------------------------------

// `let x = e` or `let [a:A, b:B] = e`; `carry v over q = first then next`.
struct Binding {
  enum class Kind { Let, Digits, Carry };
  Kind kind = Kind::Let;
  std::string name;                  // [P] Let, Carry
  Variable* variable = nullptr;      // Let, Carry
  std::vector<DigitBinding> digits;  // Digits
  Expr* value = nullptr;             // Let, Digits; Carry: the value at q = 0
  std::string over_name;             // [P] Carry
  Variable* over = nullptr;          // Carry: q, a coordinate or index
  Expr* next = nullptr;              // Carry: the value at q + 1, read at step q
  Span where;
};

struct OutputDef {
  std::string name;
  Variable* variable = nullptr;
  Expr* codomain = nullptr;  // null: all integers
  Expr* value = nullptr;
  Span where;
};

// Where an instruction's entry comes from, read from the comment lines `#@ key: value` above a
// built-in fragment.
struct Provenance {
  std::string instruction;  // "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
  std::string ptx;          // "7.0"
  std::string sm;           // "80"
  std::string section;      // "9.7.15.5.8"
  std::string status;       // "documented" or "inferred"
  std::vector<std::string>
      types;  // the types that find this entry besides its own name: {"bf16", "f16"}
};

// A partial function with named inputs and outputs; a fragment is one that is also a register
// layout.
struct Map {
  std::string name;
  Domain domain;
  // `let`, `carry` and outputs in the order written; an Output step gives outputs[index] its value.
  // The parser puts a step `NAME = e` into `written` (index into it); resolution matches it with
  // its output and rewrites the step.
  struct Step {
    enum class Kind { Binding, Output } kind = Kind::Binding;
    std::size_t index = 0;  // into bindings, or outputs ([P]: written)
  };
  struct Written {
    std::string name;
    Expr* value = nullptr;
    Span where;
  };
  std::vector<Written> written;  // [P]
  std::vector<Step> steps;       // [P], completed by [R]; also filled for a map defined by `= e`
  std::vector<Binding> bindings;
  std::vector<OutputDef> outputs;
  Expr* formula = nullptr;  // [P] `= e`; resolution splits it over the outputs
  bool is_fragment = false;
  ElementType element;  // of a fragment
  bool is_builtin = false;
  Provenance provenance;
  Span where;
};

// Row-major; without `values` it stands for every such table.
struct Table {
  std::string name;
  std::vector<Expr*> extents;
  Expr* range = nullptr;  // values in 0 .. range-1; null: any integer >= 0
  bool has_values = false;
  std::vector<Expr*> values;  // [P] flattened; constant expressions
  std::string file;           // `= file "p.npy"`, read by the loader into `numbers`
  std::vector<Int> numbers;   // [R] the values of a fixed table
  Span where;
};

// `for (DOMAIN) PLACE = SOURCE`; no source: zeros.
struct Fill {
  Domain domain;
  Ref place;
  std::optional<Ref> source;
  Span where;
};

// Something that must hold for an array to be what its text says: a reshape has as many elements as
// before.
struct Condition {
  Expr* holds = nullptr;
  std::string text;  // for messages: "reshape: 4 * 4 * 7 elements for N * K"
  Span where;
};

struct Array {
  enum class Kind { Tensor, Pack, Shared };
  std::string name;  // "Wp"; hidden steps of a chain are "Wp#1", ...
  Kind kind = Kind::Tensor;
  std::vector<Expr*> extents;  // of a chain pack: the result's shape [R]
  ElementType element;
  std::vector<Fill> fills;
  std::vector<Condition> conditions;  // [R]
  struct ChainStep {
    std::string op;
    std::vector<Expr*> args;
    Span where;
  };
  std::string chain_source;             // [P] `pack P = NAME.reshape(..)`
  std::vector<ChainStep> chain;         // [P]
  fragproof::Kernel* kernel = nullptr;  // of a shared array
  bool hidden = false;
  Span where;
};

// `load v : b128 from REF if P else 0`; `instruction` is the ldmatrix form, else null.
struct Load {
  std::string name;
  std::string type_name;             // [P] "b128", "ldmatrix.x4", or ""
  const Map* instruction = nullptr;  // [R]
  int width = 0;                     // [R] bits that each lane gets
  Ref from;
  Expr* condition = nullptr;
  bool else_zero = false;
  Span where;
};

// Bits that go into an operand: a load, a conversion, or values joined lowest first; then units of
// it.
struct Value {
  enum class Kind { Load, Convert, Join };
  Kind kind = Kind::Load;
  std::string name;                 // [P] Load; Convert: the type
  fragproof::Load* load = nullptr;  // [R]
  ElementType type;                 // [R] Convert
  std::vector<Value> parts;         // Convert: one; Join
  std::vector<Unit> units;
  int width = 0;  // [R]
  Span where;
};

struct Mma {
  std::string accumulator;  // [P] the name on the left of `+=`
  std::string instruction;  // [P] as written, [R] with aliases resolved: "mma.m16n8k16.bf16"
  const Map* a = nullptr;   // [R]
  const Map* b = nullptr;
  const Map* c = nullptr;
  std::string type;  // [R] the last part of the name: "b16", "bf16", "tf32"
  Value value_a;
  Value value_b;
  Span where;
};

struct Store {
  std::string accumulator;  // [P]
  Ref to;
  Expr* condition = nullptr;
  Span where;
};

struct Launch {
  std::string symbol;
  std::vector<Expr*> grid, block, shared;
  struct Argument {
    std::string name;
    Expr* value = nullptr;
    int width = 0;
  };  // an array's name, iN(e), scratch
  std::vector<Argument> args;
  Span where;
};

// One factor or the result of `y[m, n] += W[n, k] * x[m, k]`.
struct Factor {
  std::string name;         // [P]
  Array* tensor = nullptr;  // [R]
  std::vector<std::string> indices;
  Span where;
};

struct Kernel {
  std::string name;
  Factor result, first, second;
  std::vector<std::string> summed;  // [R] indices absent from the result, in order of appearance
  std::optional<Domain> parallel, reduce;
  // The statements in the order written; `index` is into the vector of its kind (0 for parallel ..
  // store).
  struct Step {
    enum class Kind { Require, Binding, Parallel, Reduce, Shared, Fill, Load, Mma, Store, Launch };
    Kind kind = Kind::Require;
    std::size_t index = 0;
    Span where;
  };
  std::vector<Step> steps;  // [P]
  std::vector<Fill> fills;  // [P]; resolution moves each to its shared array
  std::vector<Binding> bindings;
  std::vector<Expr*> requires_;
  std::vector<Array*> shared;  // their `fills` hold the kernel's `for` lines
  std::vector<Load*> loads;
  std::optional<Mma> mma;
  std::optional<Store> store;
  std::vector<Launch> launches;
  Variable *lane = nullptr, *row = nullptr, *col = nullptr, *elem = nullptr;
  Span where;
};

struct Claim {
  bool refute = false;
  std::string name;  // given, or the predicate's text: "bijective(Wp)"
  Expr* condition = nullptr;
  Expr* where_clause = nullptr;
  int file = -1;
  Span where;
};

// One file with everything it includes, resolved. Order of the vectors is order of declaration.
struct Spec {
  std::shared_ptr<SourceSet> sources;
  int main_file = -1;
  std::vector<Variable*> sizes;
  std::vector<Expr*> requires_;  // of the file and of what it includes
  std::vector<Table*> tables;
  std::vector<Map*> maps;      // the file's own (not the built-in ones)
  std::vector<Array*> arrays;  // tensors and packs, hidden ones included
  std::vector<Kernel*> kernels;
  std::vector<Claim> claims;  // of the main file only
  int variable_count = 0;
  std::shared_ptr<void> arena;  // owns the nodes
};

}  // namespace fragproof
