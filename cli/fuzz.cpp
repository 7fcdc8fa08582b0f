// `fuzz`: executes the kernels of a file on an emulated warp at many configurations, shrinks what
// fails.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>

#include "checkers/portfolio.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/fuzz_corpus.h"
#include "cli/fuzz_report.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "fuzz/campaign.h"
#include "gpu_tests/driver/api.h"
#include "gpu_tests/launch/launcher.h"
#include "reports/escape.h"
#include "reports/html.h"
#include "reports/json.h"
#include "spec/load.h"

namespace fragproof::cli {
namespace {

struct FuzzOptions {
  std::string file;
  std::vector<std::string> words;  // of a configuration
  std::int64_t cases = 1000;
  std::string duration;
  std::uint64_t seed = 1;
  std::string replay, shrink, corpus, shard, at, json, html;
  std::string module;  // of --gpu
  int device = 0;
  double time_limit = 10;
  bool gpu = false, require_gpu = false;
  bool floats = false;
  bool quiet = false;
  ColourMode colour = ColourMode::Auto;
  std::string command_line;
};

double seconds_of(const std::string& text) {
  if (text.empty()) return 0;
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const std::string unit = text.substr(used);
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (used == 0 || scale == 0 || !(value > 0) || value * scale > 1e7) {
    throw Failure{"--for takes a time like 60s, 5m or 2h, not '" + text + "'"};
  }
  return value * scale;
}

void read_shard(const std::string& text, CampaignSetting& setting) {
  if (text.empty()) return;
  const std::size_t slash = text.find('/');
  const std::optional<Int> index = parse_int(text.substr(0, slash));
  const std::optional<Int> count =
      slash == std::string::npos ? std::nullopt : parse_int(text.substr(slash + 1));
  if (!index || !count || *count < 1 || *count > 1'000'000) {
    throw Failure{"--shard takes i/n like 2/4, not '" + text + "'"};
  }
  if (*index < 1 || *index > *count) {
    throw Failure{"--shard " + text + ": the index is from 1 to " + to_string(*count)};
  }
  setting.shard = static_cast<std::int64_t>(*index);
  setting.shards = static_cast<std::int64_t>(*count);
}

Configuration parse_or_fail(const std::string& line) {
  ParsedConfiguration parsed = parse_configuration(line);
  if (!parsed.configuration) throw Failure{parsed.error};
  return std::move(*parsed.configuration);
}

// A progress line on a terminal.
class ProgressLine {
 public:
  ProgressLine(bool wanted, std::size_t kernels) : wanted_(wanted), kernels_(kernels) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(std::int64_t done, std::int64_t failing) {
    const auto now = std::chrono::steady_clock::now();
    if (!wanted_ || (shown_ && now - last_ < std::chrono::milliseconds(200))) return;
    last_ = now;
    shown_ = true;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
    std::fprintf(stderr, "\r\x1b[K%lld cases of %zu kernels, %.0f a second, %lld failing",
                 static_cast<long long>(done), kernels_, rate, static_cast<long long>(failing));
    std::fflush(stderr);
  }
  void clear() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
    shown_ = false;
  }

 private:
  bool wanted_;
  std::size_t kernels_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_{};
};

// `--shrink FILE`: the smallest failing configuration below each line, on stdout.
int shrink(const FuzzOptions& options, const Input& input, const CampaignSetting& setting) {
  int failing = 0;
  for (const CorpusLine& line : read_corpus_file(options.shrink)) {
    if (!is_about(line, input.path)) continue;
    const std::string where = line.path + ":" + std::to_string(line.line) + ": ";
    const std::vector<const Kernel*> kernels = kernels_of(*input.spec);
    const auto it = std::find_if(kernels.begin(), kernels.end(), [&](const Kernel* kernel) {
      return line.configuration.kernel == kernel->name ||
             (line.configuration.kernel.empty() && kernels.size() == 1);
    });
    if (it == kernels.end()) throw Failure{where + "no kernel named " + line.configuration.kernel};
    const Shrunk shrunk = shrink_configuration(*input.spec, **it, line.configuration, setting);
    if (!shrunk.error.empty()) throw Failure{where + shrunk.error};
    if (!shrunk.failure) {
      print("# does not fail\n" + to_text(line.configuration) + "\n");
      continue;
    }
    ++failing;
    print((shrunk.failure->smallest ? "" : "# not shown smallest\n") +
          to_text(shrunk.failure->configuration) + "\n");
  }
  return failing > 0 ? 1 : exit_ok;
}

// Runs what is to be run first. Lines about other files or kernels are passed over.
void replay_lines(Campaign& campaign, const std::vector<CorpusLine>& lines, const Input& input,
                  bool must_run) {
  for (const CorpusLine& line : lines) {
    if (!is_about(line, input.path)) continue;
    const std::string error = campaign.replay(line.configuration);
    if (error.empty()) continue;
    const std::string where = line.path + ":" + std::to_string(line.line) + ": ";
    if (must_run) throw Failure{where + error};
    complain(where + "passed over: " + error);  // a corpus outlives the file that it is about
  }
}

Record record_of(const FuzzOptions& options, const Input& input, const Campaign& campaign,
                 double time_ms) {
  Record record;
  record.tool_version = FRAGPROOF_VERSION;
  record.command = options.command_line;
  record.specs = fingerprints_of(input);
  record.interrupted = campaign.stopped();
  for (const KernelReport& report : campaign.reports()) {
    record.checks.push_back(check_of(input, report, record.interrupted));
    Check& check = record.checks.back();
    check.time_ms = time_ms / static_cast<double>(campaign.reports().size());
    if (!options.gpu) continue;
    check.methods = {"gpu"};
    if (check.note.starts_with("emulated: ")) check.note.replace(0, 8, "on the GPU");
    if (!check.reproduce.empty())
      check.reproduce += " --gpu --module " + shell_word(options.module);
  }
  return record;
}

void print_results(const FuzzOptions& options, const Record& record, const Campaign& campaign) {
  if (options.json == "-" || options.html == "-") return;
  TextOptions text;
  text.colour = use_colour(options.colour);
  text.width = terminal_width();
  text.id_width = 20;
  for (const Check& check : record.checks) {
    text.id_width =
        std::max(text.id_width, static_cast<int>(std::min<std::size_t>(check.id.size(), 44)));
  }
  std::int64_t cases = 0, failing = 0, expected = 0;
  for (std::size_t i = 0; i < record.checks.size(); ++i) {
    const KernelReport& report = campaign.reports()[i];
    cases += report.tried;
    const bool fails = record.checks[i].verdict == Verdict::Refuted;
    failing += fails && !as_expected(record.checks[i]) ? 1 : 0;
    expected += fails && as_expected(record.checks[i]) ? 1 : 0;
    if (options.quiet && as_expected(record.checks[i])) continue;
    print(text_of(record.checks[i], report, text));
  }
  std::string end = std::to_string(cases) + " cases: ";
  end += failing == 0 ? "no kernel fails" : std::to_string(failing) + " kernels fail";
  if (failing == 1) end = std::to_string(cases) + " cases: 1 kernel fails";
  if (expected > 0) end += ", " + std::to_string(expected) + " as the file says";
  if (record.interrupted) end += " (interrupted)";
  print(end + "\n");
}

// The kernels of a file that say how they are launched, each in a process that holds the GPU.
// Throws Failure.
std::vector<std::string> launch_on_gpu(const FuzzOptions& options, const Spec& spec,
                                       CampaignSetting& setting) {
  if (options.module.empty()) throw Failure{"--gpu needs the compiled kernels: --module FILE"};
  if (options.floats) throw Failure{"--float is of the emulated warp; --gpu compares integers"};
  std::string why;
  const std::optional<std::string> image = read_text_file(options.module, why);
  if (!image) throw Failure{"cannot read " + options.module + ": " + why};
  if (gpu::load_api(why) == nullptr) {
    throw Failure{options.require_gpu ? "--require-gpu: " + why : "SKIPPED: " + why,
                  options.require_gpu ? 1 : exit_nothing};
  }
  std::vector<std::string> kernels;
  auto launchers = std::make_shared<std::map<const Kernel*, std::unique_ptr<gpu::Launcher>>>();
  for (const Kernel* kernel : kernels_of(spec)) {
    if (kernel->launches.empty()) continue;
    kernels.push_back(kernel->name);
    (*launchers)[kernel] = std::make_unique<gpu::Launcher>(
        spec, *kernel, gpu::LaunchSetting{*image, options.device, options.time_limit});
  }
  if (kernels.empty()) throw Failure{"no kernel of the file has a `launch` line"};
  setting.runner = [launchers](const Kernel& kernel, const Shape& shape) {
    return launchers->at(&kernel)->run(shape);
  };
  return kernels;
}

int fuzz(const FuzzOptions& options) {
  CampaignSetting setting;
  setting.cases = options.cases;
  setting.seconds = seconds_of(options.duration);
  setting.seed = options.seed;
  setting.emulation.mode = options.floats ? DataMode::Floats : DataMode::Integers;
  setting.emulation.seed = options.seed;
  read_shard(options.shard, setting);
  for (const std::string* path : {&options.json, &options.html}) {
    const std::string reason = path->empty() ? "" : why_unwritable(*path);
    if (!reason.empty()) throw Failure{reason};
  }
  if (!options.at.empty()) setting.pinned = parse_sizes(options.at);
  const std::vector<Input> inputs = read_inputs({options.file});
  const Input& input = inputs.front();
  if (!input.spec) {
    const std::string text = diagnostics_text(input);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return exit_usage;
  }
  expect_declared(setting.pinned, {input.spec.get()});
  setting.stop = &catch_interrupts();
  std::vector<std::string> kernels;
  if (options.gpu) kernels = launch_on_gpu(options, *input.spec, setting);
  if (!options.shrink.empty()) return shrink(options, input, setting);

  Campaign campaign(*input.spec, setting, kernels);
  if (campaign.reports().empty()) throw Failure{input.path + " has no kernel", exit_nothing};
  const auto start = std::chrono::steady_clock::now();
  if (!options.corpus.empty()) {
    replay_lines(campaign, read_corpus(options.corpus), input, false);
  }
  std::string line;
  for (const std::string& word : options.words) line += (line.empty() ? "" : " ") + word;
  if (!line.empty()) {
    const std::string error = campaign.replay(parse_or_fail(line));
    if (!error.empty()) throw Failure{line + ": " + error};
  }
  if (!options.replay.empty()) {
    replay_lines(campaign, read_corpus_file(options.replay), input, true);
  }
  ProgressLine progress(use_progress() && !options.quiet, campaign.reports().size());
  if (line.empty() && options.replay.empty()) {
    campaign.run([&](std::int64_t done, std::int64_t failing) { progress.show(done, failing); });
  }
  progress.clear();
  campaign.conclude();

  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  const Record record = record_of(options, input, campaign, time.count());
  if (!options.corpus.empty()) {
    for (const KernelReport& report : campaign.reports()) {
      if (!report.failure || report.failure->emulation.right()) continue;
      Configuration configuration = report.failure->configuration;
      configuration.file = input.path.substr(input.path.rfind('/') + 1);
      keep(options.corpus, configuration,
           std::string(name_of(report.failure->emulation.faults.front().kind)) + ", seed " +
               std::to_string(options.seed));
    }
  }
  print_results(options, record, campaign);
  if (!options.json.empty()) save(options.json, to_json(record));
  if (!options.html.empty()) save(options.html, to_html(record));
  const int code = exit_code(record);
  // Nothing ran: with --require-gpu that is no way to pass.
  return code == exit_nothing && options.require_gpu ? 1 : code;
}

}  // namespace

Command add_fuzz(CLI::App& root, std::string command_line) {
  auto options = std::make_shared<FuzzOptions>();
  options->command_line = std::move(command_line);
  CLI::App* app =
      root.add_subcommand("fuzz", "execute kernels on an emulated warp at many configurations");
  app->add_option("FILE", options->file, "a `.layout` file")->type_name("")->required();
  app->add_option("CONFIG", options->words,
                  "run this one only: gemv N=64 K=512 M=13 (a table: T=@7, or 'T={2,0,1}')")
      ->type_name("");
  app->add_option("--cases", options->cases, "cases of each kernel (default 1000)")
      ->type_name("N")
      ->check(CLI::Validator(CLI::PositiveNumber).description(""));
  app->add_option("--for", options->duration, "go on for this long: 60s, 5m, 2h")
      ->type_name("TIME");
  app->add_option("--seed", options->seed, "same seed, same cases, on any machine (default 1)")
      ->type_name("N");
  app->add_option("--shard", options->shard,
                  "run part i of n: 2/4; the parts have no case in common")
      ->type_name("I/N");
  app->add_option("--at", options->at, "sizes that every case has: N=64,K=512")->type_name("SIZES");
  app->add_option("--replay", options->replay, "run the configurations of a file, a line each")
      ->type_name("FILE");
  app->add_option("--shrink", options->shrink,
                  "print the smallest failing configuration for each line of a file")
      ->type_name("FILE");
  app->add_option("--corpus", options->corpus, "a folder of failures: replayed first, added to")
      ->type_name("DIR");
  app->add_flag("--float", options->floats,
                "real numbers rounded to their types, against an error bound, for exact integers");
  app->add_flag("--gpu", options->gpu, "run compiled kernels as their `launch` lines say");
  app->add_option("--module", options->module, "of --gpu: a cubin, fatbin or PTX file")
      ->type_name("FILE");
  app->add_option("--device", options->device, "of --gpu: number of the GPU (default 0)")
      ->type_name("N");
  app->add_option("--time-limit", options->time_limit,
                  "of --gpu: a launch that takes longer hangs (default 10 seconds)")
      ->type_name("SECONDS")
      ->check(CLI::Validator(CLI::PositiveNumber).description(""));
  app->add_flag("--require-gpu", options->require_gpu, "of --gpu: without one fail, not exit 77");
  app->add_option("--json", options->json, "write the record of the run (-: to stdout)")
      ->type_name("FILE");
  app->add_option("--html", options->html, "write one self-contained page")->type_name("FILE");
  app->add_flag("-q,--quiet", options->quiet, "print only what fails, and the summary");
  add_colour(*app, options->colour);
  app->footer(
      "Examples:\n"
      "  fragproof fuzz gemv.layout --for 60s --corpus failures\n"
      "  fragproof fuzz gemv.layout gemv N=64 K=512 M=13 S=1 NW=8 U=2\n"
      "  fragproof fuzz gemv.layout --cases 100000 --shard 2/4 --json shard2.json\n"
      "  fragproof fuzz gemv.layout --gpu --module gemv.cubin --at S=1");
  return {app, [options] { return fuzz(*options); }};
}

}  // namespace fragproof::cli
