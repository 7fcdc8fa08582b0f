// `probe`: the GPU of this machine against the instruction spec.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/fragments.h"
#include "cli/outputs.h"
#include "cli/suggest.h"
#include "gpu_tests/driver/gpu.h"
#include "gpu_tests/probe/certificate.h"
#include "gpu_tests/probe/gpu_device.h"
#include "gpu_tests/probe/probe.h"
#include "spec/load.h"

namespace fragproof::cli {
namespace {

using gpu::ProbeOutcome;

struct ProbeOptions {
  std::vector<std::string> names;
  std::string json, certificate;
  bool require_gpu = false;
  int device = 0;
};

constexpr std::size_t shown_disagreements = 8;  // of one mnemonic

std::vector<gpu::Target> chosen_targets(const std::vector<std::string>& names) {
  const std::vector<gpu::Target> all = gpu::targets_of(builtin_spec().maps);
  if (names.empty()) return all;
  std::vector<gpu::Target> chosen;
  for (const std::string& name : names) {
    const std::size_t before = chosen.size();
    for (const gpu::Target& target : all) {
      const bool again = std::any_of(chosen.begin(), chosen.end(), [&](const gpu::Target& have) {
        return have.mnemonic == target.mnemonic && have.instruction == target.instruction;
      });
      if (gpu::is_named(target, name) && !again) chosen.push_back(target);
    }
    if (chosen.size() == before) {
      throw Failure{"unknown instruction " + short_word(name) +
                    did_you_mean(name, all_instruction_names())};
    }
  }
  return chosen;
}

std::string line_of(const ProbeOutcome& outcome) {
  const bool good = outcome.verdict == ProbeOutcome::Verdict::Agrees;
  std::string text =
      fmt::format("{} {:<9}  {}", outcome.verdict == ProbeOutcome::Verdict::Disagrees ? "!" : " ",
                  name_of(outcome.verdict), outcome.mnemonic);
  if (good) {
    text += fmt::format("  {} slots, {} warps, {:.0f} ms", outcome.slots, outcome.warps,
                        outcome.milliseconds);
  }
  text += "\n";
  if (!outcome.reason.empty()) text += "             " + outcome.reason + "\n";
  for (std::size_t i = 0; i < outcome.disagreements.size() && i < shown_disagreements; ++i) {
    const gpu::Disagreement& d = outcome.disagreements[i];
    text += fmt::format("             {}: {}: the spec says {}, the device {}\n", d.entry, d.slot,
                        d.expected, d.found);
  }
  if (outcome.disagreements.size() > shown_disagreements) {
    text += fmt::format("             {} more differ, not shown\n",
                        outcome.disagreements.size() - shown_disagreements);
  }
  return text;
}

std::string json_of(const gpu::Certificate& about, const std::vector<ProbeOutcome>& outcomes) {
  auto json = nlohmann::ordered_json::parse(gpu::to_json(about));
  json["schema"] = "fragproof-probe/1";
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    auto& one = json["mnemonics"][i];
    one["time_ms"] = outcomes[i].milliseconds;
    one["disagreements"] = nlohmann::ordered_json::array();
    for (const gpu::Disagreement& d : outcomes[i].disagreements) {
      one["disagreements"].push_back(
          {{"entry", d.entry}, {"slot", d.slot}, {"expected", d.expected}, {"found", d.found}});
    }
  }
  return json.dump(1) + "\n";
}

int run(const ProbeOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<OutputFile> outputs;
  if (!options.json.empty()) outputs.push_back({"--json", options.json});
  if (!options.certificate.empty()) outputs.push_back({"--certificate", options.certificate});
  expect_writable(outputs, {});
  const std::vector<gpu::Target> targets = chosen_targets(options.names);
  std::string why;
  const std::unique_ptr<gpu::Gpu> gpu = gpu::Gpu::open(options.device, why);
  if (!gpu) {
    if (options.require_gpu) throw Failure{"--require-gpu: " + why, 1};
    print("SKIPPED: " + why + "\n");
    return exit_nothing;
  }
  gpu::Certificate certificate;
  certificate.gpu = gpu->name();
  certificate.compute_capability =
      fmt::format("{}.{}", gpu->compute_capability() / 10, gpu->compute_capability() % 10);
  certificate.driver = gpu::driver_version();
  certificate.cuda =
      fmt::format("{}.{}", gpu->cuda_version() / 1000, gpu->cuda_version() % 1000 / 10);
  certificate.command = "fragproof probe";
  for (const std::string& name : options.names) certificate.command += " " + name;
  const bool silent = options.json == "-" || options.certificate == "-";
  if (!silent) {
    print(fmt::format("{}, sm_{}, driver {}, CUDA {}\n", certificate.gpu, gpu->compute_capability(),
                      certificate.driver, certificate.cuda));
  }
  gpu::GpuDevice device(*gpu);
  int agree = 0, disagree = 0, skipped = 0;
  long long warps = 0;
  for (const gpu::Target& target : targets) {
    ProbeOutcome outcome;
    try {
      outcome = gpu::probe(device, builtin_spec(), target);
    } catch (const gpu::GpuError& error) {
      // The context is lost with it: nothing more can run here.
      throw Failure{target.mnemonic + ": " + error.what(), 1};
    }
    agree += outcome.verdict == ProbeOutcome::Verdict::Agrees ? 1 : 0;
    disagree += outcome.verdict == ProbeOutcome::Verdict::Disagrees ? 1 : 0;
    skipped += outcome.verdict == ProbeOutcome::Verdict::Skipped ? 1 : 0;
    warps += outcome.warps;
    if (!silent) print(line_of(outcome));
    certificate.outcomes.push_back(std::move(outcome));
  }
  certificate.entries = gpu::certified_entries(builtin_spec().maps, certificate.outcomes);
  if (!options.json.empty()) save(options.json, json_of(certificate, certificate.outcomes));
  if (!options.certificate.empty()) save(options.certificate, gpu::to_json(certificate));
  int slots = 0;
  for (const gpu::CertifiedEntry& entry : certificate.entries) slots += entry.slots;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!silent) {
    print(fmt::format(
        "{} agree, {} disagree, {} skipped; {} entries confirmed, {} slots (lane, "
        "element), {} warps, {:.1f} s\n",
        agree, disagree, skipped, certificate.entries.size(), slots, warps, seconds.count()));
    print(
        "Not visible in any product: one renumbering of k in A and B, of rows in A, C, D, of "
        "columns in B, C, D.\n");
  }
  if (disagree > 0) return 1;
  return agree > 0 ? exit_ok : exit_nothing;
}

}  // namespace

Command add_probe(CLI::App& root) {
  auto options = std::make_shared<ProbeOptions>();
  CLI::App* app = root.add_subcommand("probe", "compare the GPU of this machine with the spec");
  app->add_option("X", options->names,
                  "instructions, shapes or mnemonics, as in `list` (default: all)");
  app->add_option("--json", options->json, "write all outcomes to a file (-: stdout)");
  app->add_option("--certificate", options->certificate,
                  "write what was confirmed, with the hash of each entry (-: stdout)");
  app->add_option("--device", options->device, "number of the GPU, from 0");
  app->add_flag("--require-gpu", options->require_gpu, "without a GPU: fail, instead of exit 77");
  app->footer(
      "Exit codes: 0 all that could run agrees; 1 something disagrees; 77 nothing could run.\n"
      "Examples:\n"
      "  fragproof probe\n"
      "  fragproof probe mma.m16n8k16.bf16 ldmatrix\n"
      "  fragproof probe --certificate gpu.json");
  return {app, [options] { return run(*options); }};
}

}  // namespace fragproof::cli
