// `mutate`: how many mistakes in a file its claims and an execution of its kernels catch.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "fuzz/mutants.h"
#include "reports/escape.h"

namespace fragproof::cli {
namespace {

struct MutateOptions {
  std::string file;
  std::int64_t cases = 20;
  bool all = false;
  bool survivors_pass = false;
};

std::string diff_text(const Mutant& mutant) {
  return fmt::format("    {:>4} - {}\n         + {}\n", mutant.line, visible(mutant.before),
                     visible(mutant.after));
}

int mutate(const MutateOptions& options) {
  const std::vector<Input> inputs = read_inputs({options.file});
  const Input& input = inputs.front();
  if (!input.spec) {
    const std::string text = diagnostics_text(input);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return exit_usage;
  }
  const std::atomic<bool>& interrupted = catch_interrupts();
  MutationSetting setting;
  setting.cases = options.cases;
  setting.prove.interrupt = &interrupted;
  const std::vector<Mutant> mutants = mutants_of(*input.spec);
  if (mutants.empty()) throw Failure{input.path + " has nothing to mutate", exit_nothing};
  std::size_t killed = 0, equal = 0, survived = 0, done = 0;
  for (const Mutant& mutant : mutants) {
    if (interrupted) break;
    if (use_progress()) {
      std::fprintf(stderr, "\r\x1b[K[%zu/%zu]", ++done, mutants.size());
      std::fflush(stderr);
    }
    const MutantVerdict verdict = judge_mutant(*input.spec, mutant, input.stem, setting);
    if (use_progress()) std::fputs("\r\x1b[K", stderr);
    if (interrupted && verdict.fate == Fate::Survived) break;
    killed += verdict.fate == Fate::Killed ? 1 : 0;
    equal += verdict.fate == Fate::Equal ? 1 : 0;
    survived += verdict.fate == Fate::Survived ? 1 : 0;
    if (verdict.fate == Fate::Invalid) continue;
    if (verdict.fate == Fate::Killed && !options.all) continue;
    print(fmt::format("{} {:<8}  {} in {}: {}\n{}", verdict.fate == Fate::Survived ? "!" : " ",
                      name_of(verdict.fate), mutant.what, mutant.owner, visible(verdict.by),
                      diff_text(mutant)));
  }
  const std::size_t counted = killed + survived;
  const double score =
      counted == 0 ? 100 : 100 * static_cast<double>(killed) / static_cast<double>(counted);
  print(fmt::format("{} mutants: {} killed, {} shown equal, {} survived: score {:.1f} %\n",
                    killed + equal + survived, killed, equal, survived, score));
  if (interrupted) return exit_interrupted;
  return survived > 0 && !options.survivors_pass ? 1 : exit_ok;
}

}  // namespace

Command add_mutate(CLI::App& root) {
  auto options = std::make_shared<MutateOptions>();
  CLI::App* app = root.add_subcommand(
      "mutate", "change a file in one place at a time: do its claims catch it?");
  app->add_option("FILE", options->file, "a `.layout` file")->type_name("")->required();
  app->add_option("--cases", options->cases, "executions of each kernel of a mutant (default 20)")
      ->type_name("N")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""));
  app->add_flag("--all", options->all, "print the killed ones, too, and what killed them");
  app->add_flag("--allow-survivors", options->survivors_pass, "exit 0 although some survive");
  app->footer("Example:\n  fragproof mutate gemv.layout");
  return {app, [options] { return mutate(*options); }};
}

}  // namespace fragproof::cli
