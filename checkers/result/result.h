// What one claim came to: verdict, evidence, proof. Reports depend on this file and on nothing else
// of the engines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spec/integer.h"

namespace fragproof {

// Exit codes: 0 every claim got what it expects, 1 an opposite or VACUOUS, 2 usage or unreadable
// input, 3 UNKNOWN only, 4 internal error or engines that disagree, 77 nothing could run, 130
// interrupted.
enum class Verdict { Proved, Refuted, Unknown, Vacuous, Skipped, Error };
[[nodiscard]] const char* name_of(Verdict verdict);  // "PROVED", ...

using NamedValues = std::vector<std::pair<std::string, Int>>;

// One cell of a register picture: what a lane's element should hold and what it holds.
struct PictureCell {
  int lane = 0;
  int elem = 0;
  std::string expected;  // "" where nothing is expected
  std::string found;     // "" where nothing is there
  bool wrong = false;
};

// A register picture: one row a lane, one column an element; element i sits at bit i*bits of the
// lane's registers.
struct Picture {
  std::string title;  // "operand A of mma.m16n8k16.b16 at rb=0, kb=0, step=0"
  std::string register_prefix = "a";
  int bits = 16;  // of an element
  int register_bits = 32;
  int lanes = 32;
  int elems = 8;
  // What the two lines of a cell are called where they are not this: "B holds" and "A holds".
  std::string expected_label = "expected";
  std::string found_label = "found";
  std::vector<PictureCell> cells;
};

// The smallest point that shows a claim false. Fields that do not apply are left empty.
struct Counterexample {
  NamedValues sizes;  // in order of declaration
  NamedValues at;     // parallel and reduce indices, or the coordinates of a forall or map
  std::vector<std::pair<std::string, std::vector<Int>>> tables;  // uninterpreted tables, as chosen
  std::optional<int> lane;
  std::optional<int> elem;
  std::string reg;       // "a1"
  std::string half;      // "low", "high"; "byte 2", "nibble 5"; "" for a whole register
  std::string expected;  // "W[9, 2]"
  std::string found;     // "W[1, 10]"
  std::optional<std::int64_t> wrong;  // how many slots or points are wrong ..
  std::optional<std::int64_t> of;     // .. out of how many
  bool smallest = true;               // false: the search was cut short, "not shown smallest"
  std::string text;                   // one or two sentences that say it all
  std::optional<Picture> picture;
};

// One step of a proof: `statement` follows from `premises` by `lemma`. `smt` names the query that
// Z3 discharged.
struct ProofStep {
  std::string
      lemma;  // "box", "linear", "division", "split", "identity", "digits", "enumerated", ...
  std::string statement;      // readable, in source names: "0 <= 63 - 32*step - lane"
  std::vector<int> premises;  // indices of earlier steps
  bool discharged = false;    // by Z3, in this run
};
struct Proof {
  std::string method;  // "radix", "linear", "enumerate", "smt"
  std::vector<ProofStep> steps;
  std::vector<std::string> notes;  // e.g. the inferred k permutation: "slot 2t+e -> k 8t+4s+e"
  // The proof as the text that fragproof-check replays (docs/proofs.md); "" unless it was asked for
  // and there is one. Not part of the record.
  std::string replay;
  // How many steps each lemma has: only in a record that was read back without its steps (else see
  // `steps`).
  struct LemmaCount {
    std::string lemma;
    std::int64_t steps = 0;
    std::int64_t discharged = 0;
  };
  std::vector<LemmaCount> lemmas;
};

// What a fuzz run executed. Shards of one run add up.
struct Tried {
  std::int64_t cases = 0;
  std::int64_t failing = 0;
  // How many cases had a size of this class: {"M prime", 25}. 0: never tried.
  std::vector<std::pair<std::string, std::int64_t>> classes;
};

struct Check {
  std::string id;    // "gemv/gemv.A.rows"
  std::string kind;  // "A.rows", "bijective", "forall", "condition", "kernel"
  Verdict verdict = Verdict::Unknown;
  Verdict expected = Verdict::Proved;
  std::vector<std::string> methods;  // engines that decided it: "radix", "enumerate"
  std::vector<std::string> needs;    // requires that the proof used, as written
  std::vector<std::string> unused;   // requires that it did not need
  std::string below;  // of UNKNOWN and VACUOUS: the id of the refuted obligation under which it was
                      // not judged
  std::string reason;  // of UNKNOWN, VACUOUS, SKIPPED, ERROR: one honest sentence
  std::string note;    // e.g. "k slot 2t+e holds k 8t+4*step+e"; "" mostly
  double time_ms = 0;
  std::string file;  // as given on the command line
  int line = 0;
  int column = 0;
  std::string source_line;  // the text of that line
  int context_line = 0;     // the line of context[0]; 0: no context given
  std::vector<std::string>
      context;  // the lines around it (a few before, a few after), for the HTML page
  std::optional<Counterexample> counterexample;
  std::optional<Proof> proof;
  std::string reproduce;  // "fragproof prove gemv.layout --only gemv/gemv.A.rows --at N=16,K=32"
  std::int64_t shapes_tried = 0;  // by the enumerator, or executed by a fuzz run
  std::optional<Tried> tried;     // of a fuzz run
  std::int64_t z3_queries = 0;
  std::int64_t rlimit = 0;  // spent in Z3
};

// The master record of one run.
struct Record {
  std::string tool_version;
  std::string z3_version;  // "5.4.1 (wheel)", "4.8.12"
  std::string command;     // as typed, without paths of this machine
  // The texts that were judged, by name, each with its fingerprint (reports/hash.h): the files,
  // what they include, and "instructions", the built-in spec. Records of different texts do not
  // merge.
  std::vector<std::pair<std::string, std::string>> specs;
  std::vector<Check> checks;
  bool interrupted = false;
};

// Did the check get what it expects?
[[nodiscard]] inline bool as_expected(const Check& check) {
  return check.verdict == check.expected;
}

}  // namespace fragproof
