// `prove`: judges claims, streams a line for each, writes the reports.
#include <sched.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "checkers/portfolio.h"
#include "checkers/solver/linear.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/proofs.h"
#include "cli/prove_stream.h"
#include "cli/report_outputs.h"
#include "cli/signals.h"
#include "cli/suggest.h"
#include "reports/write.h"

namespace fragproof::cli {
namespace {

// How many processors this process may run on: under taskset, in a container or a batch job that is
// fewer than there are.
int processors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  return static_cast<int>(std::thread::hardware_concurrency());
}

struct ProveOptions {
  std::vector<std::string> files;
  std::vector<std::string> only;
  std::vector<std::string> explain;
  std::string at;
  ReportOutputs outputs;
  std::string proof;  // the folder of --proof
  bool quiet = false;
  bool proofs = false;
  bool cross_check = false;
  ColourMode colour = ColourMode::Auto;
  int jobs = std::clamp(processors(), 1, 16);
  std::int64_t rlimit = Budget{}.rlimit;
  double timeout = PortfolioOptions{}.claim_seconds;
  std::string command_line;
};

// The questions that `wanted` names: by id, or the id of the kernel claim that they are parts of;
// else by what stands behind the file's name in an id, or the name of a kernel: all its checks.
// Throws Failure for none.
std::vector<const Question*> named_by(const std::string& wanted,
                                      const std::vector<Question>& questions) {
  std::vector<const Question*> by_id, by_name;
  for (const Question& question : questions) {
    const std::string& claim = question.claim->name;
    const std::string part = claim + "." + question.kind;  // of a kernel's claim
    const bool is_part = question.id.ends_with("/" + part);
    if (wanted == question.id || question.id == wanted + "." + question.kind) {
      by_id.push_back(&question);
    } else if (wanted == claim || (is_part && wanted == part) ||
               (question.kernel != nullptr && question.kernel->name == wanted)) {
      by_name.push_back(&question);
    }
  }
  if (!by_id.empty()) return by_id;
  if (!by_name.empty()) return by_name;
  std::vector<std::string> ids, holding;
  for (const Question& question : questions) {
    ids.push_back(question.id);
    if (question.id.find(wanted) != std::string::npos) holding.push_back(question.id);
  }
  throw Failure{"no claim " + short_word(wanted) +
                (holding.empty() ? did_you_mean(wanted, ids)
                                 : ", did you mean " + alternatives(holding) + "?")};
}

// Keeps the questions that `--only` names, else those of `--explain`; the ids to explain. Throws
// Failure for a name that no question has.
std::vector<std::string> keep_wanted(std::vector<Question>& questions, const ProveOptions& options,
                                     bool all_read) {
  const auto all = [&](const std::vector<std::string>& names) {
    std::set<std::string> ids;
    for (const std::string& name : names) {
      try {
        for (const Question* question : named_by(name, questions)) ids.insert(question->id);
      } catch (const Failure&) {
        // A claim of a file that cannot be read is not known by name; that file's own ERROR tells.
        if (all_read) throw;
      }
    }
    return ids;
  };
  const std::set<std::string> only = all(options.only);
  const std::set<std::string> explain = all(options.explain);
  if (!options.only.empty() || !options.explain.empty()) {
    const std::set<std::string>& wanted = options.only.empty() ? explain : only;
    std::erase_if(questions,
                  [&](const Question& question) { return !wanted.contains(question.id); });
  }
  return {explain.begin(), explain.end()};
}

PortfolioOptions portfolio_options(const ProveOptions& options, const NamedValues& at) {
  PortfolioOptions portfolio;
  portfolio.at = at;
  portfolio.deep.rlimit = options.rlimit;
  portfolio.quick.rlimit = options.rlimit;
  portfolio.deep.replay = !options.proof.empty();
  portfolio.cross_check = options.cross_check;
  portfolio.claim_seconds = options.timeout;
  if (options.timeout <= 0) portfolio.file_seconds = 0;
  portfolio.workers = options.jobs;
  portfolio.interrupt = &catch_interrupts();
  return portfolio;
}

int prove(const ProveOptions& options) {
  const std::vector<OutputFile> outputs = options.outputs.files();
  const NamedValues at = options.at.empty() ? NamedValues{} : parse_sizes(options.at);
  const std::vector<Input> inputs =
      options.files.empty() ? builtin_inputs() : read_inputs(options.files);
  expect_writable(outputs, files_read(inputs));
  if (!options.proof.empty()) expect_proof_folder(options.proof);

  // The checks of the run in the order of the files; those of files that cannot be read have their
  // verdict already.
  std::vector<Question> questions;
  std::vector<const Spec*> specs;
  bool all_read = true;
  for (const Input& input : inputs) {
    if (!input.spec) {
      all_read = false;
      continue;
    }
    specs.push_back(input.spec.get());
    std::vector<Question> own = questions_of(*input.spec, input.stem);
    std::move(own.begin(), own.end(), std::back_inserter(questions));
  }
  if (!at.empty() && all_read) expect_declared(at, specs);
  const std::vector<std::string> explain = keep_wanted(questions, options, all_read);

  ProveStream stream(
      {.quiet = options.quiet,
       .silent = std::any_of(outputs.begin(), outputs.end(),
                             [](const OutputFile& o) { return names_stdout(o.path); }),
       .colour = use_colour(options.colour),
       .width = terminal_width(),
       .explain = explain,
       .writes_reports = !outputs.empty()},
      inputs, questions);
  const PortfolioOptions portfolio = portfolio_options(options, at);
  const std::vector<Check> judged = judge_all(questions, portfolio, stream.progress());

  Record record;
  record.tool_version = FRAGPROOF_VERSION;
  record.z3_version = z3_version();
  record.command = options.command_line;
  record.specs = fingerprints_of(inputs);
  record.checks = stream.with_errors(judged);
  record.interrupted = stream.interrupted(*portfolio.interrupt);
  stream.finish(record);
  std::optional<Failure> missed;
  try {
    if (!options.proof.empty()) write_proofs(options.proof, record);
  } catch (const Failure& failure) {
    missed = failure;
  }
  options.outputs.write(record, {.proofs = options.proofs});
  if (missed) throw Failure{*missed};
  return stream.code(record);
}

}  // namespace

Command add_prove(CLI::App& root, std::string command_line) {
  auto options = std::make_shared<ProveOptions>();
  options->command_line = std::move(command_line);
  CLI::App* app =
      root.add_subcommand("prove", "judge the claims of files; no file: everything built in");
  app->add_option("FILE", options->files, "`.layout` files, or built-in ones as `list` names them")
      ->type_name("");
  app->add_option("--only", options->only,
                  "judge only the claim of this id, or of this name, or a kernel's (repeatable)")
      ->type_name("ID")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option(
         "--at", options->at,
         "judge at this point only, by enumeration: N=16,K=64 (sizes left out: the smallest)")
      ->type_name("SIZES");
  options->outputs.add_to(*app);
  app->add_option("--explain", options->explain, "print the proof of this claim, step by step")
      ->type_name("ID")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option("--proof", options->proof,
                  "write each proof for all shapes to a file in this folder, for fragproof-check")
      ->type_name("DIR");
  app->add_flag("--proofs", options->proofs, "put the steps of each proof into the JSON record");
  app->add_flag("-q,--quiet", options->quiet,
                "print only what did not get what it expects, and the summary");
  add_colour(*app, options->colour);
  app->add_option("--jobs,-j", options->jobs, "claims judged at the same time")
      ->type_name("N")
      ->check(whole_number(1, 64));
  app->add_option("--rlimit", options->rlimit, "Z3's budget for one claim, in its own unit")
      ->type_name("N")
      ->check(whole_number(1, std::numeric_limits<std::uint32_t>::max()));
  app->add_option(
         "--timeout", options->timeout,
         "seconds of processor time (four times as many by the clock) after which a claim is "
         "UNKNOWN, a safety net beside the budgets (0: none)")
      ->type_name("S")
      ->check(seconds());
  app->add_flag("--cross-check", options->cross_check,
                "ask every engine about every claim; they must agree");
  app->footer(
      "Examples:\n"
      "  fragproof prove                                    everything built in\n"
      "  fragproof prove gemv.layout tf32_gemm.layout --json run.json --html run.html\n"
      "  fragproof prove gemv.layout --only gemv/gemv.cover --at N=16,K=64\n"
      "  fragproof prove gemv.layout --explain gemv/pack_bijective");
  return {app, [options] { return prove(*options); }};
}

}  // namespace fragproof::cli
