// `prove`: judges claims, streams a line for each, writes the reports.
#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <thread>

#include "checkers/portfolio.h"
#include "checkers/solver/linear.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/prove_stream.h"
#include "cli/signals.h"
#include "cli/suggest.h"
#include "reports/html.h"
#include "reports/json.h"

namespace fragproof::cli {
namespace {

struct ProveOptions {
  std::vector<std::string> files;
  std::vector<std::string> only;
  std::vector<std::string> explain;
  std::string at;
  std::string json;
  std::string html;
  bool quiet = false;
  bool proofs = false;
  bool cross_check = false;
  ColourMode colour = ColourMode::Auto;
  int jobs = std::clamp<int>(static_cast<int>(std::thread::hardware_concurrency()), 1, 16);
  std::int64_t rlimit = Budget{}.rlimit;
  double timeout = PortfolioOptions{}.claim_seconds;
  std::string command_line;
};

// The outputs that the user asked for: (option, path).
std::vector<std::pair<std::string, std::string>> outputs_of(const ProveOptions& options) {
  std::vector<std::pair<std::string, std::string>> outputs;
  if (!options.json.empty()) outputs.emplace_back("--json", options.json);
  if (!options.html.empty()) outputs.emplace_back("--html", options.html);
  return outputs;
}

// Says so before the work when an output cannot be written, or would destroy an input or another
// output.
void expect_writable(const ProveOptions& options) {
  std::set<std::string> taken(options.files.begin(), options.files.end());
  for (const auto& [option, path] : outputs_of(options)) {
    const std::string reason = why_unwritable(path);
    if (!reason.empty()) throw Failure{option + ": " + reason};
    if (!taken.insert(path).second) {
      throw Failure{option + ": '" + path + "' is an input or another output of this run"};
    }
  }
}

// Does the user's `wanted` name this question? Its id, or the id of the kernel claim that it is a
// part of.
bool names(const std::string& wanted, const Question& question) {
  if (wanted == question.id) return true;
  return question.id == wanted + "." + question.kind;
}

// Keeps the questions that `--only` and `--explain` name. Throws Failure for a name that no
// question has.
void keep_wanted(std::vector<Question>& questions, const ProveOptions& options, bool all_read) {
  std::vector<std::string> wanted = options.only;
  if (wanted.empty()) wanted = options.explain;
  if (wanted.empty()) return;
  std::vector<std::string> ids;
  for (const Question& question : questions) ids.push_back(question.id);
  std::vector<std::string> all = options.only;
  all.insert(all.end(), options.explain.begin(), options.explain.end());
  for (const std::string& id : all) {
    const bool found = std::any_of(questions.begin(), questions.end(),
                                   [&](const Question& question) { return names(id, question); });
    // A claim of a file that cannot be read is not known by name; that file's own ERROR tells.
    if (!found && all_read) throw Failure{"no claim " + id + did_you_mean(id, ids)};
  }
  std::erase_if(questions, [&](const Question& question) {
    return std::none_of(wanted.begin(), wanted.end(),
                        [&](const std::string& id) { return names(id, question); });
  });
}

PortfolioOptions portfolio_options(const ProveOptions& options, const NamedValues& at) {
  PortfolioOptions portfolio;
  portfolio.at = at;
  portfolio.deep.rlimit = options.rlimit;
  portfolio.quick.rlimit = options.rlimit;
  portfolio.cross_check = options.cross_check;
  portfolio.claim_seconds = options.timeout;
  if (options.timeout <= 0) portfolio.file_seconds = 0;
  portfolio.workers = options.jobs;
  portfolio.interrupt = &catch_interrupts();
  return portfolio;
}

void write_reports(const ProveOptions& options, const Record& record) {
  if (!options.json.empty()) save(options.json, to_json(record, {.proofs = options.proofs}));
  if (!options.html.empty()) save(options.html, to_html(record));
}

int prove(const ProveOptions& options) {
  expect_writable(options);
  const NamedValues at = options.at.empty() ? NamedValues{} : parse_sizes(options.at);
  const std::vector<Input> inputs =
      options.files.empty() ? builtin_inputs() : read_inputs(options.files);

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
  keep_wanted(questions, options, all_read);

  ProveStream stream({.quiet = options.quiet,
                      .silent = options.json == "-" || options.html == "-",
                      .colour = use_colour(options.colour),
                      .width = terminal_width(),
                      .explain = options.explain,
                      .writes_reports = !outputs_of(options).empty()},
                     inputs, questions);
  const PortfolioOptions portfolio = portfolio_options(options, at);
  const std::vector<Check> judged = judge_all(questions, portfolio, stream.progress());

  Record record;
  record.tool_version = FRAGPROOF_VERSION;
  record.z3_version = z3_version();
  record.command = options.command_line;
  record.checks = stream.with_errors(judged);
  record.interrupted = stream.interrupted(*portfolio.interrupt);
  stream.finish(record);
  write_reports(options, record);
  return stream.code(record);
}

}  // namespace

Command add_prove(CLI::App& root, std::string command_line) {
  auto options = std::make_shared<ProveOptions>();
  options->command_line = std::move(command_line);
  CLI::App* app =
      root.add_subcommand("prove", "judge the claims of files; no file: everything built in");
  app->add_option("FILE", options->files, "`.layout` files")->type_name("");
  app->add_option("--only", options->only, "judge the claim of this id only (repeatable)")
      ->type_name("ID")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option("--at", options->at, "judge at this point only, by enumeration: N=16,K=64")
      ->type_name("SIZES");
  app->add_option("--json", options->json, "write the record of the run (-: to stdout)")
      ->type_name("FILE");
  app->add_option("--html", options->html, "write one self-contained page")->type_name("FILE");
  app->add_option("--explain", options->explain, "print the proof of this claim, step by step")
      ->type_name("ID")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_flag("--proofs", options->proofs, "put the steps of each proof into the JSON record");
  app->add_flag("-q,--quiet", options->quiet,
                "print only what did not get what it expects, and the summary");
  add_colour(*app, options->colour);
  app->add_option("--jobs,-j", options->jobs, "claims judged at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 64).description(""));
  app->add_option("--rlimit", options->rlimit, "Z3's budget for one claim, in its own unit")
      ->type_name("N")
      ->check(CLI::Validator(CLI::PositiveNumber).description(""));
  app->add_option(
         "--timeout", options->timeout,
         "seconds after which a claim is UNKNOWN, a safety net beside the budgets (0: none)")
      ->type_name("S")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""));
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
