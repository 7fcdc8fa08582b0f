// The command line: reads the arguments, runs one command, turns what goes wrong into one message
// and an exit code.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "checkers/portfolio.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/optional_value.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/suggest.h"

namespace fragproof::cli {
namespace {

constexpr const char* examples =
    "Examples:\n"
    "  fragproof prove                                  everything built in\n"
    "  fragproof prove gemv.layout --html report.html   all claims of a file, and a page to look "
    "at\n"
    "  fragproof prove gemv.layout --only gemv/gemv.cover --at N=16,K=64\n"
    "  fragproof fuzz gemv.layout --for 60s             its kernels on an emulated warp\n"
    "  fragproof show mma.m16n8k16.bf16 A               which element each lane's registers hold\n"
    "  fragproof show gemv.layout gemv.a --lanes 0-5    what these lanes load\n"
    "  fragproof where mma.m16n8k16.bf16 A --lane 5 --elem 3\n"
    "  fragproof where mma.m16n8k16.bf16 A --row 9 --col 2\n"
    "  fragproof report run.json --junit junit.xml --md summary.md\n"
    "  fragproof list                                   instructions and built-in files\n"
    "  fragproof header gemv.layout > gemv.h            its maps and packs as C++, host and "
    "device\n"
    "\n"
    "Exit codes: 0 every claim got what it expects; 1 some claim got the opposite or is VACUOUS;\n"
    "2 usage, or a file that cannot be read or written; 3 none of these, but something is "
    "UNKNOWN;\n"
    "4 internal error, or two engines that disagree; 77 nothing to judge; 130 interrupted.";

constexpr const char* short_help =
    "fragproof proves, fuzzes and explains the data layouts of tensor-core kernels.\n"
    "\n"
    "  fragproof prove FILE.layout                judge the claims of a file (no file: all built "
    "in)\n"
    "  fragproof show mma.m16n8k16.bf16 A         which element each lane's registers hold\n"
    "\n"
    "Commands: list, show, where, prove, fuzz, configs, mutate, report, header, probe, version. "
    "`fragproof --help` tells more.\n";

// The names of the options of `app`, "--json" and "-q" alike.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// What to say about arguments that nobody took.
std::string unexpected(const CLI::App& root, const std::vector<Command>& commands) {
  const CLI::App* chosen = &root;
  std::vector<std::string> names;
  for (const Command& command : commands) {
    names.push_back(command.app->get_name());
    if (command.app->parsed()) chosen = command.app;
  }
  const std::vector<std::string> left = root.remaining(true);
  const std::string word = left.empty() ? "" : left.front();
  if (word.rfind('-', 0) == 0 && word.size() > 1) {
    const std::string name = word.substr(0, word.find('='));
    const std::string of = chosen == &root ? "" : " of `" + chosen->get_name() + "`";
    return "unknown option " + short_word(name) + of + did_you_mean(name, option_names(*chosen));
  }
  if (chosen == &root) return "unknown command " + short_word(word) + did_you_mean(word, names);
  return "unexpected argument '" + short_word(word) + "' of `" + chosen->get_name() + "`";
}

int without_command() {
  std::fputs(short_help, stderr);
  return exit_usage;
}

int run(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  std::string command_line = "fragproof";
  for (const std::string& argument : arguments) command_line += " " + shell_word(argument);

  CLI::App root("fragproof proves, fuzzes and explains the data layouts of tensor-core kernels.",
                "fragproof");
  root.footer(examples);
  root.require_subcommand(0, 1);
  root.set_version_flag("--version", std::string("fragproof ") + FRAGPROOF_VERSION);
  root.get_formatter()->column_width(34);
  const std::vector<Command> commands = {
#ifndef FRAGPROOF_WITHOUT_Z3
      add_prove(root, command_line),
      add_configs(root, command_line),
      add_mutate(root),
#endif
      add_fuzz(root, command_line),
      add_show(root, arguments),
      add_where(root),
      add_list(root),
      add_header(root),
      add_report(root),
      add_probe(root),
      add_version(root)};
  if (arguments.empty()) return without_command();
  arguments = join_optional_values(std::move(arguments));
  for (const Command& command : commands) {
    if (command.app->get_name() != arguments.front()) continue;
    expect_values(*command.app, {arguments.begin() + 1, arguments.end()});
  }
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // CLI11 wants them so
    root.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const CLI::App* about = &root;
    for (const Command& command : commands) {
      if (command.app->parsed()) about = command.app;
    }
    print(about->help(about == &root ? "" : "fragproof"));
    return exit_ok;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return exit_ok;
  } catch (const CLI::ExtrasError&) {
    throw Failure{unexpected(root, commands) + "\nTry `fragproof --help`."};
  } catch (const CLI::ParseError& error) {
    throw Failure{std::string(error.what()) + "\nTry `fragproof --help`."};
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return without_command();
}

}  // namespace
}  // namespace fragproof::cli

int main(int argc, char** argv) {
  using namespace fragproof::cli;
  ignore_write_signals();
  try {
    return run(argc, argv);
  } catch (const Failure& failure) {
    if (!failure.message.empty()) complain(failure.message);
    return failure.code;
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    return exit_internal;
  } catch (const std::exception& error) {
    complain(std::string("internal error: ") + error.what());
    return exit_internal;
  }
}
